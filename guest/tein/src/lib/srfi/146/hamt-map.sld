;; Persistent hash maps.
(define-library (srfi 146 hamt-map)
  (export
    make-phm phm? phm->alist phm/add-alist phm/add-alist! phm/contains? phm/count phm/empty?
    phm/for-each phm/get phm/immutable phm/keys phm/mutable phm/mutable? phm/put phm/put!
    phm/remove phm/remove! phm/replace phm/replace! phm/data)
  (import (scheme base) (srfi 146 hamt))
  (begin
    (define-record-type phm
      (new data)
      phm?
      (data phm/data))
    (define (make-phm hash same? . alist)
      (phm/add-alist (new (make-hamt same? hash #t)) (if (pair? alist) (car alist) '())))
    (define (phm/count m) (hamt/count (phm/data m)))
    (define (phm/empty? m) (= 0 (phm/count m)))
    (define (phm/mutable? m) (hamt/mutable? (phm/data m)))
    (define (phm/mutable m) (new (hamt/mutable (phm/data m))))
    (define (phm/immutable m . replace)
      (let ((out (new (hamt/immutable (phm/data m)))))
        ;; With a procedure, every value is what that makes of key and value.
        (if (pair? replace)
            (let ((result out))
              (phm/for-each (lambda (k v) (set! result (phm/put result k ((car replace) k v)))) out)
              result)
            out)))
    (define (phm/get m key . default)
      (let ((x (hamt-fetch (phm/data m) key)))
        (if (hamt-null? x) (if (pair? default) (car default) #f) x)))
    (define (phm/contains? m key) (not (hamt-null? (hamt-fetch (phm/data m) key))))
    (define (phm/put m key x) (new (hamt/put (phm/data m) key x)))
    (define (phm/put! m key x) (hamt/put! (phm/data m) key x) m)
    (define (phm/replace m key f) (new (hamt/replace (phm/data m) key f)))
    (define (phm/replace! m key f) (hamt/replace! (phm/data m) key f) m)
    (define (phm/remove m key) (phm/replace m key (lambda (x) hamt-null)))
    (define (phm/remove! m key) (phm/replace! m key (lambda (x) hamt-null)))
    (define (phm/add-alist m alist)
      (if (null? alist)
          m
          (phm/add-alist (phm/put m (car (car alist)) (cdr (car alist))) (cdr alist))))
    (define (phm/add-alist! m alist)
      (for-each (lambda (e) (phm/put! m (car e) (cdr e))) alist)
      m)
    (define (phm/for-each proc m) (hamt/for-each proc (phm/data m)))
    (define (phm->alist m) (hamt->list (phm/data m) cons))
    (define (phm/keys m) (hamt->list (phm/data m) (lambda (k v) k)))))
