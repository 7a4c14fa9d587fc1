;; Computations with named values around them, passed from step to step.
;;
;; An operation is a procedure from an environment to an environment, or to the pure value that ends
;; a computation.
(define-library (chibi monad environment)
  (export define-environment-monad)
  (import (scheme base))
  (begin
    ;; Variables and their values, the innermost first.
    (define-record-type environment
      (make-environment bindings)
      environment?
      (bindings bindings set-bindings!))

    (define (lookup env name)
      (let ((found (assq name (bindings env))))
        (and found (cdr found))))

    ;; (define-environment-monad name keyword: identifier ...). The operators:
    ;;   sequence:  (seq operation ...)  one after the other
    ;;   bind:      (bind (var (var field) ...) body ...)  the operation that the body gives, which
    ;;              sees the values of fields
    ;;   bind-fork: (fork operation operation)  the first on a copy of the environment
    ;;   return:    (return x)   run: (run operation)
    ;;   ask:       (ask env 'field)   tell: (tell env 'field value)
    ;;   local:     (local ((field value) ...) operation)   local!: (local! (field value) ...)
    ;;   copy:      (copy env)
    ;;   fields:    ((field default) ...) or (field ...)
    (define-syntax define-environment-monad
      (syntax-rules ()
        ((_ name . options) (monad-options options name ()))))

    ;; Definitions come in any order, so the fields are taken out first.
    (define-syntax monad-options
      (syntax-rules (fields:)
        ((_ () name done) (monad-definitions done name ()))
        ((_ (fields: fields . more) name (done ...))
         (monad-with-fields (done ... . more) name fields))
        ((_ (key value . more) name (done ...)) (monad-options more name (done ... key value)))))

    (define-syntax monad-with-fields
      (syntax-rules ()
        ((_ options name fields) (monad-definitions options name fields))))

    (define-syntax monad-definitions
      (syntax-rules ()
        ((_ () name fields) (begin))
        ((_ (key id . more) name fields)
         (begin
           (monad-operator key id fields)
           (monad-definitions more name fields)))))

    (define-syntax monad-operator
      (syntax-rules (sequence: bind: bind-fork: return: run: ask: tell: local: local!: copy:)
        ((_ sequence: id fields) (define (id . operations) (sequence operations)))
        ((_ bind: id fields)
         (define-syntax id
           (syntax-rules ()
             ((_ vars . body) (bind-variables vars () body)))))
        ((_ bind-fork: id fields)
         (define (id first second)
           (lambda (env) (first (copy-environment env)) (second env))))
        ((_ return: id fields) (define (id x) (lambda (env) x)))
        ((_ run: id fields) (define (id operation) (operation (make-environment (defaults fields)))))
        ((_ ask: id fields) (define (id env name) (lookup env name)))
        ((_ tell: id fields) (define (id env name value) (set-variable! env name value)))
        ((_ local: id fields)
         (define-syntax id
           (syntax-rules ()
             ((_ ((var value) (... ...)) operation)
              (with-variables (list (cons 'var value) (... ...)) operation)))))
        ((_ local!: id fields)
         (define-syntax id
           (syntax-rules ()
             ((_ (var value) (... ...))
              (set-variables (list (cons 'var value) (... ...)))))))
        ((_ copy: id fields) (define (id env) (copy-environment env)))
        ((_ other id fields) (syntax-error "define-environment-monad: unknown keyword" other))))

    (define-syntax defaults
      (syntax-rules ()
        ((_ ()) '())
        ((_ ((field default) . more)) (cons (cons 'field default) (defaults more)))
        ((_ (field . more)) (cons (cons 'field #f) (defaults more)))))

    (define-syntax bind-variables
      (syntax-rules ()
        ((_ () ((var field) ...) body)
         (lambda (env)
           (let ((var (lookup env 'field)) ...)
             ((let () . body) env))))
        ((_ ((var field) . more) (bound ...) body)
         (bind-variables more (bound ... (var field)) body))
        ((_ (var . more) (bound ...) body) (bind-variables more (bound ... (var var)) body))))

    ;; A step that ends in a pure value ends the sequence.
    (define (sequence operations)
      (lambda (env)
        (let loop ((operations operations) (env env))
          (if (or (null? operations) (not (environment? env)))
              env
              (loop (cdr operations) ((car operations) env))))))

    (define (set-variable! env name value)
      (let ((found (assq name (bindings env))))
        (if found
            (set-cdr! found value)
            (set-bindings! env (cons (cons name value) (bindings env))))))

    (define (copy-environment env)
      (make-environment (map (lambda (b) (cons (car b) (cdr b))) (bindings env))))

    (define (set-variables new)
      (lambda (env)
        (for-each (lambda (b) (set-variable! env (car b) (cdr b))) new)
        env))

    ;; The bindings hold for the operation; what it set otherwise stays.
    (define (with-variables new operation)
      (lambda (env)
        (let ((saved (bindings env)))
          (set-bindings! env (append new saved))
          (let ((result (operation env)))
            (if (environment? result) (drop! result saved (length new)))
            result))))

    ;; Takes the shadowing bindings out again, but keeps new ones.
    (define (drop! env saved n)
      (let loop ((l (bindings env)) (kept '()))
        (if (eq? (list-tail l n) saved)
            (set-bindings! env (append (reverse kept) saved))
            (loop (cdr l) (cons (car l) kept)))))))
