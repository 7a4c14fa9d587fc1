(import (scheme base))
(define (pi-digits n)
  (let loop ((q 1) (r 0) (t 1) (k 1) (m 3) (x 3) (count 0) (sum 0))
    (if (= count n)
        sum
        (if (< (+ (* 4 q) (- r t)) (* m t))
            (loop (* 10 q) (* 10 (- r (* m t))) t k
                  (- (quotient (* 10 (+ (* 3 q) r)) t) (* 10 m)) x (+ count 1) (+ sum m))
            (loop (* q k) (* (+ (* 2 q) r) x) (* t x) (+ k 1)
                  (quotient (+ (* q (+ (* 7 k) 2)) (* r x)) (* t x)) (+ x 2) count sum)))))
(define (run) (pi-digits 400))
(define expected 1753)
