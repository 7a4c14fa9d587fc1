; import (srfi 128)
; import (srfi 125)
; SRFI 125: hash tables

(define ht (make-hash-table equal?))
(hash-table-set! ht 'a 1)
(hash-table-ref ht 'a #f) => 1

(hash-table-ref ht 'zz #f) =>error non procedure application: (#f)

(hash-table-ref/default ht 'zz 9) => 9

(hash-table-ref ht 'zz (lambda () 'nope)) => nope

(hash-table->alist ht) => ((a . 1))

(hash-table? ht) => #t

(make-hash-table) =>error not enough args

(hash-table-count ht) =>error not enough args

(make-hash-table 'equal) =>error make-hash-table: not a comparator or an equality predicate: (equal)

(hash-table-ref ht 'zz) =>error hash-table-ref: key not found: (zz)

(hash-table-ref ht 'a (lambda () 0) (lambda (x) (* x 10))) => 10

(hash-table-ref ht 'zz (lambda () 0) (lambda (x) (* x 10))) => 0

; A capacity and other wishes are taken and have no effect.
(hash-table-size (make-hash-table equal? 100)) => 0

(hash-table-size (make-hash-table string=? string-hash 'weak-keys)) => 0

; Comparators.
(let ((h (make-hash-table string-comparator))) (hash-table-set! h "a" 1) (hash-table-ref h (string #\a))) => 1

(let ((h (make-hash-table default-comparator))) (hash-table-set! h 1 'a "x" 'b '(1 2) 'c) (list (hash-table-ref h 1.0) (hash-table-ref h "x") (hash-table-ref h '(1.0 2)) (hash-table-size h))) => (a b c 3)

(let ((h (make-hash-table string-ci-comparator))) (hash-table-set! h "A" 1 "a" 2) (hash-table->alist h)) => (("A" . 2))

(let ((h (make-hash-table (make-eqv-comparator)))) (hash-table-set! h 2 'b) (hash-table-ref/default h 2.0 'none)) => none

(let ((h (make-hash-table char-comparator))) (hash-table-update!/default h #\a (lambda (n) (+ n 1)) 0) (hash-table->alist h)) => ((#\a . 1))

(make-hash-table (make-comparator #t (lambda (a b) (= a b)) #f #f)) =>error the comparator has no hash function

(hash-table->alist (hash-table equal-comparator 'a 1 'b 2)) => ((a . 1) (b . 2))

(hash-table-size (hash-table equal-comparator)) => 0

(hash-table equal-comparator 'a) =>error hash-table-set!: a key without a value: (a)

(hash-table->alist (hash-table-unfold (lambda (s) (= s 4)) (lambda (s) (values s (* s s))) (lambda (s) (+ s 1)) 1 eqv-comparator)) => ((1 . 1) (2 . 4) (3 . 9))

(hash-table->alist (alist->hash-table '((a . 1) (b . 2) (a . 3)) eq-comparator)) => ((a . 1) (b . 2))

(define (t . l) (apply hash-table equal-comparator l))
(define (l h) (hash-table->alist h))
(list (hash-table-contains? (t 'a 1) 'a) (hash-table-contains? (t 'a 1) 'b) (hash-table-exists? (t 'a #f) 'a)) => (#t #f #t)

(list (hash-table-empty? (t)) (hash-table-empty? (t 1 2))) => (#t #f)

(hash-table-mutable? (t)) => #t

(hash-table=? default-comparator (t 'a 1 'b 2) (t 'b 2 'a 1)) => #t

(hash-table=? default-comparator (t 'a 1 'b 2) (t 'a 1 'b 3)) => #f

(hash-table=? default-comparator (t 'a 1) (t 'b 1)) => #f

(hash-table=? default-comparator (t 'a 1) (t 'a 1 'b 2)) => #f

(hash-table=? = (t 'a 1) (t 'a 1.0)) => #t

(hash-table=? eqv? (t 'a #f) (t 'a #f)) => #t

(let ((h (t))) (hash-table-set! h 'a 1 'b 2 'a 3) (l h)) => ((a . 3) (b . 2))

(hash-table-set! (t) 'a 1 'b) =>error hash-table-set!: a key without a value: (b)

(let ((h (t 'a 1 'b 2 'c 3))) (let ((n (hash-table-delete! h 'a 'x 'c))) (list n (l h)))) => (2 ((b . 2)))

(list (hash-table-delete! (t 'a 1) 'a) (hash-table-delete! (t 'a 1) 'b)) => (1 0)

(let ((h (t 'a 1))) (list (hash-table-intern! h 'a (lambda () 2)) (hash-table-intern! h 'b (lambda () 3)) (l h))) => (1 3 ((a . 1) (b . 3)))

(let ((h (t 'a 1))) (hash-table-update! h 'a - (lambda () 0) (lambda (x) (* x 5))) (l h)) => ((a . -5))

(let ((h (t))) (hash-table-update! h 'a (lambda (x) (cons 1 x)) (lambda () '())) (l h)) => ((a 1))

(hash-table-update! (t) 'a -) =>error hash-table-update!: key not found: (a)

(let ((h (t))) (hash-table-update!/default h 'a (lambda (x) (+ x 1)) 41) (l h)) => ((a . 42))

(let ((h (t 'a 1 'b 2))) (call-with-values (lambda () (hash-table-pop! h)) (lambda (k v) (list k v (l h))))) => (b 2 ((a . 1)))

(let ((h (make-hash-table string-ci-comparator))) (hash-table-set! h "a" 1) (call-with-values (lambda () (hash-table-pop! h)) (lambda (k v) (list k v (hash-table-size h))))) => ("a" 1 0)

(hash-table-pop! (t)) =>error hash-table-pop!: the table is empty

; After a table was emptied it works on.
(let ((h (t 'a 1 'b 2))) (hash-table-pop! h) (hash-table-pop! h) (hash-table-set! h 'c 3) (l h)) => ((c . 3))

(let ((h (t 'a 1))) (hash-table-clear! h) (list (hash-table-size h) (l h))) => (0 ())

(let ((h (make-hash-table default-comparator))) (hash-table-set! h 'a 1) (hash-table-clear! h) (hash-table-set! h 'b 2) (list (hash-table-size h) (l h))) => (1 ((b . 2)))

(list (hash-table-keys (t 'a 1 'b 2)) (hash-table-values (t 'a 1 'b 2))) => ((a b) (1 2))

(call-with-values (lambda () (hash-table-entries (t 'a 1 'b 2))) list) => ((a b) (1 2))

(hash-table-find (lambda (k v) (and (even? v) k)) (t 'a 1 'b 2) (lambda () 'none)) => b

(hash-table-find (lambda (k v) (and (> v 5) k)) (t 'a 1 'b 2) (lambda () 'none)) => none

(hash-table-count (lambda (k v) (odd? v)) (t 'a 1 'b 2 'c 3)) => 2

(let ((h (hash-table-map (lambda (v) (* v 10)) eq-comparator (t 'a 1 'b 2)))) (list (l h) (eq? (hash-table-equivalence-function h) eq?))) => (((a . 10) (b . 20)) #t)

(let ((out '())) (hash-table-for-each (lambda (k v) (set! out (cons k out))) (t 'a 1 'b 2)) out) => (b a)

(let ((out '())) (hash-table-for-each (t 'a 1 'b 2) (lambda (k v) (set! out (cons v out)))) out) => (2 1)

(let ((out '())) (hash-table-walk (t 'a 1 'b 2) (lambda (k v) (set! out (cons v out)))) out) => (2 1)

(let ((h (t 'a 1 'b 2))) (hash-table-map! (lambda (k v) (list k v)) h) (l h)) => ((a a 1) (b b 2))

(hash-table-map->list (lambda (k v) (list v k)) (t 'a 1 'b 2)) => ((1 a) (2 b))

(hash-table-map->list (t 'a 1 'b 2) (lambda (k v) v)) => (1 2)

(hash-table-fold (lambda (k v acc) (+ v acc)) 0 (t 'a 1 'b 2)) => 3

(hash-table-fold (t 'a 1 'b 2) (lambda (k v acc) (cons k acc)) '()) => (b a)

(let ((h (t 'a 1 'b 2 'c 3))) (hash-table-prune! (lambda (k v) (odd? v)) h) (l h)) => ((b . 2))

(let* ((a (t 'a 1)) (b (hash-table-copy a #t))) (hash-table-set! b 'b 2) (list (l a) (l b))) => (((a . 1)) ((a . 1) (b . 2)))

(let* ((a (t 'a 1)) (b (hash-table-empty-copy a))) (hash-table-set! b 'b 2) (list (l b) (eq? (hash-table-equivalence-function b) equal?))) => (((b . 2)) #t)

(let* ((a (hash-table string-ci-comparator "a" 1)) (b (hash-table-empty-copy a))) (hash-table-set! b "X" 2) (list (hash-table-ref b "x") (hash-table-size a) (hash-table-size b))) => (2 1 1)

; The first table's values count.
(l (hash-table-union! (t 'a 1 'b 2) (t 'b 3 'c 4))) => ((a . 1) (b . 2) (c . 4))

(l (hash-table-merge! (t 'a 1) (t 'a 3 'c 4))) => ((a . 1) (c . 4))

(l (hash-table-intersection! (t 'a 1 'b 2) (t 'b 3 'c 4))) => ((b . 2))

(l (hash-table-difference! (t 'a 1 'b 2) (t 'b 3 'c 4))) => ((a . 1))

(l (hash-table-xor! (t 'a 1 'b 2) (t 'b 3 'c 4))) => ((a . 1) (c . 4))

(let ((h (t 'a 1 'b 2))) (l (hash-table-xor! h h))) => ()

(hash-table-union! (t) 5) =>error invalid type, expected Hash-Table: (5)

(list (= (hash '(a)) (hash (list 'a))) (= (string-ci-hash "A") (string-ci-hash "a")) (exact-integer? (hash-by-identity "x"))) => (#t #t #t)

(eq? (hash-table-hash-function (make-hash-table equal?)) hash) => #t

; An error of a procedure leaves the table as it was.
(let ((h (t 'a 1))) (guard (e (#t #f)) (hash-table-update! h 'a (lambda (x) (error "no")))) (l h)) => ((a . 1))

; A key hashed by its contents when it was put in.
(let ((h (t)) (big (make-vector 100 'x))) (hash-table-set! h big 1) (hash-table-ref h (make-vector 100 'x))) => 1

; Lists that begin alike are told apart.
(let ((h (t)) (base (make-list 100 'x)))
  (do ((i 0 (+ i 1))) ((= i 50)) (hash-table-set! h (append base (list i)) i))
  (list (hash-table-size h) (hash-table-ref h (append base (list 31))))) => (50 31)

; Homogeneous vectors are keys by their contents.
(let ((h (make-hash-table equal?))) (hash-table-set! h '#u16(1 2) 'a) (hash-table-set! h '(#f64(1.0)) 'b) (list (hash-table-ref/default h '#u16(1 2) #f) (hash-table-ref/default h '(#f64(1.0)) #f) (hash-table-ref/default h '#s16(1 2) #f))) => (a b #f)
