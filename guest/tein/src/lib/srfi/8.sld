(define-library (srfi 8)
  (export receive)
  (import (scheme base))
  (begin
    (define-syntax receive
      (syntax-rules ()
        ((_ formals expr body0 body ...)
         (call-with-values (lambda () expr) (lambda formals body0 body ...)))))))
