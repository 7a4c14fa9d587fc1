(define-library (srfi 146 vector-edit)
  (export vector-edit vector-replace-one vector-without)
  (import (scheme base))
  (begin
    ;; A copy with another item at an index.
    (define (vector-replace-one v i x)
      (let ((new (vector-copy v)))
        (vector-set! new i x)
        new))
    ;; A copy without the items from START to before END.
    (define (vector-without v start end)
      (vector-append (vector-copy v 0 start) (vector-copy v end)))
    ;; A copy with changes, in order of their indices in the old vector: `(add i x)` puts x before
    ;; i, `(drop i n)` leaves n items out.
    (define-syntax vector-edit
      (syntax-rules ()
        ((_ v edit ...) (edited v (list (%edit edit) ...)))))
    (define-syntax %edit
      (syntax-rules (add drop)
        ((_ (add i x)) (list i 0 (vector x)))
        ((_ (drop i n)) (list i n (vector)))))
    (define (edited v edits)
      (let loop ((edits edits) (at 0) (out '()))
        (if (null? edits)
            (apply vector-append (reverse (cons (vector-copy v at) out)))
            (let* ((e (car edits)) (i (car e)))
              (loop (cdr edits)
                    (+ i (cadr e))
                    (cons (car (cddr e)) (cons (vector-copy v at i) out)))))))))
