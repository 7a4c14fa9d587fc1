; import (srfi 2)
; SRFI 2: and-let*

(and-let* () 1) => 1

(and-let* ()) => #t

(and-let* () (define x 2) (* x 3)) => 6

(let ((x #f)) (and-let* (x))) => #f

(let ((x 5)) (and-let* (x))) => 5

(and-let* ((x #f)) (+ x 1)) => #f

(and-let* ((x 1)) (+ x 1)) => 2

(and-let* (((assv 2 '((1 . a) (2 . b)))))) => (2 . b)

(and-let* ((p (assv 2 '((1 . a) (2 . b)))) (v (cdr p)) ((symbol? v))) (list v)) => (b)

(and-let* ((p (assv 3 '((1 . a) (2 . b)))) (v (cdr p))) (list v)) => #f

(let ((x 1)) (and-let* (x ((positive? x))) 'yes)) => yes

(let ((x -1)) (and-let* (x ((positive? x))) 'yes)) => #f

(let ((x 3)) (and-let* (((> x 2)) (y (+ x 1))) (* x y))) => 12

(and-let* ((x 1) (x 2)) x) => 2

(and-let* ((x 1) ((begin (set! x 7) #t))) x) => 7
