(define-library (srfi 146 hamt-misc)
  (export assert do-list make-string-hash-table with-output-to-string)
  (import (scheme base) (only (srfi 125) make-hash-table) (only (srfi 128) string-comparator))
  (begin
    (define-syntax assert
      (syntax-rules ()
        ((_ expr) (if (not expr) (error "assertion failed" 'expr)))))
    ;; For each item of a list, with its index when that has a name.
    (define-syntax do-list
      (syntax-rules ()
        ((_ (item list) body ...) (for-each (lambda (item) body ...) list))
        ((_ (item index list) body ...)
         (let loop ((l list) (index 0))
           (if (pair? l)
               (let ((item (car l)))
                 body ...
                 (loop (cdr l) (+ index 1))))))))
    (define (make-string-hash-table) (make-hash-table string-comparator))
    (define (with-output-to-string thunk)
      (let ((port (open-output-string)))
        (parameterize ((current-output-port port)) (thunk))
        (get-output-string port)))))
