; import (chibi assert)

(assert (= 1 1)) => #t

(assert (memv 2 '(1 2 3))) => (2 3)

(assert) => #t

(assert #f) =>error assertion failed: (#f)

(define (irritants thunk) (guard (e (#t (error-object-irritants e))) (thunk)))
(let ((x 3)) (irritants (lambda () (assert (= x (+ x 1))))))
=> ((= x (+ x 1)) (x 3))

(let ((x 3) (y 42)) (irritants (lambda () (assert (= x (+ y 1)))))) => ((= x (+ y 1)) (x 3) (y 42))

(let ((x 3)) (irritants (lambda () (assert (eq? x 'three))))) => ((eq? x 'three) (x 3))

; With messages, these stand instead of the variables.
(let ((x 3)) (irritants (lambda () (assert (eq? x 'three) "expected three:" x)))) => ((eq? x 'three) "expected three:" 3)

(let ((x 3)) (assert (> x 5))) =>error assertion failed: ((> x 5) (x 3))

; What a binding form mentions is not reported.
(let ((x 3)) (irritants (lambda () (assert (let ((z x)) (= z 4)))))) => ((let ((z x)) (= z 4)))

(let ((v '(1))) (irritants (lambda () (assert (and (pair? v) (= 2 (car v))))))) => ((and (pair? v) (= 2 (car v))) (v (1)))
