; import (srfi 95)
; SRFI 95: sorting and merging

(sort '(3 1 2) <) => (1 2 3)

(sort '(3 1 2) >) => (3 2 1)

(sort '() <) => ()

(sort '(1) <) => (1)

(sort (vector 3 1 2) <) => #(1 2 3)

(sort (vector) <) => #()

(sort '(2 1 2 1) <) => (1 1 2 2)

(sort '("b" "a" "c") string<?) => ("a" "b" "c")

(sort '(#\c #\a) char<?) => (#\a #\c)

; By key, and stable.
(sort '((b . 1) (a . 2) (c . 0)) < cdr) => ((c . 0) (b . 1) (a . 2))

(sort '((1 . a) (0 . b) (1 . c) (0 . d)) < car) => ((0 . b) (0 . d) (1 . a) (1 . c))

(map cdr (sort '((2 . a) (1 . b) (2 . c) (1 . d) (2 . e)) (lambda (x y) (< (car x) (car y))))) => (b d a c e)

; The argument is not changed.
(let* ((a (list 3 1 2)) (b (sort a <))) (list a b)) => ((3 1 2) (1 2 3))

(let* ((a (vector 3 1 2)) (b (sort a <))) (list a b)) => (#(3 1 2) #(1 2 3))

(let ((v (vector 3 1 2))) (sort! v <) v) => #(1 2 3)

(sort! (list 3 1 2) <) => (1 2 3)

(merge '(1 3 5) '(2 4) <) => (1 2 3 4 5)

(merge '() '(1) <) => (1)

(merge '(1) '() <) => (1)

; Equal elements of the first list come first.
(merge '((1 . a) (2 . a)) '((1 . b) (2 . b)) < car) => ((1 . a) (1 . b) (2 . a) (2 . b))

(merge! (list 1 3) (list 2) <) => (1 2 3)

(sorted? '(1 2 2 3) <) => #t

(sorted? '(1 3 2) <) => #f

(sorted? '() <) => #t

(sorted? #(1 2 3) <) => #t

(sorted? #(2 1) <) => #f

(sorted? '((1 . z) (2 . a)) < car) => #t

(define (numbers n) (let loop ((i 0) (x 12345) (out '())) (if (= i n) out (loop (+ i 1) (modulo (+ (* x 1103515245) 12345) 2147483648) (cons x out)))))
(sorted? (sort (numbers 5000) <) <) => #t

(length (sort (numbers 5000) <)) => 5000

; Orders that are already there, or reversed.
(define (upto n) (let loop ((i (- n 1)) (out '())) (if (< i 0) out (loop (- i 1) (cons i out)))))
(equal? (sort (upto 1000) <) (upto 1000)) => #t

(equal? (sort (reverse (upto 1000)) <) (upto 1000)) => #t

; A comparison that escapes.
(call/cc (lambda (k) (sort '(3 1 2) (lambda (a b) (k 'out))))) => out

(sort '(1 a) <) =>error invalid type, expected Number: (a)

(sort 5 <) =>error invalid type, expected List: (5)
