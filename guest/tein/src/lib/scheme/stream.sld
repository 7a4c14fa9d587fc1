(define-library (scheme stream) (alias-for (srfi 41)))
