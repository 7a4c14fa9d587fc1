(define-library (scheme list) (alias-for (srfi 1)))
