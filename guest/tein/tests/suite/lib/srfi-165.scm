; import (srfi 165)
; SRFI 165: the environment monad

(define x (make-computation-environment-variable 'x 1 #f))
(define fixed (make-computation-environment-variable 'fixed 'f #t))
(list (computation-run (computation-pure 5)) (computation-run (computation-fn ((a x)) (computation-pure (+ a 1)))) (computation-run (computation-fn (x) (computation-pure x)))) => (5 2 1)

(call-with-values (lambda () (computation-run (computation-pure 1 2))) list) => (1 2)

(computation-run (computation-bind (computation-pure 2 3) (lambda (a b) (computation-pure (* a b))) (lambda (c) (computation-pure (- c))))) => -6

(computation-run (computation-with ((x 5)) (computation-fn (x) (computation-pure (list x))))) => (5)

(computation-run (computation-each (computation-with! (x 9)) (computation-fn (x) (computation-pure x)))) => 9

(computation-run (computation-each (computation-with ((x 5)) (computation-with! (x 6)) (computation-pure 0)) (computation-fn (x) (computation-pure x)))) => 1

(computation-run (computation-forked (computation-with! (x 9)) (computation-fn (x) (computation-pure x)))) => 1

(computation-run (computation-bind/forked (computation-each (computation-with! (x 9)) (computation-fn (x) (computation-pure x))) (lambda (a) (computation-fn (x) (computation-pure (list a x)))))) => (9 1)

(computation-run (computation-sequence (list (computation-pure 1) (computation-pure 2)))) => (1 2)

(computation-run (computation-each-in-list (list (computation-pure 1) (computation-pure 2)))) => 2

(computation-run (computation-with! (fixed 1))) =>error computation-environment-update!: an immutable variable

(computation-run (computation-with ((fixed 1)) (computation-fn (fixed) (computation-pure fixed)))) => 1

(computation-run 5) =>error computation: not a computation

(computation-run (computation-with ((default-computation (lambda (n) (computation-pure (* n n))))) 5)) => 25

(computation-run (computation-local (lambda (env) (computation-environment-update env x 7)) (computation-fn (x) (computation-pure x)))) => 7

(computation-run (make-computation (lambda (run) (list (run (computation-pure 1)) (run (computation-fn (x) (computation-pure x))))))) => (1 1)

(let* ((e (make-computation-environment)) (f (computation-environment-update e x 2)) (g (computation-environment-copy e))) (computation-environment-update! e x 3) (map (lambda (env) (computation-environment-ref env x)) (list e f g))) => (3 2 1)

(define-computation-type make-env run-it (a 10) (b 20 "immutable") c)
(run-it (computation-fn (a b c) (computation-pure (list a b c)))) => (10 20 #f)
