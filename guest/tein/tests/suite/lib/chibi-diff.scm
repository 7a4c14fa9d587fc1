; import (chibi diff)
; import (chibi term ansi)

(lcs '(#\G #\A #\C) '(#\A #\G #\C #\A #\T)) => (#\A #\C)

(lcs-with-positions '(#\G #\A #\C) '(#\A #\G #\C #\A #\T)) => ((#\A 1 0) (#\C 2 2))

(list (lcs '() '(1)) (lcs '(1 2) '()) (lcs '(1 2 3) '(1 2 3)) (lcs-with-positions '(a b c d e) '(a x c y e))) => (() () (1 2 3) ((a 0 0) (c 2 2) (e 4 4)))

(lcs '("A" "b") '("a" "B") (lambda (x y) (string=? (string-downcase x) (string-downcase y)))) => ("A" "b")

(length (lcs (string->list "the quick brown fox jumps over") (string->list "a lazy quick dog jumps on a fox"))) => 16

; Every common item is in both, in order.
(let ((a (string->list "abracadabra simsalabim")) (b (string->list "simsala abracadabra")))
  (let loop ((l (lcs-with-positions a b)) (i -1) (j -1))
    (or (null? l)
        (and (> (cadar l) i) (> (car (cddr (car l))) j)
             (eqv? (caar l) (list-ref a (cadar l))) (eqv? (caar l) (list-ref b (car (cddr (car l)))))
             (loop (cdr l) (cadar l) (car (cddr (car l))))))))
=> #t

; --- texts ---

(diff "GAC" "AGCAT" read-char) => ((#\G #\A #\C) (#\A #\G #\C #\A #\T) ((#\A 1 0) (#\C 2 2)))

(diff "a\nb\nc" (open-input-string "a\nc\nd\n")) => (("a" "b" "c") ("a" "c" "d") (("a" 0 0) ("c" 2 1)))

(diff->string (diff "a\nb\nc\n" "a\nc\nd\n")) => " a\n-b\n c\n+d\n"

(diff->string (diff "one\ntwo\n" "eins\ntwo\n")) => "-one\n+eins\n two\n"

(list (diff->string (diff "" "")) (diff->string (diff "x" "")) (diff->string (diff "" "x"))) => ("" "-x\n" "+x\n")

(diff->string (diff "GAC" "AGCAT" read-char) write-char-diffs) => " »G« A «G» C «AT» "

(let ((out '())) (write-diff (diff "ab" "bc" read-char) (lambda (items kind port) (set! out (cons (cons kind items) out)))) (reverse out))
=> ((remove #\a) (same #\b) (add #\c))

(write-diff (diff "b\na" "a")) =>output -b\n a\n

(diff->string (diff "a\nb\n" "a\nc\n") write-line-diffs/color) => " a\n\x1b;[31m-b\x1b;[39m\n\x1b;[32m+c\x1b;[39m\n"

; --- one side ---

(define d (diff "GAC" "AGCAT" read-char))
(list (edits->string (car d) (car (cddr d)) 1) (edits->string (cadr d) (car (cddr d)) 2))
=> (" »G« AC" "A «G» C «AT» ")

(list (edits->string/color (car d) (car (cddr d)) 1) (edits->string/color (cadr d) (car (cddr d)) 2))
=> ("\x1b;[31mG\x1b;[39mAC" "A\x1b;[32mG\x1b;[39mC\x1b;[32mAT\x1b;[39m")

(edits->string '("a" "b") '(("b" 1 0)) 1) => "-a\n b\n"

(write-line-diffs '("a") 'moved (current-output-port)) =>error unknown kind of difference: (moved)

; --- (chibi term ansi) ---

(list (red-escape) (reset-color-escape) (blue-background-escape) (bold-escape) (rgb-escape 1 2 3) (gray-background-escape 23))
=> ("\x1b;[31m" "\x1b;[39m" "\x1b;[44m" "\x1b;[1m" "\x1b;[38;5;67m" "\x1b;[48;5;255m")

(parameterize ((ansi-escapes-enabled? #t)) (list (green "x") (underline "x") ((rgb 5 0 0) "x") ((gray-background 0) "x")))
=> ("\x1b;[32mx\x1b;[39m" "\x1b;[4mx\x1b;[24m" "\x1b;[38;5;196mx\x1b;[39m" "\x1b;[48;5;232mx\x1b;[49m")

(parameterize ((ansi-escapes-enabled? #f)) (red "x")) => "x"

(rgb-escape 6 0 0) =>error level of a colour out of range: (6 5)

(red 5) =>error not a string: (5)
