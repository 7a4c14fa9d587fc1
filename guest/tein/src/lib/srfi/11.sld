(define-library (srfi 11)
  (export let-values let*-values)
  (import (scheme base)))
