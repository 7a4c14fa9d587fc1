; import (srfi 8)
; import (srfi 9)
; import (srfi 11)
; import (srfi 16)
; SRFI 8 receive, 9 records, 11 let-values, 16 case-lambda

(receive (a b) (values 1 2) (list b a)) => (2 1)

(receive all (values 1 2 3) all) => (1 2 3)

(receive (a . rest) (values 1 2 3) (list a rest)) => (1 (2 3))

(receive (a) 5 (define b 2) (* a b)) => 10

(define-record-type point (make-point x y) point? (x px set-px!) (y py))
(let ((p (make-point 1 2))) (set-px! p 5) (list (point? p) (px p) (py p) (point? 3))) => (#t 5 2 #f)

(px 3) =>error slot-ref: bad type

(let-values (((a b) (values 1 2)) ((c) (values 3))) (list a b c)) => (1 2 3)

(let*-values (((a b) (values 1 2)) ((c) (values (+ a b)))) c) => 3

(define f (case-lambda ((a) (list 'one a)) ((a b) (list 'two a b)) ((a . r) (list 'many a r))))
(list (f 1) (f 1 2) (f 1 2 3)) => ((one 1) (two 1 2) (many 1 (2 3)))

((case-lambda ((a) a))) =>error not enough args
