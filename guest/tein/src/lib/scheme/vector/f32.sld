(define-library (scheme vector f32) (alias-for (srfi 160 f32)))
