(define-library (scheme ideque) (alias-for (srfi 134)))
