;; The reader macros of the reference. Reading runs outside the machine here and never calls back
;; into a program, so that none can be set.
(define-library (tein reader)
  (export set-reader! unset-reader! reader-dispatch-chars)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "tein/reader" set-reader!)
    (define (unset-reader! char) (if #f #f))
    (define (reader-dispatch-chars) '())))
