(define-library (srfi 160 f8)
  (import (srfi 160 mini))
  (instantiate "full.scm" "f8"))
