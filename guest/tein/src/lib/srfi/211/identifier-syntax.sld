(define-library (srfi 211 identifier-syntax)
  (export identifier-syntax)
  (import (only (tein core) identifier-syntax)))
