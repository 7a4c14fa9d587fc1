;; A computation is a procedure of an environment: an association list of local values, and one
;; behind a cell of those that are shared by all environments that were derived from each other.
(define-library (srfi 165)
  (export
    make-computation-environment-variable make-computation-environment
    computation-environment-ref computation-environment-update
    computation-environment-update! computation-environment-copy make-computation
    computation-each computation-each-in-list computation-pure computation-bind
    computation-sequence computation-run computation-ask computation-local computation-fn
    computation-with computation-with! computation-forked computation-bind/forked
    default-computation define-computation-type)
  (import (scheme base))
  (begin
    (define-record-type computation-environment-variable
      (new-variable name default immutable)
      variable?
      (name variable-name)
      (default default-of)
      (immutable immutable?))
    (define (make-computation-environment-variable name default immutable)
      (new-variable name default immutable))
    (define-record-type computation-environment
      (new-environment local global)
      environment?
      (local local-of)
      (global global-of))

    (define (make-computation-environment) (new-environment '() (list 'global)))
    (define (entry env var) (or (assq var (local-of env)) (assq var (cdr (global-of env)))))
    (define (computation-environment-ref env var)
      (let ((e (entry env var))) (if e (cdr e) (default-of var))))
    ;; A new environment with other values, that shares the rest with the old one.
    (define (computation-environment-update env . plist)
      (let loop ((l plist) (local (local-of env)))
        (cond ((null? l) (new-environment local (global-of env)))
              ((null? (cdr l))
               (error "computation-environment-update: a variable without a value" (car l)))
              (else (loop (cddr l) (cons (cons (car l) (cadr l)) local))))))
    (define (computation-environment-update! env var x)
      (if (immutable? var)
          (error "computation-environment-update!: an immutable variable" (variable-name var)))
      (let ((e (entry env var)))
        (if e
            (set-cdr! e x)
            (set-cdr! (global-of env) (cons (cons var x) (cdr (global-of env)))))))
    (define (computation-environment-copy env)
      (define (fresh l) (map (lambda (e) (cons (car e) (cdr e))) l))
      (new-environment (fresh (local-of env)) (cons 'global (fresh (cdr (global-of env))))))

    (define default-computation
      (make-computation-environment-variable
        'default-computation
        (lambda (x) (error "computation: not a computation" x))
        #f))
    (define (execute c env)
      (if (procedure? c)
          (c env)
          (execute ((computation-environment-ref env default-computation) c) env)))
    (define (computation-run c) (execute c (make-computation-environment)))
    ;; PROC is given a procedure that runs a computation in the same environment.
    (define (make-computation proc)
      (lambda (env) (proc (lambda (c) (execute c env)))))
    (define (computation-ask) (lambda (env) env))
    (define (computation-local updater c)
      (lambda (env) (execute c (updater env))))
    (define (computation-pure . xs) (lambda (env) (apply values xs)))
    (define (computation-each c . rest) (computation-each-in-list (cons c rest)))
    (define (computation-each-in-list l)
      (lambda (env)
        (if (null? l)
            (if #f #f)
            (let loop ((l l))
              (if (null? (cdr l))
                  (execute (car l) env)
                  (begin (execute (car l) env) (loop (cdr l))))))))
    (define (computation-bind c . fs)
      (lambda (env)
        (let loop ((c c) (fs fs))
          (if (null? fs)
              (execute c env)
              (call-with-values (lambda () (execute c env))
                (lambda xs (loop (apply (car fs) xs) (cdr fs))))))))
    (define (computation-sequence l)
      (lambda (env)
        (let loop ((l l) (out '()))
          (if (null? l)
              (reverse out)
              (loop (cdr l) (cons (execute (car l) env) out))))))
    (define (computation-forked c . rest)
      (lambda (env)
        (let loop ((c c) (rest rest))
          (if (null? rest)
              (execute c env)
              (begin
                (execute c (computation-environment-copy env))
                (loop (car rest) (cdr rest)))))))
    (define (computation-bind/forked c . fs)
      (apply computation-bind
             (lambda (env) (execute c (computation-environment-copy env)))
             fs))

    (define-syntax computation-fn
      (syntax-rules ()
        ((_ (binding ...) body0 body ...)
         (%fn (binding ...) () body0 body ...))))
    (define-syntax %fn
      (syntax-rules ()
        ((_ () ((id var) ...) body ...)
         (lambda (env)
           (execute
             (let ((id (computation-environment-ref env var)) ...) (let () body ...))
             env)))
        ((_ ((id var) . more) (done ...) body ...) (%fn more (done ... (id var)) body ...))
        ((_ (id . more) (done ...) body ...) (%fn more (done ... (id id)) body ...))))
    (define-syntax computation-with
      (syntax-rules ()
        ((_ ((var value) ...) c ...)
         (let ((entries (list (list var value) ...)) (body (computation-each-in-list (list c ...))))
           (lambda (env)
             (execute body (apply computation-environment-update env (apply append entries))))))))
    (define-syntax computation-with!
      (syntax-rules ()
        ((_ (var value) ...)
         (let ((entries (list (cons var value) ...)))
           (lambda (env)
             (for-each
               (lambda (e) (computation-environment-update! env (car e) (cdr e)))
               entries))))))

    (define-syntax define-computation-type
      (syntax-rules ()
        ((_ make run variable ...)
         (%define-type make run () variable ...))))
    (define-syntax %define-type
      (syntax-rules ()
        ((_ make run ((name default immutable) ...))
         (begin
           (define name (make-computation-environment-variable 'name default immutable)) ...
           (define (make) (make-computation-environment))
           (define (run c) (execute c (make)))))
        ((_ make run (done ...) (name default "immutable") . more)
         (%define-type make run (done ... (name default #t)) . more))
        ((_ make run (done ...) (name default) . more)
         (%define-type make run (done ... (name default #f)) . more))
        ((_ make run (done ...) name . more)
         (%define-type make run (done ... (name #f #f)) . more))))))
