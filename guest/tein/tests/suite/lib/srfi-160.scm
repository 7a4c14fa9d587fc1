; import (srfi 160 base)
; import (srfi 160 u16)
; import (srfi 160 f64)
; import (srfi 160 c128)
; import (srfi 160 s8)
; import (prefix (scheme vector u8) x:)
; import (srfi 160 mini)
; import (only (srfi 160 prims) uvector-length)
; SRFI 160: homogeneous vectors


(write (list (u16vector 1 2 65535) (f64vector 1 2.5) (s8vector -128 127) (make-u32vector 2 7) (u8vector 1 255) (c128vector 1 2+3i) (u1vector 1 0))) =>output (#u16(1 2 65535) #f64(1.0 2.5) #s8(-128 127) #u32(7 7) #u8(1 255) #c128(1.0+0.0i 2.0+3.0i) #u1(1 0))

(define v (u16vector 10 20 30 40 50))
(define (l u) (u16vector->list u))
(list (u16vector-ref v 1) (u16vector-length v) (let ((u (u16vector 5 6))) (u16vector-set! u 1 21) (u16vector-ref u 1))) => (20 5 21)


(u16vector 65536) =>error u16vector: not an element of this type

(u16vector -1) =>error u16vector: not an element of this type

(u16vector 1.0) =>error u16vector: not an element of this type

(u16vector-ref v 5) =>error u16vector: index out of range

(u16vector-ref (f64vector 1.0) 0) =>error expected u16vector

(f64vector 'a) =>error invalid type, expected Number

(list (u16vector? v) (f64vector? v) (u8vector? (bytevector 1)) (u16vector? (bytevector 1)) (u8vector? v) (u16vector? 'v)) => (#t #f #t #f #f #f)

(list (u8? 255) (u8? 256) (s8? -129) (u64? 18446744073709551615) (u64? 18446744073709551616) (s64? -9223372036854775808) (f64? 1) (f64? 1.0) (c64? 1.0+2.0i) (c64? 1) (u1? 1) (u1? 2)) => (#t #f #f #t #f #t #f #t #t #f #t #f)

(list (u64vector->list (u64vector 18446744073709551615)) (s64vector->list (s64vector -9223372036854775808 9223372036854775807)) (s32vector-ref (s32vector -5) 0) (f32vector-ref (f32vector 0.1) 0) (c64vector-ref (c64vector 1.5-2.5i) 0)) => ((18446744073709551615) (-9223372036854775808 9223372036854775807) -5 0.10000000149011612 1.5-2.5i)

(list (f16vector->list (f16vector 1.0 0.1 65504.0 1e9)) (f8vector->list (f8vector 1.0 1.25 3.3))) => ((1.0 0.0999755859375 65504.0 +inf.0) (1.0 1.25 3.5))

(list (uvector-length v) (uvector-length (bytevector 1 2)) (uvector-length (c128vector 1))) => (5 2 1)

(uvector-length "a") =>error uvector-length: not a uniform vector

(list (equal? (u16vector 1 2) (u16vector 1 2)) (equal? (u16vector 1 2) (u16vector 1 3)) (equal? (u16vector 1) (s16vector 1)) (equal? (list (f64vector 1.0)) (list (f64vector 1.0)))) => (#t #f #f #t)

(list (l (u16vector-unfold (lambda (i x) (values x (* x 2))) 4 1)) (l (u16vector-unfold-right (lambda (i x) (values x (* x 2))) 4 1)) (l (u16vector-copy v)) (l (u16vector-copy v 1 3)) (l (u16vector-reverse-copy v)) (l (u16vector-reverse-copy v 1 3))) => ((1 2 4 8) (8 4 2 1) (10 20 30 40 50) (20 30) (50 40 30 20 10) (30 20))

(list (l (u16vector-append v (u16vector) (u16vector 1))) (l (u16vector-concatenate (list (u16vector 1) (u16vector 2 3)))) (l (u16vector-append-subvectors v 0 1 v 2 4))) => ((10 20 30 40 50 1) (1 2 3) (10 30 40))

(u16vector-append v (f64vector 1)) =>error expected u16vector

(list (u16vector-empty? (u16vector)) (u16vector-empty? v) (u16vector= (u16vector 1) (u16vector 1) (u16vector 1)) (u16vector= (u16vector 1) (u16vector 1 2)) (u16vector=)) => (#t #f #t #f #t)

(list (l (u16vector-take v 2)) (l (u16vector-take-right v 2)) (l (u16vector-drop v 2)) (l (u16vector-drop-right v 2)) (map l (u16vector-segment v 2))) => ((10 20) (40 50) (30 40 50) (10 20 30) ((10 20) (30 40) (50)))

(u16vector-take v 6) =>error u16vector: index out of range

(u16vector-segment v 0) =>error u16vector-segment: not a positive length

(list (u16vector-fold (lambda (acc x) (cons x acc)) '() v) (u16vector-fold-right (lambda (acc x) (cons x acc)) '() v) (u16vector-fold (lambda (acc x y) (+ acc (* x y))) 0 v (u16vector 1 2))) => ((50 40 30 20 10) (10 20 30 40 50) 50)

(list (l (u16vector-map (lambda (x) (+ x 1)) v)) (l (u16vector-map + v (u16vector 1 2))) (let ((u (u16vector-copy v))) (u16vector-map! (lambda (x) (* 2 x)) u) (l u))) => ((11 21 31 41 51) (11 22) (20 40 60 80 100))

(u16vector-map - v) =>error u16vector: not an element of this type

(let ((n 0)) (u16vector-for-each (lambda (x) (set! n (+ n x))) v) (list n (u16vector-count (lambda (x) (> x 25)) v) (l (u16vector-cumulate + 0 v)))) => (150 3 (10 30 60 100 150))

(define (small? x) (< x 30))
(list (l (u16vector-take-while small? v)) (l (u16vector-drop-while small? v)) (l (u16vector-take-while-right (lambda (x) (> x 30)) v)) (l (u16vector-drop-while-right (lambda (x) (> x 30)) v)) (l (u16vector-take-while even? v)) (l (u16vector-drop-while-right even? v))) => ((10 20) (30 40 50) (40 50) (10 20 30) (10 20 30 40 50) ())

(list (u16vector-index even? v) (u16vector-index odd? v) (u16vector-index-right small? v) (u16vector-skip small? v) (u16vector-skip-right small? v) (u16vector-binary-search v 40 -) (u16vector-binary-search v 41 -)) => (0 #f 1 2 4 3 #f)

(list (u16vector-any (lambda (x) (and (> x 15) x)) v) (u16vector-every small? v) (l (u16vector-filter small? v)) (l (u16vector-remove small? v))) => (20 #f (10 20) (30 40 50))

(call-with-values (lambda () (u16vector-partition (lambda (x) (> x 25)) v)) (lambda (u n) (list (l u) n))) => ((30 40 50 10 20) 3)

(define (changed f) (let ((u (u16vector-copy v))) (f u) (l u)))
(list (changed (lambda (u) (u16vector-swap! u 0 4))) (changed (lambda (u) (u16vector-fill! u 9))) (changed (lambda (u) (u16vector-fill! u 9 1 3))) (changed u16vector-reverse!) (changed (lambda (u) (u16vector-reverse! u 1 4)))) => ((50 20 30 40 10) (9 9 9 9 9) (10 9 9 40 50) (50 40 30 20 10) (10 40 30 20 50))

(list (changed (lambda (u) (u16vector-copy! u 1 (u16vector 7 8)))) (changed (lambda (u) (u16vector-copy! u 1 u 0 3))) (changed (lambda (u) (u16vector-reverse-copy! u 0 (u16vector 7 8)))) (changed (lambda (u) (u16vector-unfold! (lambda (i x) (values x (+ x 1))) u 1 3 5)))) => ((10 7 8 40 50) (10 10 20 30 50) (8 7 30 40 50) (10 5 6 40 50))

(u16vector-copy! (u16vector 1) 0 v) =>error u16vector: index out of range

(list (u16vector->list v 3) (reverse-u16vector->list v) (l (reverse-list->u16vector '(1 2))) (u16vector->vector v 0 2) (l (vector->u16vector #(1 2 3) 1))) => ((40 50) (50 40 30 20 10) (2 1) #(10 20) (2 3))

(let ((g (make-u16vector-generator (u16vector 1 2)))) (let* ((a (g)) (b (g)) (c (g))) (list a b (eof-object? c)))) => (1 2 #t)

(write-u16vector (u16vector 1 2)) =>output #u16(1 2)

(write-u16vector (f64vector 1)) =>error expected u16vector

(list (x:u8vector-fold + 0 (bytevector 1 2 3)) (x:u8vector-take (bytevector 1 2 3) 2) (f64vector->list (f64vector-map sqrt (f64vector 4 9))) (c128vector->list (c128vector-map (lambda (z) (* z z)) (c128vector +i)))) => (6 #u8(1 2) (2.0 3.0) (-1.0+0.0i))

; Literals.
(list #u16(1 2) (f64vector-ref #f64(1.5 2) 1) (equal? '(#s8(-1) #c128(1+2i)) (list (s8vector -1) (c128vector 1+2i))) (read (open-input-string "#f32(0.5)"))) => (#u16(1 2) 2.0 #t #f32(0.5))

(read (open-input-string "#u16(70000)")) =>error not of its type

(read (open-input-string "#u16(a)")) =>error not of its type

(read (open-input-string "#u17(1)")) =>error unknown syntax

(define (constant) '#(#u32(4294967295) #f16(0.5)))
(write (constant)) =>output #(#u32(4294967295) #f16(0.5))
