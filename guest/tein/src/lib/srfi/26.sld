(define-library (srfi 26)
  (export cut cute)
  (import (scheme base))
  (begin
    ;; (%cut (parameter ...) (item ...) slot-or-expression ...)
    (define-syntax cut
      (syntax-rules ()
        ((_ slot ...) (%cut () () slot ...))))
    (define-syntax %cut
      (syntax-rules (<> <...>)
        ((_ (p ...) (f x ...)) (lambda (p ...) ((begin f) x ...)))
        ((_ (p ...) (f x ...) <...>) (lambda (p ... . rest) (apply f x ... rest)))
        ((_ (p ...) (x ...) <> . more) (%cut (p ... slot) (x ... slot) . more))
        ((_ ps (x ...) expr . more) (%cut ps (x ... expr) . more))))
    ;; As cut, but the expressions are evaluated once, when the procedure is made.
    (define-syntax cute
      (syntax-rules ()
        ((_ slot ...) (%cute () () () slot ...))))
    (define-syntax %cute
      (syntax-rules (<> <...>)
        ((_ bound (p ...) (f x ...)) (let bound (lambda (p ...) (f x ...))))
        ((_ bound (p ...) (f x ...) <...>)
         (let bound (lambda (p ... . rest) (apply f x ... rest))))
        ((_ bound (p ...) (x ...) <> . more) (%cute bound (p ... slot) (x ... slot) . more))
        ((_ (b ...) ps (x ...) expr . more)
         (%cute (b ... (value expr)) ps (x ... value) . more))))))
