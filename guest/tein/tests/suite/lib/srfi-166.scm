; import (srfi 166)
; SRFI 166: monadic formatting

(show #f "π = " (with ((precision 2)) (acos -1)) nl) => "π = 3.14\n"

(show #t "a" 1 #\b 'c "d" nl) =>output a1bcd\n

(show 5 "a") =>error show: not an output port

(show #f '("a" #\b) " " (displayed "x") (written "x") (written '(0 . 1))) => "(\"a\" #\\b) x\"x\"(0 . 1)"

(show #f 1.5 " " (with ((precision 0)) 1.5) " " 1/7 " " (with ((precision 3)) 1/7) " " (with ((precision 20)) 1/7)) => "1.5 2 1/7 0.143 0.14285714285714285714"

(show #f (with ((radix 16)) (written 255)) " " (with ((radix 2)) 5) " " (with ((precision 1)) (written '(1/3 #(2.25) . 3)))) => "#xff #b101 (0.3 #(2.2) . 3.0)"

(let ((x (list 1 2))) (set-cdr! (cdr x) x) (show #f (written x))) => "#0=(1 2 . #0#)"

(let ((x (list 1))) (show #f (written (list x x)) (written-shared (list x x)) (written-simply (list x x)) (written-shared (vector x (cons 0 x))))) => "((1) (1))(#0=(1) #0#)((1) (1))#(#0=(1) (0 . #0#))"

(show #f (written ''a) (written '(quasiquote (a (unquote b)))) (written '(quote a b)) (written #()) (written '|x y|)) => "'a`(a ,b)(quote a b)#()|x y|"

(show #f (escaped "hi, \"bob!\"") " " (escaped "a'b" #\' #f) " " (escaped "a\nb" #\" #\\ (lambda (c) (and (char=? c #\newline) #\n)))) => "hi, \\\"bob!\\\" a''b a\\nb"

(show #f (maybe-escaped "foo" char-whitespace? #\") " " (maybe-escaped "foo bar" char-whitespace? #\") " " (maybe-escaped "f\"b" char-whitespace? #\")) => "foo \"foo bar\" \"f\\\"b\""

(show #f (numeric 255 16) " " (numeric 3.14159 10 2) " " (numeric -1.995 10 2) " " (numeric 5 10 0 #t) " " (numeric -1.99 10 2 '("(" . ")")) " " (numeric 0.5 10 3) " " (numeric 1/3)) => "ff 3.14 -2.00 +5 (1.99) 0.500 1/3"

(show #f (numeric 1234567.891 10 2 #f 3) " " (numeric 1234567 10 0 #f 3 #\.) " " (numeric 1234.5 10 2 #f 3 #\.) " " (numeric 1+2i 10 1) " " (numeric +inf.0)) => "1,234,567.89 1.234.567 1.234,50 1.0+2.0i +inf.0"

(show #f (numeric/comma 123456789) " " (numeric/comma 123456789 2) " " (numeric/comma 123456789 '(3 2)) " " (numeric/comma 123) " " (numeric/comma -1234.5)) => "123,456,789 1,23,45,67,89 12,34,56,789 123 -1,234.5"

(show #f (numeric/si 608) " " (numeric/si 608 1000 " ") "B " (numeric/si 3986) " " (numeric/si 3986 1024) "B " (numeric/si 1.23e-6) "m " (numeric/si 1.23e-6 1000 " ") "m " (numeric/si 0) " " (numeric/si 999990) " " (numeric/si -3e9)) => "608 608 B 4k 3.9KiB 1.2µm 1.2 µm 0 1M -3G"

(numeric/si 1 10) =>error numeric/si: the base is 1000 or 1024

(numeric 'a) =>error numeric: not a number

(show #f (with ((precision 2)) (each (numeric/fitted 4 1.25) " " (numeric/fitted 4 12.345))) " " (with ((precision 0)) (numeric/fitted 2 123.45))) => "1.25 #.## ##"

(show #f (with ((decimal-align 5) (precision 3)) (joined numeric '(0 1.5 -22.25) " "))) => "   0.000    1.500  -22.250"

(show #f (with ((sign-rule #t) (comma-rule 3)) (numeric 1234567))) => "+1,234,567"

(show #f fl "hi" fl nl fl "a" (space-to 5) "b" (space-to 0) (tab-to 4) "c" (tab-to) "d" nothing) => "hi\n\na    b  c       d"

(show #f "abcdefghi" (tab-to 5) "b" nl (with ((pad-char #\.)) (each "x" (space-to 4) "y"))) => "abcdefghi b\nx...y"

(show #f (each "a" 'b) (each-in-list '(1 2))) => "ab12"

(show #f (joined displayed '(a b c) ", ") "|" (joined/prefix displayed '(usr bin) "/") "|" (joined/suffix displayed '(1 2) nl) "|" (joined displayed '() ",")) => "a, b, c|/usr/bin|1\n2\n|"

(show #f (joined/last displayed (lambda (x) (each "and " x)) '(lions tigers bears) ", ") "|" (joined/dot displayed (lambda (d) (each ". " d)) '(1 2 . 3) " ") "|" (joined/range displayed 0 5 " ")) => "lions, tigers, and bears|1 2 . 3|0 1 2 3 4"

(show #f (padded 5 "abc") "|" (padded/right 5 "abc") "|" (padded/both 6 "abc") "|" (padded 2 "abc")) => "  abc|abc  | abc  |abc"

(show #f (trimmed 5 "abcde") "|" (trimmed 5 "abcdef") "|" (trimmed/right 5 "abcdef") "|" (trimmed/both 5 "abcdef") "|" (trimmed/both 4 "abcdef")) => "abcde|bcdef|abcde|abcde|bcde"

(show #f (with ((ellipsis "...")) (each (trimmed 5 "abcdef") "|" (trimmed/right 5 "abcdef"))) "|" (with ((ellipsis "_")) (trimmed/both 5 "abcdef"))) => "...ef|ab...|_bcd_"

(show #f (trimmed/lazy 10 (joined/range displayed 0 #f " ")) "|" (trimmed/lazy 5 "ab" "c") "|" (let ((x (list 1))) (set-cdr! x x) (trimmed/lazy 7 (written-simply x)))) => "0 1 2 3 4 |abc|(1 1 1 "

(show #f (fitted 5 "abc") "|" (fitted 3 "abcdef") "|" (fitted/right 5 "abc") "|" (fitted/right 3 "abcdef") "|" (fitted/both 5 "abc") "|" (fitted/both 3 "abcdef")) => "  abc|def|abc  |abc| abc |bcd"

(show #f "column: " (fn (col) col) " " (fn ((c col)) (each c ", " (fn ((d col)) d)))) => "column: 8 10, 14"

(show #f (fn ((r row)) r) nl nl (fn (row col) (each row ":" col)) (fn () "x")) => "0\n\n2:0x"

(define v (make-state-variable "v" 'none))
(show #f (fn (v) v) " " (with ((v 1)) (fn (v) v)) " " (fn (v) v) (with! (v 2)) " " (fn (v) v) " " (with ((v 5)) (with! (v 6)) (fn (v) v)) " " (fn (v) v)) => "none 1 none 2 6 2"

(show #f (with ((pad-char #\*)) (with! (v 3)) "a") (fn (v) v)) => "a3"

(show #f (with! ((make-state-variable "fixed" 1 #t) 2))) =>error with!: an immutable state variable

(show #f (forked (each "ab" (with! (v 'inner))) (fn (col v) (each col v)))) => "ab0none"

(show #f "x" (call-with-output (each "a" nl "b") (lambda (s) (each (string-length s) (fn (col) col))))) => "x32"

(show #f (with ((output (lambda (s) (output-default (string-append "<" s ">"))))) "a" 'b)) => "<a><b>"

(show #f (with ((writer (lambda (x) (each "#" (written x))))) '(1) "s")) => "#(1)s"

; --- what shows in colour, and what a width is ---

(show #f (as-green "a") (as-on "b")) =>error undefined variable

(map (lambda (f) (show #f (f "x"))) (list as-black as-red as-green as-yellow as-blue as-magenta as-cyan as-white))
  => ("\x1b;[30mx\x1b;[39m" "\x1b;[31mx\x1b;[39m" "\x1b;[32mx\x1b;[39m" "\x1b;[33mx\x1b;[39m" "\x1b;[34mx\x1b;[39m" "\x1b;[35mx\x1b;[39m" "\x1b;[36mx\x1b;[39m" "\x1b;[37mx\x1b;[39m")

(map (lambda (f) (show #f (f "x"))) (list on-black on-red on-green on-yellow on-blue on-magenta on-cyan on-white))
  => ("\x1b;[40mx\x1b;[49m" "\x1b;[41mx\x1b;[49m" "\x1b;[42mx\x1b;[49m" "\x1b;[43mx\x1b;[49m" "\x1b;[44mx\x1b;[49m" "\x1b;[45mx\x1b;[49m" "\x1b;[46mx\x1b;[49m" "\x1b;[47mx\x1b;[49m")

; Only what numeric shows has separators; write semantics keep a number readable.
(list (show #f (with ((decimal-sep #\,) (precision 2)) (numeric 1.5))) (show #f (with ((comma-rule 3) (comma-sep #\.)) (numeric 1234567))) (show #f (with ((comma-rule 3)) 1234567)))
  => ("1,50" "1.234.567" "1234567")
