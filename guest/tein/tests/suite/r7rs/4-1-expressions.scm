; R7RS 4.1 Primitive expression types

; 4.1.1 Variable references
(define x 28)
x => 28

no-such-variable =>error undefined variable: (no-such-variable)

(list no-such-variable) =>error undefined variable: (no-such-variable)

; 4.1.2 Literal expressions
(quote a) => a

(quote #(a b c)) => #(a b c)

(quote (+ 1 2)) => (+ 1 2)

'a => a

'#(a b c) => #(a b c)

'() => ()

'(+ 1 2) => (+ 1 2)

'(quote a) => (quote a)

''a => (quote a)

(car ''a) => quote

'145932 => 145932

145932 => 145932

'"abc" => "abc"

"abc" => "abc"

'#\a => #\a

#\a => #\a

#(a 10) => #(a 10)

#u8(64 65) => #u8(64 65)

'#u8(64 65) => #u8(64 65)

'#t => #t

#t => #t

#f => #f

1/2 => 1/2

'(1 . 2) => (1 . 2)

'(1 2 . 3) => (1 2 . 3)

; The same literal is the same object each time.
(define (literal) '(1 2))
(eq? (literal) (literal)) => #t

(quote) =>error quote

(quote a b) =>error quote

() =>error 

; 4.1.3 Procedure calls
(+ 3 4) => 7

((if #f + *) 3 4) => 12

((lambda () 5)) => 5

((car (list + -)) 10 3) => 13

("not a procedure" 1) =>error non procedure application: ("not a procedure")

('a) =>error non procedure application: (a)

(#t) =>error non procedure application: (#t)

((vector 1)) =>error non procedure application: (#(1))

((list 1 2) 0) =>error non procedure application: ((1 2))

(+ 1 . 2) =>error 

(car) =>error not enough args

(car '(1) '(2)) =>error too many args

; 4.1.4 Procedures
((lambda (x) (+ x x)) 4) => 8

(procedure? (lambda (x) (+ x x))) => #t

(define reverse-subtract (lambda (x y) (- y x)))
(reverse-subtract 7 10) => 3

(define add4 (let ((x 4)) (lambda (y) (+ x y))))
(add4 6) => 10

((lambda x x) 3 4 5 6) => (3 4 5 6)

((lambda x x)) => ()

((lambda (x y . z) z) 3 4 5 6) => (5 6)

((lambda (x y . z) z) 3 4) => ()

((lambda (x y . z) (list x y z)) 1 2 3) => (1 2 (3))

((lambda (x) 1 2 x) 3) => 3

((lambda (x . y) x)) =>error not enough args

((lambda (x y) x) 1) =>error not enough args

((lambda () 1) 2) =>error too many args

(lambda) =>error lambda

(lambda (x)) =>error a body without an expression

(lambda (x x) x) =>error 

(lambda (1) 1) =>error 

(lambda (x . 5) 1) =>error 

; Closures share the variable, not its value.
(define (make-counter)
  (let ((n 0))
    (cons (lambda () (set! n (+ n 1)) n) (lambda () n))))
(define c1 (make-counter))
(define c2 (make-counter))
((car c1))
((car c1))
((car c2))
(list ((cdr c1)) ((cdr c2))) => (2 1)

; The list of rest arguments is fresh.
(define args '(1 2 3))
(eq? args (apply (lambda x x) args)) => #f

; 4.1.5 Conditionals
(if (> 3 2) 'yes 'no) => yes

(if (> 2 3) 'yes 'no) => no

(if (> 3 2) (- 3 2) (+ 3 2)) => 1

(if '() 'true 'false) => true

(if 0 'true 'false) => true

(if "" 'true 'false) => true

(if #f 1) => #<unspecified>

(if #t 1) => 1

(if) =>error not enough args to if: ((if))

(if #t) =>error not enough args to if: ((if #t))

(if 1 2 3 4) =>error if

; 4.1.6 Assignments
(define y 2)
(+ y 1) => 3

(set! y 4)
(+ y 1) => 5

(let ((z 1)) (set! z (+ z 10)) z) => 11

(set! never-defined 1) =>error undefined variable: (never-defined)

(set! y) =>error set!

(set! 5 1) =>error set!

(set! y 1 2) =>error set!

(define (f a) (set! a (* a 2)) a)
(list (f 4) (f 5)) => (8 10)

; A variable that a closure captures and an outer body assigns.
(let ((a 1))
  (let ((get (lambda () a)))
    (set! a 2)
    (get))) => 2

; The operator of a call may be shadowed.
(let ((car cdr)) (car '(1 2))) => (2)

((lambda (list) (list 1)) (lambda (x) (+ x 1))) => 2

(let ((if list)) (if 1 2 3)) => (1 2 3)

(define (shadow quote) '5)
(shadow -) => -5

; Keywords are not values.
if =>error if

(list else) =>error else

; Deep recursion that is not in tail position.
(define (count n) (if (= n 0) 0 (+ 1 (count (- n 1)))))
(count 100000) => 100000

; Proper tail recursion (3.5).
(define (loop n) (if (= n 0) 'done (loop (- n 1))))
(loop 1000000) => done

(define (even2? n) (if (= n 0) #t (odd2? (- n 1))))
(define (odd2? n) (if (= n 0) #f (even2? (- n 1))))
(even2? 200001) => #f

(define (tail-cond n) (cond ((= n 0) 'ok) (else (tail-cond (- n 1)))))
(tail-cond 200000) => ok

(define (tail-and n) (and #t (or #f (when #t (unless #f (if (= n 0) 'ok (tail-and (- n 1))))))))
(tail-and 200000) => ok

(define (tail-case n) (case n ((0) 'ok) (else (tail-case (- n 1)))))
(tail-case 200000) => ok

(define (tail-apply n) (if (= n 0) 'ok (apply tail-apply (list (- n 1)))))
(tail-apply 200000) => ok

(define (tail-values n) (if (= n 0) 'ok (call-with-values (lambda () (- n 1)) tail-values)))
(tail-values 100000) => ok

(define (tail-cc n) (if (= n 0) 'ok (call/cc (lambda (k) (tail-cc (- n 1))))))
(tail-cc 50000) => ok
