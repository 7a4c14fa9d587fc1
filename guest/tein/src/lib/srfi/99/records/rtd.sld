;; A record type of the engine has a name and all its fields; those made here also a parent, and
;; the names and mutability of their own fields.
(define-library (srfi 99 records rtd)
  (export
    make-rtd rtd? rtd-constructor rtd-predicate rtd-accessor rtd-mutator record? record-rtd
    rtd-name rtd-parent rtd-field-names rtd-all-field-names rtd-field-mutable?)
  (import
    (scheme base)
    (only (tein core) %make-record-type %record-type? %record-type-ref %record-type %record
          %record? %field %set-field!))
  (begin
    (define (rtd? x) (%record-type? x))
    (define (rtd-name rtd) (%record-type-ref rtd 0))
    (define (rtd-all-field-names rtd) (vector-copy (%record-type-ref rtd 1)))
    (define (rtd-parent rtd) (%record-type-ref rtd 2))
    (define (own rtd)
      (or (%record-type-ref rtd 3)
          (vector-map (lambda (f) (cons f #t)) (%record-type-ref rtd 1))))
    (define (rtd-field-names rtd) (vector-map car (own rtd)))

    ;; A field is given as a name, which is mutable, or with a word before it.
    (define (spec f)
      (cond ((symbol? f) (cons f #t))
            ((and (list? f) (= 2 (length f)) (memq (car f) '(mutable immutable))
                  (symbol? (cadr f)))
             (cons (cadr f) (eq? (car f) 'mutable)))
            (else (error "make-rtd: bad field" f))))
    (define (make-rtd name fields . opt)
      (let ((parent (and (pair? opt) (car opt))) (own (vector-map spec fields)))
        (if (not (symbol? name)) (error "make-rtd: not a symbol" name))
        (if (and parent (not (rtd? parent))) (error "make-rtd: not a record type" parent))
        (%make-record-type
          name
          (vector-append (if parent (%record-type-ref parent 1) (vector)) (vector-map car own))
          parent
          own)))

    (define (rtd-field-mutable? rtd field)
      (let loop ((l (vector->list (own rtd))))
        (cond ((pair? l) (if (eq? field (car (car l))) (cdr (car l)) (loop (cdr l))))
              ((rtd-parent rtd) (rtd-field-mutable? (rtd-parent rtd) field))
              (else (error "record: no such field" (rtd-name rtd) field)))))
    ;; The last of this name: a type's own fields come after its parent's.
    (define (index rtd field)
      (let ((all (%record-type-ref rtd 1)))
        (let loop ((i (- (vector-length all) 1)))
          (cond ((< i 0) (error "record: no such field" (rtd-name rtd) field))
                ((eq? field (vector-ref all i)) i)
                (else (loop (- i 1)))))))

    (define (rtd-constructor rtd . opt)
      (let ((n (vector-length (%record-type-ref rtd 1))))
        (if (null? opt)
            (lambda values
              (if (not (= n (length values)))
                  (error "record constructor: wrong number of arguments" (rtd-name rtd) values))
              (apply %record rtd values))
            (let* ((places (map (lambda (f) (index rtd f)) (vector->list (car opt))))
                   (given (length places)))
              (lambda values
                (if (not (= given (length values)))
                    (error "record constructor: wrong number of arguments" (rtd-name rtd) values))
                (let ((all (make-vector n #f)))
                  (for-each (lambda (i v) (vector-set! all i v)) places values)
                  (apply %record rtd (vector->list all))))))))

    (define (record? x) (%record? x))
    (define (record-rtd r) (%record-type r))
    (define (is? x rtd)
      (and (%record? x)
           (let loop ((t (%record-type x)))
             (and t (or (eq? t rtd) (loop (rtd-parent t)))))))
    (define (rtd-predicate rtd) (lambda (x) (is? x rtd)))
    (define (check x rtd)
      (if (not (is? x rtd))
          (error "slot-ref: bad type" (symbol->string (rtd-name rtd)) x)))
    (define (rtd-accessor rtd field)
      (let ((i (index rtd field)))
        (lambda (r)
          (check r rtd)
          (%field r (%record-type r) i))))
    (define (rtd-mutator rtd field)
      (if (not (rtd-field-mutable? rtd field))
          (error "rtd-mutator: the field is immutable" (rtd-name rtd) field))
      (let ((i (index rtd field)))
        (lambda (r v)
          (check r rtd)
          (%set-field! r (%record-type r) v i))))))
