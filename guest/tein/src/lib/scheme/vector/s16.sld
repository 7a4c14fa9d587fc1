(define-library (scheme vector s16) (alias-for (srfi 160 s16)))
