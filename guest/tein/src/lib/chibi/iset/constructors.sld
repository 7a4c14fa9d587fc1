;; Making and combining integer sets. Whole sets are combined run by run into a balanced tree.
(define-library (chibi iset constructors)
  (export
    iset iset-copy list->iset list->iset! iset-map
    iset-adjoin iset-adjoin! iset-delete iset-delete!
    iset-union iset-union! iset-intersection iset-intersection!
    iset-difference iset-difference!
    iset-copy-node iset-squash-bits! iset-insert-left! iset-insert-right!)
  (import
    (scheme base) (chibi iset base) (chibi iset iterators)
    (only (chibi iset runs) iset-runs runs->iset replace-iset!)
    (only (srfi 132) list-sort)
    (only (tein core) arithmetic-shift bitwise-and bitwise-ior bitwise-not))
  (begin
    ;; --- nodes ---

    (define (iset-copy-node node)
      (%make-iset (iset-start node) (iset-end node) (iset-bits node) #f #f))

    (define (iset-copy set)
      (and set
           (%make-iset (iset-start set) (iset-end set) (iset-bits set)
                       (iset-copy (iset-left set)) (iset-copy (iset-right set)))))

    ;; A node that holds its whole range needs no bits.
    (define (iset-squash-bits! node)
      (let ((all (- (arithmetic-shift 1 (+ 1 (- (iset-end node) (iset-start node)))) 1)))
        (if (eqv? (iset-bits node) all) (iset-bits-set! node #f))
        node))

    ;; Puts a tree, all of it below or above the node, under the node.
    (define (iset-insert-left! node new)
      (iset-left-set! node (if (iset-left node) (iset-union (iset-left node) new) new)))

    (define (iset-insert-right! node new)
      (iset-right-set! node (if (iset-right node) (iset-union (iset-right node) new) new)))

    ;; --- single integers ---

    (define (iset . ls) (list->iset ls))

    (define (list->iset ls . set)
      (if (pair? set)
          (iset-union (car set) (list->iset ls))
          (runs->iset (sorted->runs (list-sort < ls)))))

    (define (list->iset! ls set) (replace-iset! set (list->iset ls set)))

    (define (sorted->runs ls)
      (let loop ((ls ls) (runs '()))
        (cond ((null? ls) (reverse runs))
              ((and (pair? runs) (<= (car ls) (+ 1 (cdar runs))))
               (loop (cdr ls)
                     (cons (cons (caar runs) (max (car ls) (cdar runs))) (cdr runs))))
              (else (loop (cdr ls) (cons (cons (car ls) (car ls)) runs))))))

    (define (iset-map proc set) (list->iset (map proc (iset->list set))))

    (define (iset-adjoin! set . ls)
      (for-each (lambda (n) (add! set n)) ls)
      set)

    (define (add! node n)
      (if (not (exact-integer? n)) (error "not an integer of a set" n))
      (let ((start (iset-start node)) (end (iset-end node)) (bits (iset-bits node)))
        (cond ((and (eqv? bits 0) (not (iset-left node)) (not (iset-right node)))
               (iset-start-set! node n)
               (iset-end-set! node n)
               (iset-bits-set! node #f))
              ((<= start n end)
               (if bits
                   (begin
                     (iset-bits-set! node (bitwise-ior bits (arithmetic-shift 1 (- n start))))
                     (iset-squash-bits! node))))
              ;; The range grows by one: what is on that side stays on it.
              ((and (not bits) (= n (+ end 1)) (not (iset-contains? node n)))
               (iset-end-set! node n))
              ((and (not bits) (= n (- start 1)) (not (iset-contains? node n)))
               (iset-start-set! node n))
              ((< n start)
               (if (iset-left node) (add! (iset-left node) n) (iset-left-set! node (make-iset n))))
              ((iset-right node) (add! (iset-right node) n))
              (else (iset-right-set! node (make-iset n))))))

    (define (iset-adjoin set . ls) (apply iset-adjoin! (iset-copy set) ls))

    (define (iset-delete! set . ls)
      (for-each (lambda (n) (remove! set n)) ls)
      set)

    (define (remove! node n)
      (if node
          (let ((start (iset-start node)) (end (iset-end node)) (bits (iset-bits node)))
            (cond ((< n start) (remove! (iset-left node) n))
                  ((> n end) (remove! (iset-right node) n))
                  (bits
                   (iset-bits-set! node
                     (bitwise-and bits (bitwise-not (arithmetic-shift 1 (- n start))))))
                  ((= start end) (iset-bits-set! node 0))
                  ((= n start) (iset-start-set! node (+ n 1)))
                  (else
                   (iset-end-set! node (- n 1))
                   (if (< n end)
                       (iset-right-set! node
                         (%make-iset (+ n 1) end #f #f (iset-right node)))))))))

    (define (iset-delete set . ls) (apply iset-delete! (iset-copy set) ls))

    ;; --- whole sets, as ascending runs ---

    (define (merge-runs a b)
      (let loop ((a a) (b b) (out '()))
        (cond ((and (null? a) (null? b)) (reverse out))
              ((or (null? b) (and (pair? a) (<= (caar a) (caar b))))
               (loop (cdr a) b (add-run (car a) out)))
              (else (loop a (cdr b) (add-run (car b) out))))))

    (define (add-run run out)
      (if (and (pair? out) (<= (car run) (+ 1 (cdar out))))
          (cons (cons (caar out) (max (cdr run) (cdar out))) (cdr out))
          (cons run out)))

    (define (common-runs a b)
      (let loop ((a a) (b b) (out '()))
        (if (or (null? a) (null? b))
            (reverse out)
            (let* ((start (max (caar a) (caar b)))
                   (end (min (cdar a) (cdar b)))
                   (out (if (<= start end) (cons (cons start end) out) out)))
              (if (< (cdar a) (cdar b))
                  (loop (cdr a) b out)
                  (loop a (cdr b) out))))))

    (define (remaining-runs a b)
      (let loop ((a a) (b b) (out '()))
        (cond ((null? a) (reverse out))
              ((or (null? b) (< (cdar a) (caar b))) (loop (cdr a) b (cons (car a) out)))
              ((> (caar a) (cdar b)) (loop a (cdr b) out))
              (else
               (let* ((run (car a))
                      (out (if (< (car run) (caar b))
                               (cons (cons (car run) (- (caar b) 1)) out)
                               out)))
                 (if (> (cdr run) (cdar b))
                     (loop (cons (cons (+ 1 (cdar b)) (cdr run)) (cdr a)) (cdr b) out)
                     (loop (cdr a) b out)))))))

    (define (combine combine-runs set sets)
      (let loop ((runs (iset-runs set)) (sets sets))
        (if (null? sets)
            (runs->iset runs)
            (loop (combine-runs runs (iset-runs (car sets))) (cdr sets)))))

    (define (iset-union set . sets) (combine merge-runs set sets))
    (define (iset-intersection set . sets) (combine common-runs set sets))
    (define (iset-difference set . sets) (combine remaining-runs set sets))

    (define (iset-union! set . sets) (replace-iset! set (combine merge-runs set sets)))
    (define (iset-intersection! set . sets) (replace-iset! set (combine common-runs set sets)))
    (define (iset-difference! set . sets) (replace-iset! set (combine remaining-runs set sets)))))
