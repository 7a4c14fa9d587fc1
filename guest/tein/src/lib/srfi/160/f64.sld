(define-library (srfi 160 f64)
  (import (srfi 160 base))
  (instantiate "full.scm" "f64"))
