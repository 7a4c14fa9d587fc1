; import (srfi 128)
; SRFI 128: comparators

(comparator? default-comparator) => #t

(comparator? 5) => #f

(list (comparator-ordered? default-comparator) (comparator-hashable? default-comparator)) => (#t #t)

(list (comparator-ordered? eq-comparator) (comparator-hashable? eq-comparator)) => (#f #t)

(define mod (make-comparator exact-integer? (lambda (a b) (= (modulo a 10) (modulo b 10))) (lambda (a b) (< (modulo a 10) (modulo b 10))) (lambda (x) (modulo x 10))))
(list (=? mod 3 13) (=? mod 3 14) (<? mod 19 1) (<? mod 11 22)) => (#t #f #f #t)

(comparator-hash mod 17) => 7

(list (comparator-test-type mod 1) (comparator-test-type mod "a")) => (#t #f)

(comparator-check-type mod 1) => #t

(comparator-check-type mod "a") =>error comparator-check-type: not of the comparator's type: ("a")

(define bare (make-comparator #t eqv? #f #f))
(list (comparator-ordered? bare) (comparator-hashable? bare) (comparator-test-type bare car)) => (#f #f #t)

(<? bare 1 2) =>error comparator: no ordering predicate

(comparator-hash bare 1) =>error comparator: no hash function

; Equality from the order.
(let ((c (make-comparator real? #t < #f))) (list (=? c 1 1.0) (=? c 1 2))) => (#t #f)

(eq? (comparator-equality-predicate string-comparator) string=?) => #t

(eq? (comparator-ordering-predicate string-comparator) string<?) => #t

(eq? (comparator-hash-function string-comparator) string-hash) => #t

(eq? (comparator-type-test-predicate string-comparator) string?) => #t

; Chains.
(list (=? real-comparator 1 1 1.0) (=? real-comparator 1 1 2) (=? real-comparator 1 2 2)) => (#t #f #f)

(list (<? real-comparator 1 2 3) (<? real-comparator 1 3 2) (<? real-comparator 1 1)) => (#t #f #f)

(list (>? real-comparator 3 2 1) (>? real-comparator 3 1 2)) => (#t #f)

(list (<=? real-comparator 1 1 2) (<=? real-comparator 1 2 1)) => (#t #f)

(list (>=? real-comparator 2 1 1) (>=? real-comparator 1 2)) => (#t #f)

(=? real-comparator 1) =>error not enough args

; The default comparator: the order of types.
(let loop ((l (list '() '(1) #f #\a "a" 'a 1 #(1) (bytevector 1))))
  (or (null? (cdr l)) (and (<? default-comparator (car l) (cadr l)) (not (<? default-comparator (cadr l) (car l))) (loop (cdr l))))) => #t

(list (<? default-comparator #f #t) (<? default-comparator #t #f) (<? default-comparator #t #t)) => (#t #f #f)

(list (<? default-comparator 'a 'b) (<? default-comparator "a" "b") (<? default-comparator #\a #\b) (<? default-comparator 1 2.5)) => (#t #t #t #t)

(list (<? default-comparator '(1 2) '(1 3)) (<? default-comparator '(1 2) '(1)) (<? default-comparator '(1) '(1 2)) (<? default-comparator '(2) '(1 9))) => (#t #f #t #f)

; Vectors by length first.
(list (<? default-comparator #(9) #(1 1)) (<? default-comparator #(1 2) #(1 3)) (<? default-comparator #(1 3) #(1 2))) => (#t #t #f)

(list (<? default-comparator (bytevector 9) (bytevector 1 1)) (<? default-comparator (bytevector 1 2) (bytevector 1 3))) => (#t #t)

(list (=? default-comparator 1 1.0) (=? default-comparator '(1 #(2 "x")) (list 1.0 (vector 2 (string #\x)))) (=? default-comparator 1 "1") (=? default-comparator '() #f)) => (#t #t #f #f)

(list (=? default-comparator (bytevector 1 2) (bytevector 1 2)) (=? default-comparator #(1) #(1 2)) (=? default-comparator 'a 'a)) => (#t #f #t)

(list (=? default-comparator car car) (=? default-comparator car cdr)) => (#t #f)

(list (= (default-hash 1) (default-hash 1.0)) (= (default-hash '(1 "a" #(2))) (default-hash (list 1.0 (string #\a) (vector 2)))) (= (default-hash 1/2) (default-hash 0.5))) => (#t #t #t)

; Numbers that are not finite have a hash too.
(list (exact-integer? (default-hash +inf.0)) (exact-integer? (default-hash +nan.0)) (exact-integer? (default-hash (make-rectangular 1 2)))) => (#t #t #t)

; A long or deep datum is no trouble.
(exact-integer? (default-hash (make-list 100000 1))) => #t

(=? default-comparator (make-list 20000 'a) (make-list 20000 'a)) => #t

(<? default-comparator (make-list 20000 'a) (append (make-list 20000 'a) '(b))) => #t

; Registered types.
(define-record-type point (make-point x y) point? (x point-x) (y point-y))
(comparator-register-default!
  (make-comparator point? (lambda (a b) (= (point-x a) (point-x b))) (lambda (a b) (< (point-x a) (point-x b))) (lambda (p) (point-x p))))
(list (=? default-comparator (make-point 1 2) (make-point 1 3)) (<? default-comparator (make-point 1 2) (make-point 2 0)) (<? default-comparator (make-point 2 0) (make-point 1 2))) => (#t #t #f)

(list (default-hash (make-point 7 0)) (<? default-comparator #(1) (make-point 1 2)) (=? default-comparator (make-point 1 2) 1)) => (7 #t #f)

(=? default-comparator (list (make-point 1 2)) (list (make-point 1 9))) => #t

(comparator-register-default! 5) =>error comparator-register-default!: not a comparator: (5)

; Made from others.
(define pairs (make-pair-comparator real-comparator string-comparator))
(list (comparator-test-type pairs '(1 . "a")) (comparator-test-type pairs '("a" . 1)) (comparator-test-type pairs 1)) => (#t #f #f)

(list (=? pairs '(1 . "a") '(1.0 . "a")) (<? pairs '(1 . "a") '(1 . "b")) (<? pairs '(2 . "a") '(1 . "b"))) => (#t #t #f)

(= (comparator-hash pairs '(1 . "a")) (comparator-hash pairs '(1.0 . "a"))) => #t

(comparator-ordered? (make-pair-comparator eq-comparator real-comparator)) => #f

(define lists (make-list-comparator real-comparator list? null? car cdr))
(list (comparator-test-type lists '(1 2)) (comparator-test-type lists '(1 a)) (comparator-test-type lists 5)) => (#t #f #f)

(list (=? lists '(1 2) '(1.0 2)) (=? lists '(1 2) '(1)) (<? lists '() '(1)) (<? lists '(1 2) '(1 3)) (<? lists '(1 2) '(1)) (<? lists '(2) '(1 5))) => (#t #f #t #t #f #f)

(= (comparator-hash lists '(1 2)) (comparator-hash lists '(1.0 2.0))) => #t

(define vectors (make-vector-comparator real-comparator vector? vector-length vector-ref))
(list (comparator-test-type vectors #(1 2)) (comparator-test-type vectors #(1 a))) => (#t #f)

(list (=? vectors #(1 2) #(1 2.0)) (<? vectors #(9) #(1 1)) (<? vectors #(1 2) #(1 3)) (<? vectors #(1 3) #(1 3))) => (#t #t #t #f)

; The ready-made ones.
(list (<? boolean-comparator #f #t) (=? boolean-comparator #t #t) (comparator-test-type boolean-comparator 0)) => (#t #t #f)

(list (<? char-comparator #\a #\b) (=? char-ci-comparator #\a #\A) (<? char-ci-comparator #\a #\B)) => (#t #t #t)

(list (=? string-ci-comparator "aB" "Ab") (<? string-ci-comparator "a" "B") (=? string-comparator "a" "A")) => (#t #t #f)

(list (<? list-comparator '(1 a) '(1 b)) (<? vector-comparator #(a) #(1 2))) => (#t #t)

(list (=? eq-comparator 'a 'a) (=? eqv-comparator 1.5 1.5) (=? equal-comparator "a" "a") (=? eqv-comparator "a" (string #\a))) => (#t #t #t #f)

(<? (make-equal-comparator) 1 2) =>error comparator: no ordering predicate

; Hashes of equal things are equal.
(list (= (char-ci-hash #\A) (char-ci-hash #\a)) (= (string-ci-hash "AB") (string-ci-hash "ab")) (= (number-hash 2) (number-hash 2.0)) (= (symbol-hash 'a) (symbol-hash 'a)) (boolean-hash #f)) => (#t #t #t #t 0)

(char-hash "a") =>error invalid type, expected Char

(symbol-hash "a") =>error invalid type, expected Symbol

(list (exact-integer? (hash-bound)) (exact-integer? (hash-salt)) (< -1 (default-hash '(a "b" 3)) (hash-bound))) => (#t #t #t)

(map (lambda (x) (comparator-if<=> real-comparator x 2 'less 'equal 'greater)) '(1 2 3)) => (less equal greater)

(comparator-if<=> "a" "b" 'less 'equal 'greater) => less

; Only the branch that is taken is evaluated.
(comparator-if<=> 1 1 (error "less") 'equal (error "greater")) => equal

(list (comparator-max real-comparator 3 1 4 1) (comparator-min real-comparator 3 1 4 1) (comparator-max real-comparator 3)) => (4 1 3)

(list (comparator-max-in-list string-comparator '("b" "c" "a")) (comparator-min-in-list string-comparator '("b" "c" "a"))) => ("c" "a")

(comparator-max real-comparator) =>error not enough args

; make-eq-comparator compares by identity and has no order.
(let ((c (make-eq-comparator))) (list (=? c 'a 'a) (=? c (list 1) (list 1)) (comparator-ordered? c) (exact-integer? (comparator-hash c 'a)))) => (#t #f #f #t)
