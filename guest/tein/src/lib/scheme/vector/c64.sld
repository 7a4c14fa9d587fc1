(define-library (scheme vector c64) (alias-for (srfi 160 c64)))
