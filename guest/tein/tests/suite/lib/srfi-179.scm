; import (srfi 179)

(define a (make-array (make-interval #(1 1) #(3 4)) (lambda (i j) (+ (* 10 i) j))))
(list (array->list a) (array-dimension a) (array-ref a 2 3) (interval-lower-bounds->list (array-domain a)) (mutable-array? a))
=> ((11 12 13 21 22 23) 2 23 (1 1) #f)

(make-interval #(0)) =>error make-interval: not bounds of an interval

(make-interval #()) =>error make-interval: not bounds of an interval

(let ((s (array-copy a u8-storage-class))) (list (specialized-array? s) (array-elements-in-order? s) (array->list s) (eq? u8-storage-class (array-storage-class s)))) => (#t #t (11 12 13 21 22 23) #t)

(let ((s (array-copy a generic-storage-class (make-interval #(6)) #f))) (list (array-ref s 4) (mutable-array? s))) => (22 #f)

(array-copy a generic-storage-class (make-interval #(5))) =>error not as many items as the domain has

(list (array->list (list->array '(1 2 3 4) (make-interval #(2 2)))) (array->list (array-permute (list->array '(1 2 3 4) (make-interval #(2 2))) #(1 0)))) => ((1 2 3 4) (1 3 2 4))

(list (interval-lower-bounds->list (interval-rotate (make-interval #(1 2 3) #(9 9 9)) 1)) (array-ref (array-rotate (make-array (make-interval #(2 3 4)) list) 1) 2 3 1)) => ((2 3 1) (1 2 3))

(list (array-fold cons '() a) (array-fold-right cons '() a) (array-reduce + a) (array-any even? a) (array-every number? a))
=> ((23 22 21 13 12 11) (11 12 13 21 22 23) 102 #t #t)

(let ((s (make-specialized-array (make-interval #(3)) u8-storage-class #t))) (array-set! s 5 1) (list (array->list s) (array-safe? s))) => ((0 5 0) #t)

(array-ref (make-specialized-array (make-interval #(3)) u8-storage-class #t) 3) =>error the multi-index is not in the array's domain

(let ((s (make-specialized-array (make-interval #(2 3))))) (array-assign! s a) (array->list s)) => (11 12 13 21 22 23)

(let ((s (make-specialized-array (make-interval #(6))))) (array-assign! s (array-reverse a)) (array->list s)) => (23 22 21 13 12 11)

(array->list (array-map array->list (array-curry a 1))) => ((11 12 13) (21 22 23))

(array->list (array-map array->list (array-tile a #(2 2)))) => ((11 12 21 22) (13 23))

(list (array->list (array-map + a a)) (array->list (array-extract a (make-interval #(1 2) #(2 4)))) (array->list (array-translate (list->array '(1 2) (make-interval #(2))) #(5)))) => ((22 24 26 42 44 46) (12 13) (1 2))

(array->list (specialized-array-reshape (array-copy a) (make-interval #(3 2)))) => (11 12 13 21 22 23)

(let ((c (make-storage-class vector-ref vector-set! symbol? make-vector vector-copy! vector-length 'none))) (array->list (make-specialized-array (make-interval #(2)) c))) => (none none)

(array->list (array-outer-product list (list->array '(1 2) (make-interval #(2))) (list->array '(a) (make-interval #(1))))) => ((1 a) (2 a))
