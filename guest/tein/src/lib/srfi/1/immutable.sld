;; The part of SRFI 1 that changes no list. Pairs are the usual ones: nothing here, or given to what
;; only imports this, can write to them.
(define-library (srfi 1 immutable)
  (export
    caaaar caaadr caadar caaddr cadaar cadadr caddar cadddr cdaaar cdaadr cdadar cdaddr cddaar
    cddadr cdddar cddddr caaar caadr cadar caddr cdaar cdadr cddar cdddr caar cadr cdar cddr car
    cdr pair? list? list-ref length apply map for-each member memv memq assoc assv assq cons list
    xcons cons* make-list list-tabulate list-copy circular-list iota proper-list? circular-list?
    dotted-list? not-pair? null-list? list= first second third fourth fifth sixth seventh eighth
    ninth tenth car+cdr take drop take-right drop-right split-at last last-pair length+
    concatenate append-reverse append reverse zip unzip1 unzip2 unzip3 unzip4 unzip5 count fold
    unfold pair-fold reduce fold-right unfold-right pair-fold-right reduce-right append-map
    pair-for-each filter-map map-in-order filter partition remove find find-tail any every
    list-index take-while drop-while span break delete delete-duplicates alist-cons alist-copy
    alist-delete lset<= lset= lset-adjoin lset-union lset-intersection lset-difference lset-xor
    lset-diff+intersection)
  (import (scheme base) (scheme cxr) (srfi 1)))
