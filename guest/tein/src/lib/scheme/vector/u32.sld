(define-library (scheme vector u32) (alias-for (srfi 160 u32)))
