; R7RS 6.4 Pairs and lists

(define x (list 'a 'b 'c))
(define y x)
(list? y) => #t

(begin (set-cdr! x 4) y) => (a . 4)

(eqv? x y) => #t

(list? y) => #f

(begin (set-cdr! x x) (list? x)) => #f

(map pair? (list '(a . b) '(a b c) '() '#(a b) 'a)) => (#t #t #f #f #f)

(cons 'a '()) => (a)

(cons '(a) '(b c d)) => ((a) b c d)

(cons "a" '(b c)) => ("a" b c)

(cons 'a 3) => (a . 3)

(cons '(a b) 'c) => ((a b) . c)

(car '(a b c)) => a

(car '((a) b c d)) => (a)

(car '(1 . 2)) => 1

(car '()) =>error car: not a pair: (())

(cdr '((a) b c d)) => (b c d)

(cdr '(1 . 2)) => 2

(cdr '()) =>error cdr: not a pair: (())

(car #(1)) =>error car: not a pair: (#(1))

(let ((p (cons 1 2))) (set-car! p 'x) (set-cdr! p 'y) p) => (x . y)

(set-car! '() 1) =>error set-car!: not a pair: (())

(set-cdr! 5 1) =>error set-cdr!: not a pair: (5)

(list (caar '((1 2) 3)) (cadr '(1 2)) (cdar '((1 2))) (cddr '(1 2 3))) => (1 2 (2) (3))

(cadr '(1)) =>error car: not a pair: (())

(caar '(1)) =>error car: not a pair: (1)

(cddr '(1)) =>error cdr: not a pair: (())

; (scheme cxr)
(list (caddr '(1 2 3)) (cdddr '(1 2 3 4)) (cadddr '(1 2 3 4)) (cddddr '(1 2 3 4 5))) => (3 (4) 4 (5))

(define tree '(((a . b) . (c . d)) . ((e . f) . (g . h))))
(list (caaar tree) (cdaar tree) (cadar tree) (cddar tree) (caadr tree) (cdadr tree) (caddr tree) (cdddr tree)) => (a b c d e f g h)

(define big '((((a . b) c . d) (e . f) g . h) ((i . j) k . l) (m . n) o . p))
(list (caaaar big) (cdaaar big) (cadaar big) (cddaar big) (caadar big) (cdadar big) (caddar big) (cdddar big)) => (a b c d e f g h)

(list (caaadr big) (cdaadr big) (cadadr big) (cddadr big) (caaddr big) (cdaddr big) (cadddr big) (cddddr big)) => (i j k l m n o p)

(map null? (list '() '(a) #f 0 "")) => (#t #f #f #f #f)

(map list? (list '(a b c) '() '(a . b) 5 '#0=(a . #0#))) => (#t #t #f #f #f)

(make-list 2 3) => (3 3)

(length (make-list 5)) => 5

(make-list 0 'x) => ()

(make-list -1) =>error 

(make-list 'a) =>error 

(list 'a (+ 3 4) 'c) => (a 7 c)

(list) => ()

(length '(a b c)) => 3

(length '(a (b) (c d e))) => 3

(length '()) => 0

(length '(a . b)) =>error invalid type, expected List: ((a . b))

(length 5) =>error invalid type, expected List: (5)

(length '#0=(1 . #0#)) =>error invalid type, expected List

(append '(x) '(y)) => (x y)

(append '(a) '(b c d)) => (a b c d)

(append '(a (b)) '((c))) => (a (b) (c))

(append '(a b) '(c . d)) => (a b c . d)

(append '() 'a) => a

(append) => ()

(append '(1)) => (1)

(append 5) => 5

(append '(1) '(2) '() '(3 4) '()) => (1 2 3 4)

; The last argument is shared, the others are copied.
(let ((a (list 1)) (b (list 2))) (let ((c (append a b))) (list (eq? (cdr c) b) (eq? c a)))) => (#t #f)

(append '(1 . 2) '(3)) =>error invalid type, expected List: ((1 . 2))

(append 5 '(1)) =>error invalid type, expected List: (5)

(reverse '(a b c)) => (c b a)

(reverse '(a (b c) d (e (f)))) => ((e (f)) d (b c) a)

(reverse '()) => ()

(reverse 'a) =>error invalid type, expected List: (a)

(list-tail '(a b c d) 2) => (c d)

(list-tail '(a b) 0) => (a b)

(list-tail '(a b) 2) => ()

(list-tail '(a b . c) 2) => c

(list-tail '(1 2 3) 5) =>error cdr: not a pair: (())

(list-tail '(1) -1) =>error 

(list-ref '(a b c d) 2) => c

(list-ref '(a b c d) (exact (round 1.8))) => c

(list-ref '(a b) 2) =>error car: not a pair: (())

(list-ref '(a b) 5) =>error not a pair

(list-ref '(a) 'x) =>error invalid type, expected Integer: (x)

(let ((ls (list 'one 'two 'five!))) (list-set! ls 2 'three) ls) => (one two three)

(list-set! (list 1) 1 'x) =>error not a pair

(memq 'c '(a b c d e)) => (c d e)

(memq 'z '(a b)) => #f

(memq (list 'a) '(b (a) c)) => #f

(member (list 'a) '(b (a) c)) => ((a) c)

(member "B" '("a" "b" "c") string-ci=?) => ("b" "c")

(memq 101 '(100 101 102)) => (101 102)

(memv 101 '(100 101 102)) => (101 102)

(memv 1.5 '(1 1.5)) => (1.5)

(memv 100000000000000000000 '(1 100000000000000000000)) => (100000000000000000000)

(member 2.0 '(1 2 3) =) => (2 3)

(member 2 '()) => #f

; The predicate gets the object first.
(member 3 '(1 2 4 5) <) => (4 5)

(define e '((a 1) (b 2) (c 3)))
(assq 'a e) => (a 1)

(assq 'b e) => (b 2)

(assq 'd e) => #f

(assq (list 'a) '(((a)) ((b)) ((c)))) => #f

(assoc (list 'a) '(((a)) ((b)) ((c)))) => ((a))

(assoc 2.0 '((1 1) (2 4) (3 9)) =) => (2 4)

(assv 5 '((2 3) (5 7) (11 13))) => (5 7)

(assoc "b" '(("a" . 1) ("b" . 2))) => ("b" . 2)

(assoc 3 '((1 . a) (4 . b)) <) => (4 . b)

(list-copy '(1 2 3)) => (1 2 3)

(list-copy '()) => ()

(list-copy '(1 2 . 3)) => (1 2 . 3)

(list-copy 5) => 5

(let* ((a (list 1 2)) (b (list-copy a))) (set-car! b 'x) (list a b (eq? a b))) => ((1 2) (x 2) #f)

(let* ((a (list 1 (list 2))) (b (list-copy a))) (eq? (cadr a) (cadr b))) => #t

; Lists far longer than any stack.
(length (let loop ((i 0) (l '())) (if (= i 300000) l (loop (+ i 1) (cons i l))))) => 300000

(apply + (make-list 10000 1)) => 10000

(length (append (make-list 100000 1) (make-list 100000 2))) => 200000
