(define-library (srfi 154)
  (export
    dynamic-environment? current-dynamic-environment with-dynamic-environment closed-lambda)
  (import (scheme base))
  (begin
    ;; A continuation holds parameters, handlers and winds; entering one restores them all.
    (define-record-type dynamic-environment
      (make-dynamic-environment enter)
      dynamic-environment?
      (enter enter))

    ;; What is thrown to the saved continuation is run there, and its values come back here.
    (define (current-dynamic-environment)
      ((call-with-current-continuation
         (lambda (enter)
           (lambda () (make-dynamic-environment enter))))))

    (define (with-dynamic-environment env thunk)
      (if (not (dynamic-environment? env))
          (error "invalid type, expected Dynamic-Environment" env))
      (call-with-current-continuation
        (lambda (return)
          ((enter env)
           (lambda () (call-with-values thunk return))))))

    (define-syntax closed-lambda
      (syntax-rules ()
        ((_ formals body0 body ...)
         (let ((env (current-dynamic-environment)))
           (lambda args
             (with-dynamic-environment env
               (lambda () (apply (lambda formals body0 body ...) args))))))))))
