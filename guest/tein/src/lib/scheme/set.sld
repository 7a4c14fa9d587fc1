(define-library (scheme set) (alias-for (srfi 113)))
