;; Names without a procedure behind them, for libraries that this sandbox has in name only.
(define-library (tein stubs)
  (export define-unavailable define-not-implemented)
  (import (scheme base) (only (tein core) %not-available))
  (begin
    ;; (define-unavailable "chibi/shell" name ...): calling one says which library refuses it.
    (define-syntax define-unavailable
      (syntax-rules ()
        ((_ module name ...)
         (begin (define (name . arguments) (%not-available module 'name)) ...))))

    ;; Procedures of the operating system that the reference does not have either.
    (define-syntax define-not-implemented
      (syntax-rules ()
        ((_ name ...)
         (begin (define (name . arguments) (error "not implemented" 'name)) ...))))))
