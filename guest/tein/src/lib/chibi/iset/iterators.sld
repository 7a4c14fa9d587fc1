;; Walks through integer sets, in ascending order.
(define-library (chibi iset iterators)
  (export
    iset-empty? iset-fold iset-fold-node iset-for-each iset-for-each-node
    iset->list iset-size iset= iset<= iset>=
    iset-cursor iset-cursor? iset-cursor-next iset-ref end-of-iset?)
  (import
    (scheme base) (chibi iset base) (only (chibi iset runs) iset-fold-node runs-down iset-runs)
    (only (tein core) bit-count))
  (begin
    (define (iset-for-each-node proc set)
      (iset-fold-node (lambda (node acc) (proc node)) #f set))

    (define (iset-empty? set)
      (null? (runs-down set)))

    (define (iset-fold kons knil set)
      (let loop ((runs (iset-runs set)) (acc knil))
        (if (null? runs)
            acc
            (let ((end (cdar runs)))
              (let next ((n (caar runs)) (acc acc))
                (if (> n end)
                    (loop (cdr runs) acc)
                    (next (+ n 1) (kons n acc))))))))

    (define (iset-for-each proc set)
      (iset-fold (lambda (n acc) (proc n)) #f set))

    (define (iset->list set)
      (let loop ((runs (runs-down set)) (ls '()))
        (if (null? runs)
            ls
            (let ((start (caar runs)))
              (let next ((n (cdar runs)) (ls ls))
                (if (< n start)
                    (loop (cdr runs) ls)
                    (next (- n 1) (cons n ls))))))))

    (define (iset-size set)
      (iset-fold-node
        (lambda (node n)
          (+ n (if (iset-bits node)
                   (bit-count (iset-bits node))
                   (+ 1 (- (iset-end node) (iset-start node))))))
        0
        set))

    ;; --- comparing ---

    (define (compare same? sets)
      (or (null? sets)
          (let loop ((a (runs-down (car sets))) (sets (cdr sets)))
            (or (null? sets)
                (let ((b (runs-down (car sets))))
                  (and (same? a b) (loop b (cdr sets))))))))

    ;; Is every run of A inside one of B? Both descend.
    (define (inside? a b)
      (cond ((null? a) #t)
            ((null? b) #f)
            ((< (cdar a) (caar b)) (inside? a (cdr b)))
            ((and (>= (caar a) (caar b)) (<= (cdar a) (cdar b))) (inside? (cdr a) b))
            (else #f)))

    (define (iset= . sets) (compare equal? sets))
    (define (iset<= . sets) (compare inside? sets))
    (define (iset>= . sets) (compare (lambda (a b) (inside? b a)) sets))

    ;; --- cursors: the integer and the runs after it ---

    (define-record-type cursor
      (make-cursor value runs)
      iset-cursor?
      (value cursor-value)
      (runs cursor-runs))

    (define (at-runs runs)
      (if (null? runs)
          (make-cursor #f '())
          (make-cursor (caar runs) runs)))

    (define (iset-cursor set) (at-runs (iset-runs set)))
    (define (end-of-iset? cursor) (not (cursor-value cursor)))

    (define (check-cursor cursor)
      (if (end-of-iset? cursor) (error "the cursor is at the end of the set")))

    (define (iset-ref set cursor)
      (check-cursor cursor)
      (cursor-value cursor))

    (define (iset-cursor-next set cursor)
      (check-cursor cursor)
      (let ((n (cursor-value cursor)) (runs (cursor-runs cursor)))
        (if (< n (cdar runs))
            (make-cursor (+ n 1) runs)
            (at-runs (cdr runs)))))))
