(define-library (scheme vector s64) (alias-for (srfi 160 s64)))
