; import (srfi 69)
; SRFI 69: basic hash tables

(hash-table? (make-hash-table)) => #t

(hash-table? '((a . 1))) => #f

(hash-table? (vector)) => #f

(define h (make-hash-table))
(hash-table-set! h 'a 1)
(hash-table-set! h "b" 2)
(hash-table-set! h '(c d) 3)
(hash-table-ref h 'a) => 1

(hash-table-ref h "b") => 2

(hash-table-ref h (list 'c 'd)) => 3

(hash-table-ref h 'x) =>error hash-table-ref: key not found: (x)

(hash-table-ref h 'x (lambda () 'none)) => none

(hash-table-ref h 'a (lambda () 'none)) => 1

(hash-table-ref h 'a 5) => 1

(hash-table-ref h 'x 5) =>error non procedure application: (5)

(hash-table-ref/default h 'x 9) => 9

(hash-table-ref/default h 'a 9) => 1

(hash-table-size h) => 3

(hash-table-exists? h "b") => #t

(hash-table-exists? h "c") => #f

(hash-table-set! h 'a 10)
(list (hash-table-ref h 'a) (hash-table-size h)) => (10 3)

(hash-table-delete! h "b")
(list (hash-table-exists? h "b") (hash-table-size h)) => (#f 2)

(hash-table-delete! h 'nothing)
(hash-table-size h) => 2

; #f is a value like others.
(hash-table-set! h 'f #f)
(list (hash-table-ref h 'f (lambda () 'none)) (hash-table-exists? h 'f)) => (#f #t)

(define u (make-hash-table equal?))
(hash-table-update! u 'n (lambda (x) (+ x 1)) (lambda () 0))
(hash-table-update! u 'n (lambda (x) (+ x 1)) (lambda () 0))
(hash-table-ref u 'n) => 2

(hash-table-update! u 'm (lambda (x) x)) =>error hash-table-update!: key not found: (m)

(hash-table-update!/default u 'k (lambda (l) (cons 1 l)) '())
(hash-table-update!/default u 'k (lambda (l) (cons 2 l)) '())
(hash-table-ref u 'k) => (2 1)

; The order is that of insertion.
(hash-table->alist (alist->hash-table '((a . 1) (b . 2) (c . 3)))) => ((a . 1) (b . 2) (c . 3))

(hash-table-keys (alist->hash-table '((a . 1) (b . 2) (c . 3)))) => (a b c)

(hash-table-values (alist->hash-table '((a . 1) (b . 2) (c . 3)))) => (1 2 3)

(hash-table-ref (alist->hash-table '((a . 1) (a . 2)) eq?) 'a) => 1

(hash-table-fold (alist->hash-table '((a . 1) (b . 2))) (lambda (k v acc) (+ v acc)) 10) => 13

(let ((out '())) (hash-table-walk (alist->hash-table '((a . 1) (b . 2))) (lambda (k v) (set! out (cons (list k v) out)))) out) => ((b 2) (a 1))

; The table may change during a walk.
(let ((h (alist->hash-table '((a . 1) (b . 2) (c . 3)))))
  (hash-table-walk h (lambda (k v) (hash-table-delete! h k) (hash-table-set! h v k)))
  (hash-table->alist h)) => ((1 . a) (2 . b) (3 . c))

(let* ((a (alist->hash-table '((a . 1)))) (b (hash-table-copy a)))
  (hash-table-set! b 'a 2)
  (list (hash-table-ref a 'a) (hash-table-ref b 'a))) => (1 2)

; The second table's values count.
(hash-table->alist (hash-table-merge! (alist->hash-table '((a . 1) (b . 2))) (alist->hash-table '((b . 3) (c . 4))))) => ((a . 1) (b . 3) (c . 4))

(eq? (hash-table-equivalence-function (make-hash-table eqv?)) eqv?) => #t

(eq? (hash-table-equivalence-function (make-hash-table)) equal?) => #t

(eq? (hash-table-hash-function (make-hash-table)) hash) => #t

(eq? (hash-table-hash-function (make-hash-table string=?)) string-hash) => #t

(eq? (hash-table-hash-function (make-hash-table eq?)) hash-by-identity) => #t

; Equivalences.
(let ((h (make-hash-table eq?)) (k "k")) (hash-table-set! h k 1) (list (hash-table-ref/default h k 0) (hash-table-ref/default h (string #\k) 0))) => (1 0)

(let ((h (make-hash-table eqv?))) (hash-table-set! h 100000000000000000000 1) (hash-table-ref/default h (* 10 10000000000000000000) 0)) => 1

(let ((h (make-hash-table eqv?))) (hash-table-set! h 1.5 1) (list (hash-table-ref/default h 1.5 0) (hash-table-ref/default h 3/2 0))) => (1 0)

(let ((h (make-hash-table))) (hash-table-set! h 1 'exact) (hash-table-ref/default h 1.0 'none)) => none

(let ((h (make-hash-table string=?))) (hash-table-set! h "λ" 1) (hash-table-ref h (string #\λ))) => 1

(hash-table-set! (make-hash-table string=?) 'a 1) =>error invalid type, expected String: (a)

(let ((h (make-hash-table string-ci=?))) (hash-table-set! h "Abc" 1) (hash-table-set! h "aBC" 2) (hash-table->alist h)) => (("Abc" . 2))

(let ((h (make-hash-table =))) (hash-table-set! h 1 'one) (list (hash-table-ref h 1.0) (hash-table-ref/default h 2 'none))) => (one none)

; Any predicate will do, with or without a hash function.
(define (same-parity? a b) (eq? (even? a) (even? b)))
(let ((h (make-hash-table same-parity?))) (hash-table-set! h 1 'odd) (hash-table-set! h 2 'even) (hash-table-set! h 3 'odd-again) (hash-table->alist h)) => ((1 . odd-again) (2 . even))

(let ((h (make-hash-table same-parity? (lambda (x) (modulo x 2))))) (hash-table-set! h 1 'odd) (hash-table-set! h 2 'even) (list (hash-table-ref h 7) (hash-table-ref h 8) (hash-table-size h))) => (odd even 2)

; A hash function that wants a bound.
(let ((h (make-hash-table same-parity? (lambda (x bound) (modulo (modulo x 2) bound))))) (hash-table-set! h 1 'odd) (hash-table-ref h 9)) => odd

(let ((h (make-hash-table same-parity?)))
  (hash-table-set! h 1 'odd)
  (hash-table-set! h 2 'even)
  (hash-table-delete! h 5)
  (hash-table-delete! h 7)
  (list (hash-table->alist h) (hash-table-size h) (hash-table-exists? h 1))) => (((2 . even)) 1 #f)

; A copy has cells of its own.
(let* ((a (make-hash-table same-parity?)) (b (begin (hash-table-set! a 1 'x) (hash-table-copy a))))
  (hash-table-set! b 3 'y)
  (list (hash-table-ref a 1) (hash-table-ref b 1))) => (x y)

(make-hash-table 5) =>error make-hash-table: not a comparator or an equality predicate: (5)

(hash-table-set! '() 1 2) =>error invalid type, expected Hash-Table: (())

(hash-table-ref 'x 1) =>error invalid type, expected Hash-Table: (x)

(hash-table-size 5) =>error invalid type, expected Hash-Table: (5)

; Cells are the entries themselves.
(let* ((h (alist->hash-table '((a . 1)))) (c (hash-table-cell h 'a #f)))
  (set-cdr! c 5)
  (list c (hash-table-ref h 'a) (hash-table->alist h) (hash-table-values h))) => ((a . 5) 5 ((a . 5)) (5))

(let* ((h (make-hash-table)) (c (hash-table-cell h 'a 7)))
  (hash-table-set! h 'a 8)
  (hash-table-set! h 'b 9)
  (list c (hash-table-ref h 'b) (hash-table-size h))) => ((a . 8) 9 2)

(let ((h (alist->hash-table '((a . 1))))) (list (hash-table-cell h 'x #f) (hash-table-size h))) => (#f 1)

(let ((h (alist->hash-table '((a . 1) (b . 2)))))
  (hash-table-cell h 'a #f)
  (hash-table-delete! h 'a)
  (let ((copy (hash-table-copy h)))
    (hash-table-set! copy 'b 3)
    (list (hash-table->alist h) (hash-table->alist copy)))) => (((b . 2)) ((b . 3)))

(let* ((h (make-hash-table same-parity?)) (c (hash-table-cell h 1 'new)))
  (set-cdr! c 'newer)
  (list (hash-table-ref h 3) (hash-table-cell h 2 #f))) => (newer #f)

; Hashes agree with equality and keep to the bound.
(= (hash '(1 "two" #(3))) (hash (list 1 (string #\t #\w #\o) (vector 3)))) => #t

(< -1 (hash "anything" 10) 10) => #t

(= (string-hash "abc") (string-hash (string #\a #\b #\c))) => #t

(= (string-ci-hash "ABC") (string-ci-hash "abc")) => #t

(< -1 (string-hash "abc" 7) 7) => #t

(< -1 (string-ci-hash "abc" 7) 7) => #t

(= (hash-by-identity 'a) (hash-by-identity 'a)) => #t

(string-hash 5) =>error invalid type, expected String

(hash 'a 0) =>error hash: the bound is zero

; Many keys, taken out again.
(let ((h (make-hash-table)))
  (do ((i 0 (+ i 1))) ((= i 2000)) (hash-table-set! h (number->string i) i))
  (do ((i 0 (+ i 2))) ((= i 2000)) (hash-table-delete! h (number->string i)))
  (do ((i 0 (+ i 4))) ((>= i 2000)) (hash-table-set! h (number->string i) (- i)))
  (list (hash-table-size h) (hash-table-ref h "1999") (hash-table-ref h "4") (hash-table-exists? h "2"))) => (1500 1999 -4 #f)
