(define-library (srfi 160 s32)
  (import (srfi 160 base))
  (instantiate "full.scm" "s32"))
