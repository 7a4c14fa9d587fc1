(define-library (scheme read)
  (export read)
  (import (tein core)))
