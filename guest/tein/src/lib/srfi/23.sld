(define-library (srfi 23)
  (export error)
  (import (scheme base)))
