;; The nodes of integer sets. A node holds integers from start to end: all of them where bits is #f,
;; otherwise those whose bit, counted from start, is set. Smaller integers are to the left of it,
;; larger ones to the right.
(define-library (chibi iset base)
  (export
    %make-iset make-iset iset? iset-contains? Integer-Set
    iset-start iset-end iset-bits iset-left iset-right
    iset-start-set! iset-end-set! iset-bits-set! iset-left-set! iset-right-set!)
  (import (scheme base) (only (tein core) bit-set?))
  (begin
    (define-record-type Integer-Set
      (%make-iset start end bits left right)
      iset?
      (start iset-start iset-start-set!)
      (end iset-end iset-end-set!)
      (bits iset-bits iset-bits-set!)
      (left iset-left iset-left-set!)
      (right iset-right iset-right-set!))

    (define (check n)
      (if (not (exact-integer? n)) (error "not an integer of a set" n)))

    ;; Empty, or one integer, or those from the first to the second.
    (define (make-iset . range)
      (if (null? range)
          (%make-iset 0 0 0 #f #f)
          (let* ((start (car range)) (end (if (pair? (cdr range)) (cadr range) start)))
            (check start)
            (check end)
            (if (> start end)
                (%make-iset start start 0 #f #f)
                (%make-iset start end #f #f #f)))))

    (define (iset-contains? set n)
      (let loop ((node set))
        (and node
             (cond ((< n (iset-start node)) (loop (iset-left node)))
                   ((> n (iset-end node)) (loop (iset-right node)))
                   ((iset-bits node) => (lambda (bits) (bit-set? (- n (iset-start node)) bits)))
                   (else #t)))))))
