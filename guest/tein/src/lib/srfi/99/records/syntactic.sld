(define-library (srfi 99 records syntactic)
  (export (rename define-record define-record-type))
  (import (scheme base) (srfi 99 records rtd) (only (tein core) %define-named))
  (begin
    ;; `#t` for the constructor or the predicate, and a field without accessor, get default names.
    (define-syntax define-record
      (syntax-rules ()
        ((_ (name parent) constructor predicate field ...)
         (%define-record name parent constructor predicate field ...))
        ((_ name constructor predicate field ...)
         (%define-record name #f constructor predicate field ...))))
    (define-syntax %define-record
      (syntax-rules ()
        ((_ name parent constructor predicate field ...)
         (begin
           (define name (make-rtd 'name (vector (%spec field) ...) parent))
           (%define-constructor name constructor)
           (%define-predicate name predicate)
           (%define-field name field) ...))))
    (define-syntax %spec
      (syntax-rules ()
        ((_ (field)) '(mutable field))
        ((_ (field accessor)) '(immutable field))
        ((_ (field accessor modifier)) '(mutable field))
        ((_ field) '(immutable field))))
    (define-syntax %define-constructor
      (syntax-rules ()
        ((_ name #f) (begin))
        ((_ name #t) (%define-named ("make-" name) (rtd-constructor name)))
        ((_ name (#t field ...))
         (%define-named ("make-" name) (rtd-constructor name '#(field ...))))
        ((_ name (constructor field ...))
         (define constructor (rtd-constructor name '#(field ...))))
        ((_ name constructor) (define constructor (rtd-constructor name)))))
    (define-syntax %define-predicate
      (syntax-rules ()
        ((_ name #f) (begin))
        ((_ name #t) (%define-named (name "?") (rtd-predicate name)))
        ((_ name predicate) (define predicate (rtd-predicate name)))))
    (define-syntax %define-field
      (syntax-rules ()
        ((_ name (field))
         (begin
           (%define-named (name "-" field) (rtd-accessor name 'field))
           (%define-named (name "-" field "-set!") (rtd-mutator name 'field))))
        ((_ name (field accessor))
         (define accessor (rtd-accessor name 'field)))
        ((_ name (field accessor modifier))
         (begin
           (define accessor (rtd-accessor name 'field))
           (define modifier (rtd-mutator name 'field))))
        ((_ name field) (%define-named (name "-" field) (rtd-accessor name 'field)))))))
