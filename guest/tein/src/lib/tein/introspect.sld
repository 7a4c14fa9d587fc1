;; What there is: libraries, bindings, procedures.
(define-library (tein introspect)
  (export available-modules imported-modules module-exports procedure-arity env-bindings
          binding-info describe-environment describe-environment/text introspect-docs)
  (import (scheme base) (scheme write) (tein introspect docs) (harness docs)
          (only (tein core) %introspect procedure-arity))
  (begin
    (define (available-modules) (%introspect 'available-modules #f))
    (define (imported-modules) (%introspect 'imported-modules #f))
    (define (module-exports name) (%introspect 'module-exports name))

    (define (env-bindings . prefix)
      (%introspect 'env-bindings (if (pair? prefix) (car prefix) #f)))

    (define all-docs (list introspect-docs harness-tools-docs))

    ;; The text of a name in the docs of the library that it comes from.
    (define (documentation name module)
      (let loop ((l all-docs))
        (cond ((null? l) #f)
              ((equal? (written module) (string-append "(" (cdr (assq '__module__ (car l))) ")"))
               (let ((entry (assq name (car l)))) (and entry (cdr entry))))
              (else (loop (cdr l))))))

    (define (written x)
      (let ((port (open-output-string)))
        (write x port)
        (get-output-string port)))

    (define (binding-info name)
      (if (not (symbol? name)) (error "binding-info: expected a symbol" name))
      (let ((kind (%introspect 'binding-kind name)))
        (and kind
             (let* ((module (%introspect 'binding-module name))
                    (doc (and module (documentation name module))))
               (append
                (list (cons 'name name) (cons 'kind kind))
                (if (eq? kind 'procedure)
                    (list (cons 'arity (procedure-arity (%introspect 'binding-value name))))
                    '())
                (if module (list (cons 'module module)) '())
                (if doc (list (cons 'doc doc)) '()))))))

    (define (docs-of module)
      (let loop ((l all-docs))
        (cond ((null? l) '())
              ((equal? (written module) (string-append "(" (cdr (assq '__module__ (car l))) ")"))
               (list (cons 'docs (cdr (car l)))))
              (else (loop (cdr l))))))

    (define (describe-environment)
      (list
       (cons 'modules
             (map (lambda (module)
                    (append (list (cons 'name module) (cons 'exports (module-exports module)))
                            (docs-of module)))
                  (available-modules)))))

    (define (describe-environment/text)
      (let ((modules (available-modules)) (port (open-output-string)))
        (write-string "(tein introspect) — environment overview\n\n" port)
        (write (length modules) port)
        (write-string " modules available:\n\n" port)
        (for-each
         (lambda (module)
           (let ((exports (module-exports module)) (docs (docs-of module)))
             (write module port)
             (write-string " — " port)
             (write (length exports) port)
             (write-string " exports\n" port)
             (if (pair? docs)
                 (for-each
                  (lambda (name)
                    (let ((entry (assq name (cdar docs))))
                      (write-string "  " port)
                      (write name port)
                      (if entry
                          (begin (write-string " — " port) (display (cdr entry) port)))
                      (newline port)))
                  exports)
                 (begin
                   (write-string "  " port)
                   (let loop ((l exports) (first? #t))
                     (if (pair? l)
                         (begin
                           (if (not first?) (write-string ", " port))
                           (write (car l) port)
                           (loop (cdr l) #f))))
                   (newline port)))))
         modules)
        (get-output-string port)))))
