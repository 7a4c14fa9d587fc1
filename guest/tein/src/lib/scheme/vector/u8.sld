(define-library (scheme vector u8) (alias-for (srfi 160 u8)))
