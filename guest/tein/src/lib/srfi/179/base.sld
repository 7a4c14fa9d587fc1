;; The intervals, storage classes and arrays of SRFI 179, which SRFI 231 goes on from.
(define-library (srfi 179 base)
  (export
    translation? permutation?
    (rename make-full-interval make-interval) interval? interval-dimension interval-lower-bound
    interval-upper-bound interval-lower-bounds->list interval-upper-bounds->list
    interval-lower-bounds->vector interval-upper-bounds->vector interval= interval-volume
    interval-subset? interval-contains-multi-index? interval-projections interval-for-each
    interval-dilate interval-intersect interval-translate interval-permute interval-rotate
    interval-scale interval-cartesian-product
    (rename make-plain-storage-class make-storage-class) storage-class? storage-class-getter
    storage-class-setter storage-class-checker storage-class-maker storage-class-copier
    storage-class-length storage-class-default generic-storage-class s8-storage-class
    s16-storage-class s32-storage-class s64-storage-class u1-storage-class u8-storage-class
    u16-storage-class u32-storage-class u64-storage-class f8-storage-class f16-storage-class
    f32-storage-class f64-storage-class c64-storage-class c128-storage-class
    make-array array? array-domain array-getter array-dimension mutable-array? array-setter
    specialized-array-default-safe? specialized-array-default-mutable?
    (rename make-default-array make-specialized-array) specialized-array? array-storage-class
    array-indexer array-body array-safe? (rename array-packed? array-elements-in-order?)
    specialized-array-share)
  (import (scheme base) (srfi 231 base))
  (begin
    ;; Every interval here has dimensions, and none of them is empty.
    (define (make-full-interval . bounds)
      (let ((i (apply make-interval bounds)))
        (if (or (= 0 (interval-dimension i)) (interval-empty? i))
            (apply error "make-interval: not bounds of an interval" bounds))
        i))

    (define (interval-rotate i k)
      (interval-permute i (index-rotate (interval-dimension i) k)))

    (define (make-plain-storage-class getter setter checker maker copier length default)
      (make-storage-class getter setter checker maker copier length default
        (lambda (data) #t) (lambda (data) data)))

    ;; (make-specialized-array domain [storage-class safe?])
    (define (make-default-array domain . rest)
      (let ((storage (if (pair? rest) (car rest) generic-storage-class)))
        (make-specialized-array domain storage (storage-class-default storage)
          (if (and (pair? rest) (pair? (cdr rest))) (cadr rest) (specialized-array-default-safe?)))))))
