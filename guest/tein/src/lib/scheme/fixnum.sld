(define-library (scheme fixnum) (alias-for (srfi 143)))
