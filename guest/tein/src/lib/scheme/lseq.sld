(define-library (scheme lseq) (alias-for (srfi 127)))
