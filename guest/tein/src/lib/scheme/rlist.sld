;; Lists with fast access by position: a pair stands for a complete tree of items and what follows
;; it; trees grow from the front as in skew binary numbers, so that `rcons` only joins two equal ones.
(define-library (scheme rlist)
  (export
    rquote rpair? rcons rcar rcdr rcaar rcadr rcddr rcdar rcaaar rcaadr rcaddr rcadar rcdaar
    rcdadr rcdddr rcddar rcaaaar rcaaadr rcaaddr rcaadar rcadaar rcadadr rcadddr rcaddar rcdaaar
    rcdaadr rcdaddr rcdadar rcddaar rcddadr rcddddr rcdddar rnull? rlist? rlist make-rlist
    rlength rlength<=? rappend rreverse rlist-tail rlist-ref rlist-set rlist-ref/update rmap
    rfor-each rlist->list list->rlist)
  (import (scheme base))
  (begin
    ;; A tree of one item is the item itself, a larger one a node.
    (define-record-type rpair
      (new size tree rest)
      rpair?
      (size size-of) (tree tree-of) (rest rest-of))
    (define-record-type node
      (new-node item left right)
      node?
      (item item-of) (left left-of) (right right-of))

    (define (rnull? x) (null? x))
    (define (rcons x r)
      (if (and (rpair? r) (rpair? (rest-of r)) (= (size-of r) (size-of (rest-of r))))
          (new (+ 1 (* 2 (size-of r)))
               (new-node x (tree-of r) (tree-of (rest-of r)))
               (rest-of (rest-of r)))
          (new 1 x r)))
    (define (rcar p)
      (if (= (size-of p) 1) (tree-of p) (item-of (tree-of p))))
    (define (rcdr p)
      (if (= (size-of p) 1)
          (rest-of p)
          (let ((half (quotient (size-of p) 2)) (t (tree-of p)))
            (new half (left-of t) (new half (right-of t) (rest-of p))))))

    (define-syntax define-selectors
      (syntax-rules ()
        ((_ (name part ...) ...) (begin (define name (chain part ...)) ...))))
    (define (chain . parts)
      (lambda (x)
        (let loop ((l (reverse parts)) (x x))
          (if (null? l) x (loop (cdr l) ((car l) x))))))
    (define-selectors
      (rcaar rcar rcar) (rcadr rcar rcdr) (rcdar rcdr rcar) (rcddr rcdr rcdr)
      (rcaaar rcar rcar rcar) (rcaadr rcar rcar rcdr) (rcadar rcar rcdr rcar)
      (rcaddr rcar rcdr rcdr) (rcdaar rcdr rcar rcar) (rcdadr rcdr rcar rcdr)
      (rcddar rcdr rcdr rcar) (rcdddr rcdr rcdr rcdr) (rcaaaar rcar rcar rcar rcar)
      (rcaaadr rcar rcar rcar rcdr) (rcaadar rcar rcar rcdr rcar) (rcaaddr rcar rcar rcdr rcdr)
      (rcadaar rcar rcdr rcar rcar) (rcadadr rcar rcdr rcar rcdr) (rcaddar rcar rcdr rcdr rcar)
      (rcadddr rcar rcdr rcdr rcdr) (rcdaaar rcdr rcar rcar rcar) (rcdaadr rcdr rcar rcar rcdr)
      (rcdadar rcdr rcar rcdr rcar) (rcdaddr rcdr rcar rcdr rcdr) (rcddaar rcdr rcdr rcar rcar)
      (rcddadr rcdr rcdr rcar rcdr) (rcdddar rcdr rcdr rcdr rcar) (rcddddr rcdr rcdr rcdr rcdr))

    ;; --- lists and data ---

    (define (list->rlist l)
      (let loop ((l (reverse l)) (out '()))
        (if (null? l) out (loop (cdr l) (rcons (car l) out)))))
    (define (rlist->list r)
      (let loop ((r r) (out '()))
        (if (rpair? r) (loop (rcdr r) (cons (rcar r) out)) (reverse out))))
    (define (checked who r)
      (if (not (rlist? r)) (error (string-append who ": not a list") r))
      (rlist->list r))
    (define-syntax rquote
      (syntax-rules () ((_ datum) (convert 'datum))))
    (define (convert x)
      (if (pair? x)
          (let loop ((x x) (items '()))
            (if (pair? x)
                (loop (cdr x) (cons (convert (car x)) items))
                (let build ((items items) (out (convert x)))
                  (if (null? items) out (build (cdr items) (rcons (car items) out))))))
          x))
    (define (rlist . l) (list->rlist l))
    (define (make-rlist n . fill) (list->rlist (apply make-list n fill)))

    ;; What follows the last tree, and how many pairs come before it.
    (define (end-of r) (if (rpair? r) (end-of (rest-of r)) r))
    (define (pairs r) (if (rpair? r) (+ (size-of r) (pairs (rest-of r))) 0))
    (define (rlist? r) (null? (end-of r)))
    (define (rlength r)
      (if (not (rlist? r)) (error "length: not a list" r))
      (pairs r))
    (define (rlength<=? r k) (<= k (pairs r)))
    (define (rappend . rs)
      (let loop ((l (reverse rs)) (out #f))
        (cond ((null? l) (or out '()))
              ((not out) (loop (cdr l) (car l)))
              (else
               (let build ((items (reverse (checked "append" (car l)))) (out out))
                 (if (null? items)
                     (loop (cdr l) out)
                     (build (cdr items) (rcons (car items) out))))))))
    (define (rreverse r) (list->rlist (reverse (checked "reverse" r))))

    ;; --- by position ---

    (define (check-index who r i)
      (if (not (and (exact-integer? i) (<= 0 i) (< i (pairs r))))
          (error (string-append who ": index out of range") r i)))
    (define (rlist-tail r k)
      (cond ((eqv? k 0) r)
            ((not (and (exact-integer? k) (<= 0 k (pairs r))))
             (error "list-tail: index out of range" r k))
            ((>= k (size-of r)) (rlist-tail (rest-of r) (- k (size-of r))))
            (else (rlist-tail (rcdr r) (- k 1)))))
    (define (rlist-ref r i)
      (check-index "list-ref" r i)
      (let loop ((r r) (i i))
        (if (>= i (size-of r))
            (loop (rest-of r) (- i (size-of r)))
            (tree-ref (tree-of r) (size-of r) i))))
    (define (tree-ref t size i)
      (cond ((= size 1) t)
            ((= i 0) (item-of t))
            (else
             (let ((half (quotient size 2)))
               (if (<= i half)
                   (tree-ref (left-of t) half (- i 1))
                   (tree-ref (right-of t) half (- i 1 half)))))))
    (define (tree-update t size i f)
      (cond ((= size 1) (f t))
            ((= i 0) (new-node (f (item-of t)) (left-of t) (right-of t)))
            (else
             (let ((half (quotient size 2)))
               (if (<= i half)
                   (new-node (item-of t) (tree-update (left-of t) half (- i 1) f) (right-of t))
                   (new-node (item-of t) (left-of t)
                             (tree-update (right-of t) half (- i 1 half) f)))))))
    (define (update r i f)
      (let ((size (size-of r)))
        (if (>= i size)
            (new size (tree-of r) (update (rest-of r) (- i size) f))
            (new size (tree-update (tree-of r) size i f) (rest-of r)))))
    (define (rlist-set r i x)
      (check-index "list-set" r i)
      (update r i (lambda (old) x)))
    (define (rlist-ref/update r i f)
      (check-index "list-ref/update" r i)
      (values (rlist-ref r i) (update r i f)))

    ;; --- over all items ---

    (define (same-length who rs)
      (let ((ls (map (lambda (r) (checked who r)) rs)))
        (if (not (or (null? (cdr ls)) (apply = (map length ls))))
            (error (string-append who ": lists of different length")))
        ls))
    (define (rmap f r . rs) (list->rlist (apply map f (same-length "map" (cons r rs)))))
    (define (rfor-each f r . rs) (apply for-each f (same-length "for-each" (cons r rs))))))
