(define-library (scheme bitwise) (alias-for (srfi 151)))
