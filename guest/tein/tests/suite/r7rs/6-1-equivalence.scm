; R7RS 6.1 Equivalence predicates

(eqv? 'a 'a) => #t

(eqv? 'a 'b) => #f

(eqv? 2 2) => #t

(eqv? 2 2.0) => #f

(eqv? '() '()) => #t

(eqv? 100000000 100000000) => #t

(eqv? 100000000000000000000 100000000000000000000) => #t

(eqv? 1/3 1/3) => #t

(eqv? 0.0 +nan.0) => #f

(eqv? +nan.0 +nan.0) => #t

(eqv? 0.0 -0.0) => #f

(eqv? 1.5 1.5) => #t

(eqv? 1+2i 1+2i) => #t

(eqv? (cons 1 2) (cons 1 2)) => #f

(eqv? (lambda () 1) (lambda () 2)) => #f

(let ((p (lambda (x) x))) (eqv? p p)) => #t

(eqv? #f 'nil) => #f

(eqv? #f '()) => #f

(eqv? "abc" "abc") => #f

(let ((s "abc")) (eqv? s s)) => #t

(eqv? #\a #\a) => #t

(eqv? #\a #\b) => #f

(eqv? #t #t) => #t

(eqv? (string #\a) (string #\a)) => #f

(eqv? (vector) (vector 1)) => #f

(eqv? 1 #\1) => #f

(let ((x '(a))) (eqv? x x)) => #t

(define gen-counter
  (lambda () (let ((n 0)) (lambda () (set! n (+ n 1)) n))))
(let ((g (gen-counter))) (eqv? g g)) => #t

(eqv? (gen-counter) (gen-counter)) => #f

(letrec ((f (lambda () (if (eqv? f g) 'f 'both))) (g (lambda () (if (eqv? f g) 'g 'both)))) (eqv? f g)) => #f

(eqv? (eof-object) (eof-object)) => #t

(eq? 'a 'a) => #t

(eq? (list 'a) (list 'a)) => #f

(eq? '() '()) => #t

(eq? car car) => #t

(let ((x '(a))) (eq? x x)) => #t

(let ((x '#())) (eq? x x)) => #t

(let ((p (lambda (x) x))) (eq? p p)) => #t

(eq? "" "") => #f

(eq? #\a #\a) => #t

(eq? 5 5) => #t

(equal? 'a 'a) => #t

(equal? '(a) '(a)) => #t

(equal? '(a (b) c) '(a (b) c)) => #t

(equal? "abc" "abc") => #t

(equal? "abc" "abd") => #f

(equal? "abc" "ab") => #f

(equal? "λ" (string #\x3bb)) => #t

(equal? 2 2) => #t

(equal? 2 2.0) => #f

(equal? (make-vector 5 'a) (make-vector 5 'a)) => #t

(equal? #(1 2) #(1 3)) => #f

(equal? #(1 2) #(1 2 3)) => #f

(equal? #u8(1 2) (bytevector 1 2)) => #t

(equal? #u8(1 2) #u8(1 3)) => #f

(equal? #u8() #()) => #f

(equal? '(1 . 2) '(1 . 3)) => #f

(equal? '(1 2 3) '(1 2)) => #f

(equal? '(1 (2 #(3 "four"))) (list 1 (list 2 (vector 3 "four")))) => #t

(equal? #\a #\A) => #f

(equal? +nan.0 +nan.0) => #t

(equal? (lambda (x) x) (lambda (y) y)) => #f

(equal? '#1=(a b . #1#) '#2=(a b a b . #2#)) => #t

(equal? '#1=(a b . #1#) '#2=(a b a . #2#)) => #f

(let ((a (list 1 2)) (b (list 1 2))) (set-cdr! (cdr a) a) (set-cdr! (cdr b) b) (equal? a b)) => #t

(let ((a (vector 1 2)) (b (vector 1 2))) (vector-set! a 0 a) (vector-set! b 0 b) (equal? a b)) => #t

(let ((a (vector 1 2)) (b (vector 1 3))) (vector-set! a 0 a) (vector-set! b 0 b) (equal? a b)) => #f

; Shared structure that doubles at each level.
(define (doubled n) (let loop ((n n) (x '(leaf))) (if (= n 0) x (loop (- n 1) (cons x x)))))
(equal? (doubled 60) (doubled 60)) => #t

(equal? (doubled 60) (doubled 61)) => #f

(equal? 1) =>error not enough args

(eq? 1 2 3) =>error too many args
