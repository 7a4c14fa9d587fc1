(define-library (scheme vector s8) (alias-for (srfi 160 s8)))
