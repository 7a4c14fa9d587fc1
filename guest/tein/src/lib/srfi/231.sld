;; Arrays over intervals of multi-indices: given by procedures, or by views of a body that share it.
(define-library (srfi 231)
  (export
    translation? permutation? index-rotate index-first index-last index-swap
    make-interval interval? interval-dimension interval-lower-bound interval-upper-bound
    interval-lower-bounds->list interval-upper-bounds->list interval-lower-bounds->vector
    interval-upper-bounds->vector interval= interval-volume interval-subset?
    interval-contains-multi-index? interval-projections interval-fold-left interval-fold-right
    interval-for-each interval-dilate interval-intersect interval-translate interval-permute
    interval-scale interval-cartesian-product interval-width interval-widths interval-empty?
    make-storage-class storage-class? storage-class-getter storage-class-setter
    storage-class-checker storage-class-maker storage-class-copier storage-class-length
    storage-class-default generic-storage-class s8-storage-class s16-storage-class
    s32-storage-class s64-storage-class u1-storage-class u8-storage-class u16-storage-class
    u32-storage-class u64-storage-class f8-storage-class f16-storage-class f32-storage-class
    f64-storage-class c64-storage-class c128-storage-class char-storage-class
    storage-class-data? storage-class-data->body
    make-array array? array-domain array-getter array-dimension array-empty? mutable-array?
    array-setter specialized-array-default-safe? specialized-array-default-mutable?
    make-specialized-array make-specialized-array-from-data specialized-array?
    array-storage-class array-indexer array-body array-safe? array-packed?
    specialized-array-share array-copy array-curry array-extract array-tile array-translate
    array-permute array-reverse array-sample array-outer-product array-map array-for-each
    array-fold-left array-fold-right array-reduce array-any array-every array-inner-product
    array-stack array-append array-block array->list list->array array->vector vector->array
    array->list* list*->array array->vector* vector*->array array-assign! array-ref array-set!
    array-decurry specialized-array-reshape array-copy! array-stack! array-decurry!
    array-append! array-block! array-freeze!)
  (import (scheme base) (scheme case-lambda) (srfi 231 base))
  (begin
    (define (optional rest k default)
      (cond ((null? rest) default)
            ((= k 0) (car rest))
            (else (optional (cdr rest) (- k 1) default))))

    (define (->list x) (if (vector? x) (vector->list x) x))

    (define (check who ok? what . irritants)
      (if (not ok?) (apply error (string-append who ": " what) irritants)))

    (define (check-array who a)
      (check who (array? a) "not an array" a))

    (define (check-same-domains who a more)
      (for-each
        (lambda (b)
          (check-array who b)
          (check who (interval= (array-domain a) (array-domain b)) "the domains differ" a b))
        more))

    ;; --- views: an array like A over another domain, whose multi-indices MAP takes to A's ---

    (define (view a domain map)
      (cond ((specialized-array? a) (specialized-array-share a domain map))
            ((mutable-array? a)
             (let ((get (array-getter a)) (set (array-setter a)))
               (make-array domain
                 (lambda idx (call-with-values (lambda () (apply map idx)) get))
                 (lambda (v . idx)
                   (call-with-values (lambda () (apply map idx))
                     (lambda old (apply set v old)))))))
            (else
             (let ((get (array-getter a)))
               (make-array domain
                 (lambda idx (call-with-values (lambda () (apply map idx)) get)))))))

    (define (array-extract a domain)
      (check-array "array-extract" a)
      (check "array-extract" (and (interval? domain) (interval-subset? domain (array-domain a)))
             "not a part of the domain" domain)
      (view a domain values))

    (define (array-translate a translation)
      (check-array "array-translate" a)
      (let ((t (vector->list translation)))
        (view a (interval-translate (array-domain a) translation)
              (lambda idx (apply values (map - idx t))))))

    ;; Index k of the result is index (vector-ref permutation k) of A.
    (define (array-permute a permutation)
      (check-array "array-permute" a)
      (let* ((domain (interval-permute (array-domain a) permutation))
             (d (vector-length permutation))
             (inverse (make-vector d)))
        (do ((k 0 (+ k 1))) ((= k d)) (vector-set! inverse (vector-ref permutation k) k))
        (view a domain
              (lambda idx
                (let ((idx (list->vector idx)))
                  (apply values (map (lambda (k) (vector-ref idx k)) (vector->list inverse))))))))

    (define (array-reverse a . flips)
      (check-array "array-reverse" a)
      (let* ((domain (array-domain a))
             (flips (vector->list (optional flips 0 (make-vector (array-dimension a) #t))))
             (sums (map (lambda (l u) (+ l u -1))
                        (interval-lower-bounds->list domain) (interval-upper-bounds->list domain))))
        (check "array-reverse" (= (length flips) (array-dimension a)) "not as many flags as dimensions" flips)
        (view a domain
              (lambda idx
                (apply values (map (lambda (i flip? sum) (if flip? (- sum i) i)) idx flips sums))))))

    (define (array-sample a scales)
      (check-array "array-sample" a)
      (let ((s (vector->list scales)))
        (view a (interval-scale (array-domain a) scales)
              (lambda idx (apply values (map * idx s))))))

    ;; The array of the arrays that the last K indices run over.
    (define (array-curry a k)
      (check-array "array-curry" a)
      (call-with-values (lambda () (interval-projections (array-domain a) k))
        (lambda (outer inner)
          (make-array outer
            (lambda idx
              (view a inner (lambda rest (apply values (append idx rest)))))))))

    ;; SIZES has for each dimension the width of the tiles, or a vector of widths.
    (define (array-tile a sizes)
      (check-array "array-tile" a)
      (let* ((domain (array-domain a))
             (cuts
              (map
                (lambda (size l u)
                  (list->vector
                    (if (vector? size)
                        (let loop ((ws (vector->list size)) (at l) (out (list l)))
                          (if (null? ws)
                              (begin
                                (check "array-tile" (= at u) "the widths do not make up the dimension" size)
                                (reverse out))
                              (let ((at (+ at (car ws)))) (loop (cdr ws) at (cons at out)))))
                        (begin
                          (check "array-tile" (and (exact-integer? size) (> size 0)) "not a width" size)
                          (let loop ((at l) (out '()))
                            (if (>= at u) (reverse (cons u out)) (loop (+ at size) (cons at out))))))))
                (vector->list sizes)
                (interval-lower-bounds->list domain)
                (interval-upper-bounds->list domain))))
        (make-array
          (make-interval (list->vector (map (lambda (c) (- (vector-length c) 1)) cuts)))
          (lambda idx
            (array-extract a
              (make-interval
                (list->vector (map vector-ref cuts idx))
                (list->vector (map (lambda (c i) (vector-ref c (+ i 1))) cuts idx))))))))

    ;; --- element by element ---

    (define (array-map f a . more)
      (check-array "array-map" a)
      (check-same-domains "array-map" a more)
      (let ((get (array-getter a)) (gets (map array-getter more)))
        (make-array (array-domain a)
          (if (null? gets)
              (case (array-dimension a)
                ((1) (lambda (i) (f (get i))))
                ((2) (lambda (i j) (f (get i j))))
                (else (lambda idx (f (apply get idx)))))
              (lambda idx
                (apply f (apply get idx) (map (lambda (g) (apply g idx)) gets)))))))

    (define (array-for-each f a . more)
      (check-array "array-for-each" a)
      (interval-for-each (array-getter (apply array-map f a more)) (array-domain a)))

    (define (array-fold-left op id a . more)
      (check-array "array-fold-left" a)
      (if (null? more)
          (interval-fold-left (array-getter a) op id (array-domain a))
          (interval-fold-left (array-getter (apply array-map list a more))
                              (lambda (acc items) (apply op acc items)) id (array-domain a))))

    (define (array-fold-right op id a . more)
      (check-array "array-fold-right" a)
      (if (null? more)
          (interval-fold-right (array-getter a) op id (array-domain a))
          (interval-fold-right (array-getter (apply array-map list a more))
                               (lambda (items acc) (apply op (append items (list acc))))
                               id (array-domain a))))

    (define (array-reduce op a)
      (check-array "array-reduce" a)
      (check "array-reduce" (not (array-empty? a)) "the array is empty" a)
      (let ((none (list 'none)))
        (array-fold-left (lambda (acc x) (if (eq? acc none) x (op acc x))) none a)))

    (define (array-any f a . more)
      (let ((get (array-getter (apply array-map f a more))))
        (call/cc
          (lambda (return)
            (interval-for-each
              (lambda idx (let ((x (apply get idx))) (if x (return x))))
              (array-domain a))
            #f))))

    (define (array-every f a . more)
      (let ((get (array-getter (apply array-map f a more))))
        (call/cc
          (lambda (return)
            (interval-fold-left get (lambda (acc x) (or x (return #f))) #t (array-domain a))))))

    (define (array-outer-product op a b)
      (check-array "array-outer-product" a)
      (check-array "array-outer-product" b)
      (let ((d (array-dimension a)) (get-a (array-getter a)) (get-b (array-getter b)))
        (make-array (interval-cartesian-product (array-domain a) (array-domain b))
          (lambda idx
            (let ((rest (list-tail idx d)))
              (op (apply get-a (list-head idx d)) (apply get-b rest)))))))

    (define (list-head ls k) (if (= k 0) '() (cons (car ls) (list-head (cdr ls) (- k 1)))))

    ;; Over the last index of A and the first of B.
    (define (array-inner-product a f g b)
      (let* ((rows (array-copy (array-curry a 1)))
             (columns (array-copy
                        (array-curry (array-permute b (index-rotate (array-dimension b) 1)) 1))))
        (array-outer-product
          (lambda (row column) (array-reduce f (array-map g row column)))
          rows columns)))

    ;; --- copies ---

    ;; Storage class, mutability and safety of a copy.
    (define (copy-options rest a)
      (list (optional rest 0 (if (specialized-array? a) (array-storage-class a) generic-storage-class))
            (optional rest 1 (specialized-array-default-mutable?))
            (optional rest 2 (specialized-array-default-safe?))))

    ;; A specialized array with the items in order.
    (define (fill domain items storage mutable? safe?)
      (let* ((a (make-specialized-array domain storage (storage-class-default storage) safe?))
             (set (storage-class-setter storage))
             (ok? (storage-class-checker storage))
             (body (array-body a)))
        (let loop ((i 0) (items items))
          (if (pair? items)
              (begin
                (if (not (ok? (car items))) (error "the storage class cannot hold the item" (car items)))
                (set body i (car items))
                (loop (+ i 1) (cdr items)))))
        (if mutable? a (array-freeze! a))))

    (define (array->list a)
      (check-array "array->list" a)
      (array-fold-right cons '() a))

    (define (array-copy a . rest)
      (check-array "array-copy" a)
      (apply fill (array-domain a) (array->list a) (copy-options rest a)))

    (define array-copy! array-copy)

    (define (array->vector a) (list->vector (array->list a)))

    (define (list->array domain items . rest)
      (check "list->array" (and (interval? domain) (list? items) (= (length items) (interval-volume domain)))
             "not as many items as the domain has" domain items)
      (fill domain items (optional rest 0 generic-storage-class)
            (optional rest 1 (specialized-array-default-mutable?))
            (optional rest 2 (specialized-array-default-safe?))))

    (define (vector->array domain items . rest)
      (apply list->array domain (vector->list items) rest))

    ;; Nested lists or vectors, as deep as the array has dimensions.
    (define (nested a wrap)
      (if (= 0 (array-dimension a))
          ((array-getter a))
          (let deep ((a a))
            (if (= 1 (array-dimension a))
                (wrap (array->list a))
                (wrap (map deep (array->list (array-curry a (- (array-dimension a) 1)))))))))

    (define (array->list* a) (nested a (lambda (l) l)))
    (define (array->vector* a) (nested a list->vector))

    (define (nested->array who d x items rest)
      (define (widths d x) (if (= d 0) '() (let ((l (items x)))
                                            (cons (length l) (if (null? l) (make-zeros (- d 1)) (widths (- d 1) (car l)))))))
      (define (make-zeros n) (make-list n 0))
      (define (flatten ws x)
        (if (null? ws)
            (list x)
            (let ((l (items x)))
              (check who (= (length l) (car ws)) "the nested parts have different lengths" x)
              (apply append (map (lambda (y) (flatten (cdr ws) y)) l)))))
      (let ((ws (widths d x)))
        (apply list->array (make-interval (list->vector ws)) (flatten ws x) rest)))

    (define (list*->array d x . rest) (nested->array "list*->array" d x values rest))
    (define (vector*->array d x . rest) (nested->array "vector*->array" d x vector->list rest))

    (define (array-assign! to from)
      (check "array-assign!" (and (array? to) (mutable-array? to)) "not a mutable array" to)
      (check-same-domains "array-assign!" to (list from))
      (let ((set (array-setter to)))
        ;; The items are read before any is written: both may share a body.
        (let ((items (array->list from)))
          (interval-for-each
            (lambda idx
              (apply set (car items) idx)
              (set! items (cdr items)))
            (array-domain to)))))

    (define (array-ref a . idx) (apply (array-getter a) idx))
    (define (array-set! a v . idx) (apply (array-setter a) v idx))

    ;; --- arrays put together ---

    ;; The default class of what is made of several arrays.
    (define (common-storage arrays)
      (let ((classes (map (lambda (a) (if (specialized-array? a) (array-storage-class a) generic-storage-class))
                          arrays)))
        (let loop ((l classes))
          (cond ((null? l) (if (pair? classes) (car classes) generic-storage-class))
                ((eq? (car l) (car classes)) (loop (cdr l)))
                (else generic-storage-class)))))

    (define (materialize a rest arrays)
      (array-copy a (optional rest 0 (common-storage arrays))
                  (optional rest 1 (specialized-array-default-mutable?))
                  (optional rest 2 (specialized-array-default-safe?))))

    (define (insert-at ls k x)
      (if (= k 0) (cons x ls) (cons (car ls) (insert-at (cdr ls) (- k 1) x))))
    (define (remove-at ls k)
      (if (= k 0) (cdr ls) (cons (car ls) (remove-at (cdr ls) (- k 1)))))

    ;; Arrays of one domain along a new dimension K.
    (define (array-stack k arrays . rest)
      (let ((arrays (->list arrays)))
        (check "array-stack" (pair? arrays) "no arrays" arrays)
        (check-same-domains "array-stack" (car arrays) (cdr arrays))
        (check "array-stack" (<= 0 k (array-dimension (car arrays))) "not a dimension" k)
        (let* ((domain (array-domain (car arrays)))
               (gets (list->vector (map array-getter arrays))))
          (materialize
            (make-array
              (make-interval
                (list->vector (insert-at (interval-lower-bounds->list domain) k 0))
                (list->vector (insert-at (interval-upper-bounds->list domain) k (vector-length gets))))
              (lambda idx (apply (vector-ref gets (list-ref idx k)) (remove-at idx k))))
            rest arrays))))

    ;; An array of arrays of one domain as a whole.
    (define (array-decurry a . rest)
      (check-array "array-decurry" a)
      (let* ((copy (array-copy a generic-storage-class)) (arrays (array->list copy)))
        (check "array-decurry" (pair? arrays) "the array is empty" a)
        (check-same-domains "array-decurry" (car arrays) (cdr arrays))
        (let ((d (array-dimension a)) (get (array-getter copy)))
          (materialize
            (make-array (interval-cartesian-product (array-domain a) (array-domain (car arrays)))
              (lambda idx (apply (array-getter (apply get (list-head idx d))) (list-tail idx d))))
            rest arrays))))

    ;; One after the other along dimension K; the first one's lower bounds are kept.
    (define (array-append k arrays . rest)
      (let ((arrays (->list arrays)))
        (check "array-append" (pair? arrays) "no arrays" arrays)
        (let* ((first (array-domain (car arrays)))
               (d (interval-dimension first))
               (others (lambda (domain)
                         (list (remove-at (interval-lower-bounds->list domain) k)
                               (remove-at (interval-upper-bounds->list domain) k)))))
          (check "array-append" (< -1 k d) "not a dimension" k)
          (for-each
            (lambda (a)
              (check "array-append"
                     (and (array? a) (= d (array-dimension a)) (equal? (others first) (others (array-domain a))))
                     "the other dimensions differ" a))
            arrays)
          (let* ((start (interval-lower-bound first k))
                 (pieces (let loop ((l arrays) (at start) (out '()))
                           (if (null? l)
                               (list->vector (reverse out))
                               (loop (cdr l) (+ at (interval-width (array-domain (car l)) k))
                                     (cons (vector at (array-getter (car l))
                                                   (interval-lower-bound (array-domain (car l)) k))
                                           out)))))
                 (end (let loop ((l arrays) (at start))
                        (if (null? l) at (loop (cdr l) (+ at (interval-width (array-domain (car l)) k))))))
                 (find (lambda (i)
                         (let loop ((n (- (vector-length pieces) 1)))
                           (if (>= i (vector-ref (vector-ref pieces n) 0)) (vector-ref pieces n) (loop (- n 1)))))))
            (materialize
              (make-array
                (make-interval
                  (list->vector (interval-lower-bounds->list first))
                  (list->vector (insert-at (remove-at (interval-upper-bounds->list first) k) k end)))
                (lambda idx
                  (let* ((i (list-ref idx k)) (piece (find i)))
                    (apply (vector-ref piece 1)
                           (insert-at (remove-at idx k) k
                                      (+ (- i (vector-ref piece 0)) (vector-ref piece 2)))))))
              rest arrays)))))

    ;; The arrays in A side by side in every dimension.
    (define (array-block a . rest)
      (check-array "array-block" a)
      (let* ((arrays (array->list a)) (d (array-dimension a)))
        (check "array-block" (pair? arrays) "the array is empty" a)
        ;; Joins the last dimension first.
        (let join ((a a) (k (- d 1)))
          (if (< k 0)
              (apply array-copy (if (= d 0) ((array-getter a)) a)
                     (if (pair? rest) rest (list (common-storage arrays))))
              (let ((joined
                     (array-copy
                       (array-map (lambda (row) (array-append k (array->list row))) (array-curry a 1))
                       generic-storage-class)))
                (if (= k 0)
                    (apply array-copy ((array-getter joined))
                           (if (pair? rest) rest (list (common-storage arrays))))
                    (join joined (- k 1))))))))

    (define array-stack! array-stack)
    (define array-decurry! array-decurry)
    (define array-append! array-append)
    (define array-block! array-block)))
