(define-library (srfi 160 f32)
  (import (srfi 160 base))
  (instantiate "full.scm" "f32"))
