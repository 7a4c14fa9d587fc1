; import (srfi 128)
; import (srfi 113)
; import (only (srfi 132) list-sort)
; SRFI 113: sets and bags

(define c (make-default-comparator))
(define (sorted s) (list-sort < (if (set? s) (set->list s) (bag->list s))))
(sorted (set c 3 1 2 3)) => (1 2 3)

(list (set? (set c)) (set? (bag c)) (bag? (bag c)) (set-empty? (set c)) (set-empty? (set c 1))) => (#t #f #t #t #f)

(set 5 1) =>error set: not a comparator

(list (set-contains? (set c 1 2) 2) (set-contains? (set c 1 2) 3) (set-member (set c "a") "a" #f) (set-member (set c) 1 'none)) => (#t #f "a" none)

(list (sorted (set-unfold (lambda (i) (= i 3)) (lambda (i) (* i i)) (lambda (i) (+ i 1)) 0 c)) (sorted (set-unfold c (lambda (i) (= i 2)) (lambda (i) i) (lambda (i) (+ i 1)) 0))) => ((0 1 4) (0 1))

(let* ((s (set c 1)) (t (set-adjoin s 2 3))) (list (sorted s) (sorted t) (sorted (set-adjoin! s 9)) (sorted s))) => ((1) (1 2 3) (1 9) (1 9))

(list (sorted (set-delete (set c 1 2 3) 2 7)) (sorted (set-delete-all (set c 1 2 3) '(1 3)))) => ((1 3) (2))

(define ci string-ci-comparator)
(list (set->list (set-adjoin (set ci "A") "a")) (set->list (set-replace (set ci "A") "a")) (set->list (set-replace (set ci "A") "b"))) => (("A") ("a") ("A"))

(call-with-values (lambda () (set-search! (set c 1 2) 3 (lambda (insert ignore) (insert 'new)) (lambda (x update remove) (remove x)))) (lambda (s x) (list (sorted s) x))) => ((1 2 3) new)

(call-with-values (lambda () (set-search! (set c 1 2) 2 (lambda (insert ignore) (ignore 'new)) (lambda (x update remove) (update 7 'up)))) (lambda (s x) (list (sorted s) x))) => ((1 7) up)

(call-with-values (lambda () (set-search! (set c 1 2) 2 (lambda (insert ignore) (ignore 'new)) (lambda (x update remove) (remove 'gone)))) (lambda (s x) (list (sorted s) x))) => ((1) gone)

(let ((s (set c 1 2 3 4 5))) (list (set-size s) (set-count odd? s) (set-any? even? s) (set-every? even? s) (set-find (lambda (x) (> x 4)) s (lambda () 'no)) (set-find zero? s (lambda () 'no)))) => (5 3 #t #f 5 no)

(list (sorted (set-map c (lambda (x) (quotient x 2)) (set c 1 2 3 4))) (set-fold + 0 (set c 1 2 3))) => ((0 1 2) 6)

(let ((n 0)) (set-for-each (lambda (x) (set! n (+ n x))) (set c 1 2 3)) n) => 6

(list (sorted (set-filter odd? (set c 1 2 3))) (sorted (set-remove odd? (set c 1 2 3)))) => ((1 3) (2))

(call-with-values (lambda () (set-partition odd? (set c 1 2 3))) (lambda (a b) (list (sorted a) (sorted b)))) => ((1 3) (2))

(let* ((a (set c 1)) (b (set-copy a))) (set-adjoin! b 2) (list (sorted a) (sorted b) (sorted (list->set c '(1 1 2))) (sorted (list->set! b '(5))))) => ((1) (1 2) (1 2) (1 2 5))

(let ((a (set c 1 2)) (b (set c 2 1)) (d (set c 1 2 3))) (list (set=? a b) (set=? a d) (set<? a d) (set<? a b) (set<=? a b d) (set>? d a) (set>=? d a b) (set>? a d))) => (#t #f #t #f #t #t #t #f)

(set=? (set c 1) (set ci "a")) =>error set: different comparators

(list (sorted (set-union (set c 1 2) (set c 2 3) (set c 4))) (sorted (set-intersection (set c 1 2 3) (set c 2 3 4) (set c 3))) (sorted (set-difference (set c 1 2 3) (set c 2) (set c 3 9))) (sorted (set-xor (set c 1 2) (set c 2 3)))) => ((1 2 3 4) (3) (1) (1 3))

(let ((s (set c 1 2))) (set-union! s (set c 3)) (set-intersection! s (set c 2 3)) (set-difference! s (set c 3)) (set-xor! s (set c 8)) (sorted s)) => (2 8)

(list (set-disjoint? (set c 1) (set c 2)) (set-disjoint? (set c 1 2) (set c 2)) (sorted (set-xor (set c 1) (set c 1)))) => (#t #f ())

(let ((s (set c 1 2))) (list (sorted (set-xor! s s)) (eq? (set-element-comparator s) c))) => (() #t)

(let ((ss (set set-comparator (set c 1 2) (set c 2 1) (set c 3)))) (set-size ss)) => 2

; Bags count.
(sorted (bag c 1 2 2 3)) => (1 2 2 3)

(let ((b (bag c 1 2 2 3))) (list (bag-size b) (bag-unique-size b) (bag-element-count b 2) (bag-element-count b 9) (bag-contains? b 2))) => (4 3 2 0 #t)

(list (sorted (bag-union (bag c 1 1 2) (bag c 1 2 2))) (sorted (bag-intersection (bag c 1 1 2) (bag c 1 2 2))) (sorted (bag-difference (bag c 1 1 2) (bag c 1))) (sorted (bag-xor (bag c 1 1 2) (bag c 1 3)))) => ((1 1 2 2) (1 2) (1 2) (1 2 3))

(list (sorted (bag-sum (bag c 1 2) (bag c 1) (bag c 3))) (sorted (bag-product 2 (bag c 1 2 2)))) => ((1 1 2 3) (1 1 2 2 2 2))

(bag-product -1 (bag c 1)) =>error bag: not a count

(let ((b (bag c 1))) (bag-increment! b 2 3) (bag-decrement! b 1 5) (bag-decrement! b 2 1) (sorted b)) => (2 2)

(list (sorted (bag-delete (bag c 1 1 2) 1)) (sorted (bag-delete-all (bag c 1 1 2) '(1 1))) (sorted (bag-adjoin (bag c 1) 1))) => ((1 2) (2) (1 1))

(let ((b (bag c 1 1 2))) (list (bag=? b (bag c 1 2 1)) (bag<? (bag c 1 2) b) (bag<=? b (bag c 1 2)) (bag>? b (bag c 1)) (bag=? b (bag c 1 2)))) => (#t #t #f #t #f)

(list (sorted (bag->set (bag c 1 1 2))) (sorted (set->bag (set c 1 2))) (sorted (set->bag! (bag c 1) (set c 1 2)))) => ((1 2) (1 2) (1 1 2))

(list (bag->alist (bag c 5 5)) (sorted (alist->bag c '((1 . 2) (2 . 1) (1 . 9)))) (bag-fold-unique (lambda (x n acc) (+ acc (* x n))) 0 (bag c 1 2 2))) => (((5 . 2)) (1 1 2) 5)

(let ((n 0)) (bag-for-each-unique (lambda (x k) (set! n (+ n 1))) (bag c 1 1 2)) n) => 2

(list (bag-count even? (bag c 2 2 3)) (bag-fold cons '() (bag c 7 7)) (sorted (bag-filter even? (bag c 2 2 3))) (sorted (bag-map c abs (bag c 1 -1)))) => (2 (7 7) (2 2) (1 1))

(call-with-values (lambda () (bag-search! (bag c 1 1) 1 (lambda (insert ignore) 1) (lambda (x update remove) (remove 'r)))) (lambda (b x) (list (sorted b) x))) => ((1) r)

; The names that may change their argument give what the others give.
(define (s123) (set c 1 2 3))
(map sorted (list (set-delete! (s123) 1 9) (set-delete-all! (s123) '(1 2)) (set-filter! odd? (s123)) (set-remove! odd? (s123))))
  => ((2 3) (3) (1 3) (2))

(map sorted (call-with-values (lambda () (set-partition! odd? (s123))) list)) => ((1 3) (2))

; What replaces an element is equal to it, and is the new one.
(define strings (make-equal-comparator))
(define new (string #\a))
(let ((s (set-replace! (set strings (string #\a)) new))) (eq? (set-member s "a" #f) new)) => #t

(list (set-size (set-replace! (s123) 9)) (set-contains? (set-replace! (s123) 9) 9)) => (3 #f)

; Bags.
(define (b) (bag c 1 1 2 3))
(map sorted (list (bag-adjoin! (b) 1) (bag-delete! (b) 1) (bag-replace! (b) 2) (bag-replace (b) 9) (bag-filter! odd? (b)) (bag-remove odd? (b)) (bag-remove! odd? (b)) (bag-copy (b)) (list->bag c '(3 3 1)) (list->bag! (b) '(3))))
  => ((1 1 1 2 3) (1 2 3) (1 1 2 3) (1 1 2 3) (1 1 3) (2) (2) (1 1 2 3) (1 3 3) (1 1 2 3 3))

(map sorted (call-with-values (lambda () (bag-partition odd? (b))) list)) => ((1 1 3) (2))

(map sorted (call-with-values (lambda () (bag-partition! odd? (b))) list)) => ((1 1 3) (2))

(sorted (bag-unfold null? car cdr '(1 1 2) c)) => (1 1 2)

(list (bag-empty? (bag c)) (bag-empty? (b)) (bag-disjoint? (b) (bag c 9)) (bag-disjoint? (b) (bag c 1)) (bag-member (b) 1 'no) (bag-member (b) 9 'no) (eq? (bag-element-comparator (b)) c))
  => (#t #f #t #f 1 no #t)

(list (bag-find odd? (bag c 1 2) (lambda () 'none)) (bag-find odd? (bag c 2) (lambda () 'none)) (bag-any? even? (b)) (bag-any? negative? (b)) (bag-every? positive? (b)) (bag-every? odd? (b)))
  => (1 none #t #f #t #f)

(let ((sum 0)) (bag-for-each (lambda (x) (set! sum (+ sum x))) (b)) sum) => 7

(list (bag>=? (b) (bag c 1 1)) (bag>=? (bag c 1) (b)) (bag>=? (b) (b) (bag c 1))) => (#t #f #t)

; A union takes the greater count, a sum adds them, an intersection takes the smaller.
(map sorted (list (bag-union! (b) (bag c 1 1 1)) (bag-intersection! (b) (bag c 1 2 2)) (bag-difference! (b) (bag c 1 2)) (bag-sum! (b) (bag c 1)) (bag-product! 2 (b)) (bag-xor! (bag c 1 1 2) (bag c 1 3))))
  => ((1 1 1 2 3) (1 2) (1 3) (1 1 1 2 3) (1 1 1 1 2 2 3 3) (1 2 3))

(list ((comparator-equality-predicate bag-comparator) (b) (b)) ((comparator-equality-predicate bag-comparator) (b) (bag c 1 2 3)) ((comparator-type-test-predicate bag-comparator) (s123))) => (#t #f #f)
