(define-library (harness tools)
  (export call-tool call-tool/value)
  (import (tein core)))
