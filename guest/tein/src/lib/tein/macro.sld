;; The hook of the reference that sees each expansion. Expansion runs outside the machine here and
;; never calls back into a program, so that no hook can be set.
(define-library (tein macro)
  (export set-macro-expand-hook! unset-macro-expand-hook! macro-expand-hook)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "tein/macro" set-macro-expand-hook!)
    (define (unset-macro-expand-hook!) (if #f #f))
    (define (macro-expand-hook) #f)))
