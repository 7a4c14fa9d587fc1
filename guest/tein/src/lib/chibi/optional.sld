;; Optional and keyword arguments taken from lists. A rest variable gets a fresh list.
(define-library (chibi optional)
  (export
    let-optionals let-optionals* opt-lambda opt-lambda* define-opt define-opt*
    let-keywords let-keywords* keyword-ref keyword-ref*)
  (import (scheme base))
  (begin
    (define (missing name) (error "missing required argument" name))

    ;; Defaults see what surrounds the form: every name is bound only after the last value.
    (define-syntax let-optionals
      (syntax-rules ()
        ((_ ls vars . body)
         (let ((rest ls)) (optionals rest () vars body)))))

    (define-syntax optionals
      (syntax-rules ()
        ((_ rest ((var tmp) ...) () body) (let ((var tmp) ...) . body))
        ((_ rest (bound ...) ((var default) . more) body)
         (let ((tmp (if (pair? rest) (car rest) default))
               (tail (if (pair? rest) (cdr rest) '())))
           (optionals tail (bound ... (var tmp)) more body)))
        ((_ rest (bound ...) (var . more) body)
         (let ((tmp (if (pair? rest) (car rest) (missing 'var)))
               (tail (if (pair? rest) (cdr rest) '())))
           (optionals tail (bound ... (var tmp)) more body)))
        ((_ rest (bound ...) var body)
         (let ((tmp (list-copy rest)))
           (optionals rest (bound ... (var tmp)) () body)))))

    ;; Defaults see the variables before them.
    (define-syntax let-optionals*
      (syntax-rules ()
        ((_ ls vars . body)
         (let ((rest ls)) (optionals* rest vars body)))))

    (define-syntax optionals*
      (syntax-rules ()
        ((_ rest () body) (let () . body))
        ((_ rest ((var default) . more) body)
         (let ((var (if (pair? rest) (car rest) default))
               (tail (if (pair? rest) (cdr rest) '())))
           (optionals* tail more body)))
        ((_ rest (var . more) body)
         (let ((var (if (pair? rest) (car rest) (missing 'var)))
               (tail (if (pair? rest) (cdr rest) '())))
           (optionals* tail more body)))
        ((_ rest var body)
         (let ((var (list-copy rest))) . body))))

    ;; Leading plain names are ordinary parameters.
    (define-syntax opt-lambda
      (syntax-rules ()
        ((_ vars . body) (optional-lambda let-optionals () vars body))))

    (define-syntax opt-lambda*
      (syntax-rules ()
        ((_ vars . body) (optional-lambda let-optionals* () vars body))))

    (define-syntax optional-lambda
      (syntax-rules ()
        ((_ binder (name ...) ((var default) . more) body)
         (lambda (name ... . rest) (binder rest ((var default) . more) . body)))
        ((_ binder (name ...) (var . more) body)
         (optional-lambda binder (name ... var) more body))
        ((_ binder (name ...) () body) (lambda (name ... . rest) . body))
        ((_ binder (name ...) var body) (lambda (name ... . var) . body))))

    (define-syntax define-opt
      (syntax-rules ()
        ((_ (name . vars) . body) (define name (opt-lambda vars . body)))))

    (define-syntax define-opt*
      (syntax-rules ()
        ((_ (name . vars) . body) (define name (opt-lambda* vars . body)))))

    ;; --- keywords ---

    ;; The pair whose second item is the value of the keyword, or #f.
    (define (find-keyword ls key)
      (cond ((not (and (pair? ls) (pair? (cdr ls)))) #f)
            ((eq? key (car ls)) ls)
            (else (find-keyword (cddr ls) key))))

    (define (keyword-ref ls key . default)
      (let ((found (find-keyword ls key)))
        (cond (found (cadr found))
              ((pair? default) (car default))
              (else #f))))

    ;; The default is evaluated only when it is needed.
    (define-syntax keyword-ref*
      (syntax-rules ()
        ((_ ls key default)
         (let ((found (find-keyword ls key)))
           (if found (cadr found) default)))))

    (define (keyword name)
      (string->symbol (string-append (symbol->string name) ":")))

    ;; The pairs of LS whose key is none of KEYS; a last key without a value is dropped.
    (define (remove-keywords ls keys)
      (cond ((not (and (pair? ls) (pair? (cdr ls)))) '())
            ((memq (car ls) keys) (remove-keywords (cddr ls) keys))
            (else (cons (car ls) (cons (cadr ls) (remove-keywords (cddr ls) keys))))))

    (define-syntax let-keywords
      (syntax-rules ()
        ((_ ls vars . body)
         (let ((args ls)) (keywords args () () vars body)))))

    (define-syntax keywords
      (syntax-rules ()
        ((_ args ((var tmp) ...) keys () body) (let ((var tmp) ...) . body))
        ((_ args (bound ...) (key ...) ((var default) . more) body)
         (let ((tmp (keyword-ref* args (keyword 'var) default)))
           (keywords args (bound ... (var tmp)) (key ... (keyword 'var)) more body)))
        ((_ args (bound ...) (key ...) ((var name default) . more) body)
         (let ((tmp (keyword-ref* args 'name default)))
           (keywords args (bound ... (var tmp)) (key ... 'name) more body)))
        ((_ args bound keys (rest) body) (keywords args bound keys rest body))
        ((_ args (bound ...) (key ...) rest body)
         (let ((tmp (remove-keywords args (list key ...))))
           (keywords args (bound ... (rest tmp)) (key ...) () body)))))

    (define-syntax let-keywords*
      (syntax-rules ()
        ((_ ls vars . body)
         (let ((args ls)) (keywords* args () vars body)))))

    (define-syntax keywords*
      (syntax-rules ()
        ((_ args keys () body) (let () . body))
        ((_ args (key ...) ((var default) . more) body)
         (let ((var (keyword-ref* args (keyword 'var) default)))
           (keywords* args (key ... (keyword 'var)) more body)))
        ((_ args (key ...) ((var name default) . more) body)
         (let ((var (keyword-ref* args 'name default)))
           (keywords* args (key ... 'name) more body)))
        ((_ args keys (rest) body) (keywords* args keys rest body))
        ((_ args (key ...) rest body)
         (let ((rest (remove-keywords args (list key ...)))) . body))))))
