(define-library (srfi 229)
  (export case-lambda/tag lambda/tag procedure/tag? procedure-tag)
  (import (scheme base) (scheme case-lambda)
          (only (tein core) %tag-procedure procedure/tag? procedure-tag))
  (begin
    (define-syntax lambda/tag
      (syntax-rules ()
        ((_ tag formals body0 body ...)
         (let ((t tag)) (%tag-procedure (lambda formals body0 body ...) t)))))
    (define-syntax case-lambda/tag
      (syntax-rules ()
        ((_ tag clause ...)
         (let ((t tag)) (%tag-procedure (case-lambda clause ...) t)))))))
