(define-library (scheme list-queue) (alias-for (srfi 117)))
