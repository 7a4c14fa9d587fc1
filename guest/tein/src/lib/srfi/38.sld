;; `write` already labels cycles and `read` understands labels; sharing needs `write-shared`.
(define-library (srfi 38)
  (export
    write-with-shared-structure (rename write-with-shared-structure write/ss)
    read-with-shared-structure (rename read-with-shared-structure read/ss))
  (import (scheme base) (scheme read) (scheme write))
  (begin
    ;; The third argument of SRFI 38, for the use of implementations, is taken and has no effect.
    (define (write-with-shared-structure obj . rest)
      (if (pair? rest) (write-shared obj (car rest)) (write-shared obj)))
    (define (read-with-shared-structure . rest)
      (apply read rest))))
