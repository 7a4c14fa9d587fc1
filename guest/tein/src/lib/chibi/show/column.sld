(define-library (chibi show column)
  (alias-for (srfi 166 columnar)))
