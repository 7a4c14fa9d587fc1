;; Objects of the host. This engine has none, so that nothing answers to these predicates but a
;; list of the reference's own form: (__tein-foreign TYPE ID).
(define-library (tein foreign)
  (export foreign? foreign-type foreign-handle-id foreign-call foreign-methods foreign-types
          foreign-type-methods)
  (import (scheme base))
  (begin
    (define (foreign? x)
      (and (list? x)
           (= (length x) 3)
           (eq? (car x) '__tein-foreign)
           (string? (cadr x))
           (exact-integer? (car (cddr x)))))

    (define (check who x)
      (if (not (foreign? x)) (error (string-append who ": expected a foreign object") x)))

    (define (foreign-type x) (check "foreign-type" x) (cadr x))
    (define (foreign-handle-id x) (check "foreign-handle-id" x) (car (cddr x)))

    (define (foreign-call x method . arguments)
      (check "foreign-call" x)
      (error "foreign-call: this context has no foreign types" (cadr x) method))

    (define (foreign-methods x)
      (check "foreign-methods" x)
      (error "foreign-methods: this context has no foreign types" (cadr x)))

    (define (foreign-types) '())

    (define (foreign-type-methods type)
      (error "foreign-type-methods: this context has no foreign types" type))))
