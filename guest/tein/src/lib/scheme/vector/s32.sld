(define-library (scheme vector s32) (alias-for (srfi 160 s32)))
