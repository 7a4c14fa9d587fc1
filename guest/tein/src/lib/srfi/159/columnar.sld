(define-library (srfi 159 columnar)
  (alias-for (srfi 166 columnar)))
