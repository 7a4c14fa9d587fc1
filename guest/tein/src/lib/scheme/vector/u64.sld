(define-library (scheme vector u64) (alias-for (srfi 160 u64)))
