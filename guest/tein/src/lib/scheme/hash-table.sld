(define-library (scheme hash-table) (alias-for (srfi 125)))
