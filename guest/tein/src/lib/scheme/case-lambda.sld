(define-library (scheme case-lambda)
  (export case-lambda)
  (import (tein core)))
