(define-library (scheme vector base) (alias-for (srfi 160 base)))
