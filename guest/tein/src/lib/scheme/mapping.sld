(define-library (scheme mapping) (alias-for (srfi 146)))
