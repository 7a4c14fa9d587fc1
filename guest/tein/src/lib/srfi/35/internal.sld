;; A simple condition is a type and an association list of its fields; a compound one, a list of those.
(define-library (srfi 35 internal)
  (export
    simple-condition? compound-condition? make-condition-type condition? condition-type?
    condition-subtype? condition-type-ancestors make-condition make-compound-condition
    condition-has-type? condition-ref simple-conditions extract-condition
    compound-condition-components condition-predicate condition-accessor
    define-condition-type/constructor define-condition-type condition &condition &message
    make-message-condition message-condition? condition-message &serious make-serious-condition
    serious-condition? &error make-error error?)
  (import (scheme base) (srfi 1))
  (begin
    (define-record-type condition-type
      (new-type name parent own all)
      condition-type?
      (name type-name) (parent parent-of) (own own-fields) (all all-fields))
    (define-record-type simple-condition
      (new-condition type fields)
      simple-condition?
      (type type-of) (fields fields-of))
    (define-record-type compound-condition
      (new-compound components)
      compound-condition?
      (components compound-condition-components))

    (define (make-condition-type name parent fields)
      (if (not (symbol? name)) (error "make-condition-type: not a symbol" name))
      (if (not (condition-type? parent))
          (error "make-condition-type: not a condition type" parent))
      (for-each
        (lambda (f)
          (if (memq f (all-fields parent))
              (error "make-condition-type: the parent has this field" f)))
        fields)
      (new-type name parent fields (append (all-fields parent) fields)))
    (define &condition (new-type '&condition #f '() '()))
    (define (condition-type-ancestors type)
      (if type (cons type (condition-type-ancestors (parent-of type))) '()))
    (define (condition-subtype? type of) (and (memq of (condition-type-ancestors type)) #t))

    (define (condition? x) (or (simple-condition? x) (compound-condition? x)))
    (define (simple-conditions c)
      (cond ((simple-condition? c) (list c))
            ((compound-condition? c) (compound-condition-components c))
            (else (error "invalid type, expected Condition" c))))
    (define (make-condition type . plist)
      (let loop ((l plist) (fields '()))
        (cond ((null? l) (checked-condition type (reverse fields)))
              ((null? (cdr l)) (error "make-condition: a field without a value" (car l)))
              (else (loop (cddr l) (cons (cons (car l) (cadr l)) fields))))))
    ;; Has every field of the type, and no other.
    (define (checked-condition type fields)
      (if (not (and (every (lambda (f) (assq f fields)) (all-fields type))
                    (every (lambda (f) (memq (car f) (all-fields type))) fields)))
          (error "make-condition: the fields are not those of the type"
                 (type-name type) (map car fields)))
      (new-condition type fields))
    (define (make-compound-condition c . rest)
      (let ((all (append-map simple-conditions (cons c rest))))
        (if (null? (cdr all)) (car all) (new-compound all))))
    (define (with-type c type)
      (find (lambda (s) (condition-subtype? (type-of s) type)) (simple-conditions c)))
    (define (condition-has-type? c type) (and (with-type c type) #t))
    (define (condition-ref c field)
      (let loop ((l (simple-conditions c)))
        (if (null? l)
            (error "condition-ref: no such field" c field)
            (let ((f (assq field (fields-of (car l)))))
              (if f (cdr f) (loop (cdr l)))))))
    (define (extract-condition c type)
      (let ((s (with-type c type)))
        (if (not s) (error "extract-condition: not of this type" c (type-name type)))
        (new-condition
          type
          (filter (lambda (f) (memq (car f) (all-fields type))) (fields-of s)))))

    (define (condition-predicate type)
      (lambda (x) (and (condition? x) (condition-has-type? x type))))
    (define (condition-accessor type field)
      (lambda (c)
        (let ((s (with-type c type)))
          (if (not s) (error "condition: not of this type" c (type-name type)))
          (cdr (assq field (fields-of s))))))

    (define-syntax define-condition-type
      (syntax-rules ()
        ((_ type parent predicate (field accessor) ...)
         (begin
           (define type (make-condition-type 'type parent '(field ...)))
           (define predicate (condition-predicate type))
           (define accessor (condition-accessor type 'field)) ...))))
    (define-syntax define-condition-type/constructor
      (syntax-rules ()
        ((_ type parent constructor predicate (field accessor) ...)
         (begin
           (define-condition-type type parent predicate (field accessor) ...)
           (define (constructor . values)
             (checked-condition type (map cons (all-fields type) values)))))))

    ;; A field that several of the types share need be given only once.
    (define-syntax condition
      (syntax-rules ()
        ((_ (type (field value) ...) ...)
         (complete (list (cons type (list (cons 'field value) ...)) ...)))))
    (define (complete specs)
      (let ((given (append-map cdr specs)))
        (apply make-compound-condition
               (map (lambda (spec)
                      (checked-condition
                        (car spec)
                        (append
                          (cdr spec)
                          (filter-map
                            (lambda (f) (and (not (assq f (cdr spec))) (assq f given)))
                            (all-fields (car spec))))))
                    specs))))

    (define-condition-type/constructor &message &condition make-message-condition
      message-condition? (message condition-message))
    (define-condition-type/constructor &serious &condition make-serious-condition
      serious-condition?)
    (define-condition-type/constructor &error &serious make-error error?)))
