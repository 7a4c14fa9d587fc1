(define-library (srfi 145)
  (export assume)
  (import (scheme base))
  (begin
    (define-syntax assume
      (syntax-rules ()
        ((_ expr message ...)
         (or expr (error "invalid assumption" 'expr message ...)))))))
