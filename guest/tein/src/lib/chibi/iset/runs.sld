;; Integer sets as runs of integers, and trees made of runs: what the other parts share.
(define-library (chibi iset runs)
  (export iset-fold-node runs-down iset-runs balanced-iset runs->iset replace-iset!)
  (import
    (scheme base) (chibi iset base)
    (only (tein core) arithmetic-shift bitwise-not first-set-bit))
  (begin
    (define (iset-fold-node kons knil set)
      (let loop ((node set) (acc knil))
        (if node
            (loop (iset-right node) (kons node (loop (iset-left node) acc)))
            acc)))

    ;; The integers of the set as (first . last) pairs, the largest first, none next to another.
    (define (runs-down set)
      (iset-fold-node
        (lambda (node runs)
          (let ((start (iset-start node)) (bits (iset-bits node)))
            (if bits
                (bit-runs start bits runs)
                (add-run start (iset-end node) runs))))
        '()
        set))

    (define (add-run start end runs)
      (if (and (pair? runs) (= start (+ 1 (cdar runs))))
          (cons (cons (caar runs) end) (cdr runs))
          (cons (cons start end) runs)))

    (define (bit-runs start bits runs)
      (if (= bits 0)
          runs
          (let* ((skip (first-set-bit bits))
                 (bits (arithmetic-shift bits (- skip)))
                 (n (first-set-bit (bitwise-not bits)))
                 (from (+ start skip)))
            (bit-runs (+ from n) (arithmetic-shift bits (- n)) (add-run from (+ from n -1) runs)))))

    (define (iset-runs set) (reverse (runs-down set)))

    ;; --- trees ---

    ;; A balanced tree of the nodes in a vector, which have no children yet, or #f.
    (define (balanced-iset nodes)
      (let build ((from 0) (to (vector-length nodes)))
        (and (< from to)
             (let* ((middle (quotient (+ from to) 2)) (node (vector-ref nodes middle)))
               (iset-left-set! node (build from middle))
               (iset-right-set! node (build (+ middle 1) to))
               node))))

    (define (runs->iset runs)
      (or (balanced-iset
            (list->vector (map (lambda (run) (%make-iset (car run) (cdr run) #f #f #f)) runs)))
          (make-iset)))

    ;; Makes the first set what the second is.
    (define (replace-iset! set new)
      (iset-start-set! set (iset-start new))
      (iset-end-set! set (iset-end new))
      (iset-bits-set! set (iset-bits new))
      (iset-left-set! set (iset-left new))
      (iset-right-set! set (iset-right new))
      set)))
