;; How many insertions, deletions and substitutions of characters lead from one string to another.
(define-library (chibi edit-distance)
  (export edit-distance find-nearest-edits)
  (import (scheme base))
  (begin
    ;; ROW holds the distances from the first i characters of A to every beginning of B.
    (define (edit-distance a b)
      (let* ((m (string-length a))
             (n (string-length b))
             (row (make-vector (+ n 1))))
        (do ((j 0 (+ j 1))) ((> j n)) (vector-set! row j j))
        (do ((i 1 (+ i 1)))
            ((> i m) (vector-ref row n))
          (let ((c (string-ref a (- i 1))))
            (vector-set! row 0 i)
            (let loop ((j 1) (diagonal (- i 1)))
              (if (<= j n)
                  (let ((above (vector-ref row j)))
                    (vector-set! row j
                      (if (char=? c (string-ref b (- j 1)))
                          diagonal
                          (+ 1 (min diagonal above (vector-ref row (- j 1))))))
                    (loop (+ j 1) above))))))))

    ;; The strings of the list that are nearest to S, in their order.
    (define (find-nearest-edits s strings)
      (let loop ((rest strings) (best #f) (found '()))
        (if (null? rest)
            (reverse found)
            (let ((d (edit-distance s (car rest))))
              (cond ((or (not best) (< d best)) (loop (cdr rest) d (list (car rest))))
                    ((= d best) (loop (cdr rest) best (cons (car rest) found)))
                    (else (loop (cdr rest) best found)))))))))
