(define-library (srfi 2)
  (export and-let*)
  (import (scheme base))
  (begin
    ;; The value of the last clause is the value of a form without a body.
    (define-syntax and-let*
      (syntax-rules ()
        ((_ ()) #t)
        ((_ () body0 body ...) (let () body0 body ...))
        ((_ ((var expr))) expr)
        ((_ ((expr))) expr)
        ((_ (var)) var)
        ((_ ((var expr) . clauses) . body)
         (let ((var expr)) (and var (and-let* clauses . body))))
        ((_ ((expr) . clauses) . body)
         (and expr (and-let* clauses . body)))
        ((_ (var . clauses) . body)
         (and var (and-let* clauses . body)))))))
