(define-library (harness hooks)
  (export register-hook)
  (import (harness tool-file)))
