(define-library (srfi 160 f16)
  (import (srfi 160 mini))
  (instantiate "full.scm" "f16"))
