(define-library (scheme flonum) (alias-for (srfi 144)))
