(define-library (srfi 125)
  (export
    make-hash-table hash-table hash-table-unfold alist->hash-table hash-table? hash-table-contains?
    (rename hash-table-contains? hash-table-exists?) hash-table-empty? hash-table=?
    hash-table-mutable? hash-table-ref hash-table-ref/default hash-table-set! hash-table-delete!
    hash-table-intern! hash-table-update! hash-table-update!/default hash-table-pop!
    hash-table-clear! hash-table-size hash-table-keys hash-table-values hash-table-entries
    hash-table-find hash-table-count hash-table-map
    (rename hash-table-walk hash-table-for-each) hash-table-walk hash-table-map!
    hash-table-map->list hash-table-fold hash-table-prune! hash-table-copy hash-table-empty-copy
    hash-table->alist hash-table-union! (rename hash-table-union! hash-table-merge!)
    hash-table-intersection! hash-table-difference! hash-table-xor! hash string-hash string-ci-hash
    hash-by-identity hash-table-equivalence-function hash-table-hash-function)
  (import (scheme base) (srfi 125 tables) (only (srfi 128) comparator? =?))
  (begin
    (define (make-hash-table comparator . args)
      (apply new-table "make-hash-table" comparator args))

    (define (hash-table comparator . associations)
      (let ((t (new-table "hash-table" comparator)))
        (apply hash-table-set! t associations)
        t))

    (define (hash-table-unfold stop? mapper successor seed comparator . args)
      (let ((t (apply new-table "hash-table-unfold" comparator args)))
        (let loop ((seed seed))
          (if (stop? seed)
              t
              (begin
                (call-with-values
                  (lambda () (mapper seed))
                  (lambda (key value) (hash-table-set! t key value)))
                (loop (successor seed)))))))

    (define (alist->hash-table alist comparator . args)
      (fill-from-alist! (apply new-table "alist->hash-table" comparator args) alist))

    ;; Every table can be changed.
    (define (hash-table-mutable? t) (hash-table-size t) #t)

    ;; Calls PROC with the table's keys and values until it returns true.
    (define (find-entry proc t failure)
      (let* ((all (entries t)) (n (vector-length all)))
        (let loop ((i 0))
          (if (< i n)
              (or (proc (vector-ref all i) (vector-ref all (+ i 1))) (loop (+ i 2)))
              (failure)))))

    (define (hash-table-find a b failure)
      (if (hash-table? a)
          (find-entry b a failure)
          (find-entry a b failure)))

    (define (hash-table=? value=? a b)
      (and (= (hash-table-size a) (hash-table-size b))
           (not (find-entry
                  (lambda (key value)
                    (not (and (hash-table-contains? b key)
                              (let ((other (hash-table-ref b key)))
                                (if (comparator? value=?)
                                    (=? value=? value other)
                                    (value=? value other))))))
                  a
                  (lambda () #f)))))

    (define (hash-table-entries t)
      (values (hash-table-keys t) (hash-table-values t)))

    ;; The procedure and the table in either order, as programs for other dialects write them.
    (define-syntax define-walker
      (syntax-rules ()
        ((_ (name proc t) body0 body ...)
         (define (name a b)
           (let ((walk (lambda (proc t) body0 body ...)))
             (if (hash-table? a) (walk b a) (walk a b)))))))

    (define-walker (hash-table-count pred t)
      (hash-table-fold (lambda (key value n) (if (pred key value) (+ n 1) n)) 0 t))

    (define-walker (hash-table-map->list proc t)
      (reverse (hash-table-fold (lambda (key value out) (cons (proc key value) out)) '() t)))

    (define-walker (hash-table-map! proc t)
      (each-entry (t key value) (hash-table-set! t key (proc key value))))

    (define-walker (hash-table-prune! proc t)
      (each-entry (t key value)
        (if (proc key value) (hash-table-delete! t key))))

    (define (hash-table-map proc comparator t)
      (let ((out (new-table "hash-table-map" comparator)))
        (each-entry (t key value) (hash-table-set! out key (proc value)))
        out))

    (define (hash-table-empty-copy t) (new-table-like t))

    ;; --- tables as sets of keys ---

    (define (hash-table-union! a b)
      (each-entry (b key value)
        (if (not (hash-table-contains? a key)) (hash-table-set! a key value)))
      a)

    (define (hash-table-intersection! a b)
      (each-entry (a key value)
        (if (not (hash-table-contains? b key)) (hash-table-delete! a key)))
      a)

    (define (hash-table-difference! a b)
      (each-entry (a key value)
        (if (hash-table-contains? b key) (hash-table-delete! a key)))
      a)

    (define (hash-table-xor! a b)
      (each-entry (b key value)
        (if (hash-table-contains? a key)
            (hash-table-delete! a key)
            (hash-table-set! a key value)))
      a)))
