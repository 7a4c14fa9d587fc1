; R7RS 5 Program structure

; 5.3 Variable definitions
(define add3 (lambda (x) (+ x 3)))
(add3 3) => 6

(define first car)
(first '(1 2)) => 1

(define x 1)
(define x 2)
x => 2

(define (f a b) (- a b))
(f 5 3) => 2

(define (g . args) args)
(g 1 2) => (1 2)

(define (h a . rest) (list a rest))
(h 1 2 3) => (1 (2 3))

(define ((curried a) b) (+ a b)) =>error bad define syntax

(define z 1) => #<unspecified>

(define) =>error define

(define 5 1) =>error define

(define v 1 2) =>error define

(define "x" 1) =>error define

(define (k)) =>error define

; 5.3.2 Internal definitions
(let ((x 5))
  (define foo (lambda (y) (bar x y)))
  (define bar (lambda (a b) (+ (* a b) a)))
  (foo (+ x 3))) => 45

(define (outer)
  (define a 1)
  (define (inner) (* a 10))
  (set! a 2)
  (inner))
(outer) => 20

(let ()
  (define (even? n) (or (= n 0) (odd? (- n 1))))
  (define (odd? n) (and (not (= n 0)) (even? (- n 1))))
  (even? 100)) => #t

(let () (define a b) (define b 1) a) =>error a variable is used before it has a value

(let () (define a 1) (define a 2) a) =>error 

; A body may define what an outer scope has, before any use.
(define shadowed 1)
(let () (define shadowed 2) shadowed) => 2

shadowed => 1

; 5.3.3 Multiple-value definitions
(define-values (p q) (exact-integer-sqrt 17))
(list p q) => (4 1)

(define-values (a b . c) (values 1 2 3 4))
(list a b c) => (1 2 (3 4))

(define-values all (values 1 2))
all => (1 2)

(define-values (only) (values 'one))
only => one

(let () (define-values (x y) (values 1 2)) (+ x y)) => 3

(let () (define-values (x . y) (values 1 2 3)) (define z (length y)) (list x z)) => (1 2)

(let () (define-values x (values 1 2 3)) x) => (1 2 3)

(define-values (m n) (values 1)) =>error 

(define-values (m n) (values 1 2 3)) =>error 

; 5.4 Syntax definitions
(let ((x 1) (y 2))
  (define-syntax swap!
    (syntax-rules () ((swap! a b) (let ((tmp a)) (set! a b) (set! b tmp)))))
  (swap! x y)
  (list x y)) => (2 1)

; 5.5 Record-type definitions
(define-record-type <pare> (kons x y) pare? (x kar set-kar!) (y kdr))
(pare? (kons 1 2)) => #t

(pare? (cons 1 2)) => #f

(kar (kons 1 2)) => 1

(kdr (kons 1 2)) => 2

(let ((k (kons 1 2))) (set-kar! k 3) (kar k)) => 3

(kar (cons 1 2)) =>error slot-ref: bad type

(set-kar! 5 1) =>error 

(kons 1) =>error not enough args

(kons 1 2 3) =>error too many args

(eq? (kons 1 2) (kons 1 2)) => #f

(equal? (kons 1 2) (kons 1 2)) => #f

(let ((k (kons 1 2))) (equal? k k)) => #t

; Records are disjoint from every other type.
(let ((k (kons 1 2)))
  (list (pair? k) (vector? k) (procedure? k) (symbol? k) (string? k) (number? k) (boolean? k) (null? k) (char? k) (bytevector? k) (port? k)))
=> (#f #f #f #f #f #f #f #f #f #f #f)

; Two types with the same fields are different.
(define-record-type point (make-point x y) point? (x point-x) (y point-y set-point-y!))
(define-record-type vec (make-vec x y) vec? (x vec-x) (y vec-y))
(list (point? (make-point 1 2)) (vec? (make-point 1 2)) (point? (make-vec 1 2))) => (#t #f #f)

(vec-x (make-point 1 2)) =>error slot-ref: bad type: ("vec"

; A constructor in another order, and with fewer fields than the type has.
(define-record-type thing (make-thing b a) thing? (a thing-a) (b thing-b) (c thing-c set-thing-c!))
(let ((t (make-thing 1 2))) (set-thing-c! t 3) (list (thing-a t) (thing-b t) (thing-c t))) => (2 1 3)

(define-record-type empty (make-empty) empty?)
(list (empty? (make-empty)) (eq? (make-empty) (make-empty))) => (#t #f)

; No constructor.
(define-record-type none #f none? (a none-a))
(none? 1) => #f

; All fields, in order.
(define-record-type full make-full full? (a full-a) (b full-b))
(full-b (make-full 1 2)) => 2

; Local record types.
(let () (define-record-type local (make-local v) local? (v local-v)) (list (local? (make-local 1)) (local-v (make-local 2)))) => (#t 2)

; A type made twice is two types.
(define (fresh) (define-record-type t (make) t?) (cons make t?))
(let ((a (fresh)) (b (fresh))) (list ((cdr a) ((car a))) ((cdr a) ((car b))))) => (#t #f)

(define-record-type bad (make-bad zz) bad? (a bad-a)) =>error 

(define-record-type) =>error 

; 5.2 Import declarations, 5.6 Libraries
(import (only (scheme base) car))
(car '(1)) => 1

(import (prefix (only (scheme base) cdr) my-))
(my-cdr '(1 2)) => (2)

(import (rename (only (scheme base) car cdr) (car kopf) (cdr rest)))
(list (kopf '(1 2)) (rest '(1 2))) => (1 (2))

(import (except (scheme char) char-upcase))
(char-downcase #\A) => #\a

(import (prefix (rename (only (scheme base) list) (list items)) the-))
(the-items 1 2) => (1 2)

(import (foo bar)) =>error module import blocked: ((foo bar)) (not available in this sandbox)

(import (only (scheme base) no-such-name)) =>error no-such-name

(import (rename (scheme base) (no-such-name x))) =>error no-such-name

(import (except (scheme base) no-such-name)) =>error no-such-name

(import 5) =>error 

----

(define-library (my stack)
  (export make push! pop! (rename size stack-size))
  (import (scheme base))
  (begin
    (define-record-type stack (make-stack items) stack? (items items set-items!))
    (define (make) (make-stack '()))
    (define (push! s x) (set-items! s (cons x (items s))))
    (define (pop! s)
      (let ((x (car (items s)))) (set-items! s (cdr (items s))) x))
    (define (size s) (length (items s)))))
(import (prefix (my stack) stack:))
(define s (stack:make))
(stack:push! s 1)
(stack:push! s 2)
(list (stack:pop! s) (stack:stack-size s)) => (2 1)

stack:items =>error undefined variable

; A library's body runs once, however often it is imported.
(define-library (my counter)
  (export next)
  (import (scheme base))
  (begin (define n 0) (define (next) (set! n (+ n 1)) n)))
(import (my counter))
(next) => 1

(import (rename (my counter) (next again)))
(again) => 2

; Macros leave a library with their scope.
(define-library (my macros)
  (export inc!)
  (import (scheme base))
  (begin
    (define (plus-one x) (+ x 1))
    (define-syntax inc! (syntax-rules () ((_ v) (set! v (plus-one v)))))))
(import (my macros))
(define v 1)
(define (plus-one x) 'mine)
(inc! v)
v => 2

; cond-expand and several begins in a library.
(define-library (my chooser)
  (export choice other)
  (import (scheme base))
  (cond-expand (no-such (begin (define choice 'wrong))) (else (begin (define choice 'right))))
  (begin (define other (list choice))))
(import (my chooser))
(list choice other) => (right (right))

; Numbers in library names.
(define-library (my 1) (export one) (import (scheme base)) (begin (define one 1)))
(import (my 1))
one => 1

(define-library (my broken) (export missing) (import (scheme base)))
(import (my broken)) =>error missing

(define-library) =>error 

; A library sees only what it imports.
(define-library (my empty) (export x) (import (only (scheme base) define)) (begin (define x (car '(1)))))
(import (my empty)) =>error 
