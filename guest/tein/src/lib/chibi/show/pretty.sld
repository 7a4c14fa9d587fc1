(define-library (chibi show pretty)
  (alias-for (srfi 166 pretty)))
