; import (srfi 227)
; import (srfi 227 definition)
; SRFI 227: optional arguments

(define f (opt-lambda (a b (c 1) (d 2) . rest) (list a b c d rest)))
(list (f 1 2) (f 1 2 3) (f 1 2 3 4) (f 1 2 3 4 5)) => ((1 2 1 2 ()) (1 2 3 2 ()) (1 2 3 4 ()) (1 2 3 4 (5)))

(f 1) =>error not enough args

((opt-lambda (a (b 2)) a) 1 2 3) =>error too many args

(define x 10)
(list ((opt-lambda (x (y x)) (list x y)) 1) ((opt*-lambda (x (y x)) (list x y)) 1) ((opt*-lambda (a (b (* 2 a)) (c (+ a b))) (list a b c)) 1) ((opt-lambda args args) 1 2)) => ((1 10) (1 1) (1 2 3) (1 2))

(list (let-optionals '(1) (a (b x)) (list a b)) (let-optionals* '(1 2 3 4) (a (b a) . r) (list a b r)) (let-optionals '() ((a 5)) a)) => ((1 10) (1 2 (3 4)) 5)

(let-optionals '(1 2) (a) a) =>error too many args

(define-optionals (g a (b x)) (list a b))
(define-optionals* (h a (b a)) (list a b))
(list (g 1) (h 1) (g 1 2)) => ((1 10) (1 1) (1 2))

; A default is evaluated only when it is needed.
((opt-lambda ((a (error "no"))) a) 1) => 1
