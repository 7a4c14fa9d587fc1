(define-library (srfi 160 u64)
  (import (srfi 160 base))
  (instantiate "full.scm" "u64"))
