; import (chibi optional)

; --- let-optionals ---

(let-optionals '(0) ((a 10) (b 11) (c 12)) (list a b c)) => (0 11 12)

(let-optionals '() ((a 10) (b 11)) (list a b)) => (10 11)

(let-optionals '(0 1 2 3 4) ((a 10) (b 11) . c) (list a b c)) => (0 1 (2 3 4))

(let-optionals '(0 1 2 3 4) (a (b 11) . c) (list a b c)) => (0 1 (2 3 4))

(let-optionals '() (a (b 11)) (list a b)) =>error missing required argument: (a)

; More values than variables are ignored.
(let-optionals '(1 2 3) ((a 0)) a) => 1

; A rest variable has a list of its own.
(let ((ls (list 0 1 2))) (let-optionals ls (a . b) (set-car! (cdr ls) 3) (list ls (cons a b)))) => ((0 3 2) (0 1 2))

; Defaults see the variables around the form; with the star, those before them.
(let ((a 1)) (let-optionals '(5) ((a 0) (b (* a 10))) (list a b))) => (5 10)

(let ((a 1)) (let-optionals* '(5) ((a 0) (b (* a 10))) (list a b))) => (5 50)

(let-optionals* '(0 1 2 3 4) (a (b 11) . c) (list a b c)) => (0 1 (2 3 4))

(let-optionals* '() (a) a) =>error missing required argument: (a)

; The list is evaluated once, a default only when it is needed.
(let ((n 0)) (let-optionals (begin (set! n (+ n 1)) '(1)) ((a (set! n 100)) (b 2)) (list a b n))) => (1 2 1)

(let ((ls '())) (let-optionals* ls ((a (begin (set! ls '(a b)) 'default-a)) (b 'default-b)) (list a b))) => (default-a default-b)

(let-optionals '(1) ((a 0)) (define b 2) (list a b)) => (1 2)

; --- procedures ---

((opt-lambda ((a 10) (b 11) (c 12)) (list a b c)) 0) => (0 11 12)

((opt-lambda (a (b 11) (c 12)) (list a b c)) 0) => (0 11 12)

((opt-lambda (a (b 11) (c 12)) (list a b c))) =>error not enough args

(let ((b 1)) (list ((opt-lambda (a (b 11) (c (* b 2))) (list a b c)) 0) ((opt-lambda* (a (b 11) (c (* b 2))) (list a b c)) 0)))
=> ((0 11 2) (0 11 22))

((opt-lambda (a (b 2) . c) (list a b c)) 1 5 6 7) => (1 5 (6 7))

((opt-lambda (a . c) (list a c)) 1 5) => (1 (5))

(define-opt (f a (b 11) (c 12)) (list a b c))
(list (f 0) (f 0 1) (f 0 1 2) (f 0 1 2 3))
=> ((0 11 12) (0 1 12) (0 1 2) (0 1 2))

(f) =>error not enough args

(define-opt* (g (a 1) (b (+ a 1)) (c (+ b 1))) (list a b c))
(list (g) (g 5) (g 5 0))
=> ((1 2 3) (5 6 7) (5 0 1))

; --- keywords ---

(list (keyword-ref '(a: b: b: 5) 'b: #f) (keyword-ref '(a: 1) 'c: 'none) (keyword-ref '(a: 1) 'c:) (keyword-ref '(a:) 'a: 'none))
=> (5 none #f none)

(let ((n 0)) (list (keyword-ref* '(a: 1) 'a: (set! n 1)) n (keyword-ref* '(a: 1) 'b: (+ 1 1)))) => (1 0 2)

(let-keywords '(b: 2 a: 1 other: 9) ((a 0) (b 0) (c 0) rest) (list a b c rest)) => (1 2 0 (other: 9))

(let-keywords '(b: 2) ((a 1) (b 0)) (list a b)) => (1 2)

(let-keywords '(width: 3) ((w width: 1) (h height: 2)) (list w h)) => (3 2)

; A key stands at an even place; a last one without a value is dropped.
(list (let-keywords '(2 a: 3) ((a a: 1) rest) (list a rest))
      (let-keywords '(a: 2 3) ((a a: 1) rest) (list a rest))
      (let-keywords '(3 5 a: 2 4) ((a a: 1) rest) (list a rest))
      (let-keywords '(3 5 a: 2 4 6) ((a a: 1) rest) (list a rest)))
=> ((1 (2 a:)) (2 ()) (2 (3 5)) (2 (3 5 4 6)))

(let ((a 1)) (list (let-keywords '(a: 5) ((a 0) (b a)) (list a b)) (let-keywords* '(a: 5) ((a 0) (b a)) (list a b))))
=> ((5 1) (5 5))

(let-keywords* '(a: 5 z: 6) ((a 0) rest) (list a rest)) => (5 (z: 6))
