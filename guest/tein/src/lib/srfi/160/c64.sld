(define-library (srfi 160 c64)
  (import (srfi 160 base))
  (instantiate "full.scm" "c64"))
