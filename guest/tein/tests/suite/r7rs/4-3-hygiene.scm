; R7RS 4.3 Macros: hygiene, patterns, errors

; Inserted identifiers do not capture, and are not captured.
(define-syntax my-or2
  (syntax-rules () ((_ a b) (let ((t a)) (if t t b)))))
(let ((t 5)) (my-or2 #f t)) => 5

(let ((if list)) (my-or2 #f 3)) => 3

(define-syntax while
  (syntax-rules () ((_ test body ...) (let loop () (if test (begin body ... (loop)) 'done)))))
(let ((i 0) (loop 10)) (while (< i loop) (set! i (+ i 1))) i) => 10

(define-syntax my-let*
  (syntax-rules ()
    ((_ () body ...) (let () body ...))
    ((_ ((x v) rest ...) body ...) (let ((x v)) (my-let* (rest ...) body ...)))))
(my-let* ((x 1) (y (+ x 1)) (z (* y 2))) (list x y z)) => (1 2 4)

; Syntax that shadows a variable, and a variable that shadows syntax.
(let ((x 1)) (let-syntax ((x (syntax-rules () ((_) 2)))) (x))) => 2

(let-syntax ((m (syntax-rules () ((_) 'macro)))) (let ((m (lambda () 'variable))) (m))) => variable

(define-syntax ten (syntax-rules () ((_) 10)))
(define (f) (define ten (lambda () 'local)) (ten))
(f) => local

(ten) => 10

; let-syntax does not see its own bindings, letrec-syntax does.
(define-syntax who (syntax-rules () ((_) 'outer)))
(let-syntax ((who (syntax-rules () ((_) 'inner))) (ask (syntax-rules () ((_) (who))))) (ask)) => outer

(letrec-syntax ((who (syntax-rules () ((_) 'inner))) (ask (syntax-rules () ((_) (who))))) (ask)) => inner

; Internal define-syntax.
(let ()
  (define-syntax twice (syntax-rules () ((_ e) (begin e e))))
  (define n 0)
  (twice (set! n (+ n 1)))
  n) => 2

; Macros that define.
(define-syntax def (syntax-rules () ((_ name value) (define name value))))
(def defined-by-macro 42)
defined-by-macro => 42

(let () (def a 1) (def b 2) (+ a b)) => 3

(define-syntax def2 (syntax-rules () ((_ a b v) (begin (define a v) (define b v)))))
(def2 d1 d2 'same)
(list d1 d2) => (same same)

; A definition under an inserted name does not define the plain name.
(define-syntax hidden (syntax-rules () ((_ get) (begin (define secret 7) (define (get) secret)))))
(let () (hidden get) (get)) => 7

(let () (hidden get) secret) =>error undefined variable: (secret)

; Macros that define macros.
(define-syntax def-alias
  (syntax-rules () ((_ new old) (define-syntax new (syntax-rules () ((_ . args) (old . args)))))))
(def-alias my-list list)
(my-list 1 2 3) => (1 2 3)

(define-syntax def-const
  (syntax-rules () ((_ name v) (define-syntax name (syntax-rules () ((_) v))))))
(def-const seven 7)
(seven) => 7

; Patterns.
(define-syntax dots (syntax-rules () ((_ (a b) ...) '((a ...) (b ...)))))
(dots (1 2) (3 4)) => ((1 3) (2 4))

(dots) => (() ())

(define-syntax tail (syntax-rules () ((_ a . rest) '(a rest))))
(tail 1 2 3) => (1 (2 3))

(tail 1) => (1 ())

(tail 1 . 2) => (1 2)

(define-syntax dotted-tail (syntax-rules () ((_ a ... . rest) '((a ...) rest))))
(dotted-tail 1 2 . 3) => ((1 2) 3)

(dotted-tail 1 2) => ((1 2) ())

(define-syntax middle (syntax-rules () ((_ first x ... last) '(first (x ...) last))))
(middle 1 2) => (1 () 2)

(middle 1 2 3 4) => (1 (2 3) 4)

(middle 1) =>error no expansion for: ((middle 1))

(define-syntax under (syntax-rules () ((_ _ x _) 'x)))
(under 1 two 3) => two

(define-syntax vector-tail (syntax-rules () ((_ #(a ... z)) '(z a ...))))
(vector-tail #(1 2 3)) => (3 1 2)

(define-syntax literal-pattern (syntax-rules () ((_ 1 "two" #\3) 'matched) ((_ . x) 'other)))
(list (literal-pattern 1 "two" #\3) (literal-pattern 1 "two" #\4)) => (matched other)

(define-syntax deep (syntax-rules () ((_ ((a (b ...)) ...)) '((a ... ) (b ... ...)))))
(deep ((x (1 2)) (y ()) (z (3)))) => ((x y z) (1 2 3))

(define-syntax repeat-const (syntax-rules () ((_ k x ...) '((k x) ...))))
(repeat-const a 1 2) => ((a 1) (a 2))

; Ellipsis escape and custom ellipsis.
(define-syntax escape (syntax-rules () ((_ a) '(a (... ...)))))
(escape 1) => (1 ...)

(define-syntax my-ellipsis (syntax-rules ::: () ((_ (x y :::) :::) '((y ::: x) :::))))
(my-ellipsis (1 2 3) (4)) => ((2 3 1) (4))

; The ellipsis as a literal is no ellipsis.
(define-syntax lit-dots (syntax-rules (...) ((_ a ...) '(a dots))))
(lit-dots 1 ...) => (1 dots)

; The underscore as a literal.
(define-syntax lit-under (syntax-rules (_) ((lit-under _) 'underscore) ((lit-under x) 'other)))
(list (lit-under _) (lit-under 1)) => (underscore other)

; Literals match by binding.
(define-syntax is-else (syntax-rules (else) ((_ else) 'else) ((_ x) 'not)))
(list (is-else else) (let ((else 1)) (is-else else))) => (else not)

; Templates.
(define-syntax vec-template (syntax-rules () ((_ a ...) #(a ... end))))
(vec-template 1 2) => #(1 2 end)

(define-syntax string-template (syntax-rules () ((_ a) '("text" #\c 1.5 a))))
(string-template x) => ("text" #\c 1.5 x)

; Recursion.
(define-syntax reverse-form
  (syntax-rules () ((_ () acc) 'acc) ((_ (a . rest) (acc ...)) (reverse-form rest (a acc ...)))))
(reverse-form (1 2 3) ()) => (3 2 1)

; Quoted insertions are plain symbols.
(define-syntax quoting (syntax-rules () ((_) '(inserted . symbols))))
(equal? (quoting) '(inserted . symbols)) => #t

(eq? (car (quoting)) 'inserted) => #t

; A macro that expands to a quasiquotation.
(define-syntax qq (syntax-rules () ((_ x) `(value ,x ,@(list x x)))))
(qq (+ 1 1)) => (value 2 2 2)

; A macro whose use is in operator position of a define.
(define-syntax method (syntax-rules () ((_ (name . args) body ...) (define (name . args) body ...))))
(method (add a b) (+ a b))
(add 1 2) => 3

(method (collect . all) all)
(collect 1 2) => (1 2)

; syntax-error
(define-syntax simple-let
  (syntax-rules ()
    ((_ (head ... ((x . y) val) . tail) body1 body2 ...)
     (syntax-error "expected an identifier but got" (x . y)))
    ((_ ((name val) ...) body1 body2 ...)
     ((lambda (name ...) body1 body2 ...) val ...))))
(simple-let ((a 1) (b 2)) (+ a b)) => 3

(simple-let ((a 1) ((b . c) 2)) a) =>error expected an identifier but got: ((b . c))

; Wrong definitions.
(define-syntax bad (syntax-rules () ((_ a a) 1)))
(bad 1 2) =>error 

(define-syntax bad2 (syntax-rules () ((_ a ... b ...) 1)))
(bad2 1) =>error 

(define-syntax bad3 (syntax-rules () ((_ a ...) 'a)))
(bad3 1) =>error 

(define-syntax bad4 (syntax-rules () ((_ a) '(a ...))))
(bad4 1) =>error 

(define-syntax bad5 5) =>error 

(define-syntax) =>error 

(let-syntax ((m)) 1) =>error 

(syntax-rules () ((_) 1)) =>error 

; A macro keyword alone is no expression.
ten =>error 

(set! ten 5) =>error 
----
; A mention is no definition: a literal that code refers to at top level still matches.
(define-syntax lit (syntax-rules (=>> other) ((_ =>>) 'literal) ((_ other) 'other) ((_ x) 'any)))
(define (mention) (list =>> other))
(lit =>>) => literal

(set! other 1) =>error other

(lit other) => other

; Its own definition is where the macro was defined, too.
(define =>> 5)
(lit =>>) => literal

(mention) =>error other

(define (after) later)
(define later 3)
(after) => 3

----
(define (mention) <>)
(import (srfi 26))
((cut list 1 <> 3) 2) => (1 2 3)
