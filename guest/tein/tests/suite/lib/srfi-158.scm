; import (srfi 158)
; import (only (srfi 1) unfold)
; import (rename (scheme generator) (generator->list g121->list))
; SRFI 158 (and 121): generators and accumulators

(define (l g . k) (apply generator->list g k))
(list (l (generator)) (l (generator 1 2 3)) (l (circular-generator 1 2) 5)) => (() (1 2 3) (1 2 1 2 1))

(list (l (make-iota-generator 3)) (l (make-iota-generator 3 8)) (l (make-iota-generator 3 8 2)) (l (make-iota-generator 0))) => ((0 1 2) (8 9 10) (8 10 12) ())

(list (l (make-range-generator 3) 4) (l (make-range-generator 3 8)) (l (make-range-generator 3 8 2))) => ((3 4 5 6) (3 4 5 6 7) (3 5 7))

(define g (make-coroutine-generator (lambda (yield) (let loop ((i 0)) (when (< i 3) (yield i) (loop (+ i 1)))))))
(list (l g) (eof-object? (g)) (eof-object? (g))) => ((0 1 2) #t #t)

(list (l (list->generator '(1 2))) (l (vector->generator #(1 2 3 4))) (l (vector->generator #(1 2 3 4) 2)) (l (vector->generator #(1 2 3 4) 1 3))) => ((1 2) (1 2 3 4) (3 4) (2 3))

(list (l (reverse-vector->generator #(1 2 3 4))) (l (reverse-vector->generator #(1 2 3 4) 2)) (l (reverse-vector->generator #(1 2 3 4) 1 3))) => ((4 3 2 1) (4 3) (3 2))

(list (l (string->generator "abc" 1)) (l (bytevector->generator #u8(1 2 3) 0 2))) => ((#\b #\c) (1 2))

(l ((make-for-each-generator vector-for-each) #(1 2 3))) => (1 2 3)

(l (make-unfold-generator (lambda (s) (> s 5)) (lambda (s) (* s 2)) (lambda (s) (+ s 1)) 0)) => (0 2 4 6 8 10)

(list (l (gcons* 'a 'b (make-range-generator 0 3))) (l (gappend (make-range-generator 0 3) (generator) (make-range-generator 0 2))) (l (gappend))) => ((a b 0 1 2) (0 1 2 0 1) ())

(l (gcombine (lambda (x acc) (values (+ x acc) (+ acc 1))) 10 (generator 1 2 3))) => (11 13 15)

(list (l (gfilter odd? (make-range-generator 1 8))) (l (gremove odd? (make-range-generator 1 8)))) => ((1 3 5 7) (2 4 6))

(l (gstate-filter (lambda (x s) (values (even? s) (+ s 1))) 0 (generator 'a 'b 'c 'd))) => (a c)

(list (l (gtake (make-range-generator 1) 3)) (l (gtake (generator 1) 3 'x)) (l (gtake (generator 1) 3)) (l (gdrop (make-range-generator 1 5) 2)) (l (gdrop (generator 1) 5))) => ((1 2 3) (1 x x) (1) (3 4) ())

(list (l (gtake-while (lambda (x) (< x 3)) (generator 1 2 3 1))) (l (gdrop-while (lambda (x) (< x 3)) (generator 1 2 3 1)))) => ((1 2) (3 1))

(list (l (gdelete 3 (generator 1 3 2 3.0))) (l (gdelete 3 (generator 1 3 3.0) =)) (l (gdelete-neighbor-dups (generator 1 1 2 2 1) =))) => ((1 2 3.0) (1) (1 2 1))

(list (l (gindex (list->generator '(a b c d e f)) (generator 0 2 4))) (l (gselect (generator 'a 'b 'c) (generator #t #f #t #t)))) => ((a c e) (a c))

(list (l (gflatten (generator (generator 1) (generator) (generator 2 3)))) (l (ggroup (generator 1 2 3 4 5) 2)) (l (ggroup (generator 1 2 3) 2 0)) (l (ggroup (generator 1 2) 2))) => ((1 2 3) ((1 2) (3 4) (5)) ((1 2) (3 0)) ((1 2)))

(list (l (gmerge < (generator 1 4 6) (generator 2 3 7))) (l (gmerge < (generator 1))) (l (gmerge < (generator 1 4) (generator 2) (generator 3)))) => ((1 2 3 4 6 7) (1) (1 2 3 4))

(list (l (gmap - (generator 1 2))) (l (gmap cons (generator 1 2) (generator 'a 'b 'c)))) => ((-1 -2) ((1 . a) (2 . b)))

(list (generator->list (generator 1 2 3) 2) (generator->reverse-list (generator 1 2 3)) (generator->reverse-list (generator 1 2 3) 2) (generator->vector (generator 1 2)) (generator->string (generator #\a #\b) 1)) => ((1 2) (3 2 1) (2 1) #(1 2) "a")

(let ((v (vector 0 0 0 0))) (list (generator->vector! v 2 (generator 1 2 3)) v)) => (2 #(0 0 1 2))

(list (generator-fold + 0 (generator 1 2 3)) (generator-fold (lambda (a b acc) (cons (+ a b) acc)) '() (generator 1 2) (generator 10 20 30))) => (6 (22 11))

(let ((n 0)) (generator-for-each (lambda (a b) (set! n (+ n (* a b)))) (generator 1 2) (generator 3 4 5)) n) => 11

(list (generator-map->list + (generator 1 2) (generator 10 20)) (generator-find even? (generator 1 2 3)) (generator-find even? (generator 1)) (generator-count odd? (generator 1 2 3))) => ((11 22) 2 #f 2)

(list (generator-any (lambda (x) (and (even? x) x)) (generator 1 2)) (generator-any even? (generator)) (generator-every (lambda (x) (and (odd? x) x)) (generator 1 3)) (generator-every odd? (generator 1 2)) (generator-every odd? (generator))) => (2 #f 3 #f #t)

(generator-unfold (generator 1 2 3) unfold) => (1 2 3)

(define (feed a . xs) (for-each a xs) (a (eof-object)))
(list (feed (count-accumulator) 1 2) (feed (list-accumulator) 1 2) (feed (reverse-list-accumulator) 1 2) (feed (vector-accumulator) 1 2) (feed (reverse-vector-accumulator) 1 2)) => (2 (1 2) (2 1) #(1 2) #(2 1))

(list (feed (string-accumulator) #\a #\b) (feed (bytevector-accumulator) 1 2) (feed (sum-accumulator) 1 2 3) (feed (product-accumulator) 2 3 4)) => ("ab" #u8(1 2) 6 24)

(list (feed (vector-accumulator! (vector 0 0 0) 1) 'a 'b) (feed (bytevector-accumulator! (bytevector 0 0) 0) 7) (feed (make-accumulator + 10 -) 1 2)) => (#(0 a b) #u8(7 0) -13)

(feed (vector-accumulator! (vector 0) 0) 1 2) =>error vector-set!: index out of range

(g121->list (gtake (make-range-generator 0) 2)) => (0 1)
