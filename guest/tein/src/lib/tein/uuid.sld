(define-library (tein uuid)
  (export make-uuid uuid? uuid-nil)
  (import (scheme base) (only (tein core) make-uuid uuid?))
  (begin
    (define uuid-nil "00000000-0000-0000-0000-000000000000")))
