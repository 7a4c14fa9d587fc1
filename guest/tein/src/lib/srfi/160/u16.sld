(define-library (srfi 160 u16)
  (import (srfi 160 base))
  (instantiate "full.scm" "u16"))
