;; Intervals, storage classes, and the two kinds of arrays.
(define-library (srfi 231 base)
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
    specialized-array-share array-freeze! specialized-array-reshape)
  (import
    (scheme base) (scheme case-lambda)
    (only (tein core) %make-uvector %uvector? %uvector-element? %uvector-ref %uvector-set!
          %uvector-length))
  (begin
    (define (optional rest k default)
      (cond ((null? rest) default)
            ((= k 0) (car rest))
            (else (optional (cdr rest) (- k 1) default))))

    (define (all ok? ls) (or (null? ls) (and (ok? (car ls)) (all ok? (cdr ls)))))

    ;; --- vectors of integers ---

    (define (translation? x) (and (vector? x) (all exact-integer? (vector->list x))))

    (define (permutation? x)
      (and (vector? x)
           (let* ((n (vector-length x)) (seen (make-vector n #f)))
             (all (lambda (i)
                    (and (exact-integer? i) (< -1 i n) (not (vector-ref seen i))
                         (begin (vector-set! seen i #t) #t)))
                  (vector->list x)))))

    (define (iota n) (let loop ((i (- n 1)) (out '())) (if (< i 0) out (loop (- i 1) (cons i out)))))
    (define (check-index who n k limit)
      (if (not (and (exact-integer? n) (exact-integer? k) (<= 0 k limit)))
          (error (string-append who ": not an index") k)))
    (define (without k n)
      (let loop ((l (iota n)) (out '()))
        (cond ((null? l) (reverse out))
              ((= k (car l)) (loop (cdr l) out))
              (else (loop (cdr l) (cons (car l) out))))))

    (define (index-rotate n k)
      (check-index "index-rotate" n k n)
      (list->vector (map (lambda (i) (if (= n 0) 0 (modulo (+ i k) n))) (iota n))))
    (define (index-first n k)
      (check-index "index-first" n k (- n 1))
      (list->vector (cons k (without k n))))
    (define (index-last n k)
      (check-index "index-last" n k (- n 1))
      (list->vector (append (without k n) (list k))))
    (define (index-swap n i j)
      (check-index "index-swap" n i (- n 1))
      (check-index "index-swap" n j (- n 1))
      (let ((v (list->vector (iota n))))
        (vector-set! v i j)
        (vector-set! v j i)
        v))

    ;; --- intervals: lists of lower bounds and of upper bounds, which are not inside ---

    (define-record-type interval
      (new-interval lower upper)
      interval?
      (lower interval-lower-bounds->list)
      (upper interval-upper-bounds->list))

    ;; (make-interval [lower] upper)
    (define make-interval
      (case-lambda
        ((upper) (make-interval (make-vector (vector-length upper) 0) upper))
        ((lower upper)
         (if (not (and (translation? lower) (translation? upper)
                       (= (vector-length lower) (vector-length upper))
                       (all (lambda (x) x) (map <= (vector->list lower) (vector->list upper)))))
             (error "make-interval: not bounds of an interval" lower upper))
         (new-interval (vector->list lower) (vector->list upper)))))

    (define (interval-dimension d) (length (interval-lower-bounds->list d)))
    (define (interval-lower-bound d i) (list-ref (interval-lower-bounds->list d) i))
    (define (interval-upper-bound d i) (list-ref (interval-upper-bounds->list d) i))
    (define (interval-lower-bounds->vector d) (list->vector (interval-lower-bounds->list d)))
    (define (interval-upper-bounds->vector d) (list->vector (interval-upper-bounds->list d)))
    (define (widths d) (map - (interval-upper-bounds->list d) (interval-lower-bounds->list d)))
    (define (interval-widths d) (list->vector (widths d)))
    (define (interval-width d i) (list-ref (widths d) i))
    (define (interval-volume d) (apply * (widths d)))
    (define (interval-empty? d) (= 0 (interval-volume d)))

    (define (interval= a b)
      (and (equal? (interval-lower-bounds->list a) (interval-lower-bounds->list b))
           (equal? (interval-upper-bounds->list a) (interval-upper-bounds->list b))))

    (define (check-dimensions who a b)
      (if (not (= (interval-dimension a) (if (interval? b) (interval-dimension b) (vector-length b))))
          (error (string-append who ": the dimensions differ") a b)))

    (define (interval-subset? a b)
      (check-dimensions "interval-subset?" a b)
      (and (all (lambda (x) x) (map >= (interval-lower-bounds->list a) (interval-lower-bounds->list b)))
           (all (lambda (x) x) (map <= (interval-upper-bounds->list a) (interval-upper-bounds->list b)))))

    (define (interval-contains-multi-index? d . idx)
      (if (not (= (length idx) (interval-dimension d)))
          (error "interval-contains-multi-index?: not as many indices as dimensions" d idx))
      (inside? (interval-lower-bounds->list d) idx (interval-upper-bounds->list d)))

    (define (inside? lower idx upper)
      (or (null? idx)
          (and (exact-integer? (car idx))
               (<= (car lower) (car idx)) (< (car idx) (car upper))
               (inside? (cdr lower) (cdr idx) (cdr upper)))))

    ;; The interval of the first dimensions, and that of the last K.
    (define (interval-projections d k)
      (let ((n (- (interval-dimension d) k)))
        (if (not (and (exact-integer? k) (>= k 0) (>= n 0)))
            (error "interval-projections: not a number of dimensions" k))
        (let ((lower (interval-lower-bounds->list d)) (upper (interval-upper-bounds->list d)))
          (values (new-interval (head lower n) (head upper n))
                  (new-interval (list-tail lower n) (list-tail upper n))))))

    (define (head ls k) (if (= k 0) '() (cons (car ls) (head (cdr ls) (- k 1)))))

    (define (interval-dilate d lower-diffs upper-diffs)
      (check-dimensions "interval-dilate" d lower-diffs)
      (make-interval (list->vector (map + (interval-lower-bounds->list d) (vector->list lower-diffs)))
                     (list->vector (map + (interval-upper-bounds->list d) (vector->list upper-diffs)))))

    (define (interval-translate d translation)
      (check-dimensions "interval-translate" d translation)
      (interval-dilate d translation translation))

    (define (interval-permute d permutation)
      (check-dimensions "interval-permute" d permutation)
      (if (not (permutation? permutation)) (error "interval-permute: not a permutation" permutation))
      (let ((pick (lambda (ls) (map (lambda (i) (list-ref ls i)) (vector->list permutation)))))
        (new-interval (pick (interval-lower-bounds->list d)) (pick (interval-upper-bounds->list d)))))

    (define (interval-scale d scales)
      (check-dimensions "interval-scale" d scales)
      (if (not (and (all (lambda (l) (= l 0)) (interval-lower-bounds->list d))
                    (all (lambda (s) (and (exact-integer? s) (> s 0))) (vector->list scales))))
          (error "interval-scale: the lower bounds are 0 and the scales positive" d scales))
      (new-interval (interval-lower-bounds->list d)
        (map (lambda (u s) (quotient (+ u s -1) s)) (interval-upper-bounds->list d) (vector->list scales))))

    (define (interval-intersect d . more)
      (for-each (lambda (b) (check-dimensions "interval-intersect" d b)) more)
      (let ((lower (apply map max (map interval-lower-bounds->list (cons d more))))
            (upper (apply map min (map interval-upper-bounds->list (cons d more)))))
        (and (all (lambda (x) x) (map <= lower upper)) (new-interval lower upper))))

    (define (interval-cartesian-product . ds)
      (new-interval (apply append (map interval-lower-bounds->list ds))
                    (apply append (map interval-upper-bounds->list ds))))

    ;; --- walks in lexicographic order ---

    (define (interval-fold-left f op id d)
      (let ((lower (interval-lower-bounds->list d)) (upper (interval-upper-bounds->list d)))
        (case (length lower)
          ((0) (op id (f)))
          ((1)
           (let ((end (car upper)))
             (let loop ((i (car lower)) (acc id))
               (if (< i end) (loop (+ i 1) (op acc (f i))) acc))))
          ((2)
           (let ((start (cadr lower)) (end (car upper)) (end2 (cadr upper)))
             (let loop ((i (car lower)) (acc id))
               (if (< i end)
                   (loop (+ i 1)
                         (let loop2 ((j start) (acc acc))
                           (if (< j end2) (loop2 (+ j 1) (op acc (f i j))) acc)))
                   acc))))
          (else
           (let walk ((lower lower) (upper upper) (idx '()) (acc id))
             (if (null? lower)
                 (op acc (apply f (reverse idx)))
                 (let loop ((i (car lower)) (acc acc))
                   (if (< i (car upper))
                       (loop (+ i 1) (walk (cdr lower) (cdr upper) (cons i idx) acc))
                       acc))))))))

    (define (interval-for-each f d)
      (interval-fold-left f (lambda (acc x) acc) #t d))

    ;; The values are found in order, then combined from the last one on.
    (define (interval-fold-right f op id d)
      (let loop ((l (interval-fold-left f (lambda (acc x) (cons x acc)) '() d)) (acc id))
        (if (null? l) acc (loop (cdr l) (op (car l) acc)))))

    ;; --- storage classes ---

    (define-record-type storage-class
      (make-storage-class getter setter checker maker copier length default data? data->body)
      storage-class?
      (getter storage-class-getter)
      (setter storage-class-setter)
      (checker storage-class-checker)
      (maker storage-class-maker)
      (copier storage-class-copier)
      (length storage-class-length)
      (default storage-class-default)
      (data? storage-class-data?)
      (data->body storage-class-data->body))

    (define (body-of data? x)
      (if (data? x) x (error "not data of this storage class" x)))

    (define generic-storage-class
      (make-storage-class vector-ref vector-set! (lambda (x) #t) make-vector vector-copy!
                          vector-length #f vector? (lambda (x) (body-of vector? x))))

    (define char-storage-class
      (make-storage-class string-ref string-set! char? make-string string-copy!
                          string-length #\null string? (lambda (x) (body-of string? x))))

    (define (uniform kind default)
      (let ((data? (lambda (x) (%uvector? kind x))))
        (make-storage-class
          (lambda (v i) (%uvector-ref kind v i))
          (lambda (v i x) (%uvector-set! kind v i x))
          (lambda (x) (%uvector-element? kind x))
          (lambda (n fill) (%make-uvector kind n fill))
          (lambda (to at from start end)
            (if (< at start)
                (do ((i start (+ i 1)) (j at (+ j 1))) ((>= i end))
                  (%uvector-set! kind to j (%uvector-ref kind from i)))
                (do ((i (- end 1) (- i 1)) (j (+ at (- end start) -1) (- j 1))) ((< i start))
                  (%uvector-set! kind to j (%uvector-ref kind from i)))))
          (lambda (v) (%uvector-length kind v))
          default data? (lambda (x) (body-of data? x)))))

    (define u1-storage-class (uniform 'u1 0))
    (define u8-storage-class (uniform 'u8 0))
    (define u16-storage-class (uniform 'u16 0))
    (define u32-storage-class (uniform 'u32 0))
    (define u64-storage-class (uniform 'u64 0))
    (define s8-storage-class (uniform 's8 0))
    (define s16-storage-class (uniform 's16 0))
    (define s32-storage-class (uniform 's32 0))
    (define s64-storage-class (uniform 's64 0))
    (define f8-storage-class (uniform 'f8 0.0))
    (define f16-storage-class (uniform 'f16 0.0))
    (define f32-storage-class (uniform 'f32 0.0))
    (define f64-storage-class (uniform 'f64 0.0))
    (define c64-storage-class (uniform 'c64 0.0))
    (define c128-storage-class (uniform 'c128 0.0))

    ;; --- arrays ---

    ;; A specialized array has a storage class: the item with indices i, j, ... is in the body at
    ;; offset + i * stride + j * stride + ...
    (define-record-type array
      (new-array domain getter setter storage body offset strides safe?)
      array?
      (domain array-domain)
      (getter array-getter)
      (setter setter-of set-setter!)
      (storage storage-of)
      (body body-ref)
      (offset offset-of)
      (strides strides-of)
      (safe? safe-of))

    (define (make-array domain getter . setter)
      (if (not (interval? domain)) (error "make-array: not an interval" domain))
      (new-array domain getter (optional setter 0 #f) #f #f #f #f #f))

    (define (array-dimension a) (interval-dimension (array-domain a)))
    (define (array-empty? a) (interval-empty? (array-domain a)))
    (define (mutable-array? x) (and (array? x) (setter-of x) #t))
    (define (specialized-array? x) (and (array? x) (storage-of x) #t))

    (define (array-setter a)
      (or (setter-of a) (error "array-setter: the array is not mutable" a)))

    (define (check-specialized who a)
      (if (not (specialized-array? a)) (error (string-append who ": not a specialized array") a)))
    (define (array-storage-class a) (check-specialized "array-storage-class" a) (storage-of a))
    (define (array-body a) (check-specialized "array-body" a) (body-ref a))
    (define (array-safe? a) (check-specialized "array-safe?" a) (safe-of a))
    (define (array-indexer a)
      (check-specialized "array-indexer" a)
      (indexer (offset-of a) (strides-of a)))

    (define (array-freeze! a) (set-setter! a #f) a)

    ;; Called with a value they change the default.
    (define-syntax define-default
      (syntax-rules ()
        ((_ name initial)
         (define name
           (let ((value initial))
             (case-lambda
               (() value)
               ((new)
                (if (not (boolean? new)) (error "not a boolean" new))
                (set! value new))))))))
    (define-default specialized-array-default-safe? #f)
    (define-default specialized-array-default-mutable? #t)

    (define (indexer offset strides)
      (case (length strides)
        ((0) (lambda () offset))
        ((1) (let ((a (car strides))) (lambda (i) (+ offset (* a i)))))
        ((2)
         (let ((a (car strides)) (b (cadr strides)))
           (lambda (i j) (+ offset (* a i) (* b j)))))
        (else
         (lambda idx
           (let loop ((n offset) (idx idx) (s strides))
             (if (null? idx) n (loop (+ n (* (car idx) (car s))) (cdr idx) (cdr s))))))))

    (define (make-view domain storage body offset strides safe? mutable?)
      (let* ((index (indexer offset strides))
             (get (storage-class-getter storage))
             (set (storage-class-setter storage))
             (ok? (storage-class-checker storage))
             (lower (interval-lower-bounds->list domain))
             (upper (interval-upper-bounds->list domain))
             (d (length lower))
             (check (lambda (idx)
                      (if (not (and (= d (length idx)) (inside? lower idx upper)))
                          (error "the multi-index is not in the array's domain" idx)))))
        (new-array domain
          (cond (safe? (lambda idx (check idx) (get body (apply index idx))))
                ((= d 1) (lambda (i) (get body (index i))))
                ((= d 2) (lambda (i j) (get body (index i j))))
                (else (lambda idx (get body (apply index idx)))))
          (and mutable?
               (cond (safe?
                      (lambda (v . idx)
                        (check idx)
                        (if (not (ok? v)) (error "the storage class cannot hold the item" v))
                        (set body (apply index idx) v)))
                     ((= d 1) (lambda (v i) (set body (index i) v)))
                     ((= d 2) (lambda (v i j) (set body (index i j) v)))
                     (else (lambda (v . idx) (set body (apply index idx) v)))))
          storage body offset strides safe?)))

    ;; Strides of items in order; the last index moves fastest.
    (define (packed-strides ws)
      (let loop ((ws (reverse ws)) (stride 1) (out '()))
        (if (null? ws) out (loop (cdr ws) (* stride (car ws)) (cons stride out)))))

    (define (offset-for lower strides start)
      (- start (apply + (map * lower strides))))

    (define (packed-view domain storage body safe? mutable?)
      (let ((strides (packed-strides (widths domain))))
        (make-view domain storage body
                   (offset-for (interval-lower-bounds->list domain) strides 0)
                   strides safe? mutable?)))

    ;; (make-specialized-array domain [storage-class initial-value safe?])
    (define (make-specialized-array domain . rest)
      (let* ((storage (optional rest 0 generic-storage-class))
             (initial (optional rest 1 (storage-class-default storage)))
             (safe? (optional rest 2 (specialized-array-default-safe?))))
        (if (not ((storage-class-checker storage) initial))
            (error "make-specialized-array: the storage class cannot hold the item" initial))
        (packed-view domain storage ((storage-class-maker storage) (interval-volume domain) initial)
                     safe? #t)))

    ;; (make-specialized-array-from-data data [storage-class mutable? safe?]): over the data itself.
    (define (make-specialized-array-from-data data . rest)
      (let* ((storage (optional rest 0 generic-storage-class))
             (body ((storage-class-data->body storage) data)))
        (packed-view (make-interval (vector ((storage-class-length storage) body))) storage body
                     (optional rest 2 (specialized-array-default-safe?))
                     (optional rest 1 (specialized-array-default-mutable?)))))

    ;; Are the items in the body next to each other, in order?
    (define (array-packed? a)
      (check-specialized "array-packed?" a)
      (let ((ws (widths (array-domain a))))
        (or (interval-empty? (array-domain a))
            (all (lambda (x) x)
                 (map (lambda (w stride packed) (or (= w 1) (= stride packed)))
                      ws (strides-of a) (packed-strides ws))))))

    ;; MAP takes the new domain's indices to old ones, each by a sum of multiples and a constant: it is
    ;; enough to see where the first multi-index and its neighbours go.
    (define (specialized-array-share a domain map-index)
      (check-specialized "specialized-array-share" a)
      (let* ((old (array-domain a))
             (lower (interval-lower-bounds->list domain))
             (ws (widths domain))
             (index (indexer (offset-of a) (strides-of a)))
             (at (lambda (idx)
                   (call-with-values (lambda () (apply map-index idx))
                     (lambda image
                       (if (not (apply interval-contains-multi-index? old image))
                           (error "specialized-array-share: the map leaves the array's domain" image))
                       (apply index image))))))
        (if (interval-empty? domain)
            (make-view domain (storage-of a) (body-ref a) 0 (map (lambda (w) 0) ws) (safe-of a)
                       (mutable-array? a))
            (let* ((start (at lower))
                   (strides
                    (let loop ((k 0) (ws ws) (out '()))
                      (cond ((null? ws) (reverse out))
                            ((= 1 (car ws)) (loop (+ k 1) (cdr ws) (cons 0 out)))
                            (else
                             (loop (+ k 1) (cdr ws) (cons (- (at (step lower k)) start) out)))))))
              ;; The last corner must be inside as well.
              (at (map - (interval-upper-bounds->list domain) (map (lambda (w) 1) ws)))
              (make-view domain (storage-of a) (body-ref a) (offset-for lower strides start) strides
                         (safe-of a) (mutable-array? a))))))

    (define (step idx k)
      (if (= k 0) (cons (+ 1 (car idx)) (cdr idx)) (cons (car idx) (step (cdr idx) (- k 1)))))

    ;; A view of A's items in order over the domain, or #f where strides cannot say it.
    (define (reshape a domain)
      (let* ((lower (interval-lower-bounds->list domain))
             (start (+ (offset-of a)
                       (apply + (map * (interval-lower-bounds->list (array-domain a)) (strides-of a)))))
             (strides (if (interval-empty? domain)
                          (map (lambda (l) 0) lower)
                          (new-strides (widths (array-domain a)) (strides-of a) (widths domain)))))
        (and strides
             (make-view domain (storage-of a) (body-ref a) (offset-for lower strides start) strides
                        (safe-of a) (mutable-array? a)))))

    ;; Dimensions are taken from the last one on: old ones are joined while they follow each other in
    ;; the body, and new ones split what was joined.
    (define (new-strides old-widths old-strides new-widths)
      (let loop ((ow (reverse old-widths)) (os (reverse old-strides)) (nw (reverse new-widths))
                 (run 1) (stride 0) (taken 1) (out '()))
        ;; RUN items with one stride are there, of which new dimensions have used TAKEN.
        (cond ((null? nw) out)
              ((= 1 (car nw)) (loop ow os (cdr nw) run stride taken (cons 0 out)))
              ((= taken run)
               (cond ((null? ow) #f)
                     ((= 1 (car ow)) (loop (cdr ow) (cdr os) nw run stride taken out))
                     (else (loop (cdr ow) (cdr os) nw (car ow) (car os) 1 out))))
              ((= 0 (remainder run (* taken (car nw))))
               (loop ow os (cdr nw) run stride (* taken (car nw)) (cons (* stride taken) out)))
              ;; More is needed: the next old dimension has to go on where this one ends.
              ((and (pair? ow) (= 1 (car ow))) (loop (cdr ow) (cdr os) nw run stride taken out))
              ((and (pair? ow) (= (car os) (* run stride)))
               (loop (cdr ow) (cdr os) nw (* run (car ow)) stride taken out))
              (else #f))))

    ;; The same items in order over another domain, without a copy where that can be.
    (define (specialized-array-reshape a domain . copy?)
      (check-specialized "specialized-array-reshape" a)
      (if (not (= (interval-volume domain) (interval-volume (array-domain a))))
          (error "specialized-array-reshape: the domains have different volumes" a domain))
      (cond ((reshape a domain))
            ((optional copy? 0 #f)
             (let* ((new (make-specialized-array domain (storage-of a)
                           (storage-class-default (storage-of a)) (safe-of a)))
                    (set (storage-class-setter (storage-of a))))
               (interval-fold-left (array-getter a)
                 (lambda (i x) (set (body-ref new) i x) (+ i 1))
                 0 (array-domain a))
               (if (mutable-array? a) new (array-freeze! new))))
            (else (error "specialized-array-reshape: the items have no such order in the body" a domain))))))
