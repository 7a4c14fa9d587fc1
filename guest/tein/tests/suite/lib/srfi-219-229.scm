; import (except (scheme base) define)
; import (srfi 219)
; import (srfi 229)
; SRFI 219 curried definitions, 229 tagged procedures

(define x 1)
(define (f a) (* a 2))
(define ((adder a) b) (+ a b))
(define (((deep a) . r) c) (list a r c))
(list x (f 2) ((adder 1) 2) (((deep 1) 2 3) 4)) => (1 4 3 (1 (2 3) 4))

(let () (define ((h a) b) (list b a)) ((h 1) 2)) => (2 1)

(define t (lambda/tag 'my-tag (a . b) (list a b)))
(list (t 1 2) (procedure? t) (procedure/tag? t) (procedure-tag t)) => ((1 (2)) #t #t my-tag)

(list (procedure/tag? car) (procedure/tag? (lambda () 1)) (procedure/tag? 1) (procedure/tag? (case-lambda ((a) 1) ((a b) 2)))) => (#f #f #f #f)

(procedure-tag car) =>error expected Tagged-Procedure

(define c (case-lambda/tag (list 1 2) ((a) 'one) ((a b) 'two)))
(list (c 1) (c 1 2) (procedure-tag c)) => (one two (1 2))

(c) =>error not enough args

(t) =>error not enough args

(eq? (procedure-tag c) (procedure-tag c)) => #t
