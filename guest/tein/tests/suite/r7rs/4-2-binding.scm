; R7RS 4.2.2 Binding constructs, 4.2.4 Iteration

(let ((x 2) (y 3)) (* x y)) => 6

(let ((x 2) (y 3)) (let ((x 7) (z (+ x y))) (* z x))) => 35

(let () 5) => 5

(let ((x 1)) (define y 2) (+ x y)) => 3

(let ((x 2) (y 3)) (let* ((x 7) (z (+ x y))) (* z x))) => 70

(let* () 1) => 1

(let* ((x 1) (x (+ x 1)) (x (* x 10))) x) => 20

(let ((x 1) (x 2)) x) =>error 

(let ((x)) x) =>error bad let syntax: ((let ((x)) x))

(let) =>error let

(let ((x 1))) =>error a body without an expression

(let ((1 2)) 3) =>error let

(let x) =>error let

(let ((x 1 2)) x) =>error let

(letrec ((even? (lambda (n) (if (zero? n) #t (odd? (- n 1)))))
         (odd? (lambda (n) (if (zero? n) #f (even? (- n 1))))))
  (even? 88)) => #t

(letrec* ((p (lambda (x) (+ 1 (q (- x 1)))))
          (q (lambda (y) (if (zero? y) 0 (+ 1 (p (- y 1))))))
          (x (p 5))
          (y x))
  y) => 5

(letrec () 1) => 1

(letrec* ((a 1) (b (+ a 1)) (c (* b 2))) (list a b c)) => (1 2 4)

(letrec ((a (lambda () b)) (b 2)) (a)) => 2

; A variable used before its initialization.
(letrec ((a b) (b 1)) a) =>error a variable is used before it has a value

(letrec* ((a b) (b 1)) a) =>error a variable is used before it has a value

(let-values (((root rem) (exact-integer-sqrt 32))) (* root rem)) => 35

(let-values (((a b) (values 1 2)) ((c) (values 3))) (list a b c)) => (1 2 3)

(let-values ((all (values 1 2 3))) all) => (1 2 3)

(let-values (((a . rest) (values 1 2 3))) (list a rest)) => (1 (2 3))

(let-values (((a b . rest) (values 1 2)) (() (values))) (list a b rest)) => (1 2 ())

(let-values () 4) => 4

; All inits see the outer variables.
(let ((a 'a) (b 'b) (x 'x) (y 'y))
  (let*-values (((a b) (values x y)) ((x y) (values a b)))
    (list a b x y))) => (x y x y)

(let ((a 'a) (b 'b) (x 'x) (y 'y))
  (let-values (((a b) (values x y)) ((x y) (values a b)))
    (list a b x y))) => (x y a b)

(let*-values (((a b) (values 1 2)) ((c) (values (+ a b)))) c) => 3

(let*-values () 1) => 1

(let-values (((a b) (values 1))) a) =>error not enough args

(let-values (((a) (values 1 2))) a) =>error too many args

; do
(do ((vec (make-vector 5)) (i 0 (+ i 1))) ((= i 5) vec) (vector-set! vec i i)) => #(0 1 2 3 4)

(let ((x '(1 3 5 7 9))) (do ((x x (cdr x)) (sum 0 (+ sum (car x)))) ((null? x) sum))) => 25

(do ((i 0 (+ i 1))) ((= i 3))) => #<unspecified>

(do () (#t 'once)) => once

(do ((i 0 (+ i 1)) (acc '() (cons i acc))) ((= i 3) 'ignored acc)) => (2 1 0)

; Each iteration binds fresh variables.
(map (lambda (p) (p))
     (do ((i 0 (+ i 1)) (ps '() (cons (lambda () i) ps))) ((= i 3) ps))) => (2 1 0)

(do ((i 0)) ((= i 3)) (set! i (+ i 1))) => #<unspecified>

(do) =>error do

(do ((i 0 1 2)) (#t)) =>error do

(do ((i 0)) ()) =>error do

; named let
(let loop ((numbers '(3 -2 1 6 -5)) (nonneg '()) (neg '()))
  (cond ((null? numbers) (list nonneg neg))
        ((>= (car numbers) 0) (loop (cdr numbers) (cons (car numbers) nonneg) neg))
        ((< (car numbers) 0) (loop (cdr numbers) nonneg (cons (car numbers) neg))))) => ((6 1 3) (-5 -2))

(let loop () 5) => 5

(let loop ((i 0)) (if (< i 10) (loop (+ i 1)) i)) => 10

; The name is not visible in the inits.
(let ((f (lambda (x) 'outer))) (let f ((x (f 1))) x)) => outer

(let loop ((i 3)) (if (= i 0) '() (cons i (loop (- i 1))))) => (3 2 1)

(let loop ((i 0)) (define x (* i 2)) (if (< x 10) (loop (+ i 1)) x)) => 10

; The loop as a value.
(procedure? (let loop ((i 0)) loop)) => #t

((let loop ((i 0)) (if (= i 0) loop i)) 7) => 7

(let outer ((i 0) (acc '()))
  (if (= i 3)
      (reverse acc)
      (let inner ((j 0) (acc acc))
        (if (= j 2) (outer (+ i 1) acc) (inner (+ j 1) (cons (list i j) acc))))))
=> ((0 0) (0 1) (1 0) (1 1) (2 0) (2 1))

; Closures in loops keep their own variables.
(define procs '())
(let loop ((i 0))
  (if (< i 3)
      (begin (set! procs (cons (lambda () (set! i (+ i 10)) i) procs)) (loop (+ i 1)))))
(map (lambda (p) (p)) procs) => (12 11 10)

; parameterize
(define radix (make-parameter 10 (lambda (x) (if (and (exact-integer? x) (<= 2 x 16)) x (error "invalid radix" x)))))
(define (f n) (number->string n (radix)))
(f 12) => "12"

(parameterize ((radix 2)) (f 12)) => "1100"

(f 12) => "12"

(parameterize ((radix 0)) (f 12)) =>error invalid radix: (0)

(define p (make-parameter 1))
(list (p) (parameterize ((p 2)) (list (p) (parameterize ((p 3)) (p)) (p))) (p)) => (1 (2 3 2) 1)

(define q (make-parameter 5 (lambda (x) (* x 2))))
(list (q) (parameterize ((q 7)) (q)) (q)) => (10 14 10)

(parameterize () 1) => 1

(parameterize ((p 1) (q 2)) (define z 3) (list (p) (q) z)) => (1 4 3)

; The binding is undone when the body is left by a continuation, and back when it is entered again.
(call/cc (lambda (k) (parameterize ((p 99)) (k (p))))) => 99

(p) => 1

(define again #f)
(define seen '())
(define count 0)
(parameterize ((p 'inside))
  (call/cc (lambda (k) (set! again k)))
  (set! seen (cons (p) seen)))
(set! seen (cons (p) seen))
(if (< count 1) (begin (set! count 1) (again #f)))
seen => (1 inside 1 inside)

(parameterize ((5 1)) 2) =>error 

(make-parameter) =>error not enough args

((make-parameter 1) 2 3) =>error 

; The value is converted before any is bound.
(define r (make-parameter 1 (lambda (x) (+ x (p)))))
(parameterize ((p 100) (r 5)) (r)) => 6
