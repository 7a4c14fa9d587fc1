(define-library (srfi 16) (alias-for (scheme case-lambda)))
