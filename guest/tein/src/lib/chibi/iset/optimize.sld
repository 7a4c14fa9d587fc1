;; Smaller and flatter trees for integer sets that are built once and asked often.
(define-library (chibi iset optimize)
  (export iset-balance iset-balance! iset-optimize iset-optimize! iset->code)
  (import
    (scheme base) (chibi iset base) (chibi iset iterators) (chibi iset constructors)
    (only (chibi iset runs) iset-runs balanced-iset replace-iset!)
    (only (tein core) arithmetic-shift))
  (begin
    ;; Most integers that a node with bits spans.
    (define span 128)

    ;; The same nodes in a balanced tree, without those that hold nothing.
    (define (iset-balance set)
      (or (balanced-iset
            (list->vector
              (reverse
                (iset-fold-node
                  (lambda (node nodes)
                    (if (eqv? 0 (iset-bits node)) nodes (cons (iset-copy-node node) nodes)))
                  '()
                  set))))
          (make-iset)))

    (define (iset-balance! set) (replace-iset! set (iset-balance set)))

    ;; Runs that are near each other become one node with bits.
    (define (iset-optimize set)
      (or (balanced-iset
            (let loop ((runs (iset-runs set)) (nodes '()))
              (if (null? runs)
                  (list->vector (reverse nodes))
                  (let ((start (caar runs)))
                    (let group ((end (cdar runs)) (bits (run-bits start (car runs))) (rest (cdr runs)) (n 1))
                      (if (and (pair? rest) (< (- (cdar rest) start) span))
                          (group (cdar rest) (and bits (+ bits (run-bits start (car rest))))
                                 (cdr rest) (+ n 1))
                          (loop rest (cons (%make-iset start end (and (> n 1) bits) #f #f) nodes))))))))
          (make-iset)))

    ;; The bits of a run, or #f for one that is too long to share a node.
    (define (run-bits start run)
      (and (< (- (cdr run) start) span)
           (arithmetic-shift (- (arithmetic-shift 1 (+ 1 (- (cdr run) (car run)))) 1)
                             (- (car run) start))))

    (define (iset-optimize! set) (replace-iset! set (iset-optimize set)))

    ;; An expression that makes the set.
    (define (iset->code set)
      (and set
           `(%make-iset ,(iset-start set) ,(iset-end set) ,(iset-bits set)
                        ,(iset->code (iset-left set)) ,(iset->code (iset-right set)))))))
