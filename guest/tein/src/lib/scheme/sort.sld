(define-library (scheme sort) (alias-for (srfi 132)))
