(define-library (scheme vector) (alias-for (srfi 133)))
