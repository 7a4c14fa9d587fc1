(define-library (chibi show base)
  (alias-for (srfi 166 base)))
