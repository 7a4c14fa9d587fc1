; import (srfi 26)
; SRFI 26: cut and cute

((cut cons (+ 1 2) <>) 4) => (3 . 4)

((cut list)) => ()

((cut list 1 <> 3 <> 5) 2 4) => (1 2 3 4 5)

((cut list 1 <> <...>) 2 3 4) => (1 2 3 4)

((cut list <...>) 1 2) => (1 2)

((cut <> 1 2) +) => 3

((cut <> <...>) list 1 2) => (1 2)

(map (cut * 2 <>) '(1 2 3)) => (2 4 6)

((cut list 1 <>)) =>error not enough args

; Slots are only at the outermost level.
((cut list (list 1 2) <>) 3) => ((1 2) 3)

(let ((n 0)) (let ((f (cut list (begin (set! n (+ n 1)) n) <>))) (f 'a) (f 'b))) => (2 b)

(let ((n 0)) (let ((f (cute list (begin (set! n (+ n 1)) n) <>))) (f 'a) (f 'b))) => (1 b)

((cute list 1 <> <...>) 2 3) => (1 2 3)

((cute <> 1 <>) cons 2) => (1 . 2)

((cute + 1 2)) => 3

; A procedure that mentions the slot does not define it.
(define (mention) (list <> <...>))
((cut list 1 <> <...>) 2 3) => (1 2 3)

(mention) =>error <>
