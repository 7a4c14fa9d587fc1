(import (scheme base))
(define (fact n) (if (= n 0) 1 (* n (fact (- n 1)))))
(define (run) (modulo (fact 2000) 1000003))
(define expected 28665)
