; import (srfi 231)

; --- permutations ---

(list (index-rotate 5 3) (index-first 5 3) (index-last 5 3) (index-swap 5 3 0) (index-rotate 0 0)) => (#(3 4 0 1 2) #(3 0 1 2 4) #(0 1 2 4 3) #(3 1 2 0 4) #())

(list (permutation? #(1 0 2)) (permutation? #(1 1 2)) (permutation? #()) (permutation? '(0)) (translation? #(1 -5)) (translation? #(1.0))) => (#t #f #t #f #t #f)

(index-first 3 3) =>error index-first: not an index: (3)

; --- intervals ---

(define (bounds i) (and i (list (interval-lower-bounds->list i) (interval-upper-bounds->list i))))
(list (bounds (make-interval #(2 3))) (bounds (make-interval #(-1 0) #(2 0))) (bounds (make-interval #())))
=> (((0 0) (2 3)) ((-1 0) (2 0)) (() ()))

(make-interval #(1) #(0)) =>error make-interval: not bounds of an interval

(let ((i (make-interval #(1 2) #(4 8))))
  (list (interval-dimension i) (interval-lower-bound i 1) (interval-upper-bound i 0) (interval-lower-bounds->vector i) (interval-upper-bounds->vector i) (interval-width i 1) (interval-widths i) (interval-volume i) (interval-empty? i) (interval? i) (interval? 1)))
=> (2 2 4 #(1 2) #(4 8) 6 #(3 6) 18 #f #t #f)

(list (interval= (make-interval #(2)) (make-interval #(0) #(2))) (interval-subset? (make-interval #(1) #(2)) (make-interval #(3))) (interval-subset? (make-interval #(4)) (make-interval #(3))) (interval-volume (make-interval #())) (interval-empty? (make-interval #(0 5))))
=> (#t #t #f 1 #t)

(let ((i (make-interval #(1 2) #(3 4)))) (list (interval-contains-multi-index? i 1 2) (interval-contains-multi-index? i 3 2) (interval-contains-multi-index? i 1.0 2))) => (#t #f #f)

(call-with-values (lambda () (interval-projections (make-interval #(1 2 3)) 1)) (lambda (a b) (list (bounds a) (bounds b)))) => (((0 0) (1 2)) ((0) (3)))

(let ((i (make-interval #(0 0) #(4 4))))
  (list (bounds (interval-dilate i #(-1 1) #(1 -1))) (bounds (interval-translate i #(1 2))) (bounds (interval-permute (make-interval #(1 2 3)) #(2 0 1))) (bounds (interval-scale (make-interval #(5 6)) #(2 3))) (bounds (interval-cartesian-product (make-interval #(2)) (make-interval #(1) #(3))))
        (bounds (interval-intersect i (make-interval #(2 3) #(9 9)))) (interval-intersect i (make-interval #(5 5) #(6 6)))))
=> (((-1 1) (5 3)) ((1 2) (5 6)) ((0 0 0) (3 1 2)) ((0 0) (3 2)) ((0 1) (2 3)) ((2 3) (4 4)) #f)

(let ((out '())) (interval-for-each (lambda idx (set! out (cons idx out))) (make-interval #(1 0) #(3 2))) (reverse out)) => ((1 0) (1 1) (2 0) (2 1))

(list (interval-fold-left list cons '() (make-interval #(2 2))) (interval-fold-right list cons '() (make-interval #(1 2 2))) (interval-fold-left (lambda () 5) + 1 (make-interval #())))
=> (((((() 0 0) 0 1) 1 0) 1 1) ((0 0 0) (0 0 1) (0 1 0) (0 1 1)) 6)

; --- storage classes ---

(let ((b ((storage-class-maker u8-storage-class) 3 7))) ((storage-class-setter u8-storage-class) b 1 9) (list ((storage-class-getter u8-storage-class) b 1) ((storage-class-length u8-storage-class) b) ((storage-class-checker u8-storage-class) 256) (storage-class-default f64-storage-class) (storage-class? u8-storage-class)))
=> (9 3 #f 0.0 #t)

(let ((b ((storage-class-data->body u16-storage-class) ((storage-class-maker u16-storage-class) 4 1)))) ((storage-class-setter u16-storage-class) b 0 5) ((storage-class-copier u16-storage-class) b 1 b 0 3) (map (lambda (i) ((storage-class-getter u16-storage-class) b i)) '(0 1 2 3)))
=> (5 5 1 1)

((storage-class-data->body u8-storage-class) "abc") =>error not data of this storage class

; --- arrays ---

(define a (make-array (make-interval #(1 1) #(3 4)) (lambda (i j) (+ (* 10 i) j))))
(list (array? a) (array-dimension a) (array-ref a 2 3) (mutable-array? a) (specialized-array? a) (array-empty? a) (array->list a) (array->list* a) (array->vector* a))
=> (#t 2 23 #f #f #f (11 12 13 21 22 23) ((11 12 13) (21 22 23)) #(#(11 12 13) #(21 22 23)))

(array-set! a 0 1 1) =>error array-setter: the array is not mutable

(let ((s (make-specialized-array (make-interval #(2 2)) u8-storage-class 7))) (array-set! s 1 0 1) (list (array->list s) (array-ref s 0 1) (array-safe? s) (array-packed? s) ((array-indexer s) 1 0) (eq? (array-storage-class s) u8-storage-class)))
=> ((7 1 7 7) 1 #f #t 2 #t)

(let ((s (make-specialized-array (make-interval #(2)) u8-storage-class 7 #t))) (array-set! s 256 0)) =>error the storage class cannot hold the item: (256)

(array-ref (make-specialized-array (make-interval #(2)) u8-storage-class 7 #t) 2) =>error the multi-index is not in the array's domain: ((2))

(make-specialized-array (make-interval #(2)) u8-storage-class 300) =>error the storage class cannot hold the item: (300)

(let* ((v (vector 1 2 3)) (s (make-specialized-array-from-data v))) (array-set! s 'x 1) (list v (array->list s) (eq? v (array-body s)))) => (#(1 x 3) (1 x 3) #t)

(let ((c (array-copy a))) (list (specialized-array? c) (mutable-array? c) (array-ref c 2 3) (mutable-array? (array-copy a generic-storage-class #f)) (array->list (array-copy a u8-storage-class)) (mutable-array? (array-freeze! c))))
=> (#t #t 23 #f (11 12 13 21 22 23) #f)

(array-copy (make-array (make-interval #(1)) (lambda (i) 'x)) u8-storage-class) =>error the storage class cannot hold the item: (x)

(list (specialized-array-default-safe?) (specialized-array-default-mutable?) (begin (specialized-array-default-safe? #t) (array-safe? (array-copy a)))) => (#f #t #t)

----

(define a (make-array (make-interval #(1 1) #(3 4)) (lambda (i j) (+ (* 10 i) j))))
(define s (array-copy a))
(define (show x) (list (interval-lower-bounds->list (array-domain x)) (interval-upper-bounds->list (array-domain x)) (array->list x)))
(define (both f) (let ((x (show (f a))) (y (show (f s)))) (if (equal? x y) x (list 'differ x y))))

; --- views: of arrays by procedures and by bodies alike ---

(both (lambda (x) (array-extract x (make-interval #(2 2) #(3 4))))) => ((2 2) (3 4) (22 23))

(both (lambda (x) (array-translate x #(-1 4)))) => ((0 5) (2 8) (11 12 13 21 22 23))

(both (lambda (x) (array-permute x #(1 0)))) => ((1 1) (4 3) (11 21 12 22 13 23))

(let ((x (make-array (make-interval #(2 3 4)) list))) (array-ref (array-permute x #(2 0 1)) 3 1 2)) => (1 2 3)

(both array-reverse) => ((1 1) (3 4) (23 22 21 13 12 11))

(both (lambda (x) (array-reverse x #(#f #t)))) => ((1 1) (3 4) (13 12 11 23 22 21))

(both (lambda (x) (array-sample (array-translate x #(-1 -1)) #(1 2)))) => ((0 0) (2 2) (11 13 21 23))

(both (lambda (x) (array-map array->list (array-curry x 1)))) => ((1) (3) ((11 12 13) (21 22 23)))

(both (lambda (x) (array-map array->list* (array-tile x #(1 2))))) => ((0 0) (2 2) (((11 12)) ((13)) ((21 22)) ((23))))

(both (lambda (x) (array-map array->list (array-tile x #(2 #(1 2)))))) => ((0 0) (1 2) ((11 21) (12 13 22 23)))

(array-tile s #(2 #(1 1))) =>error array-tile: the widths do not make up the dimension

(array-extract a (make-interval #(0 0) #(1 1))) =>error array-extract: not a part of the domain

; Views share the body.
(let* ((c (array-copy a)) (r (array-reverse c)) (row (array-ref (array-curry c 1) 2)))
  (array-set! r 'x 1 1) (array-set! row 'y 1)
  (list (array->list c) (array-packed? r) (array-packed? row) (eq? (array-body c) (array-body r))))
=> ((11 12 13 y 22 x) #f #t #t)

; An array with a setter of its own.
(let* ((v (vector 1 2 3 4)) (m (make-array (make-interval #(2 2)) (lambda (i j) (vector-ref v (+ (* 2 i) j))) (lambda (x i j) (vector-set! v (+ (* 2 i) j) x)))))
  (array-set! (array-permute m #(1 0)) 'x 1 0)
  (array-set! (array-ref (array-curry m 1) 1) 'y 1)
  (list v (mutable-array? m)))
=> (#(1 x 3 y) #t)

(let ((d (specialized-array-share s (make-interval #(2)) (lambda (i) (values (+ i 1) (+ i 1)))))) (list (array->list d) (array-packed? d))) => ((11 22) #f)

(specialized-array-share s (make-interval #(4)) (lambda (i) (values 1 (+ i 1)))) =>error specialized-array-share: the map leaves the array's domain

(let ((r (specialized-array-reshape s (make-interval #(3 2))))) (array-set! r 'z 0 1) (let ((l (array->list* r))) (array-set! r 12 0 1) l)) => ((11 z) (13 21) (22 23))

(array->list (specialized-array-reshape (array-extract s (make-interval #(1 1) #(3 3))) (make-interval #(2 1 2 1)))) => (11 12 21 22)

(specialized-array-reshape (array-permute s #(1 0)) (make-interval #(6))) =>error the items have no such order in the body

(array->list (specialized-array-reshape (array-permute s #(1 0)) (make-interval #(6)) #t)) => (11 21 12 22 13 23)

(specialized-array-reshape s (make-interval #(5))) =>error the domains have different volumes

; --- element by element ---

(list (array->list (array-map + a a)) (array->list (array-map (lambda (x) (* 2 x)) s)) (let ((n 0)) (array-for-each (lambda (x y) (set! n (+ n x y))) a s) n))
=> ((22 24 26 42 44 46) (22 24 26 42 44 46) 204)

(array-map + a (make-array (make-interval #(2)) list)) =>error array-map: the domains differ

(list (array-fold-left list 0 s) (array-fold-right list 0 s) (array-fold-left + 0 a s) (array-fold-right (lambda (x y acc) (cons (- x y) acc)) '() a s) (array-reduce max s))
=> ((((((( 0 11) 12) 13) 21) 22) 23) (11 (12 (13 (21 (22 (23 0)))))) 204 (0 0 0 0 0 0) 23)

(array-reduce + (make-array (make-interval #(0)) list)) =>error array-reduce: the array is empty

(list (array-any (lambda (x) (and (even? x) x)) s) (array-any even? (make-array (make-interval #(0)) values)) (array-every (lambda (x) (and (> x 10) x)) s) (array-every even? s) (array-any = a s))
=> (12 #f 23 #f #t)

(array->list* (array-outer-product * (list->array (make-interval #(2)) '(2 3)) (list->array (make-interval #(3)) '(1 10 100)))) => ((2 20 200) (3 30 300))

(let ((x (list*->array 2 '((1 2) (3 4)))) (y (list*->array 2 '((5 6) (7 8))))) (array->list* (array-inner-product x + * y))) => ((19 22) (43 50))

; --- lists and vectors ---

(list (array->list* (list->array (make-interval #(2 2)) '(1 2 3 4))) (array->vector (vector->array (make-interval #(2)) #(1 2))) (array->list (list*->array 1 '(a b))) (array->list* (list*->array 0 'x)) (array->vector* (vector*->array 2 #(#(1) #(2)))) (array->list* (list*->array 3 '(((1 2) (3 4))))))
=> (((1 2) (3 4)) #(1 2) (a b) x #(#(1) #(2)) (((1 2) (3 4))))

(list->array (make-interval #(2 2)) '(1 2 3)) =>error not as many items as the domain has

(list*->array 2 '((1 2) (3))) =>error the nested parts have different lengths

(let ((x (list*->array 2 '((1 2) (3 4))))) (array-assign! x (array-permute x #(1 0))) (array->list* x)) => ((1 3) (2 4))

(array-assign! (list->array (make-interval #(1)) '(1)) (list->array (make-interval #(2)) '(1 2))) =>error array-assign!: the domains differ

; --- arrays put together ---

(define x (list*->array 2 '((1 2) (3 4))))
(define y (list*->array 2 '((5 6) (7 8))))
(map (lambda (k) (array->list* (array-stack k (list x y)))) '(0 1 2))
=> ((((1 2) (3 4)) ((5 6) (7 8))) (((1 2) (5 6)) ((3 4) (7 8))) (((1 5) (2 6)) ((3 7) (4 8))))

(map (lambda (k) (array->list* (array-append k (list x y)))) '(0 1)) => (((1 2) (3 4) (5 6) (7 8)) ((1 2 5 6) (3 4 7 8)))

(show (array-append 0 (list (array-translate x #(5 0)) y))) => ((5 0) (9 2) (1 2 3 4 5 6 7 8))

(array-append 0 (list x (list*->array 2 '((1 2 3))))) =>error array-append: the other dimensions differ

(array-stack 0 '()) =>error array-stack: no arrays

(list (array->list* (array-decurry (array-curry s 1))) (array->list* (array-block (list*->array 2 (list (list x y) (list y x))))) (array->list* (array-block (array-tile s #(1 2)))))
=> (((11 12 13) (21 22 23)) ((1 2 5 6) (3 4 7 8) (5 6 1 2) (7 8 3 4)) ((11 12 13) (21 22 23)))

(eq? (array-storage-class (array-stack! 0 (list (array-copy x u8-storage-class) (array-copy y u8-storage-class)))) u8-storage-class) => #t

; --- storage classes: what each holds, and what it refuses ---

(define (holds class value) (let ((a (make-specialized-array (make-interval #(1)) class))) (guard (e (#t 'refused)) (array-set! a value 0) (array-ref a 0))))
(list (holds s8-storage-class -128) (holds s8-storage-class 128) (holds s16-storage-class -32768) (holds s16-storage-class 32768) (holds s32-storage-class -2147483648) (holds s32-storage-class 2147483648) (holds s64-storage-class -9223372036854775808) (holds s64-storage-class 9223372036854775808))
  => (-128 refused -32768 refused -2147483648 refused -9223372036854775808 refused)

(list (holds u1-storage-class 1) (holds u1-storage-class 2) (holds u32-storage-class 4294967295) (holds u32-storage-class -1) (holds u64-storage-class 18446744073709551615) (holds u64-storage-class 18446744073709551616))
  => (1 refused 4294967295 refused 18446744073709551615 refused)

(list (holds f32-storage-class 1.5) (holds f32-storage-class 'a) (holds c64-storage-class 1.5+2.5i) (holds c128-storage-class 1.25-0.5i) (holds char-storage-class #\a) (holds char-storage-class 5))
  => (1.5 refused 1.5+2.5i 1.25-0.5i #\a refused)

(let ((a (make-array (make-interval #(2 2)) (lambda (i j) (+ (* 10 i) j)))))
  (list ((array-getter a) 1 1) (array->list* (array-copy! a)) (array->list* (array-append! 0 (list (array-copy a) (array-copy a)))) (map array->list* (array->list (array-decurry! (make-array (make-interval #(1)) (lambda (i) a)))))))
  =>error

(let ((a (array-copy (make-array (make-interval #(2 2)) (lambda (i j) (+ (* 10 i) j)))))) ((array-setter a) 99 0 1) (list ((array-getter a) 1 1) (array->list* a))) => (11 ((0 99) (10 11)))

(define ten (make-array (make-interval #(2 2)) (lambda (i j) (+ (* 10 i) j))))
(list (array->list* (array-copy! ten)) (array->list* (array-append! 0 (list ten ten))) (array->list* (array-decurry! (make-array (make-interval #(2)) (lambda (i) ten)))))
  => (((0 1) (10 11)) ((0 1) (10 11) (0 1) (10 11)) (((0 1) (10 11)) ((0 1) (10 11))))

(array->list* (array-block! (list->array (make-interval #(1 2)) (list ten ten)))) => ((0 1 0 1) (10 11 10 11))
