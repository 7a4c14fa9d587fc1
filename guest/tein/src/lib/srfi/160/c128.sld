(define-library (srfi 160 c128)
  (import (srfi 160 base))
  (instantiate "full.scm" "c128"))
