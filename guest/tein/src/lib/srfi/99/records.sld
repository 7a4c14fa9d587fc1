(define-library (srfi 99 records)
  (alias-for (srfi 99 records inspection) (srfi 99 records procedural)
             (srfi 99 records syntactic)))
