; import (srfi 160 uvector)
; The procedures of SRFI 160 for a type of one's own: here, vectors of even numbers behind a record

(define-record-type evens (wrap v) ev? (v unwrap))
(define (make-ev n . fill) (wrap (apply make-vector n fill)))
(define (ev-length u) (vector-length (unwrap u)))
(define (ev-ref u i) (vector-ref (unwrap u) i))
(define (ev-set! u i x) (if (even? x) (vector-set! (unwrap u) i x) (error "odd" x)))
(define-uvector-procedures even? ev? make-ev ev-length ev-ref ev-set!
  ev ev-unfold ev-unfold-right ev-copy ev-reverse-copy ev-append ev-concatenate ev-append-subvectors
  ev-empty? ev= ev-take ev-take-right ev-drop ev-drop-right ev-segment ev-fold ev-fold-right ev-map
  ev-map! ev-for-each ev-count ev-cumulate ev-take-while ev-take-while-right ev-drop-while
  ev-drop-while-right ev-index ev-index-right ev-skip ev-skip-right ev-binary-search ev-any ev-every
  ev-partition ev-filter ev-remove ev-swap! ev-fill! ev-reverse! ev-copy! ev-reverse-copy! ev->list
  reverse-ev->list list->ev ev->vector vector->ev make-ev-generator write-ev)
(define a (ev 2 4 6 8))
(list (ev->list a) (ev->list a 1 3) (reverse-ev->list a) (ev->vector a) (ev->list (vector->ev #(2 4))) (ev->list (list->ev '(8)))) => ((2 4 6 8) (4 6) (8 6 4 2) #(2 4 6 8) (2 4) (8))

(ev 1) =>error odd: (1)

(define (l u) (ev->list u))
(list (l (ev-unfold (lambda (i) (* 2 i)) 3)) (l (ev-unfold-right (lambda (i s) (values s (+ s 2))) 3 0)) (l (ev-copy a 2)) (l (ev-reverse-copy a)) (l (ev-append a (ev 0))) (l (ev-concatenate (list a a))) (l (ev-append-subvectors a 0 1 a 3 4))) => ((0 2 4) (4 2 0) (6 8) (8 6 4 2) (2 4 6 8 0) (2 4 6 8 2 4 6 8) (2 8))

(list (ev-empty? (ev)) (ev= a (ev 2 4 6 8)) (l (ev-take a 1)) (l (ev-take-right a 1)) (l (ev-drop a 1)) (l (ev-drop-right a 1)) (map l (ev-segment a 3))) => (#t #t (2) (8) (4 6 8) (2 4 6) ((2 4 6) (8)))

(ev-take a 5) =>error index out of range

(define (small? x) (< x 5))
(list (ev-fold + 0 a) (ev-fold-right (lambda (acc x) (cons x acc)) '() a) (l (ev-map + a a)) (ev-count small? a) (l (ev-cumulate + 0 a)) (l (ev-take-while small? a)) (l (ev-drop-while small? a)) (l (ev-take-while-right even? a)) (l (ev-drop-while-right even? a))) => (20 (2 4 6 8) (4 8 12 16) 2 (2 6 12 20) (2 4) (6 8) (2 4 6 8) ())

(list (ev-index small? a) (ev-index-right small? a) (ev-skip small? a) (ev-skip-right small? a) (ev-binary-search a 6 -) (ev-any small? a) (ev-every small? a) (l (ev-filter small? a)) (l (ev-remove small? a))) => (0 1 2 3 2 #t #f (2 4) (6 8))

(call-with-values (lambda () (ev-partition (lambda (x) (> x 5)) a)) (lambda (u n) (list (l u) n))) => ((6 8 2 4) 2)

(define (after f) (let ((u (ev-copy a))) (f u) (l u)))
(list (after (lambda (u) (ev-swap! u 0 3))) (after (lambda (u) (ev-fill! u 0 1 3))) (after ev-reverse!) (after (lambda (u) (ev-copy! u 2 a 0 2))) (after (lambda (u) (ev-reverse-copy! u 0 a 0 2))) (after (lambda (u) (ev-map! (lambda (x) (* x x)) u)))) => ((8 4 6 2) (2 0 0 8) (8 6 4 2) (2 4 2 4) (4 2 6 8) (4 16 36 64))

(let ((n 0)) (ev-for-each (lambda (x) (set! n (+ n x))) a) (let ((g (make-ev-generator (ev 2)))) (let* ((x (g)) (y (g))) (list n x (eof-object? y))))) => (20 2 #t)

(write-ev a) =>output #(2 4 6 8)

(ev->list 5) =>error not a homogeneous vector of this type
