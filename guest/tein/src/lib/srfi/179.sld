;; Arrays by getters and setters, and views of a shared body: SRFI 231 with the names, the orders of
;; arguments and the limits of the document before it.
(define-library (srfi 179)
  (export
    (rename old:array-copy array-copy) array-curry array-extract array-tile array-translate
    array-permute array-rotate array-reverse array-sample array-outer-product array-map
    array-for-each array-fold array-fold-right array-reduce array-any array-every array->list
    (rename old:list->array list->array) (rename old:array-assign! array-assign!) array-ref
    array-set! specialized-array-reshape)
  (import
    (scheme base)
    (except (srfi 231) array-fold-right)
    (prefix (only (srfi 231) array-fold-right) new:))
  (alias-for (srfi 179 base))
  (begin
    (define (optional rest k default)
      (cond ((null? rest) default)
            ((= k 0) (car rest))
            (else (optional (cdr rest) (- k 1) default))))

    ;; (array-copy array [storage-class new-domain mutable? safe?]), the items in order.
    (define (old:array-copy a . rest)
      (let* ((domain (optional rest 1 #f))
             (items (array->list a)))
        (list->array (or domain (array-domain a)) items
          (optional rest 0
            (if (specialized-array? a) (array-storage-class a) generic-storage-class))
          (optional rest 2 (specialized-array-default-mutable?))
          (optional rest 3 (specialized-array-default-safe?)))))

    (define (old:list->array items domain . rest) (apply list->array domain items rest))

    (define (array-rotate a k) (array-permute a (index-rotate (array-dimension a) k)))

    ;; Both call KONS with an item and what came of the others.
    (define (array-fold kons knil a) (array-fold-left (lambda (acc x) (kons x acc)) knil a))
    (define (array-fold-right kons knil a) (new:array-fold-right kons knil a))

    ;; The domains may differ where the number of items is the same.
    (define (old:array-assign! to from)
      (if (interval= (array-domain to) (array-domain from))
          (array-assign! to from)
          (array-assign! to (list->array (array-domain to) (array->list from)))))))
