(define-library (scheme vector f64) (alias-for (srfi 160 f64)))
