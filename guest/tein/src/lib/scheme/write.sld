(define-library (scheme write)
  (export display write write-shared write-simple)
  (import (tein core)))
