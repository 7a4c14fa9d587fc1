; import (chibi match)

; --- constants and variables ---

(match '(1 2 3) ((a b c) (+ a b c))) => 6

(match 'any (x x)) => any

(match 'any (_ 'yes)) => yes

(map (lambda (x) (match x (1 'one) ("two" 'two) (#\3 'three) (#t 'true) (#f 'false) (2.5 'real) (() 'nil) ('sym 'symbol) (_ 'other)))
     (list 1 "two" #\3 #t #f 2.5 '() 'sym 'x))
=> (one two three true false real nil symbol other)

(match '(a (b c) . d) (('a (x y) . z) (list x y z))) => (b c d)

(match 5 (x (set! x (+ x 1)) x)) => 6

(match '(1 2) ((a b) (define c 3) (list a b c))) => (1 2 3)

(match 3 (1 'one) (2 'two)) =>error match: no matching pattern: (3)

(match (list 1 2) ((x) x)) =>error match: no matching pattern: ((1 2))

; The expression is evaluated once.
(let ((n 0)) (match (begin (set! n (+ n 1)) n) (5 'no) (6 'no) (x (list x n)))) => (1 1)

; A name that occurs twice matches equal values.
(list (match '(1 1) ((x x) 'same) (_ 'different)) (match '(1 2) ((x x) 'same) (_ 'different))
      (match '((a b) (a b)) ((x x) x) (_ #f)))
=> (same different (a b))

; --- repetition ---

(match '(1 2 3) ((x ...) x)) => (1 2 3)

(match '() ((x ...) x)) => ()

(match '(1 2 . 3) ((x ...) x) (_ 'improper)) => improper

(match '((a 1) (b 2) (c 3)) (((k v) ...) (list k v))) => ((a b c) (1 2 3))

(match '((a 1) (b)) (((k v) ...) (list k v)) (_ 'no)) => no

(match '(1 2 3 4 5) ((first mid ... last) (list first mid last))) => (1 (2 3 4) 5)

(match '(1 2) ((a b ... c d) (list a b c d)) ((a b ... c) (list a b c))) => (1 () 2)

(match '(1 2 3 . 4) ((a ... b . c) (list a b c))) => ((1 2) 3 4)

(match '(1 2 3) ((x ___) x)) => (1 2 3)

(list (match '(1 2) ((x ..1) x) (_ 'none)) (match '() ((x ..1) x) (_ 'none))) => ((1 2) none)

(list (match '(1 2 3) ((x =.. 3) x) (_ 'no)) (match '(1 2) ((x =.. 3) x) (_ 'no)) (match '(1 2 3) ((x *.. 1 2) x) (_ 'no)) (match '(1 2 z) ((x *.. 1 2 'z) x) (_ 'no)))
=> ((1 2 3) no no (1 2))

(match '(((1 2) (3)) ((4 5 6))) ((((x ...) ...) ...) x)) => (((1 2) (3)) ((4 5 6)))

(match '(1 2 3) ((_ ...) 'list) (_ 'no)) => list

(match '((1 x) (2 x) (3 x)) (((n 'x) ...) (apply + n)) (_ 'no)) => 6

(match '(a b a) (((and x (or 'a 'b)) ...) x) (_ 'no)) => (a b a)

; Inside a repetition each round binds anew.
(match '((1 1) (2 2)) (((x x) ...) 'pairs) (_ 'no)) => pairs

(match '(0 (0 1) (0 2)) ((z (z n) ...) n) (_ 'no)) => (1 2)

(let ((l (list 1 2 3))) (set-cdr! (cddr l) l) (match l ((x ...) 'list) ((a b . c) (list a b)))) => (1 2)

; --- and, or, not, tests ---

(match '(1 2) ((and all (a b)) (list all a b))) => ((1 2) 1 2)

(list (match 3 ((or 1 2 3) 'small) (_ 'large)) (match 9 ((or 1 2 3) 'small) (_ 'large)) (match 1 ((or) 'x) (_ 'none)) (match 1 ((and) 'x)))
=> (small large none x)

(map (lambda (x) (match x ((or ('num n) ('twice (and n (? number?)))) (list 'got n)) (_ 'no))) '((num 1) (twice 2) (twice x)))
=> ((got 1) (got 2) no)

(match '(b) ((or ('a x) ('b)) x)) => #f

(list (match 1 ((not 2) 'yes) (_ 'no)) (match 2 ((not 2) 'yes) (_ 'no)) (match 3 ((and x (not 1 2)) x) (_ 'no)))
=> (yes no 3)

(map (lambda (x) (match x ((? string? s) (string-append s "!")) ((? number? (? positive? n)) (- n)) ((? number?) 'number) (_ 'other))) '("a" 3 -3 x))
=> ("a!" -3 number other)

(match '(1 4 9) (((= sqrt roots) ...) roots)) => (1 2 3)

(match '(a b c) ((= length 3) 'three) (_ 'no)) => three

; --- records and vectors ---

(define-record-type point (make-point x y) point? (x point-x set-point-x!) (y point-y))
(match (make-point 1 2) (($ point a b) (list a b)))
=> (1 2)

(match (make-point 1 2) (($ point a) a)) => 1

(match 'not-a-point (($ point a b) a) (_ 'no)) => no

(match (make-point 1 2) ((@ point (y b) (x a)) (list a b))) => (1 2)

(match (list (make-point 1 2) (make-point 3 4)) ((($ point xs ys) ...) (list xs ys))) => ((1 3) (2 4))

(match (make-point 1 2) ((@ point (z c)) c)) =>error no such field

(match #(1 2 3) (#(a b c) (list a b c))) => (1 2 3)

(list (match #(1 2 3) (#(a b) 'two) (#(a b c d) 'four) (_ 'no)) (match #() (#() 'empty)) (match '(1) (#(a) 'v) (_ 'no)))
=> (no empty no)

(match #(1 2 3 4) (#(a b ... c) (list a b c))) => (1 (2 3) 4)

(match #((a 1) (b 2)) (#((k v) ...) (list k v))) => ((a b) (1 2))

; --- quasi-patterns ---

(match '(add 1 2) (`(add ,a ,b) (+ a b))) => 3

(match '(let ((x 1) (y 2)) x) (`(let ((,n ,e) ...) ,body) (list n e body))) => ((x y) (1 2) x)

(match '(a b c d) (`(a ,@mid d) mid)) => (b c)

(match '(begin 1 2) (`(begin ,@forms) forms)) => (1 2)

(match '(a . b) (`(a . ,x) x)) => b

(match '#(a 1) (`#(a ,n) n)) => 1

(match '(a "s" 2) (`(a "s" ,(? number? n)) n)) => 2

(match '(a) (`(b) 1) (`(a b) 2) (_ 3)) => 3

; --- places ---

(let ((p (list 1 2))) (match p ((a (set! put!)) (put! 9))) p) => (1 9)

(let ((p (cons 1 2))) (match p (((get! get) . _) (set-car! p 7) (get)))) => 7

(let ((v (vector 1 2))) (match v (#(_ (set! put!)) (put! 5))) v) => #(1 5)

(let ((x 1)) (match x ((set! put!) (put! 2))) x) => 2

(let ((p (make-point 1 2))) (match p (($ point (set! put!)) (put! 8))) (point-x p)) => 8

; --- going on with the next clause ---

(define (f x) (match x ((a b) (=> next) (if (= a b) 'same (next))) ((a _) (list 'first a)) (_ 'none)))
(list (f '(1 1)) (f '(1 2)) (f 3))
=> (same (first 1) none)

(match 1 (x (=> next) (next))) =>error no matching pattern

; --- binding forms ---

((match-lambda ((a b) (+ a b)) (n n)) '(1 2)) => 3

((match-lambda* ((a) (list 'one a)) ((a b) (list 'two a b)) (all all)) 1 2) => (two 1 2)

(match-let (((a b) '(1 2)) ((c . d) '(3 4))) (list a b c d)) => (1 2 3 (4))

(let ((a 10)) (match-let (((a) '(1)) (b a)) (list a b))) => (1 10)

(match-let* (((a b) '(1 2)) ((c) (list (+ a b)))) (list a b c)) => (1 2 3)

(match-let loop (((a . rest) '(1 2 3)) (sum 0)) (if (null? rest) (+ sum a) (loop rest (+ sum a)))) => 6

(match-let (((a b) '(1))) a) =>error no matching pattern

(match-letrec (((even odd) (list (lambda (n) (or (= n 0) (odd (- n 1)))) (lambda (n) (and (> n 0) (even (- n 1))))))) (list (even 10) (odd 10)))
=> (#t #f)

(match-let () 1) => 1

; Bindings of the program that have the matcher's own names stay apart.
(let ((v 1) (fail 2) (w 3) (n 4) (rest 5)) (match '(a (b c)) ((x (y ...)) (list x y v fail w n rest)))) => (a (b c) 1 2 3 4 5)

; An interpreter of a small language.
(define (run e env)
  (match e
    ((? symbol? x) (cdr (assq x env)))
    ((? number? n) n)
    (('lambda (x) body) (lambda (v) (run body (cons (cons x v) env))))
    (`(if ,c ,t ,e) (if (run c env) (run t env) (run e env)))
    (('+ es ...) (apply + (map (lambda (e) (run e env)) es)))
    ((f a) ((run f env) (run a env)))))
(run '(((lambda (x) (lambda (y) (if x (+ x y 1) y))) 2) 3) '())
=> 6
