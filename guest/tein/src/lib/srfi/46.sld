(define-library (srfi 46)
  (export syntax-rules)
  (import (scheme base)))
