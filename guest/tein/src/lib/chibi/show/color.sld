(define-library (chibi show color)
  (alias-for (srfi 166 color)))
