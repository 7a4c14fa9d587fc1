(define-library (scheme charset) (alias-for (srfi 14)))
