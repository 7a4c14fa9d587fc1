; import (srfi 166)
; SRFI 166: columns, paragraphs, pretty printing, colour and terminals

(define (w n . f) (show #f (with ((width n)) (each-in-list f))))
(w 16 (columnar (displayed "abc\ndef\n") (displayed "123\n456\n"))) => "abc     123\ndef     456\n"

(w 20 (columnar "/* " (displayed "abc\ndef\n") " | " (displayed "123\n456\n") " */")) => "/* abc    | 123   */\n/* def    | 456   */\n"

(w 20 (columnar 4 'right 'infinite (line-numbers) " " (displayed "a\nb\nc"))) => "   1 a\n   2 b\n   3 c\n"

(w 12 (columnar 'center (displayed "ab\ncd") (displayed "x\ny\nz\n"))) => "  ab  x\n  cd  y\n      z\n"

(w 14 (columnar 1/2 (displayed "a") (displayed "b") "|")) => "a     b      |\n"

(w 10 (columnar)) => "\n"

(show #f (tabular "|" (each "a\nbc\ndef\n") "|" (each "123\n45\n6\n") "|")) => "|a  |123|\n|bc |45 |\n|def|6  |\n"

(show #f (tabular 'right (each "1\n22") " " (each "x\ny"))) => " 1 x\n22 y\n"

(w 13 (wrapped "The  quick brown\nfox " "jumped over")) => "The quick\nbrown fox\njumped over"

(w 3 (wrapped "a bcdefg h")) => "a\nbcdefg\nh"

(w 80 (wrapped "one line  only")) => "one line only"

(w 6 (wrapped/list '("a b" "c" "d"))) => "a b c\nd"

(w 4 (wrapped/char "abcdefghij")) => "abcd\nefgh\nij"

(w 12 (justified "aa bb cc dd ee ff gg")) => "aa  bb cc dd\nee ff gg\n"

(show #f (with ((word-separator? (lambda (c) (char=? c #\-))) (width 5)) (wrapped "aa-bb-cc"))) => "aa bb\ncc"

(show #f (from-file "/etc/passwd")) =>error not permitted in sandbox

(show #f (pretty '(a "b" #\c 1.5))) => "(a \"b\" #\\c 1.5)\n"

(w 40 (pretty '(define (fold kons knil ls) (let lp ((ls ls) (acc knil)) (if (null? ls) acc (lp (cdr ls) (kons (car ls) acc))))))) => "(define (fold kons knil ls)\n  (let lp ((ls ls) (acc knil))\n    (if (null? ls)\n        acc\n        (lp (cdr ls)\n            (kons (car ls) acc)))))\n"

(w 20 (pretty '(1 2 3 4 5 6 7 8 9 10 11 12 13))) => "(1  2  3  4  5  6\n 7  8  9  10 11 12\n 13)\n"

(w 20 (pretty '#(("alpha" "beta") ("gamma" "delta")))) => "#((\"alpha\" \"beta\")\n  (\"gamma\" \"delta\"))\n"

(w 12 (pretty '(quote (abc def ghi jkl)))) => "'(abc def\n  ghi jkl)\n"

(let ((x (list 1 2))) (set-cdr! (cdr x) x) (show #f (pretty x))) => "#0=(1 2 . #0#)\n"

(let ((x (list 1))) (show #f (pretty-shared (list x x)) (pretty-simply (list x x)) (pretty-with-color 'a))) => "(#0=(1) #0#)\n((1) (1))\na\n"

(equal? (read (open-input-string (w 30 (pretty '(let* ((a '(1 . 2)) (b #(x y "z"))) (do ((i 0 (+ i 1))) ((= i 10) 'done) (display i))))))) '(let* ((a '(1 . 2)) (b #(x y "z"))) (do ((i 0 (+ i 1))) ((= i 10) 'done) (display i)))) => #t

(show #f (as-red "r" (as-blue "b") "r") "p" (as-bold "x") (on-green "g") (as-underline (as-italic "u"))) => "\x1b;[31mr\x1b;[34mb\x1b;[31mr\x1b;[39mp\x1b;[1mx\x1b;[22m\x1b;[42mg\x1b;[49m\x1b;[4m\x1b;[3mu\x1b;[23m\x1b;[24m"

(show #f (as-color 5 0 0 "r") (on-true-color 1 2 3 "t") (fn (col) col)) => "\x1b;[38;5;196mr\x1b;[39m\x1b;[48;2;1;2;3mt\x1b;[49m2"

(as-color 6 0 0 "r") =>error color: component out of range

(list (string-terminal-width "abc") (string-terminal-width "日本語") (string-terminal-width "e\x301;") (string-terminal-width "\x1b;[31mab\x1b;[0m") (string-terminal-width "α") (string-terminal-width/wide "α") (string-terminal-width "abc" 1)) => (3 6 1 2 1 2 2)

(list (substring-terminal-width "ａｂｃ" 0 6) (substring-terminal-width "ａｂｃ" 0 4) (substring-terminal-width "ａｂｃ" 2 6) (substring-terminal-width "ａｂｃ" 1 4) (substring-terminal-width "ａｂｃ" 2 3) (substring-terminal-width "ａｂｃ" -1 2)) => ("ａｂｃ" "ａｂ" "ｂｃ" "ａｂ" "" "ａ")

(substring-terminal-preserve "a\x1b;[31mb\x202a;c") => "\x1b;[31m\x202a;"

(show #f (trimmed/right 2 "日本語") "|" (terminal-aware (trimmed/right 2 "日本語")) "|" (with ((pad-char #\~)) (padded/both 5 "日本語")) "|" (terminal-aware (padded/both 7 "日本語"))) => "日本|日|~日本語~|日本語 "

(show #f (upcased "abc" (as-red "m")) (downcased "ΜΈΛΟΣ")) => "ABC\x1b;[31mM\x1b;[39mμέλος"

(show #f (terminal-aware (trimmed/right 3 (as-red "abcdef")))) => "\x1b;[31mabc\x1b;[39m"
