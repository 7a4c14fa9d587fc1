(define-library (srfi 39)
  (export make-parameter parameterize)
  (import (scheme base)))
