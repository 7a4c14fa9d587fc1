;; The engine expands macro uses where it needs a transformer.
(define-library (srfi 147)
  (export define-syntax let-syntax letrec-syntax syntax-rules)
  (import (scheme base)))
