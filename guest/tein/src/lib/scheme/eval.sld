(define-library (scheme eval)
  (export eval environment)
  (import (tein core)))
