(define-library (scheme comparator) (alias-for (srfi 128)))
