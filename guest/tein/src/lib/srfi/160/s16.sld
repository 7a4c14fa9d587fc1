(define-library (srfi 160 s16)
  (import (srfi 160 base))
  (instantiate "full.scm" "s16"))
