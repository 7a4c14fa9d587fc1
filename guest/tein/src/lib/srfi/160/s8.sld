(define-library (srfi 160 s8)
  (import (srfi 160 base))
  (instantiate "full.scm" "s8"))
