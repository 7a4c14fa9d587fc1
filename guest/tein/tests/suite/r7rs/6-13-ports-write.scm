; R7RS 6.13.3 Output

(define (written x) (let ((p (open-output-string))) (write x p) (get-output-string p)))
(define (displayed x) (let ((p (open-output-string))) (display x p) (get-output-string p)))
(define (shared x) (let ((p (open-output-string))) (write-shared x p) (get-output-string p)))
(define (simple x) (let ((p (open-output-string))) (write-simple x p) (get-output-string p)))
(written "a\"b") => "\"a\\\"b\""

(displayed "a\"b") => "a\"b"

(written #\a) => "#\\a"

(displayed #\a) => "a"

(written '(1 "two" #\3 four)) => "(1 \"two\" #\\3 four)"

(displayed '(1 "two" #\3 four)) => "(1 two 3 four)"

(written '(a . (b . (c . d)))) => "(a b c . d)"

(written '(1 . (2 3))) => "(1 2 3)"

(written '#(1 #(2) ())) => "#(1 #(2) ())"

(written #u8(1 2)) => "#u8(1 2)"

(written '()) => "()"

(written '(#t #f)) => "(#t #f)"

(written ''a) => "'a"

(written '`(a ,b ,@c)) => "`(a ,b ,@c)"

(written '(quote)) => "(quote)"

(written '(quote a b)) => "(quote a b)"

(written '(quote . a)) => "(quote . a)"

(written '|a b|) => "|a b|"

(displayed '|a b|) => "a b"

(written (eof-object)) => "#<eof>"

(written car) => "#<procedure>"

(written (if #f #f)) => "#<unspecified>"

(written 1.0) => "1.0"

(written "\x0;\x7f;") => "\"\\x0;\\x7f;\""

(written '|a\x7;b|) => "|a\\x7;b|"

; Cycles and sharing.
(written (let ((x (list 1 2))) (set-cdr! (cdr x) x) x)) => "#0=(1 2 . #0#)"

(written (let ((x (list 1 2))) (set-car! x x) x)) => "#0=(#0# 2)"

(written (let ((v (vector 1 2))) (vector-set! v 1 v) v)) => "#0=#(1 #0#)"

(displayed (let ((x (list "a"))) (set-cdr! x x) x)) => "#0=(a . #0#)"

(written (let ((x (list 1))) (list x x))) => "((1) (1))"

(shared (let ((x (list 1))) (list x x))) => "(#0=(1) #0#)"

(shared (let ((x (list 1)) (y (list 2))) (list x y x y))) => "(#0=(1) #1=(2) #0# #1#)"

(shared (let ((v (vector 1))) (vector v v))) => "#(#0=#(1) #0#)"

(shared '(1 1 a a "s")) => "(1 1 a a \"s\")"

(shared (let ((x (list 2 3))) (cons x (cons 1 x)))) => "(#0=(2 3) 1 . #0#)"

(simple (let ((x (list 1))) (list x x))) => "((1) (1))"

(written (let ((x (list 1)) (y (list 2))) (set-cdr! x x) (list x y y))) => "(#0=(1 . #0#) (2) (2))"

(written (let ((x (list 'quote 1))) (set-car! (cdr x) x) x)) => "#0='#0#"

; Two cycles.
(written (let ((x (list 1)) (y (list 2))) (set-cdr! x x) (set-cdr! y y) (cons x y))) => "(#0=(1 . #0#) . #1=(2 . #1#))"

; write-string, write-char, newline
(let ((p (open-output-string))) (write-string "abc" p) (write-string "defg" p 1) (write-string "defg" p 1 2) (get-output-string p)) => "abcefge"

(let ((p (open-output-string))) (write-char #\a p) (newline p) (write-char #\λ p) (get-output-string p)) => "a\nλ"

(write-string "abc" (open-output-string) 4) =>error index out of range

(write-string 5) =>error invalid type, expected String: (5)

(write-char "a") =>error invalid type, expected Char: ("a")

; get-output-string accumulates, and can be read more than once.
(let ((p (open-output-string))) (write 1 p) (let ((a (get-output-string p))) (write 2 p) (list a (get-output-string p)))) => ("1" "12")

(get-output-string (open-input-string "a")) =>error 

(get-output-string 5) =>error 

(begin (display "out") (newline) (write "w")) =>output out\n"w"

(write-string "plain") =>output plain

(begin (write-char #\x) (flush-output-port)) =>output x

(begin (write-shared '(1 2)) (write-simple '(3))) =>output (1 2)(3)

(display '("a" #\b (c "d"))) =>output (a b (c d))

(display "err" (current-error-port)) =>output 

(let ((p (open-output-string))) (parameterize ((current-output-port p)) (display "inside") (write 'x)) (get-output-string p)) => "insidex"

(let ((p (open-output-string))) (close-port p) (display 1 p)) =>error the port is closed

(let ((p (open-output-string))) (close-output-port p) (list (output-port? p) (output-port-open? p))) => (#t #f)

(display 1 (open-input-string "")) =>error invalid type, expected Output-Port

(display 1 'port) =>error invalid type, expected Output-Port: (port)

(display) =>error not enough args

(newline 1 2) =>error too many args

(output-port-open? (current-output-port)) => #t

; Long and deep output.
(string-length (written (make-list 10000 'x))) => 20001

(string-length (written (let loop ((i 0) (x '())) (if (= i 10000) x (loop (+ i 1) (list x)))))) => 20002

(string-length (written (let loop ((i 0) (x 'end)) (if (= i 10000) x (loop (+ i 1) (vector x)))))) => 30003

; an abbreviation must not run into the symbol after it
(let ((p (open-output-string))) (write (list 'unquote (string->symbol "@a")) p) (get-output-string p)) => "(unquote @a)"

(let ((p (open-output-string))) (write ''(unquote a) p) (get-output-string p)) => "',a"
