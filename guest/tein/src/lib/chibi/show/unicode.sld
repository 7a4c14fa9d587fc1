(define-library (chibi show unicode)
  (alias-for (srfi 166 unicode)))
