(define-library (tein load)
  (export load)
  (import (only (tein core) load)))
