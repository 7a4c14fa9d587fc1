(define-library (scheme vector c128) (alias-for (srfi 160 c128)))
