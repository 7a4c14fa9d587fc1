; import (srfi 134)
; import (only (srfi 158) generator generator->list)
; SRFI 134: immutable deques

(define (l d) (ideque->list d))
(define (d . xs) (list->ideque xs))
(list (l (ideque 1 2 3)) (ideque? (ideque)) (ideque? '()) (ideque-empty? (ideque)) (ideque-empty? (ideque 1)) (ideque-length (ideque 1 2 3))) => ((1 2 3) #t #f #t #f 3)

(list (ideque-front (d 1 2 3)) (ideque-back (d 1 2 3)) (l (ideque-remove-front (d 1 2 3))) (l (ideque-remove-back (d 1 2 3))) (l (ideque-add-front (d 1) 0)) (l (ideque-add-back (d 1) 2))) => (1 3 (2 3) (1 2) (0 1) (1 2))

(list (ideque-front (d 1)) (ideque-back (d 1)) (l (ideque-remove-front (d 1))) (l (ideque-remove-back (d 1)))) => (1 1 () ())

(ideque-front (ideque)) =>error ideque-front: empty deque

(ideque-remove-back (ideque)) =>error ideque-remove-back: empty deque

; Taken from one end what went in at the other, in any order.
(let loop ((i 0) (q (ideque)) (out '()))
  (cond ((< i 20) (loop (+ i 1) (ideque-add-back q i) out))
        ((ideque-empty? q) (reverse out))
        (else (loop i (if (even? (length out)) (ideque-remove-front q) (ideque-remove-back q)) (cons (if (even? (length out)) (ideque-front q) (ideque-back q)) out))))) => (0 19 1 18 2 17 3 16 4 15 5 14 6 13 7 12 8 11 9 10)

(let ((x (d 0 1 2 3 4 5 6 7))) (list (map (lambda (i) (ideque-ref x i)) '(0 3 4 7)) (l (ideque-take x 3)) (l (ideque-take x 7)) (l (ideque-drop x 2)) (l (ideque-drop x 6)) (l (ideque-take-right x 2)) (l (ideque-drop-right x 3)))) => ((0 3 4 7) (0 1 2) (0 1 2 3 4 5 6) (2 3 4 5 6 7) (6 7) (6 7) (0 1 2 3 4))

(ideque-ref (d 1 2) 2) =>error ideque-ref: index out of range

(ideque-take (d 1) 2) =>error ideque-take: index out of range

(call-with-values (lambda () (ideque-split-at (d 1 2 3) 1)) (lambda (a b) (list (l a) (l b)))) => ((1) (2 3))

(list (l (ideque-append (d 1) (d) (d 2 3))) (l (ideque-reverse (d 1 2 3))) (ideque-count odd? (d 1 2 3)) (l (ideque-zip (d 1 2) (d 'a 'b)))) => ((1 2 3) (3 2 1) 2 ((1 a) (2 b)))

(list (ideque= eqv? (d 1 2) (d 1 2)) (ideque= eqv? (d 1) (d 1 2)) (ideque= eqv?) (ideque-any even? (d 1 2)) (ideque-every even? (d 1 2))) => (#t #f #t #t #f)

(list (l (ideque-tabulate 3 -)) (l (ideque-unfold (lambda (x) (> x 3)) - (lambda (x) (+ x 1)) 1)) (l (ideque-unfold-right (lambda (x) (> x 3)) - (lambda (x) (+ x 1)) 1))) => ((0 -1 -2) (-1 -2 -3) (-3 -2 -1))

(list (l (ideque-map + (d 1 2) (d 10 20))) (l (ideque-filter-map (lambda (x) (and (odd? x) (- x))) (d 1 2 3))) (ideque-fold cons '() (d 1 2)) (ideque-fold-right cons '() (d 1 2)) (l (ideque-append-map list (d 1 2) (d 'a 'b)))) => ((11 22) (-1 -3) (2 1) (1 2) (1 a 2 b))

(let ((out '())) (ideque-for-each (lambda (x) (set! out (cons x out))) (d 1 2 3)) (ideque-for-each-right (lambda (x) (set! out (cons x out))) (d 1 2 3)) out) => (1 2 3 3 2 1)

(list (l (ideque-filter odd? (d 1 2 3))) (l (ideque-remove odd? (d 1 2 3))) (ideque-find even? (d 1 2 4)) (ideque-find-right even? (d 1 2 4)) (ideque-find zero? (d 1)) (ideque-find zero? (d 1) (lambda () 'no))) => ((1 3) (2) 2 4 #f no)

(call-with-values (lambda () (ideque-partition odd? (d 1 2 3))) (lambda (a b) (list (l a) (l b)))) => ((1 3) (2))

(list (l (ideque-take-while odd? (d 1 3 4 5))) (l (ideque-drop-while odd? (d 1 3 4 5))) (l (ideque-take-while-right odd? (d 1 4 3 5))) (l (ideque-drop-while-right odd? (d 1 4 3 5)))) => ((1 3) (4 5) (3 5) (1 4))

(call-with-values (lambda () (ideque-span odd? (d 1 2 3))) (lambda (a b) (list (l a) (l b)))) => ((1) (2 3))

(call-with-values (lambda () (ideque-break even? (d 1 2 3))) (lambda (a b) (list (l a) (l b)))) => ((1) (2 3))

(list (l (generator->ideque (generator 1 2 3))) (generator->list (ideque->generator (d 1 2 3)))) => ((1 2 3) (1 2 3))
