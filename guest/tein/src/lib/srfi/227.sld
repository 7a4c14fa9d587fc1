(define-library (srfi 227)
  (export opt-lambda opt*-lambda let-optionals let-optionals*)
  (import (scheme base))
  (begin
    ;; Optional parameters, `(name default)`, follow the required ones. Defaults of the forms
    ;; without a star are evaluated outside, with it each among the names before it.
    (define-syntax opt-lambda
      (syntax-rules ()
        ((_ formals body0 body ...)
         (lambda args (let-optionals args formals body0 body ...)))))
    (define-syntax opt*-lambda
      (syntax-rules ()
        ((_ formals body0 body ...)
         (lambda args (let-optionals* args formals body0 body ...)))))
    (define-syntax let-optionals*
      (syntax-rules ()
        ((_ expr formals body0 body ...)
         (let ((args expr)) (%bind* args formals (let () body0 body ...))))))
    (define-syntax %bind*
      (syntax-rules ()
        ((_ args () body) (begin (no-more args) body))
        ((_ args ((name default) . more) body)
         (let ((name (if (pair? args) (car args) default))
               (rest (if (pair? args) (cdr args) '())))
           (%bind* rest more body)))
        ((_ args (name . more) body)
         (let ((name (required args)) (rest (cdr args))) (%bind* rest more body)))
        ((_ args name body) (let ((name args)) body))))
    (define-syntax let-optionals
      (syntax-rules ()
        ((_ expr formals body0 body ...)
         (let ((args expr)) (%bind args formals () (let () body0 body ...))))))
    (define-syntax %bind
      (syntax-rules ()
        ((_ args () (b ...) body) (begin (no-more args) (let (b ...) body)))
        ((_ args ((name default) . more) (b ...) body)
         (let ((value (if (pair? args) (car args) default))
               (rest (if (pair? args) (cdr args) '())))
           (%bind rest more (b ... (name value)) body)))
        ((_ args (name . more) (b ...) body)
         (let ((value (required args)) (rest (cdr args)))
           (%bind rest more (b ... (name value)) body)))
        ((_ args name (b ...) body) (let (b ... (name args)) body))))
    (define (required args)
      (if (pair? args) (car args) (error "not enough args")))
    (define (no-more args)
      (if (not (null? args)) (error "too many args" args)))))
