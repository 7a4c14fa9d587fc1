(define-library (scheme ilist) (alias-for (srfi 116)))
