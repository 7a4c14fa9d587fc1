(define-library (scheme generator) (alias-for (srfi 121)))
