; import (tein introspect)

(procedure-arity (lambda (a b) a)) => (2 . 2)

(procedure-arity (lambda args args)) => (0 . #f)

(procedure-arity (lambda (a . rest) a)) => (1 . #f)

(list (procedure-arity 5) (procedure-arity car)) => (#f (1 . 1))

(and (member '(scheme base) (available-modules)) (member '(srfi 1) (available-modules)) #t) => #t

; What is for other libraries only, and documentation, is not listed.
(list (member '(tein core) (available-modules)) (member '(harness tool-file) (available-modules)) (member '(tein introspect docs) (available-modules))) => (#f #f #f)

(and (member '(tein introspect) (imported-modules)) (member '(scheme base) (imported-modules)) #t) => #t

(member '(tein toml) (imported-modules)) => #f

(import (only (tein toml) toml-parse))
(and (member '(tein toml) (imported-modules)) #t) => #t

(module-exports '(tein uuid)) => (make-uuid uuid-nil uuid?)

; The same for a library that nothing has loaded yet.
(module-exports '(tein test)) => (test-equal test-error test-false test-true)

(and (memq 'fold (module-exports '(srfi 1))) #t) => #t

(module-exports '(no such)) =>error module-exports: unknown module (no such)

(module-exports '(tein core)) =>error module-exports: unknown module (tein core)

(module-exports 'x) =>error module-exports: expected a module name

(module-exports '()) =>error module-exports: expected a module name

(define my-variable 5)
(define (my-procedure x) x)
(define-syntax my-syntax (syntax-rules () ((_) 1)))
(env-bindings "my-") => ((my-procedure . procedure) (my-syntax . syntax) (my-variable . variable))

(list (assq 'car (env-bindings)) (assq 'if (env-bindings)) (assq 'no-such (env-bindings))) => ((car . procedure) (if . syntax) #f)

(env-bindings 'x) =>error env-bindings: expected a string prefix: (x)

(binding-info 'no-such) => #f

(binding-info 'my-procedure) => ((name . my-procedure) (kind . procedure) (arity 1 . 1))

(cdr (assq 'kind (binding-info 'map))) => procedure

(list (cdr (assq 'module (binding-info 'map))) (cdr (assq 'module (binding-info 'available-modules)))) => ((scheme base) (tein introspect))

(cdr (assq 'doc (binding-info 'imported-modules))) => "(imported-modules): the names of those that were imported, or are there from the start"

(binding-info "car") =>error binding-info: expected a symbol: ("car")

(let ((modules (cdr (assq 'modules (describe-environment))))) (list (= (length modules) (length (available-modules))) (car (car modules)))) => (#t (name chibi app))

(substring (describe-environment/text) 0 42) => "(tein introspect) — environment overview\n\n"
