(define-library (harness tools)
  (export call-tool)
  (import (tein core)))
