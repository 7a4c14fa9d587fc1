(import (scheme base))
(define (run)
  (let ((count 0))
    (do ((i 0 (+ i 1))) ((= i 100000) count)
      (call/cc
       (lambda (k)
         (dynamic-wind
          (lambda () (set! count (+ count 1)))
          (lambda () (if (even? i) (k #f) #t))
          (lambda () (set! count (+ count 1)))))))))
(define expected 200000)
