(define-library (srfi 55)
  (export require-extension)
  (import (scheme base) (only (tein core) import))
  (begin
    (define-syntax require-extension
      (syntax-rules ()
        ((_ (prefix module ...) ...)
         (begin (import (prefix module) ...) ...))))))
