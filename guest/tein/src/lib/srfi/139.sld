(define-library (srfi 139)
  (export (rename define-syntax define-syntax-parameter)
          (rename %syntax-parameterize syntax-parameterize))
  (import (only (tein core) define-syntax %syntax-parameterize)))
