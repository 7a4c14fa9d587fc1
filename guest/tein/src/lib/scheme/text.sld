(define-library (scheme text) (alias-for (srfi 135)))
