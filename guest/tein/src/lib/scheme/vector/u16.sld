(define-library (scheme vector u16) (alias-for (srfi 160 u16)))
