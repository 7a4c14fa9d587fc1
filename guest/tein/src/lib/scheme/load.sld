(define-library (scheme load)
  (export load)
  (import (tein load)))
