; import (srfi 146 hamt)
; import (srfi 146 hamt-map)
; import (srfi 146 hamt-misc)
; import (srfi 146 vector-edit)
; import (only (srfi 125) hash-table-set! hash-table-ref/default)
; The parts of SRFI 146's hash maps

(list (vector-replace-one #(a b c) 1 'x) (vector-without #(a b c d) 1 3) (vector-edit #(a b c) (add 0 'x) (drop 1 1) (add 3 'y)) (vector-edit #())) => (#(a x c) #(a d) #(x a c y) #())

(list (with-output-to-string (lambda () (write-string "hi"))) (let ((n '())) (do-list (x '(a b)) (set! n (cons x n))) (do-list (x i '(c d)) (set! n (cons (cons x i) n))) n)) => ("hi" ((d . 1) (c . 0) b a))

(let ((t (make-string-hash-table))) (hash-table-set! t "a" 1) (hash-table-ref/default t (string #\a) #f)) => 1

(assert (= 1 2)) =>error assertion failed: ((= 1 2))

(define (numbers from to) (if (= from to) '() (cons from (numbers (+ from 1) to))))
(define (id x) x)
(define m (make-phm id = '((1 . a) (2 . b))))
(list (phm? m) (phm/count m) (phm/empty? m) (phm/get m 1) (phm/get m 9) (phm/get m 9 'none) (phm/contains? m 2) (phm->alist m) (phm/keys m)) => (#t 2 #f a #f none #t ((1 . a) (2 . b)) (1 2))

(list (phm->alist (phm/put m 1 'x)) (phm->alist (phm/remove m 1)) (phm/count (phm/remove m 7)) (phm->alist m)) => (((1 . x) (2 . b)) ((2 . b)) 2 ((1 . a) (2 . b)))

(list (phm->alist (phm/replace m 1 (lambda (x) (list x)))) (phm->alist (phm/replace m 5 (lambda (x) (if (hamt-null? x) 'new x))))) => (((1 a) (2 . b)) ((1 . a) (2 . b) (5 . new)))

; Many keys, with hashes that are spread, alike below, and the same.
(define (check hash n) (let* ((keys (numbers 0 n)) (m (let loop ((m (make-phm hash =)) (l keys)) (if (null? l) m (loop (phm/put m (car l) (- (car l))) (cdr l))))) (half (let loop ((m m) (l keys)) (cond ((null? l) m) ((even? (car l)) (loop (phm/remove m (car l)) (cdr l))) (else (loop m (cdr l))))))) (define (all? ok? l) (or (null? l) (and (ok? (car l)) (all? ok? (cdr l))))) (and (= n (phm/count m) (length (phm->alist m))) (= (quotient n 2) (phm/count half) (length (phm/keys half))) (all? (lambda (k) (= (- k) (phm/get m k 'no))) keys) (all? (lambda (k) (eq? (odd? k) (phm/contains? half k))) keys) (phm/empty? (let loop ((m half) (l keys)) (if (null? l) m (loop (phm/remove m (car l)) (cdr l))))))))
(list (check id 300) (check (lambda (k) (* k 1048576)) 300) (check (lambda (k) (quotient k 50)) 200) (check (lambda (k) 7) 20) (check (lambda (k) (expt k 5)) 100)) => (#t #t #t #t #t)

(let ((x (phm/mutable m))) (phm/put! x 3 'c) (phm/remove! x 1) (phm/add-alist! x '((4 . d))) (list (phm/mutable? x) (phm/mutable? m) (phm->alist x) (phm->alist m) (phm->alist (phm/immutable x (lambda (k v) (list k v)))))) => (#t #f ((2 . b) (3 . c) (4 . d)) ((1 . a) (2 . b)) ((2 2 b) (3 3 c) (4 4 d)))

(phm/put! m 1 2) =>error hamt/put!: an immutable trie

(phm/put (phm/mutable m) 1 2) =>error hamt/put: a mutable trie

(let ((t (hamt/put (hamt/put (make-hamt string=? string-length #f) "ab") "cd"))) (list (hamt/count t) (hamt-fetch t "cd") (hamt-null? (hamt-fetch t "x")) (hamt/payload? t) (hash-array-mapped-trie? t) (hamt/empty? t))) => (2 "cd" #t #f #t #f)
