(define-library (srfi 99) (alias-for (srfi 99 records)))
