(define-library (srfi 159)
  (alias-for (srfi 159 base) (srfi 159 color) (srfi 159 columnar) (srfi 159 unicode)))
