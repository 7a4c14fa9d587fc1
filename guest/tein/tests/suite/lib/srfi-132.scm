; import (srfi 132)
; SRFI 132: sorting

(list-sort < '(3 1 2)) => (1 2 3)

(list-sort > '(3 1 2)) => (3 2 1)

(list-sort < '()) => ()

(list-sort < '(1)) => (1)

(list-sort < '(9 8 7 6 5 4 3 2 1 0 9 8 7 6 5 4 3 2 1 0)) => (0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9 9)

(list-sort string<? '("b" "a" "c")) => ("a" "b" "c")

; Every length, against what it should be.
(let loop ((n 0))
  (or (= n 60)
      (let ((l (let make ((i 0) (out '())) (if (= i n) out (make (+ i 1) (cons (modulo (* i 37) n) out))))))
        (and (list-sorted? < (list-sort < l)) (= (length (list-sort < l)) n) (= (apply + l) (apply + (list-sort < l))) (loop (+ n 1)))))) => #t

; Stable.
(list-sort (lambda (a b) (< (car a) (car b))) '((2 . a) (1 . b) (2 . c) (1 . d) (2 . e) (0 . f) (1 . g) (2 . h) (0 . i))) => ((0 . f) (0 . i) (1 . b) (1 . d) (1 . g) (2 . a) (2 . c) (2 . e) (2 . h))

(list-stable-sort < '(2 1)) => (1 2)

(list-sort! < (list 2 3 1)) => (1 2 3)

(list-stable-sort! < (list 2 3 1)) => (1 2 3)

; The list is not changed.
(let* ((l (list 3 1 2)) (s (list-sort < l))) (list l s)) => ((3 1 2) (1 2 3))

(list-sort '(3 1 2) <) =>error list-sort: not a procedure: ((3 1 2))

(list-sort < 5) =>error invalid type, expected List

(list-sort < '(1 a 2)) =>error invalid type, expected Number

(vector-sort < #(3 1 2)) => #(1 2 3)

(vector-sort < #(5 4 3 2 1) 1) => #(1 2 3 4)

(vector-sort < #(5 4 3 2 1) 1 4) => #(2 3 4)

(vector-sort < #()) => #()

(let* ((v (vector 3 1 2)) (s (vector-sort < v))) (list v s (eq? v s))) => (#(3 1 2) #(1 2 3) #f)

(let* ((v (vector 1 2)) (s (vector-sort < v))) (eq? v s)) => #f

(let ((v (vector 5 4 3 2 1))) (vector-sort! < v) v) => #(1 2 3 4 5)

(let ((v (vector 5 4 3 2 1))) (vector-sort! < v 3) v) => #(5 4 3 1 2)

(let ((v (vector 5 4 3 2 1))) (vector-sort! < v 1 4) v) => #(5 2 3 4 1)

(let ((v (vector 2 1))) (vector-stable-sort! < v) v) => #(1 2)

(vector-stable-sort < #(2 1)) => #(1 2)

(vector-sort < #(1 2) 3) =>error vector-sort: index out of range

(vector-sort < #(1 2) 2 1) =>error vector-sort: index out of range: (2 1)

(vector-sort #(1 2) <) =>error

; An order that is none does no harm.
(vector-length (vector-sort (lambda (a b) #t) (make-vector 50 1))) => 50

(let ((v (make-vector 1000)))
  (do ((i 0 (+ i 1))) ((= i 1000)) (vector-set! v i (modulo (* i 617) 1009)))
  (vector-sorted? < (vector-sort < v))) => #t

(list (list-sorted? < '()) (list-sorted? < '(1)) (list-sorted? < '(1 1 2)) (list-sorted? < '(2 1))) => (#t #t #t #f)

(list (vector-sorted? < #()) (vector-sorted? < #(1 1 2)) (vector-sorted? < #(3 1 2)) (vector-sorted? < #(3 1 2) 1) (vector-sorted? < #(1 3 2) 0 2)) => (#t #t #f #t #t)

(vector-sorted? < #(1 2) 0 5) =>error vector-sorted?: index out of range

(list-merge < '(1 3 5) '(2 4)) => (1 2 3 4 5)

(list-merge < '() '(1)) => (1)

(list-merge < '(1) '()) => (1)

; Of equals those of the first list come first.
(list-merge (lambda (a b) (< (car a) (car b))) '((1 . a) (2 . a)) '((1 . b) (2 . b))) => ((1 . a) (1 . b) (2 . a) (2 . b))

(list-merge! < (list 1 4) (list 2 3)) => (1 2 3 4)

(vector-merge < #(1 3 5) #(2 4)) => #(1 2 3 4 5)

(vector-merge < #(9 1 3) #(2 4 0) 1 3 0 2) => #(1 2 3 4)

(vector-merge < #() #()) => #()

(let ((to (make-vector 6 'x))) (vector-merge! < to #(1 3) #(2) 1) to) => #(x 1 2 3 x x)

(let ((to (make-vector 3 'x))) (vector-merge! < to #(1 3) #(2)) to) => #(1 2 3)

(let ((to (make-vector 4 'x))) (vector-merge! < to #(0 1 3) #(2 9) 1 1 3 0 1) to) => #(x 1 2 3)

(vector-merge! < (make-vector 2) #(1 3) #(2)) =>error vector-merge!: index out of range

(list-delete-neighbor-dups = '(1 1 2 3 3 3 1)) => (1 2 3 1)

(list-delete-neighbor-dups = '()) => ()

(list-delete-neighbor-dups! eq? (list 'a 'a 'b)) => (a b)

; The first of a run stays.
(list-delete-neighbor-dups (lambda (a b) (= (car a) (car b))) '((1 . a) (1 . b) (2 . c))) => ((1 . a) (2 . c))

(vector-delete-neighbor-dups = #(1 1 2 3 3 3 1)) => #(1 2 3 1)

(vector-delete-neighbor-dups = #(1 1 2 2 3) 1 4) => #(1 2)

(vector-delete-neighbor-dups = #()) => #()

(let* ((v (vector 1 1 2 3 3)) (end (vector-delete-neighbor-dups! = v))) (list end (vector-copy v 0 end))) => (3 #(1 2 3))

(let* ((v (vector 9 9 1 1 2)) (end (vector-delete-neighbor-dups! = v 2))) (list end (vector-copy v 0 end))) => (4 #(9 9 1 2))

(vector-find-median < #() 'none) => none

(vector-find-median < #(3 1 2) 'none) => 2

(vector-find-median < #(4 1 3 2) 'none) => 5/2

(vector-find-median < #(4 1 3 2) 'none list) => (2 3)

(vector-find-median string<? #("b" "a") 'none string-append) => "ab"

(let* ((v (vector 3 1 2)) (m (vector-find-median! < v 'none))) (list m v)) => (2 #(1 2 3))

(let* ((v (vector 3 1 2)) (m (vector-find-median < v 'none))) (list m v)) => (2 #(3 1 2))

(vector-select! < (vector 5 3 1 4 2) 0) => 1

(vector-select! < (vector 5 3 1 4 2) 3) => 4

(vector-select! < (vector 5 3 1 4 2) 1 2 5) => 2

(vector-select! < (vector 1 2) 2) =>error vector-select!: index out of range: (2)

(vector-select! < (vector) 0) =>error vector-select!: index out of range

(let ((v (vector 5 3 1 4 2))) (vector-separate! < v 2) (list-sort < (vector->list v 0 2))) => (1 2)

(let ((v (vector 0 5 3 1 4 2))) (vector-separate! < v 3 1) (list (vector-ref v 0) (list-sort < (vector->list v 1 4)))) => (0 (1 2 3))

(vector-separate! < (vector 1 2) 3) =>error vector-separate!: index out of range
