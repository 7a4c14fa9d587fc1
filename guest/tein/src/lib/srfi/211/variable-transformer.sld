(define-library (srfi 211 variable-transformer)
  (export make-variable-transformer)
  (import (only (tein core) make-variable-transformer)))
