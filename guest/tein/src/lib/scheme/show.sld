(define-library (scheme show) (alias-for (srfi 166)))
