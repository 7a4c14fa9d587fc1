(define-library (scheme box) (alias-for (srfi 111)))
