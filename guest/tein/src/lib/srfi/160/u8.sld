(define-library (srfi 160 u8)
  (import (srfi 160 base))
  (instantiate "full.scm" "u8"))
