(define-library (srfi 219)
  (export (rename curried-define define))
  (import (scheme base))
  (begin
    (define-syntax curried-define
      (syntax-rules ()
        ((_ ((head . outer) . inner) body0 body ...)
         (curried-define (head . outer) (lambda inner body0 body ...)))
        ((_ . form) (define . form))))))
