; Texts that tools and their users have seen for years: messages, irritants and values.

; Errors of programs
(error "boom" 1 "two" 'three) =>error scheme evaluation error: boom: (1 "two" three)

(error "boom") =>error scheme evaluation error: boom

(error 'my-proc "boom" 1) =>error my-proc

(raise 'foo) =>error scheme evaluation error: uncaught: foo

(raise 42) =>error scheme evaluation error: uncaught: 42

(raise "str") =>error scheme evaluation error: uncaught: "str"

(raise (list 1 2)) =>error scheme evaluation error: uncaught: (1 2)

(raise #f) =>error scheme evaluation error: uncaught: #f

(raise (vector 1 2)) =>error scheme evaluation error: uncaught: #(1 2)

(let ((x 5)) (raise x)) =>error scheme evaluation error: uncaught: 5

(raise-continuable 'x) =>error scheme evaluation error: uncaught: x

(guard (e ((string? e) e)) (raise 'not-a-string)) =>error scheme evaluation error: uncaught: not-a-string

(define (f) (error "deep" '(a . b) "s\n" #\c 1.5 #(1 2)))
(f) =>error scheme evaluation error: deep: ((a . b) "s\n" #\c 1.5 #(1 2))

; Variables
undefined-var =>error scheme evaluation error: undefined variable: (undefined-var)

(undefined-fn 1) =>error scheme evaluation error: undefined variable: (undefined-fn)

(let ((x 1)) (foo)) =>error scheme evaluation error: undefined variable: (foo)

(let loop () (loop2)) =>error scheme evaluation error: undefined variable: (loop2)

(assert #f) =>error undefined variable: (assert)

(assert (= 1 2)) =>error undefined variable: (assert)

(string-pad-left "7" 3) =>error undefined variable: (string-pad-left)

(string-search-forward "l" "hello" 0) =>error undefined variable: (string-search-forward)

(with-output-to-string (lambda () (display "x"))) =>error undefined variable: (with-output-to-string)

(symbol<? 'a 'b) =>error undefined variable: (symbol<?)

; Types and ranges
(car 42) =>error scheme evaluation error: car: not a pair: (42)

(cdr #f) =>error scheme evaluation error: cdr: not a pair: (#f)

(cdr (assoc "k" '())) =>error scheme evaluation error: cdr: not a pair: (#f)

(cdr (assoc "x" '(("key" . 5)))) =>error scheme evaluation error: cdr: not a pair: (#f)

(list-tail '(1 2 3) 5) =>error scheme evaluation error: cdr: not a pair: (())

(vector-ref (vector 1 2) 5) =>error scheme evaluation error: vector-ref: index out of range: (#(1 2) 5)

(string-ref "abc" 10) =>error scheme evaluation error: string-index->cursor: index out of range: (10)

(+ 1 "a") =>error scheme evaluation error: invalid type, expected Number: ("a")

(string-append "a" 5) =>error scheme evaluation error: invalid type, expected String: (5)

(symbol->string "x") =>error scheme evaluation error: invalid type, expected Symbol: ("x")

(list->string '(1 2)) =>error scheme evaluation error: write-char: not a character: (1)

; Calls
(5 5) =>error scheme evaluation error: non procedure application: (5)

((lambda (x) x)) =>error scheme evaluation error: not enough args: (#<procedure #f 1> 0)

((lambda (x) x) 1 2) =>error scheme evaluation error: too many args: (#<procedure #f 1> 2)

(define (named a b . c) a)
(named 1) =>error scheme evaluation error: not enough args: (#<procedure named 2+> 1)

; Numbers
(/ 1 0) =>error scheme evaluation error: divide by zero

(/ 1.0 0) =>error scheme evaluation error: divide by zero

(quotient 5 0) =>error scheme evaluation error: divide by zero

; Records and conditions
(define-record-type p (mk x) p? (x px))
(px 5) =>error scheme evaluation error: slot-ref: bad type: ("p" 5)

(error-object-message 5) =>error scheme evaluation error: slot-ref: bad type: ("Exception" 5)

; Handlers
(with-exception-handler (lambda (e) 10) (lambda () (+ 1 (raise 'oops)))) =>error scheme evaluation error: exception handler returned

(with-exception-handler (lambda (e) 'ignored) (lambda () (error "unhandled inside"))) =>error scheme evaluation error: exception handler returned

(with-exception-handler (lambda (e) 10) (lambda () (+ 1 (raise-continuable 'oops)))) => 11

(call-with-current-continuation (lambda (k) (with-exception-handler (lambda (e) (k (list 'caught e))) (lambda () (raise 'oops))))) => (caught oops)

(guard (e (#t (error-object? e))) (error "x" 1)) => #t

(guard (e (#t (error-object-message e))) (car 5)) => "car: not a pair"

(guard (e (#t (list (error-object? e) (error-object-irritants e)))) (car 5)) => (#t (5))

; Syntax
(define-syntax m (syntax-rules (a) ((_ a x) x)))
(m b 1) =>error scheme evaluation error: no expansion for: ((m b 1))

(if) =>error scheme evaluation error: not enough args to if: ((if))

(let ((x)) x) =>error scheme evaluation error: bad let syntax: ((let ((x)) x))

) =>error scheme evaluation error: too many ')'s

; Imports
(import (foo bar)) =>error sandbox violation: module import blocked: ((foo bar)) (not available in this sandbox)

; Values
(values 1 2 3) => ((values) 1 2 3)

(values) => ((values))

(exact-integer-sqrt 17) => ((values) 4 1)

(if #f #f) => #<unspecified>

(define zz 1) => #<unspecified>

(when #f 1) => #<unspecified>

(eof-object) => #<eof>

(current-output-port) => #<port>

(string->number "abc") => #f

(exact (floor 2.5)) => 2

(number->string 3.0) => "3.0"

(write 1e21) =>output 1e+21

(display 1e21) =>output 1e+21

(display 3.0) =>output 3.0

(write 0.1) =>output 0.1

(sqrt -4) => +2i

(write (sqrt -4)) =>output +2i

(expt 2 100) => 1267650600228229401496703205376

(string #\a #\x3bb) => "aλ"

(write '|hello world|) =>output |hello world|

(write (list 'a.b (string->symbol "Hello World"))) =>output (a.b |Hello World|)

(inexact 100000000000000000000000) => 1e+23

(list 1.5 'a "b\n" #\c #t '()) => (1.5 a "b\n" #\c #t ())

(inexact 1/3) => 0.3333333333333333

(assoc 2.0 '((1 a) (2 b)) =) => (2 b)

(let-values (((q r) (floor/ 13 4))) (list q r)) => (3 1)

(string-upcase "straße") => "STRASSE"

(char-upcase #\a) => #\A

(read (open-input-string "(a . b)")) => (a . b)

(define description "x")
(define-syntax dt (syntax-rules (description) ((_ n (description d)) (list 'n d))))
(dt foo (description "hi")) => (foo "hi")

(vector-map + #(1 2) #(10 20)) => #(11 22)

(string->utf8 "é") => #u8(#xC3 #xA9)

(write (string->utf8 "é")) =>output #u8(195 169)

(let loop ((i 0)) (if (< i 5) (loop (+ i 1)) i)) => 5

(define-record-type p (mk x) p? (x px))
(write (mk 1)) =>output #<p>

(string-for-each (lambda (c) c) "abc") => #\c

(substring "hello" 2) => "llo"

(string-copy "hello" 1 3) => "el"

(list-copy '(1 2)) => (1 2)

(exact 2.5) => 5/2

(number->string 255 16) => "ff"

(boolean=? #t #t) => #t

(parameterize ((current-output-port (open-output-string))) 1) => 1

(let* ((p (open-input-string "ab\ncd")) (a (read-line p)) (b (read-line p))) (list a b)) => ("ab" "cd")

(dynamic-wind (lambda () 1) (lambda () 2) (lambda () 3)) => 2

(char-numeric? #\5) => #t

(truncate -2.5) => -2.0

(round 7/2) => 4

(string->number "1e3") => 1000.0

(vector->list (vector-map (lambda (x) (* x x)) #(1 2 3))) => (1 4 9)

(let-values (((a b) (values 1 2)) ((c) (values 3))) (list a b c)) => (1 2 3)

(call/cc (lambda (k) 1)) => 1

(assoc "key" '(("key" . 5))) => ("key" . 5)

(write (list "tags" "a" "b")) =>output ("tags" "a" "b")

; A program may define a name that a library gave it.
(define (string-copy s c) 'mine)
(string-copy 1 2) => mine

(exit 3) => #<exit 3>
