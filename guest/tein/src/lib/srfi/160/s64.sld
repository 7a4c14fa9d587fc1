(define-library (srfi 160 s64)
  (import (srfi 160 base))
  (instantiate "full.scm" "s64"))
