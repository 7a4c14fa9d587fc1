(define-library (scheme ephemeron) (alias-for (srfi 124)))
