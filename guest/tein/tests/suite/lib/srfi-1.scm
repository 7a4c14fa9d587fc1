; import (srfi 1)
; SRFI 1: list library

; Constructors
(xcons 1 2) => (2 . 1)

(cons* 1 2 '(3 4)) => (1 2 3 4)

(cons* 1) => 1

(list-tabulate 4 values) => (0 1 2 3)

(list-tabulate 0 values) => ()

(iota 5) => (0 1 2 3 4)

(iota 5 1) => (1 2 3 4 5)

(iota 5 0 -2) => (0 -2 -4 -6 -8)

(iota 3 0.5 0.25) => (0.5 0.75 1.0)

(iota 0) => ()

(let ((c (circular-list 1 2))) (list (list-ref c 0) (list-ref c 3) (list-ref c 100))) => (1 2 1)

(take (circular-list 'a 'b) 5) => (a b a b a)

; Predicates
(map proper-list? (list '() '(1 2) '(1 . 2) 5 (circular-list 1))) => (#t #t #f #f #f)

(map circular-list? (list '() '(1 2) '(1 . 2) 5 (circular-list 1))) => (#f #f #f #f #t)

(map dotted-list? (list '() '(1 2) '(1 . 2) 5 (circular-list 1))) => (#f #f #t #t #f)

(map not-pair? '(1 (1) ())) => (#t #f #t)

(list (null-list? '()) (null-list? '(1))) => (#t #f)

(list= eq?) => #t

(list= eq? '(a)) => #t

(list= eq? '(a b) '(a b) '(a b)) => #t

(list= eq? '(a b) '(a b) '(a c)) => #f

(list= = '(1 2) '(1 2 3)) => #f

(list= = '(1 2 3) '(1 2)) => #f

; Selectors
(define ten '(1 2 3 4 5 6 7 8 9 10))
(list (first ten) (second ten) (third ten) (fourth ten) (fifth ten) (sixth ten) (seventh ten) (eighth ten) (ninth ten) (tenth ten)) => (1 2 3 4 5 6 7 8 9 10)

(third '(1 2)) =>error not a pair

(call-with-values (lambda () (car+cdr '(1 . 2))) list) => (1 2)

(take '(a b c d e) 2) => (a b)

(drop '(a b c d e) 2) => (c d e)

(take '(1 2 3 . d) 2) => (1 2)

(drop '(1 2 3 . d) 3) => d

(take '(1) 2) =>error not a pair

(drop '(1) 2) =>error not a pair

(take-right '(a b c d e) 2) => (d e)

(drop-right '(a b c d e) 2) => (a b c)

(take-right '(1 2 3 . d) 2) => (2 3 . d)

(drop-right '(1 2 3 . d) 2) => (1)

(drop-right '(1 2) 2) => ()

(take! (list 1 2 3) 2) => (1 2)

(drop-right! (list 1 2 3) 1) => (1 2)

(call-with-values (lambda () (split-at '(a b c d e) 3)) list) => ((a b c) (d e))

(call-with-values (lambda () (split-at! (list 1 2) 0)) list) => (() (1 2))

(last '(a b c)) => c

(last-pair '(a b c . d)) => (c . d)

(last '()) =>error not a pair

; Miscellaneous
(list (length+ '(1 2)) (length+ '()) (length+ (circular-list 1 2 3))) => (2 0 #f)

(concatenate '((1 2) (3) () (4))) => (1 2 3 4)

(append! (list 1 2) (list 3) '() (list 4)) => (1 2 3 4)

(append! '() '()) => ()

(append!) => ()

(let* ((a (list 1)) (b (append! a (list 2)))) (eq? a b)) => #t

(concatenate! (list (list 1) (list 2))) => (1 2)

(reverse! (list 1 2 3)) => (3 2 1)

(append-reverse '(3 2 1) '(4 5)) => (1 2 3 4 5)

(append-reverse! (list 2 1) 3) => (1 2 . 3)

(zip '(1 2 3) '(a b)) => ((1 a) (2 b))

(zip '(1 2)) => ((1) (2))

(unzip1 '((1 a) (2 b))) => (1 2)

(call-with-values (lambda () (unzip2 '((1 one) (2 two)))) list) => ((1 2) (one two))

(call-with-values (lambda () (unzip3 '((1 a x) (2 b y)))) list) => ((1 2) (a b) (x y))

(count even? '(3 1 4 1 5 9 2 6)) => 3

(count < '(1 2 4 8) '(2 4 6 8 10 12)) => 3

; Folds
(fold + 0 '(1 2 3)) => 6

(fold cons '() '(1 2 3)) => (3 2 1)

(fold cons* '() '(a b c) '(1 2 3 4)) => (c 3 b 2 a 1)

(fold-right cons '() '(1 2 3)) => (1 2 3)

(fold-right cons* '() '(a b c) '(1 2 3)) => (a 1 b 2 c 3)

(fold-right (lambda (x acc) (if (even? x) (cons x acc) acc)) '() '(1 2 3 4)) => (2 4)

(fold - 0 '(1 2 3)) => 2

(pair-fold cons '() '(a b)) => ((b) (a b))

(pair-fold-right cons '() '(a b c)) => ((a b c) (b c) (c))

(pair-fold (lambda (p tail) (set-cdr! p tail) p) '() (list 1 2 3)) => (3 2 1)

(reduce + 0 '(1 2 3)) => 6

(reduce + 'empty '()) => empty

(reduce max 0 '(3)) => 3

(reduce - 0 '(1 2 3 4)) => 2

(reduce-right + 0 '(1 2 3)) => 6

(reduce-right append '() '((1) (2) (3))) => (1 2 3)

(unfold (lambda (x) (> x 10)) (lambda (x) (* x x)) (lambda (x) (+ x 1)) 1) => (1 4 9 16 25 36 49 64 81 100)

(unfold null? car cdr '(1 2) (lambda (x) 'tail)) => (1 2 . tail)

(unfold-right zero? (lambda (x) (* x x)) (lambda (x) (- x 1)) 5) => (1 4 9 16 25)

(unfold-right null? car cdr '(1 2 3) '(4)) => (3 2 1 4)

(append-map (lambda (x) (list x (- x))) '(1 3 8)) => (1 -1 3 -3 8 -8)

(append-map list '(1 2) '(a b)) => (1 a 2 b)

(map! (lambda (x) (* x 2)) (list 1 2)) => (2 4)

(map-in-order + '(1 2) '(10 20)) => (11 22)

(let ((out '())) (pair-for-each (lambda (p) (set! out (cons p out))) '(a b c)) out) => ((c) (b c) (a b c))

(filter-map (lambda (x) (and (number? x) (* x x))) '(a 1 b 3 c 7)) => (1 9 49)

(filter-map (lambda (a b) (and (= a b) a)) '(1 2 3) '(1 0 3)) => (1 3)

; Filtering and searching
(filter even? '(0 7 8 8 43 -4)) => (0 8 8 -4)

(remove even? '(0 7 8 8 43 -4)) => (7 43)

(call-with-values (lambda () (partition symbol? '(one 2 3 four five 6))) list) => ((one four five) (2 3 6))

(filter! odd? (list 1 2 3)) => (1 3)

(remove! odd? (list 1 2 3)) => (2)

(call-with-values (lambda () (partition! odd? (list 1 2 3))) list) => ((1 3) (2))

(find even? '(3 1 4 1 5 9)) => 4

(find even? '(1 3)) => #f

(find-tail even? '(3 1 37 -8 -5 0 0)) => (-8 -5 0 0)

(find-tail even? '(3 1)) => #f

(any integer? '(a 3 b 2.7)) => #t

(any integer? '(a 3.1 b 2.7)) => #f

(any (lambda (x) (and (even? x) (* x 10))) '(1 2 3)) => 20

(any < '(3 1 4 1 5) '(2 7 1 8 2)) => #t

(any odd? '()) => #f

(every odd? '(1 3)) => #t

(every odd? '()) => #t

(every (lambda (x) (and (odd? x) (* x 10))) '(1 3)) => 30

(every < '(1 2) '(2 3 0)) => #t

(every odd? '(1 2)) => #f

(list-index even? '(3 1 4 1 5 9)) => 2

(list-index < '(3 1 4 1 5 9 2 5 6) '(2 7 1 8 2)) => 1

(list-index = '(3 1 4 1 5 9 2 5 6) '(2 7 1 8 2)) => #f

(take-while even? '(2 18 3 10 22 9)) => (2 18)

(take-while even? '()) => ()

(drop-while even? '(2 18 3 10 22 9)) => (3 10 22 9)

(call-with-values (lambda () (span even? '(2 18 3 10))) list) => ((2 18) (3 10))

(call-with-values (lambda () (break even? '(3 1 4 1 5 9))) list) => ((3 1) (4 1 5 9))

(call-with-values (lambda () (span! even? (list 2 3))) list) => ((2) (3))

(call-with-values (lambda () (break! even? (list 3 2))) list) => ((3) (2))

; Deletion
(delete 1 '(1 2 1 3)) => (2 3)

(delete "a" '("a" "b" "a")) => ("b")

(delete 5 '(1 4 6 9) <) => (1 4)

(delete! 1 (list 1 2)) => (2)

(delete-duplicates '(a b a c a b c z)) => (a b c z)

(delete-duplicates '((a . 3) (b . 7) (c . 1) (a . 9) (b . 11)) (lambda (x y) (eq? (car x) (car y)))) => ((a . 3) (b . 7) (c . 1))

(delete-duplicates! (list 1 1 2)) => (1 2)

; Association lists
(alist-cons 'a 1 '((b . 2))) => ((a . 1) (b . 2))

(let* ((a (list (cons 'x 1))) (b (alist-copy a))) (set-cdr! (car b) 2) (list a b)) => (((x . 1)) ((x . 2)))

(alist-delete 'a '((a . 1) (b . 2) (a . 3))) => ((b . 2))

(alist-delete 5 '((1 . a) (9 . b)) <) => ((1 . a))

(alist-delete! "x" (list (cons "x" 1))) => ()

; Sets
(lset<= eq? '(a) '(a b a) '(a b c c)) => #t

(lset<= eq?) => #t

(lset<= eq? '(a z) '(a b)) => #f

(lset= eq? '(b e a) '(a e b) '(e e b a)) => #t

(lset= eq? '(a) '(a b)) => #f

(lset-adjoin eq? '(a b c d c e) 'd 'a 'e 'f) => (f a b c d c e)

(lset-union eq? '(a b c d e) '(a e i o u)) => (u o i a b c d e)

(lset-union eq? '(a a c) '(x a x)) => (x a a c)

(lset-union eq?) => ()

(lset-union eq? '(a b c)) => (a b c)

(lset-intersection eq? '(a b c d e) '(a e i o u)) => (a e)

(lset-intersection eq? '(a x y a) '(x a x z)) => (a x a)

(lset-intersection eq? '(a b c)) => (a b c)

(lset-difference eq? '(a b c d e) '(a e i o u)) => (b c d)

(lset-difference eq? '(a b c)) => (a b c)

(lset= eq? (lset-xor eq? '(a b c d e) '(a e i o u)) '(d c b i o u)) => #t

(lset-xor eq?) => ()

(call-with-values (lambda () (lset-diff+intersection eq? '(a b c d) '(a) '(c e))) list) => ((b d) (a c))

; Long lists need no stack.
(fold + 0 (iota 100000)) => 4999950000

(length (filter even? (iota 100000))) => 50000

(apply + (fold-right cons '() (iota 10000))) => 49995000

(length (append-map list (iota 5000) (iota 5000))) => 10000

(length (delete-duplicates (map (lambda (i) (modulo i 10)) (iota 1000)))) => 10

; Procedures are called properly from them: an escape leaves.
(call/cc (lambda (k) (fold (lambda (x acc) (if (> x 2) (k acc) (+ x acc))) 0 '(1 2 3 4)))) => 3

(filter 5 '(1)) =>error non procedure application: (5)

(reduce) =>error not enough args

; The names that may reuse their argument's pairs give what the others give.
(list (append-map! (lambda (x) (list x x)) (list 1 2)) (take-while! even? (list 2 4 5 6)) (lset-union! eq? (list 'a 'b) (list 'b 'c)) (lset-intersection! eq? (list 'a 'b 'c) (list 'c 'a)) (lset-difference! eq? (list 'a 'b 'c) (list 'b)) (lset-xor! eq? (list 'a 'b) (list 'b 'c)))
  => ((1 1 2 2) (2 4) (c a b) (a c) (a c) (c a))

(call-with-values (lambda () (lset-diff+intersection! eq? (list 'a 'b 'c) (list 'b 'd))) list) => ((a c) (b))

(call-with-values (lambda () (unzip4 '((1 2 3 4) (5 6 7 8)))) list) => ((1 5) (2 6) (3 7) (4 8))

(call-with-values (lambda () (unzip5 '((1 2 3 4 5)))) list) => ((1) (2) (3) (4) (5))
