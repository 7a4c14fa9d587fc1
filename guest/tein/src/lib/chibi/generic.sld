;; Generic procedures: methods chosen by predicates on the arguments, the latest definition first.
(define-library (chibi generic)
  (export define-generic define-method make-generic generic-add!)
  (import (scheme base))
  (begin
    ;; Methods by number of parameters: a list of (arity method ...), a method being
    ;; (predicates . procedure). The procedure gets a thunk for the next method, then the arguments.
    (define-record-type table
      (make-table name methods)
      table?
      (name table-name)
      (methods table-methods set-table-methods!))

    ;; What a generic procedure is given to say that it wants its table.
    (define ask (list 'table))

    (define (make-generic name)
      (let ((table (make-table name '())))
        (lambda args
          (if (and (pair? args) (eq? (car args) ask))
              table
              (let ((methods (assv (length args) (table-methods table))))
                (dispatch table (if methods (cdr methods) '()) args))))))

    (define (dispatch table methods args)
      (cond ((null? methods) (error "no method of the generic procedure applies" (table-name table) args))
            ((accepts? (caar methods) args)
             (apply (cdar methods) (lambda () (dispatch table (cdr methods) args)) args))
            (else (dispatch table (cdr methods) args))))

    (define (accepts? predicates args)
      (or (null? predicates)
          (and ((car predicates) (car args))
               (accepts? (cdr predicates) (cdr args)))))

    (define (generic-add! generic predicates procedure)
      (let* ((table (generic ask))
             (arity (length predicates))
             (same (assv arity (table-methods table)))
             (method (cons predicates procedure)))
        (if same
            (set-cdr! same (cons method (cdr same)))
            (set-table-methods! table (cons (list arity method) (table-methods table))))))

    (define-syntax define-generic
      (syntax-rules ()
        ((_ name) (define name (make-generic 'name)))))

    (define (anything x) #t)

    ;; The body may call call-next-method: the name as the body writes it is looked for there and
    ;; bound, since a macro of its own name would be another one.
    (define-syntax define-method
      (syntax-rules ()
        ((_ (name . parameters) . body)
         (next-name body body () (method name parameters () () body)))))

    ;; Walks the items; each is given twice, to be compared and to be kept.
    (define-syntax next-name
      (syntax-rules (call-next-method)
        ((_ found call-next-method todo (method . arguments)) (method found . arguments))
        ((_ same (x . y) todo k) (next-name x x (y . todo) k))
        ((_ same other () (method . arguments)) (method unused . arguments))
        ((_ same other (x . more) k) (next-name x x more k))))

    (define-syntax method
      (syntax-rules ()
        ((_ next name () (predicate ...) (var ...) body)
         (generic-add! name (list predicate ...) (lambda (next var ...) . body)))
        ((_ next name ((var predicate) . more) (predicates ...) (vars ...) body)
         (method next name more (predicates ... predicate) (vars ... var) body))
        ((_ next name (var . more) (predicates ...) (vars ...) body)
         (method next name more (predicates ... anything) (vars ... var) body))))))
