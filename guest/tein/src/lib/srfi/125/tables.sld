;; What (srfi 69) and (srfi 125) share. A table whose equivalence the engine knows is the engine's
;; own. Any other is a record around an engine's table from hashes to buckets, which are lists of
;; cells, pairs of key and value.
(define-library (srfi 125 tables)
  (export
    new-table new-table-like fill-from-alist! entries each-entry
    hash-table? hash-table-contains? hash-table-empty? hash-table-ref hash-table-ref/default
    hash-table-set! hash-table-delete! hash-table-intern! hash-table-update!
    hash-table-update!/default hash-table-pop! hash-table-clear! hash-table-size hash-table-keys
    hash-table-values hash-table-walk hash-table-fold hash-table->alist hash-table-copy
    hash-table-cell hash-table-equivalence-function hash-table-hash-function
    (rename %hash hash) (rename %hash-by-identity hash-by-identity) string-hash string-ci-hash)
  (import
    (scheme base) (scheme case-lambda) (scheme char)
    (only (srfi 128) comparator? comparator-equality-predicate comparator-hash-function
          comparator-hashable? string-ci-hash char-ci-hash number-hash)
    (only (tein core)
      string-hash %hash %hash-by-identity procedure-arity
      %make-table %table? %table-ref %table-has? %table-cell %table-set! %table-delete! %table-pop!
      %table-size %table-clear! %table-comparator %table-keys %table-values %table->alist
      %table->vector %table-copy))
  (begin
    (define-record-type hash-table
      (make-keyed buckets size same? hash)
      keyed?
      (buckets keyed-buckets)
      (size keyed-size set-keyed-size!)
      (same? keyed-same?)
      (hash keyed-hash))

    (define (hash-table? x) (or (%table? x) (keyed? x)))

    (define (check-table t)
      (if (not (keyed? t)) (error "invalid type, expected Hash-Table" t)))

    (define-syntax by-kind
      (syntax-rules ()
        ((_ t native keyed)
         (if (%table? t) native (begin (check-table t) keyed)))))

    ;; What no program can hold as a value.
    (define absent (list 'absent))

    ;; --- making tables ---

    ;; The engine's number of an equivalence that it knows.
    (define (native-kind same?)
      (cond ((eq? same? equal?) 2)
            ((eq? same? string=?) 3)
            ((eq? same? eqv?) 1)
            ((eq? same? eq?) 0)
            ((or (eq? same? char=?) (eq? same? symbol=?) (eq? same? boolean=?)) 1)
            (else #f)))

    ;; Hashing all keys alike is slow, but right for any equivalence.
    (define (hash-for same?)
      (cond ((eq? same? string-ci=?) string-ci-hash)
            ((eq? same? =) number-hash)
            ((eq? same? char-ci=?) char-ci-hash)
            (else (lambda (key) 0))))

    ;; A hash function may have been written for SRFI 69, with a bound that it insists on.
    (define (with-one-argument hash)
      (let ((arity (procedure-arity hash)))
        (if (and arity (> (car arity) 1))
            (lambda (key) (hash key 33554432))
            hash)))

    (define (new-table who same? . rest)
      (let ((hash (and (pair? rest) (procedure? (car rest)) (car rest))))
        (cond ((comparator? same?)
               (let ((kind (native-kind (comparator-equality-predicate same?))))
                 (if (not (or kind (comparator-hashable? same?)))
                     (error (string-append who ": the comparator has no hash function") same?))
                 (make kind (comparator-equality-predicate same?) (comparator-hash-function same?))))
              ((procedure? same?) (make (native-kind same?) same? hash))
              (else
               (error (string-append who ": not a comparator or an equality predicate") same?)))))

    (define (make kind same? hash)
      (if kind
          (%make-table kind (cons same? hash))
          (make-keyed (%make-table 1) 0 same?
                      (if hash (with-one-argument hash) (hash-for same?)))))

    (define (new-table-like t)
      (by-kind t
        (%table-copy t #t)
        (make-keyed (%make-table 1) 0 (keyed-same? t) (keyed-hash t))))

    ;; The first of several associations with the same key counts.
    (define (fill-from-alist! t alist)
      (let loop ((l alist))
        (if (pair? l)
            (begin
              (if (not (hash-table-contains? t (car (car l))))
                  (set t (car (car l)) (cdr (car l))))
              (loop (cdr l)))
            t)))

    (define (hash-table-equivalence-function t)
      (by-kind t (car (%table-comparator t)) (keyed-same? t)))

    (define (hash-table-hash-function t)
      (by-kind t
        (let ((comparator (%table-comparator t)))
          (or (cdr comparator)
              (case (native-kind (car comparator))
                ((2) %hash)
                ((3) string-hash)
                (else %hash-by-identity))))
        (keyed-hash t)))

    ;; --- buckets ---

    (define (bucket t hash) (%table-ref (keyed-buckets t) hash '()))

    (define (cell-in bucket key same?)
      (cond ((null? bucket) #f)
            ((same? (car (car bucket)) key) (car bucket))
            (else (cell-in (cdr bucket) key same?))))

    (define (keyed-cell t key)
      (cell-in (bucket t ((keyed-hash t) key)) key (keyed-same? t)))

    (define (keyed-add! t hash bucket cell)
      (%table-set! (keyed-buckets t) hash (cons cell bucket))
      (set-keyed-size! t (+ (keyed-size t) 1)))

    (define (keyed-ref t key default)
      (let ((cell (keyed-cell t key)))
        (if cell (cdr cell) default)))

    (define (keyed-set! t key value)
      (let* ((hash ((keyed-hash t) key))
             (bucket (bucket t hash))
             (cell (cell-in bucket key (keyed-same? t))))
        (if cell
            (set-cdr! cell value)
            (keyed-add! t hash bucket (cons key value)))))

    (define (keyed-delete! t key)
      (let* ((hash ((keyed-hash t) key))
             (bucket (bucket t hash))
             (cell (cell-in bucket key (keyed-same? t))))
        (if cell
            (let loop ((l bucket) (out '()))
              (cond ((pair? l)
                     (loop (cdr l) (if (eq? (car l) cell) out (cons (car l) out))))
                    (else
                     (if (null? out)
                         (%table-delete! (keyed-buckets t) hash)
                         (%table-set! (keyed-buckets t) hash (reverse out)))
                     (set-keyed-size! t (- (keyed-size t) 1))
                     #t)))
            #f)))

    ;; Every cell, in the order of the buckets and in each from the first added.
    (define (keyed-cells t)
      (let loop ((buckets (%table-values (keyed-buckets t))) (out '()))
        (if (pair? buckets)
            (loop (cdr buckets)
                  (let add ((l (reverse (car buckets))) (out out))
                    (if (pair? l) (add (cdr l) (cons (car l) out)) out)))
            (reverse out))))

    ;; --- single associations ---

    (define (ref t key default)
      (by-kind t (%table-ref t key default) (keyed-ref t key default)))

    (define (set t key value)
      (by-kind t (%table-set! t key value) (keyed-set! t key value)))

    (define (delete t key)
      (by-kind t (%table-delete! t key) (keyed-delete! t key)))

    (define (missing who key) (error (string-append who ": key not found") key))

    (define hash-table-ref
      (case-lambda
        ((t key)
         (let ((value (ref t key absent)))
           (if (eq? value absent) (missing "hash-table-ref" key) value)))
        ((t key failure)
         (let ((value (ref t key absent)))
           (if (eq? value absent) (failure) value)))
        ((t key failure success)
         (let ((value (ref t key absent)))
           (if (eq? value absent) (failure) (success value))))))

    (define (hash-table-ref/default t key default) (ref t key default))

    (define (hash-table-contains? t key)
      (by-kind t (%table-has? t key) (and (keyed-cell t key) #t)))

    (define hash-table-set!
      (case-lambda
        ((t key value) (set t key value))
        ((t . associations)
         (let loop ((l associations))
           (cond ((null? l) (if #f #f))
                 ((null? (cdr l)) (error "hash-table-set!: a key without a value" (car l)))
                 (else (set t (car l) (cadr l)) (loop (cddr l))))))))

    (define hash-table-delete!
      (case-lambda
        ((t key) (if (delete t key) 1 0))
        ((t . keys)
         (let loop ((l keys) (n 0))
           (if (pair? l)
               (loop (cdr l) (if (delete t (car l)) (+ n 1) n))
               n)))))

    (define (hash-table-intern! t key failure)
      (let ((value (ref t key absent)))
        (if (eq? value absent)
            (let ((value (failure)))
              (set t key value)
              value)
            value)))

    (define hash-table-update!
      (case-lambda
        ((t key updater)
         (let ((value (ref t key absent)))
           (set t key
                (updater (if (eq? value absent) (missing "hash-table-update!" key) value)))))
        ((t key updater failure)
         (let ((value (ref t key absent)))
           (set t key (updater (if (eq? value absent) (failure) value)))))
        ((t key updater failure success)
         (let ((value (ref t key absent)))
           (set t key (updater (if (eq? value absent) (failure) (success value))))))))

    (define (hash-table-update!/default t key updater default)
      (set t key (updater (ref t key default))))

    (define (hash-table-pop! t)
      (let ((cell (by-kind t
                    (%table-pop! t)
                    (let ((cells (keyed-cells t)))
                      (and (pair? cells)
                           (begin (keyed-delete! t (car (car cells))) (car cells)))))))
        (if cell
            (values (car cell) (cdr cell))
            (error "hash-table-pop!: the table is empty" t))))

    (define (hash-table-clear! t)
      (by-kind t
        (%table-clear! t)
        (begin (%table-clear! (keyed-buckets t)) (set-keyed-size! t 0))))

    ;; The association of a key as a pair that is the entry itself: changing its cdr changes the
    ;; table. When there is none it is made, with CREATE as its value, unless that is #f.
    (define (hash-table-cell t key create)
      (by-kind t
        (%table-cell t key create create)
        (let* ((hash ((keyed-hash t) key)) (bucket (bucket t hash)))
          (or (cell-in bucket key (keyed-same? t))
              (and create
                   (let ((cell (cons key create)))
                     (keyed-add! t hash bucket cell)
                     cell))))))

    ;; --- the whole table ---

    (define (hash-table-size t) (by-kind t (%table-size t) (keyed-size t)))
    (define (hash-table-empty? t) (eqv? (hash-table-size t) 0))
    (define (hash-table-keys t) (by-kind t (%table-keys t) (map car (keyed-cells t))))
    (define (hash-table-values t) (by-kind t (%table-values t) (map cdr (keyed-cells t))))
    (define (hash-table->alist t)
      (by-kind t
        (%table->alist t)
        (map (lambda (cell) (cons (car cell) (cdr cell))) (keyed-cells t))))

    ;; The associations of this moment, so that the table may change during a walk: a vector of
    ;; key, value, key, value and so on.
    (define (entries t)
      (by-kind t
        (%table->vector t)
        (let ((all (make-vector (* 2 (keyed-size t)))))
          (let loop ((l (keyed-cells t)) (i 0))
            (if (pair? l)
                (begin
                  (vector-set! all i (car (car l)))
                  (vector-set! all (+ i 1) (cdr (car l)))
                  (loop (cdr l) (+ i 2)))
                all)))))

    (define-syntax each-entry
      (syntax-rules ()
        ((_ (t key value) body0 body ...)
         (let* ((all (entries t)) (n (vector-length all)))
           (let loop ((i 0))
             (if (< i n)
                 (let ((key (vector-ref all i)) (value (vector-ref all (+ i 1))))
                   body0 body ...
                   (loop (+ i 2)))))))))

    ;; SRFI 69 has the table first, SRFI 125 last.
    (define (hash-table-walk t proc)
      (if (procedure? t)
          (hash-table-walk proc t)
          (each-entry (t key value) (proc key value))))

    (define (hash-table-fold a b c)
      (if (procedure? a)
          (fold-entries a b c)
          (fold-entries b c a)))

    (define (fold-entries kons knil t)
      (let* ((all (entries t)) (n (vector-length all)))
        (let loop ((i 0) (acc knil))
          (if (< i n)
              (loop (+ i 2) (kons (vector-ref all i) (vector-ref all (+ i 1)) acc))
              acc))))

    (define (hash-table-copy t . mutable?)
      (by-kind t
        (%table-copy t)
        (make-keyed
          (let ((buckets (%table-copy (keyed-buckets t))))
            (each-entry (buckets hash bucket)
              (%table-set! buckets hash
                (map (lambda (cell) (cons (car cell) (cdr cell))) bucket)))
            buckets)
          (keyed-size t) (keyed-same? t) (keyed-hash t))))))
