(define-library (srfi 160 u32)
  (import (srfi 160 base))
  (instantiate "full.scm" "u32"))
