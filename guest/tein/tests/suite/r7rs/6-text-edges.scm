; R7RS 6.1 and 6.3 to 6.14: data, text and ports at the edges
; import (scheme char)
; import (scheme write)
; import (scheme read)
; import (scheme cxr)
; import (scheme process-context)
; import (scheme time)
; import (scheme inexact)

; --- 6.1 ---

(list (eqv? +nan.0 +nan.0) (eqv? 0.0 -0.0) (eqv? 2 2.0) (eqv? 1/2 1/2) (eqv? (expt 10 30) (expt 10 30)) (eqv? 1+i 1+i) (eqv? 1.5 1.5) (eqv? "" "") (eqv? '() '()))
  => (#t #f #f #t #t #t #t #f #t)

(list (equal? +nan.0 +nan.0) (equal? 0.0 -0.0) (equal? 2 2.0) (equal? #(1 (2 "x")) (vector 1 (list 2 "x"))) (equal? #u8(1 2) (bytevector 1 2)) (equal? "a" 'a))
  => (#t #f #f #t #t #f)

(let ((p (lambda (x) x))) (list (eq? p p) (eqv? p p) (equal? p p))) => (#t #t #t)

(equal? '#0=(a b . #0#) '#1=(a b a b . #1#)) => #t

(equal? '#0=(a . #0#) '#1=(b . #1#)) => #f

; --- 6.3, 6.4, 6.5 ---

(list #true #false (boolean=? #t #t #t) (boolean=? #f #t) (boolean? '()) (not '())) => (#t #f #t #f #f #f)

(boolean=? 1 1) =>error

(list (list? '(1 . 2)) (list? '#0=(1 . #0#)) (list? '()) (length '())) => (#f #f #t 0)

(length '(1 . 2)) =>error

(length '#0=(1 . #0#)) =>error

(list (append) (append 5) (append '() 5) (append '(1) 2) (append '(1) '(2) '(3 . 4))) => (() 5 5 (1 . 2) (1 2 3 . 4))

(append 5 '(1)) =>error

(let* ((tail (list 3)) (l (append '(1) tail))) (eq? (cdr l) tail)) => #t

(list (list-tail '(1 2 3) 0) (list-tail '(1 2 3) 3) (list-tail '(1 . 2) 1) (list-ref '(a b c) 2)) => ((1 2 3) () 2 c)

(list-tail '(1 2) 3) =>error

(list-ref '(1 2) 2) =>error

(list-ref '(1 2) -1) =>error

(list (list-copy 5) (list-copy '(1 2 . 3)) (let ((a (list 1 2))) (eq? a (list-copy a)))) => (5 (1 2 . 3) #f)

(let ((l (list 1 2 3))) (list-set! l 1 'x) l) => (1 x 3)

(list (member 2.0 '(1 2 3) =) (assoc 2.0 '((1 one) (2 two)) =) (memq 'c '(a b)) (member '(1) '((0) (1) (2))) (assv 5 '())) => ((2 3) (2 two) #f ((1) (2)) #f)

(list (make-list 2 'x) (length (make-list 3)) (make-list 0 1)) => ((x x) 3 ())

(list (symbol=? 'a 'a 'a) (symbol=? 'a 'b) (symbol->string '|a b|) (string->symbol "") (eq? '|foo| 'foo)) => (#t #f "a b" || #t)

(map (lambda (s) (let ((p (open-output-string))) (write (string->symbol s) p) (get-output-string p)))
  '("a" "" "a b" "A" "1" "+1" "1+" "." ".." "..." "a|b" "a\\b" "+" "-" "-a" "+i" "#a" "a#" "λ" "a;b" "a\nb" "'a" "+.a" ".1" "-." "a\"b"))
  => ("a" "||" "|a b|" "|A|" "|1|" "|+1|" "1+" "|.|" ".." "..." "|a\\|b|" "|a\\\\b|" "+" "-" "-a" "|+i|" "|#a|" "a#" "λ" "|a;b|" "|a\\nb|" "|'a|" "+.a" "|.1|" "-." "|a\"b|")

(map (lambda (s) (symbol->string (read (open-input-string s)))) '("|a\\x41;b|" "a|b c|d" "|a\\tb|" "||" "|\\||")) => ("aAb" "ab cd" "a\tb" "" "|")

(string->symbol 'a) =>error invalid type, expected String: (a)

; --- 6.6 ---

(map (lambda (c) (let ((p (open-output-string))) (write c p) (get-output-string p)))
  (list #\a #\space #\newline #\tab #\return #\null #\delete #\escape #\alarm #\backspace #\x1 #\( #\λ #\x0 #\x200B))
  => ("#\\a" "#\\space" "#\\newline" "#\\tab" "#\\return" "#\\null" "#\\delete" "#\\escape" "#\\alarm" "#\\backspace" "#\\x1" "#\\(" "#\\λ" "#\\null" "#\\x200b")

(list (char->integer #\x) (char->integer #\x41) (char->integer #\xD7FF) (char->integer (integer->char #x10FFFF))) => (120 65 55295 1114111)

(integer->char #xD800) =>error

(integer->char #x110000) =>error

(integer->char -1) =>error

(read (open-input-string "#\\xD800")) =>error

(read (open-input-string "#\\spacex")) =>error

(list (char<? #\a #\b #\c) (char<? #\a #\c #\b) (char=? #\a #\a #\a) (char>=? #\c #\b #\b)) => (#t #f #t #t)

; --- 6.7 ---

(list (string-upcase "Straße ﬁ") (string-downcase "ΑΣ ΑΣ. Σ") (string-foldcase "Straße ΑΣ") (string-upcase "ŉ")) => ("STRASSE FI" "ας ας. σ" "strasse ασ" "ʼN")

(list (string-ci=? "Straße" "STRASSE") (string-ci<? "a" "B" "c") (string-ci=? "ΑΣ" "ας" "ασ")) => (#t #t #t)

(list (string<? "a" "ab") (string<? "ab" "a") (string<? "" "a") (string<? "a" "b" "c") (string=? "a" "a" "b") (string>? "b" "ab") (string<=? "a" "a")) => (#t #f #t #t #f #t #t)

(let ((s (make-string 3 #\a))) (string-set! s 1 #\λ) (string-set! s 2 #\x1F600) (list s (string-length s) (string-ref s 2))) => ("aλ😀" 3 #\😀)

(let ((s (string-copy "abcde"))) (string-copy! s 1 "xyz" 0 2) s) => "axyde"

(let ((s (string-copy "abcde"))) (string-copy! s 1 s 0 4) s) => "aabcd"

(let ((s (string-copy "abcde"))) (string-copy! s 0 s 1 5) s) => "bcdee"

(let ((s (string-copy "abc"))) (string-copy! s 2 "xyz")) =>error

(let ((s (string-copy "abcde"))) (string-fill! s #\x 1 3) s) => "axxde"

(list (substring "abc" 1 2) (substring "abc" 3 3) (string-copy "abc" 1) (string-append) (string-append "a") (string) (string #\a #\b)) => ("b" "" "bc" "" "a" "" "ab")

(substring "abc" 2 1) =>error

(substring "abc" 0 4) =>error

(string-ref "abc" 3) =>error index out of range

(string-ref "abc" 1.0) =>error

(list (string->list "abc" 1) (string->list "abc" 1 2) (list->string '()) (string->vector "abc" 1) (vector->string #(#\a #\b #\c) 0 2)) => ((#\b #\c) (#\b) "" #(#\b #\c) "ab")

(list->string '(#\a b)) =>error

(string-map char-upcase "ab" ) => "AB"

(string-map (lambda (c) 5) "ab") =>error

(list "a\x41;b" "a\
   b" "tab\tq\"\\" (string-length "a\x0;b")) => ("aAb" "ab" "tab\tq\"\\" 3)

(let ((p (open-output-string))) (write "a\n\t\r\a\b\\\"\x0;\x7f;é" p) (get-output-string p)) => "\"a\\n\\t\\r\\x7;\\x8;\\\\\\\"\\x0;\\x7f;é\""

; --- 6.8 and 6.9 ---

(let ((v (vector 1 2 3 4 5))) (vector-fill! v 'x 1 3) v) => #(1 x x 4 5)

(let ((v (vector 1 2 3))) (vector-fill! v 0 3) (vector-fill! v 9 2) v) => #(1 2 9)

(vector-fill! (vector 1 2) 0 2 1) =>error

(vector-fill! (vector 1 2) 0 0 3) =>error

(let ((v (vector 1 2 3 4 5))) (vector-copy! v 1 v 0 4) v) => #(1 1 2 3 4)

(let ((v (vector 1 2 3 4 5))) (vector-copy! v 0 v 1) v) => #(2 3 4 5 5)

(vector-copy! (vector 1 2) 1 #(1 2)) =>error

(list (vector->list #(1 2 3) 1) (vector->list #(1 2 3) 1 1) (vector-append) (vector-append #(1) #(2 3)) (vector-copy #(1 2 3) 1 2) (vector-map + #() #(1))) => ((2 3) () #() #(1 2 3) #(2) #())

(vector-ref #(1 2) 2) =>error index out of range

(vector-ref #(1 2) 1.0) =>error

(vector-ref #(1 2) -1) =>error

(make-vector -1) =>error

(list (bytevector) (bytevector-append #u8(1) #u8() #u8(2)) (bytevector-copy #u8(1 2 3) 2) (utf8->string #u8(#xCE #xBB #x41)) (string->utf8 "λ") (utf8->string #u8(65 66 67) 1 2) (string->utf8 "abc" 1))
  => (#u8() #u8(1 2) #u8(3) "λA" #u8(206 187) "B" #u8(98 99))

(bytevector 256) =>error

(bytevector-u8-set! (bytevector 1) 0 -1) =>error

(let ((b (bytevector 1 2 3 4 5))) (bytevector-copy! b 1 b 0 4) b) => #u8(1 1 2 3 4)

(read (open-input-string "#u8(1 256)")) =>error

; --- 6.13, reading ---

(define (reads s) (let ((p (open-input-string s))) (let loop ((acc '())) (let ((x (read p))) (if (eof-object? x) (reverse acc) (loop (cons x acc)))))))
(reads "a #;b c") => (a c)

(reads "(a #;b) (#;a) (a #;(b c) d) (a . #;b c) (a #;#;b c d) (a . b #;c)") => ((a) () (a d) (a . c) (a d) (a . b))

(reads "#;a #;b") => ()

(reads "#(1 #;2 3) '#;a b `#|x|#c") => (#(1 3) (quote b) (quasiquote c))

(reads "#| a #| nested |# b |# x ; to the end") => (x)

(reads "#!fold-case ABC #!no-fold-case ABC") => (abc |ABC|)

(reads "(1 .5) (1 . 5) (a.b) (1 .a)") => ((1 0.5) (1 . 5) (a.b) (1 .a))

(reads "#t #true #f #false #\\a #\\space #\\x41 #\\x") => (#t #t #f #f #\a #\space #\A #\x)

(let ((x (car (reads "#0=(a #0# b)")))) (eq? x (cadr x))) => #t

(let ((x (car (reads "(#1=(1) #1# #2=\"s\" #2#)")))) (list (eq? (car x) (cadr x)) (eq? (caddr x) (cadddr x)))) => (#t #t)

(let ((x (car (reads "#0=#(1 #0#)")))) (eq? x (vector-ref x 1))) => #t

(reads "(1 . )") =>error

(reads "( . 1)") =>error

(reads "(1 . 2 3)") =>error

(reads ")") =>error too many ')'s

(reads "(1") =>error

(reads "\"abc") =>error

(reads "|abc") =>error

(reads "#|abc") =>error

(reads "#;") =>error

(reads "'") =>error

(reads "(#;)") =>error

(reads "#5#") =>error

(reads "#0=#0#") =>error

(reads "#<foo>") =>error

(reads "#truex") =>error

(reads "\"\\q\"") =>error

(guard (e ((read-error? e) 'read-error)) (read (open-input-string "(1"))) => read-error

; --- 6.13, ports ---

(define p (open-input-string "one\ntwo\r\nthree\rfour"))
(let* ((a (read-line p)) (b (read-line p)) (c (read-line p)) (d (read-line p))) (list a b c d (eof-object? (read-line p)))) => ("one" "two" "three" "four" #t)

(let ((p (open-input-string "abc"))) (list (read-string 0 p) (peek-char p) (read-char p) (read-string 10 p) (eof-object? (read-string 1 p)) (eof-object? (peek-char p)))) => ("" #\a #\a "bc" #t #t)

(let ((p (open-input-string ""))) (list (eof-object? (read-line p)) (eof-object? (read-char p)) (eof-object? (read p)) (char-ready? p))) => (#t #t #t #t)

(let ((p (open-input-string "\n\nx"))) (list (read-line p) (read-line p) (read-line p) (eof-object? (read-line p)))) => ("" "" "x" #t)

(let ((p (open-input-bytevector #u8(1 2 3 4 5)))) (let* ((a (peek-u8 p)) (b (read-bytevector 2 p)) (v (bytevector 0 0 0 0)) (n (read-bytevector! v p 1 3)) (c (read-u8 p)) (d (read-u8 p))) (list a b n v c (eof-object? d) (u8-ready? p)))) => (1 #u8(1 2) 2 #u8(0 3 4 0) 5 #t #t)

(let ((p (open-input-bytevector #u8(1)))) (list (read-bytevector 0 p) (read-bytevector! (bytevector) p))) => (#u8() 0)

(read-string -1 (open-input-string "abc")) =>error

(read-char (open-input-bytevector #u8(1))) =>error

(read-u8 (open-input-string "a")) =>error

(write-u8 1 (open-output-string)) =>error

(let ((p (open-input-string "abc"))) (close-port p) (list (input-port-open? p) (input-port? p) (textual-port? p) (binary-port? p) (output-port? p))) => (#f #t #t #f #f)

(let ((p (open-input-string "abc"))) (close-input-port p) (read-char p)) =>error

(let ((p (open-output-string))) (close-output-port p) (write-char #\a p)) =>error

(close-output-port (open-input-string "")) =>error

(call-with-port (open-input-string "xy") read-char) => #\x

(let ((p (open-input-string "x"))) (call-with-port p (lambda (p) 1)) (input-port-open? p)) => #f

(let ((o (open-output-string))) (write-string "abcde" o 1 3) (write-char #\! o) (newline o) (get-output-string o)) => "bc!\n"

(let ((o (open-output-bytevector))) (write-u8 7 o) (write-bytevector #u8(1 2 3 4) o 1 3) (get-output-bytevector o)) => #u8(7 2 3)

(write-string 'a) =>error

(eof-object? (eof-object)) => #t

; --- 6.13, writing ---

(define (written x) (let ((o (open-output-string))) (write x o) (get-output-string o)))
(define (displayed x) (let ((o (open-output-string))) (display x o) (get-output-string o)))
(define (shared x) (let ((o (open-output-string))) (write-shared x o) (get-output-string o)))
(define (simple x) (let ((o (open-output-string))) (write-simple x o) (get-output-string o)))
(let ((x (list 1 2))) (list (written (list x x)) (shared (list x x)) (simple (list x x)))) => ("((1 2) (1 2))" "(#0=(1 2) #0#)" "((1 2) (1 2))")

(let ((x (list 1 2))) (set-cdr! (cdr x) x) (list (written x) (shared x) (displayed x))) => ("#0=(1 2 . #0#)" "#0=(1 2 . #0#)" "#0=(1 2 . #0#)")

(let ((v (vector 1 2))) (vector-set! v 1 v) (written v)) => "#0=#(1 #0#)"

(let* ((a (list 'a)) (b (list a a))) (set-car! a b) (written b)) => "#0=((#0#) (#0#))"

(let ((x (list 1 2 3))) (set-cdr! (cddr x) (cdr x)) (written x)) => "(1 . #0=(2 3 . #0#))"

(map written '('a `a ,a ,@a (quote) (quote a b) (quote . a))) => ("'a" "`a" ",a" ",@a" "(quote)" "(quote a b)" "(quote . a)")

(list (displayed '("a" #\b |c d|)) (written '("a" #\b |c d|)) (displayed #("x")) (written '(1 . (2 . (3 . 4)))) (written '(#t #f ()))) => ("(a b c d)" "(\"a\" #\\b |c d|)" "#(x)" "(1 2 3 . 4)" "(#t #f ())")

(list (written (if #f #f)) (written (eof-object)) (written car)) => ("#<unspecified>" "#<eof>" "#<procedure>")

; --- 6.14 ---

(list (list? (features)) (and (memq 'r7rs (features)) #t) (and (memq 'full-unicode (features)) #t) (and (memq 'ratios (features)) #t)) => (#t #t #t #t)

(dynamic-wind (lambda () (display "in ")) (lambda () (display "body ") 'x) (lambda () (display "out"))) =>output in body out

(list (exact-integer? (current-jiffy)) (exact-integer? (jiffies-per-second)) (real? (current-second))) => (#t #t #t)
