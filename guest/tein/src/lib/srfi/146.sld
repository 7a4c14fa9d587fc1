;; Mappings are trees balanced by size: neither side of a node has more than three times the
;; nodes of the other. Everything that changes much is made of `split` and `join`.
(define-library (srfi 146)
  (export
    mapping mapping-unfold mapping/ordered mapping-unfold/ordered mapping? mapping-contains?
    mapping-empty? mapping-disjoint? mapping-ref mapping-ref/default mapping-key-comparator
    mapping-adjoin (rename mapping-adjoin mapping-adjoin!) mapping-set
    (rename mapping-set mapping-set!) mapping-replace (rename mapping-replace mapping-replace!)
    mapping-delete (rename mapping-delete mapping-delete!) mapping-delete-all
    (rename mapping-delete-all mapping-delete-all!) mapping-intern
    (rename mapping-intern mapping-intern!) mapping-update (rename mapping-update mapping-update!)
    mapping-update/default (rename mapping-update/default mapping-update!/default) mapping-pop
    (rename mapping-pop mapping-pop!) mapping-search (rename mapping-search mapping-search!)
    mapping-size mapping-find mapping-count mapping-any? mapping-every? mapping-keys
    mapping-values mapping-entries mapping-map mapping-map->list mapping-for-each mapping-fold
    mapping-filter (rename mapping-filter mapping-filter!) mapping-remove
    (rename mapping-remove mapping-remove!) mapping-partition
    (rename mapping-partition mapping-partition!) mapping-copy mapping->alist alist->mapping
    alist->mapping! alist->mapping/ordered
    (rename alist->mapping! alist->mapping/ordered!) mapping=? mapping<? mapping>? mapping<=?
    mapping>=? mapping-union mapping-intersection mapping-difference mapping-xor
    (rename mapping-union mapping-union!) (rename mapping-intersection mapping-intersection!)
    (rename mapping-difference mapping-difference!) (rename mapping-xor mapping-xor!)
    make-mapping-comparator mapping-comparator mapping-min-key mapping-max-key
    mapping-min-value mapping-max-value mapping-key-predecessor mapping-key-successor
    mapping-range= mapping-range< mapping-range> mapping-range<= mapping-range>=
    (rename mapping-range= mapping-range=!) (rename mapping-range< mapping-range<!)
    (rename mapping-range> mapping-range>!) (rename mapping-range<= mapping-range<=!)
    (rename mapping-range>= mapping-range>=!) mapping-split mapping-catenate
    (rename mapping-catenate mapping-catenate!) mapping-map/monotone
    (rename mapping-map/monotone mapping-map/monotone!) mapping-fold/reverse comparator?)
  (import (scheme base) (srfi 128))
  (begin
    (define-record-type <mapping>
      (new comparator root)
      mapping?
      (comparator mapping-key-comparator)
      (root root-of))

    ;; --- trees: #f or a node ---

    (define-record-type <node>
      (make-node key value size left right)
      node?
      (key key-of) (value value-of) (size size-of) (left left-of) (right right-of))

    (define (size t) (if t (size-of t) 0))
    (define (node k v l r) (make-node k v (+ 1 (size l) (size r)) l r))
    (define (rotate-left k v l r)
      (node (key-of r) (value-of r) (node k v l (left-of r)) (right-of r)))
    (define (rotate-right k v l r)
      (node (key-of l) (value-of l) (left-of l) (node k v (right-of l) r)))
    ;; A node whose sides may be out of balance by one insertion or deletion, or by one joining.
    (define (balance k v l r)
      (let ((nl (size l)) (nr (size r)))
        (cond ((<= (+ nl nr) 1) (node k v l r))
              ((> nr (* 3 nl))
               (rotate-left k v l
                 (if (< (size (left-of r)) (* 2 (size (right-of r))))
                     r
                     (rotate-right (key-of r) (value-of r) (left-of r) (right-of r)))))
              ((> nl (* 3 nr))
               (rotate-right k v
                 (if (< (size (right-of l)) (* 2 (size (left-of l))))
                     l
                     (rotate-left (key-of l) (value-of l) (left-of l) (right-of l)))
                 r))
              (else (node k v l r)))))
    ;; Two trees and what stands between them.
    (define (join k v l r)
      (cond ((not l) (insert-min k v r))
            ((not r) (insert-max k v l))
            ((> (size r) (* 3 (size l)))
             (balance (key-of r) (value-of r) (join k v l (left-of r)) (right-of r)))
            ((> (size l) (* 3 (size r)))
             (balance (key-of l) (value-of l) (left-of l) (join k v (right-of l) r)))
            (else (node k v l r))))
    (define (insert-min k v t)
      (if t
          (balance (key-of t) (value-of t) (insert-min k v (left-of t)) (right-of t))
          (node k v #f #f)))
    (define (insert-max k v t)
      (if t
          (balance (key-of t) (value-of t) (left-of t) (insert-max k v (right-of t)))
          (node k v #f #f)))
    (define (least t) (if (left-of t) (least (left-of t)) t))
    (define (greatest t) (if (right-of t) (greatest (right-of t)) t))
    (define (without-least t)
      (if (left-of t)
          (balance (key-of t) (value-of t) (without-least (left-of t)) (right-of t))
          (right-of t)))
    ;; Two trees with nothing between them.
    (define (join2 l r)
      (cond ((not l) r)
            ((not r) l)
            (else (let ((m (least r))) (join (key-of m) (value-of m) l (without-least r))))))

    ;; Where a key is: the branches of a look-up in a tree.
    (define-syntax search
      (syntax-rules ()
        ((_ (c key t) none less same greater)
         (cond ((not t) none)
               ((<? c key (key-of t)) less)
               ((<? c (key-of t) key) greater)
               (else same)))))
    (define (find-node c key t)
      (search (c key t) #f (find-node c key (left-of t)) t (find-node c key (right-of t))))
    (define (insert c key v t)
      (search (c key t)
        (node key v #f #f)
        (balance (key-of t) (value-of t) (insert c key v (left-of t)) (right-of t))
        (node key v (left-of t) (right-of t))
        (balance (key-of t) (value-of t) (left-of t) (insert c key v (right-of t)))))
    (define (remove-key c key t)
      (search (c key t)
        #f
        (balance (key-of t) (value-of t) (remove-key c key (left-of t)) (right-of t))
        (join2 (left-of t) (right-of t))
        (balance (key-of t) (value-of t) (left-of t) (remove-key c key (right-of t)))))
    ;; RECEIVER gets what is less, the node of the key or #f, and what is greater.
    (define (split c key t receiver)
      (search (c key t)
        (receiver #f #f #f)
        (split c key (left-of t)
          (lambda (l m r) (receiver l m (join (key-of t) (value-of t) r (right-of t)))))
        (receiver (left-of t) t (right-of t))
        (split c key (right-of t)
          (lambda (l m r) (receiver (join (key-of t) (value-of t) (left-of t) l) m r)))))
    (define (fold-tree f acc t)
      (if t
          (fold-tree f (f (key-of t) (value-of t) (fold-tree f acc (left-of t))) (right-of t))
          acc))
    (define (fold-tree-right f acc t)
      (if t
          (fold-tree-right f (f (key-of t) (value-of t) (fold-tree-right f acc (right-of t)))
                           (left-of t))
          acc))
    (define (filter-tree pred t)
      (and t
           (let* ((l (filter-tree pred (left-of t)))
                  (keep (pred (key-of t) (value-of t)))
                  (r (filter-tree pred (right-of t))))
             (if keep (join (key-of t) (value-of t) l r) (join2 l r)))))

    ;; --- making ---

    (define (check-comparator c)
      (if (not (and (comparator? c) (comparator-ordered? c)))
          (error "mapping: not an ordered comparator" c)))
    (define (root who m)
      (if (not (mapping? m)) (error (string-append who ": not a mapping") m))
      (root-of m))
    ;; Of several associations of a key the first counts.
    (define (add-new c key v t) (if (find-node c key t) t (insert c key v t)))
    (define (from-plist who c t plist add)
      (cond ((null? plist) t)
            ((null? (cdr plist)) (error (string-append who ": a key without a value") (car plist)))
            (else (from-plist who c (add c (car plist) (cadr plist) t) (cddr plist) add))))
    (define (mapping comparator . plist)
      (check-comparator comparator)
      (new comparator (from-plist "mapping" comparator #f plist add-new)))
    (define mapping/ordered mapping)
    (define (mapping-unfold stop? mapper successor seed comparator)
      (check-comparator comparator)
      (let loop ((seed seed) (t #f))
        (if (stop? seed)
            (new comparator t)
            (call-with-values (lambda () (mapper seed))
              (lambda (k v) (loop (successor seed) (add-new comparator k v t)))))))
    (define mapping-unfold/ordered mapping-unfold)
    (define (add-alist c t alist)
      (if (null? alist)
          (new c t)
          (add-alist c (add-new c (car (car alist)) (cdr (car alist)) t) (cdr alist))))
    (define (alist->mapping comparator alist)
      (check-comparator comparator)
      (add-alist comparator #f alist))
    (define alist->mapping/ordered alist->mapping)
    (define (alist->mapping! m alist)
      (add-alist (mapping-key-comparator m) (root "alist->mapping!" m) alist))

    ;; --- one key ---

    (define (mapping-empty? m) (not (root "mapping-empty?" m)))
    (define (mapping-contains? m key)
      (and (find-node (mapping-key-comparator m) key (root-of m)) #t))
    (define (mapping-ref m key . opt)
      (let ((n (find-node (mapping-key-comparator m) key (root-of m))))
        (cond ((and n (pair? opt) (pair? (cdr opt))) ((cadr opt) (value-of n)))
              (n (value-of n))
              ((pair? opt) ((car opt)))
              (else (error "mapping-ref: key not found" key)))))
    (define (mapping-ref/default m key default)
      (let ((n (find-node (mapping-key-comparator m) key (root-of m))))
        (if n (value-of n) default)))
    (define (with m t) (new (mapping-key-comparator m) t))
    (define (mapping-adjoin m . plist)
      (with m (from-plist "mapping-adjoin" (mapping-key-comparator m) (root-of m) plist add-new)))
    (define (mapping-set m . plist)
      (with m (from-plist "mapping-set" (mapping-key-comparator m) (root-of m) plist insert)))
    (define (mapping-replace m key v)
      (if (mapping-contains? m key) (mapping-set m key v) m))
    (define (mapping-delete m . keys) (mapping-delete-all m keys))
    (define (mapping-delete-all m keys)
      (let loop ((t (root-of m)) (keys keys))
        (if (null? keys)
            (with m t)
            (loop (remove-key (mapping-key-comparator m) (car keys) t) (cdr keys)))))
    (define (mapping-intern m key failure)
      (let ((n (find-node (mapping-key-comparator m) key (root-of m))))
        (if n
            (values m (value-of n))
            (let ((v (failure))) (values (mapping-set m key v) v)))))
    (define (mapping-update m key updater . opt)
      (mapping-set m key (updater (apply mapping-ref m key opt))))
    (define (mapping-update/default m key updater default)
      (mapping-update m key updater (lambda () default)))
    (define (mapping-pop m . failure)
      (cond ((root-of m)
             => (lambda (t)
                  (let ((n (least t)))
                    (values (with m (without-least t)) (key-of n) (value-of n)))))
            ((pair? failure) ((car failure)))
            (else (error "mapping-pop: empty mapping"))))
    (define (mapping-search m key failure success)
      (let ((n (find-node (mapping-key-comparator m) key (root-of m))))
        (if n
            (success
              (key-of n) (value-of n)
              (lambda (k v obj) (values (mapping-set (mapping-delete m key) k v) obj))
              (lambda (obj) (values (mapping-delete m key) obj)))
            (failure
              (lambda (v obj) (values (mapping-set m key v) obj))
              (lambda (obj) (values m obj))))))

    ;; --- the whole ---

    (define (mapping-size m) (size (root "mapping-size" m)))
    (define (mapping-find pred m failure)
      (let loop ((t (root-of m)) (failure failure))
        (if t
            (loop (left-of t)
                  (lambda ()
                    (if (pred (key-of t) (value-of t))
                        (values (key-of t) (value-of t))
                        (loop (right-of t) failure))))
            (failure))))
    (define (mapping-any? pred m)
      (let loop ((t (root-of m)))
        (and t
             (or (loop (left-of t)) (and (pred (key-of t) (value-of t)) #t) (loop (right-of t))))))
    (define (mapping-every? pred m)
      (not (mapping-any? (lambda (k v) (not (pred k v))) m)))
    (define (mapping-fold f nil m) (fold-tree f nil (root-of m)))
    (define (mapping-fold/reverse f nil m) (fold-tree-right f nil (root-of m)))
    (define (mapping-count pred m)
      (mapping-fold (lambda (k v n) (if (pred k v) (+ n 1) n)) 0 m))
    (define (mapping-map->list f m)
      (reverse (mapping-fold (lambda (k v l) (cons (f k v) l)) '() m)))
    (define (mapping-keys m) (mapping-map->list (lambda (k v) k) m))
    (define (mapping-values m) (mapping-map->list (lambda (k v) v) m))
    (define (mapping-entries m) (values (mapping-keys m) (mapping-values m)))
    (define (mapping->alist m) (mapping-map->list cons m))
    (define (mapping-for-each f m) (mapping-fold (lambda (k v acc) (f k v) acc) #f m))
    (define (mapping-map f comparator m)
      (check-comparator comparator)
      (new comparator
           (mapping-fold
             (lambda (k v t)
               (call-with-values (lambda () (f k v))
                 (lambda (k v) (insert comparator k v t))))
             #f m)))
    ;; The order of the new keys is that of the old ones, so the tree keeps its shape.
    (define (mapping-map/monotone f comparator m)
      (check-comparator comparator)
      (new comparator
           (let loop ((t (root-of m)))
             (and t
                  (let ((l (loop (left-of t))))
                    (call-with-values (lambda () (f (key-of t) (value-of t)))
                      (lambda (k v) (node k v l (loop (right-of t))))))))))
    (define (mapping-filter pred m) (with m (filter-tree pred (root-of m))))
    (define (mapping-remove pred m) (mapping-filter (lambda (k v) (not (pred k v))) m))
    (define (mapping-partition pred m) (values (mapping-filter pred m) (mapping-remove pred m)))
    (define (mapping-copy m) (with m (root "mapping-copy" m)))

    ;; --- several mappings ---

    (define (mapping-disjoint? a b) (not (mapping-any? (lambda (k v) (mapping-contains? b k)) a)))
    (define (within? values? a b)
      (and (<= (mapping-size a) (mapping-size b))
           (mapping-every?
             (lambda (k v)
               (let ((n (find-node (mapping-key-comparator b) k (root-of b))))
                 (and n (=? values? v (value-of n)))))
             a)))
    (define-syntax define-orders
      (syntax-rules ()
        ((_ (name c a b test) ...)
         (begin
           (define (name c a . rest)
             (or (null? rest)
                 (let ((b (car rest))) (and test (apply name c rest))))) ...))))
    (define-orders
      (mapping=? c a b (and (= (mapping-size a) (mapping-size b)) (within? c a b)))
      (mapping<? c a b (and (< (mapping-size a) (mapping-size b)) (within? c a b)))
      (mapping>? c a b (and (> (mapping-size a) (mapping-size b)) (within? c b a)))
      (mapping<=? c a b (within? c a b))
      (mapping>=? c a b (within? c b a)))

    ;; Where both have a key, the first mapping's association counts.
    (define (union c a b)
      (cond ((not a) b)
            ((not b) a)
            (else
             (split c (key-of a) b
               (lambda (l m r)
                 (join (key-of a) (value-of a) (union c (left-of a) l) (union c (right-of a) r)))))))
    (define (intersection c a b)
      (and a b
           (split c (key-of a) b
             (lambda (l m r)
               (let ((l (intersection c (left-of a) l)) (r (intersection c (right-of a) r)))
                 (if m (join (key-of a) (value-of a) l r) (join2 l r)))))))
    (define (difference c a b)
      (if (and a b)
          (split c (key-of b) a
            (lambda (l m r)
              (join2 (difference c l (left-of b)) (difference c r (right-of b)))))
          a))
    (define (xor c a b)
      (cond ((not a) b)
            ((not b) a)
            (else
             (split c (key-of a) b
               (lambda (l m r)
                 (let ((l (xor c (left-of a) l)) (r (xor c (right-of a) r)))
                   (if m (join2 l r) (join (key-of a) (value-of a) l r))))))))
    (define (combine op m rest)
      (if (null? rest)
          m
          (combine op
                   (with m (op (mapping-key-comparator m) (root-of m) (root "mapping" (car rest))))
                   (cdr rest))))
    (define (mapping-union m . rest) (combine union m rest))
    (define (mapping-intersection m . rest) (combine intersection m rest))
    (define (mapping-difference m . rest) (combine difference m rest))
    (define (mapping-xor a b) (combine xor a (list b)))

    ;; --- order ---

    (define (the-root who m) (or (root who m) (error (string-append who ": empty mapping"))))
    (define (mapping-min-key m) (key-of (least (the-root "mapping-min-key" m))))
    (define (mapping-max-key m) (key-of (greatest (the-root "mapping-max-key" m))))
    (define (mapping-min-value m) (value-of (least (the-root "mapping-min-value" m))))
    (define (mapping-max-value m) (value-of (greatest (the-root "mapping-max-value" m))))
    (define (mapping-key-predecessor m key failure)
      (split (mapping-key-comparator m) key (root-of m)
        (lambda (l n r) (if l (key-of (greatest l)) (failure)))))
    (define (mapping-key-successor m key failure)
      (split (mapping-key-comparator m) key (root-of m)
        (lambda (l n r) (if r (key-of (least r)) (failure)))))
    ;; RECEIVER gets mappings of what is less, the same and greater.
    (define (cut m key receiver)
      (split (mapping-key-comparator m) key (root-of m)
        (lambda (l n r)
          (receiver (with m l)
                    (with m (and n (node (key-of n) (value-of n) #f #f)))
                    (with m r)))))
    (define (mapping-range= m key) (cut m key (lambda (l n r) n)))
    (define (mapping-range< m key) (cut m key (lambda (l n r) l)))
    (define (mapping-range> m key) (cut m key (lambda (l n r) r)))
    (define (mapping-range<= m key) (cut m key (lambda (l n r) (mapping-union l n))))
    (define (mapping-range>= m key) (cut m key (lambda (l n r) (mapping-union r n))))
    (define (mapping-split m key)
      (cut m key
        (lambda (l n r) (values l (mapping-union l n) n (mapping-union r n) r))))
    (define (mapping-catenate comparator a key value b)
      (check-comparator comparator)
      (let ((ra (root-of a)) (rb (root-of b)))
        (if (or (and ra (not (<? comparator (key-of (greatest ra)) key)))
                (and rb (not (<? comparator key (key-of (least rb))))))
            (error "mapping-catenate: the keys are not in order" key))
        (new comparator (join key value ra rb))))

    (define (make-mapping-comparator values?)
      (make-comparator
        mapping?
        (lambda (a b) (mapping=? values? a b))
        (and (comparator-ordered? values?)
             (lambda (a b) (alist<? (mapping-key-comparator a) values?
                                    (mapping->alist a) (mapping->alist b))))
        (and (comparator-hashable? values?)
             (lambda (m)
               (let ((c (mapping-key-comparator m)))
                 (mapping-fold
                   (lambda (k v h)
                     (modulo (+ (* 31 h)
                                (if (comparator-hashable? c) (comparator-hash c k) 0)
                                (comparator-hash values? v))
                             33554393))
                   17 m))))))
    ;; By the first key that differs, then the first value, then the length.
    (define (alist<? keys values? a b)
      (cond ((null? b) #f)
            ((null? a) #t)
            ((<? keys (car (car a)) (car (car b))) #t)
            ((<? keys (car (car b)) (car (car a))) #f)
            ((<? values? (cdr (car a)) (cdr (car b))) #t)
            ((<? values? (cdr (car b)) (cdr (car a))) #f)
            (else (alist<? keys values? (cdr a) (cdr b)))))
    (define mapping-comparator (make-mapping-comparator (make-default-comparator)))
    (comparator-register-default! mapping-comparator)))
