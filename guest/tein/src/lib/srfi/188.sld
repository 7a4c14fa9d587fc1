(define-library (srfi 188)
  (export
    (rename %splicing-let-syntax splicing-let-syntax)
    (rename %splicing-letrec-syntax splicing-letrec-syntax))
  (import (only (tein core) %splicing-let-syntax %splicing-letrec-syntax)))
