(define-library (srfi 69)
  (export
    hash-table-cell make-hash-table hash-table? alist->hash-table hash-table-equivalence-function
    hash-table-hash-function hash-table-ref hash-table-ref/default hash-table-set! hash-table-delete!
    (rename hash-table-contains? hash-table-exists?) hash-table-update! hash-table-update!/default
    hash-table-size hash-table-keys hash-table-values hash-table-walk hash-table-fold
    hash-table->alist hash-table-copy hash-table-merge! hash string-hash string-ci-hash
    hash-by-identity)
  (import (scheme base) (srfi 125 tables))
  (begin
    (define (make-hash-table . args)
      (if (null? args)
          (new-table "make-hash-table" equal?)
          (apply new-table "make-hash-table" args)))

    (define (alist->hash-table alist . args)
      (fill-from-alist! (apply make-hash-table args) alist))

    ;; What both have is as in the second.
    (define (hash-table-merge! a b)
      (each-entry (b key value) (hash-table-set! a key value))
      a)))
