; R7RS 4 and 5: expressions, macros and definitions at the edges
; import (scheme inexact)
; import (scheme case-lambda)
; import (scheme lazy)
; import (scheme char)
; import (scheme write)
; import (scheme read)
; import (scheme eval)

; --- 4.1 ---

((lambda args args)) => ()

((lambda (a b . c) (list a b c)) 1 2) => (1 2 ())

((lambda (a #!optional b) a) 1) =>error

(let ((if list)) (if 1 2 3)) => (1 2 3)

(let ((quote -)) '5) => -5

(define (f #!eof) 1) =>error

(let ((else #f)) (cond (#f 1) (else 2) (#t 3))) => 3

(let ((=> #f)) (cond (#t => 'ok))) => ok

(if #f #f 3 4) =>error too many args to if

(lambda (x x) x) =>error a parameter occurs twice

(let ((x 1) (x 2)) x) =>error

(lambda) =>error bad lambda syntax

(lambda (x)) =>error

(quote) =>error bad quote

(quote 1 2) =>error bad quote

() =>error empty combination

(1 . 2) =>error dotted or circular list

; --- 4.2.1 ---

(case (* 2 3) ((2 3 5 7) 'prime) ((1 4 6 8 9) 'composite)) => composite

(case 'x ((y) 1) (else => (lambda (v) (list v 'else)))) => (x else)

(case 2 ((1) 'a) ((2 3) => (lambda (v) (* v 10)))) => 20

(case "a" (("a") 1) (else 2)) => 2

(case #\a ((#\a) 1) (else 2)) => 1

(case 1.0 ((1) 'exact) ((1.0) 'inexact)) => inexact

(case (expt 10 30) ((1000000000000000000000000000000) 'big) (else 'no)) => big

(case '() ((()) 'empty) (else 'no)) => empty

(case 1 (else 1) ((2) 3)) =>error else is not the last clause

(list (and) (or) (and 1 2) (or #f 3) (and 1 #f 2) (or #f #f)) => (#t #f 2 3 #f #f)

(cond ((assv 'b '((a 1) (b 2))) => cadr) (else #f)) => 2

(cond (1)) => 1

(eq? (cond (#f)) (if #f #f)) => #t

(let ((n 0)) (cond ((begin (set! n (+ n 1)) n) => (lambda (x) (list x n))))) => (1 1)

(let ((x '())) (unless #f (set! x (cons 1 x)) (set! x (cons 2 x)) x)) => (2 1)

(cond-expand ((and) 1) (else 2)) => 1

(cond-expand ((or) 1) (else 2)) => 2

(cond-expand ((not r7rs) 1) ((library (scheme base)) 2) (else 3)) => 2

(cond-expand ((library (no such library)) 1) (else 3)) => 3

(cond-expand ((and r7rs (or nonsense full-unicode)) 1) (else 2)) => 1

(cond-expand (nonsense 1)) =>error

; --- 4.2.2 ---

(let* ((x 1) (x (+ x 1)) (x (* x 10))) x) => 20

(let* () 5) => 5

(letrec* ((p (lambda (x) (+ 1 (q (- x 1))))) (q (lambda (y) (if (zero? y) 0 (+ 1 (p (- y 1)))))) (x (p 5)) (y x)) y) => 5

(letrec ((a (lambda () b)) (b 2)) (a)) => 2

(letrec ((a b) (b 1)) a) =>error

(let-values (((a . rest) (values 1 2 3)) (all (values 4 5))) (list a rest all)) => (1 (2 3) (4 5))

(let-values (((a b) (values 1))) a) =>error

(let ((a 'a) (b 'b) (x 'x) (y 'y)) (let*-values (((a b) (values x y)) ((x y) (values a b))) (list a b x y))) => (x y x y)

(let ((a 'a) (b 'b) (x 'x) (y 'y)) (let-values (((a b) (values x y)) ((x y) (values a b))) (list a b x y))) => (x y a b)

; --- 4.2.4 ---

(do ((vec (make-vector 5)) (i 0 (+ i 1))) ((= i 5) vec) (vector-set! vec i i)) => #(0 1 2 3 4)

(eq? (do ((i 0 (+ i 1))) (#t)) (if #f #f)) => #t

(let ((x '(1 3 5))) (do ((x x (cdr x)) (sum 0 (+ sum (car x)))) ((null? x) sum))) => 9

; Each step binds anew.
(map (lambda (f) (f)) (do ((i 0 (+ i 1)) (fs '() (cons (lambda () i) fs))) ((= i 3) fs))) => (2 1 0)

(do ((i 0 1 2)) (#t)) =>error bad do syntax

(let loop ((i 0) (acc '())) (if (= i 3) acc (loop (+ i 1) (cons i acc)))) => (2 1 0)

(let loop () 5) => 5

(let - ((x 1)) (- 5 x)) =>error

; --- 4.2.5 and 4.2.6 ---

(define n 0)
(define p (delay (begin (set! n (+ n 1)) (if (> n 1) n (force p)))))
(list (force p) (begin (set! n 10) (force p))) => (2 2)

(list (force 5) (promise? 5) (promise? (make-promise 1)) (force (make-promise (make-promise 3)))) => (5 #f #t 3)

(let ((p (make-promise 1))) (eq? p (make-promise p))) => #t

(define q (make-parameter 10 (lambda (x) (if (number? x) (* x 2) (error "not a number" x)))))
(list (q) (parameterize ((q 3)) (q)) (q)) => (20 6 20)

(parameterize ((q 'a)) (q)) =>error not a number: (a)

(let ((k #f) (log '()))
  (parameterize ((q 1))
    (call/cc (lambda (c) (set! k c)))
    (set! log (cons (q) log)))
  (if (< (length log) 3) (k #f))
  log) => (2 2 2)

(parameterize () 5) => 5

(parameterize ((car 5)) 1) =>error

; --- 4.2.7, 6.10 and 6.11 ---

(define trace '())
(define (note x) (set! trace (cons x trace)))
(guard (e (#t (note 'handler)))
  (dynamic-wind (lambda () (note 'in)) (lambda () (raise 'oops)) (lambda () (note 'out))))
(reverse trace) => (in out handler)

; A guard that handles nothing goes back in to raise again.
(set! trace '())
(guard (e ((symbol? e) (note 'outer)))
  (guard (e ((string? e) (note 'inner)))
    (dynamic-wind (lambda () (note 'in)) (lambda () (raise 'oops)) (lambda () (note 'out)))))
(reverse trace) => (in out in out outer)

(guard (e (#f 1)) (raise-continuable 2)) =>error

(with-exception-handler (lambda (c) 42) (lambda () (guard (e (#f 1)) (+ 1 (raise-continuable 'c))))) => 43

(guard (e ((assq 'a e) => cdr) ((assq 'b e))) (raise (list (cons 'a 42)))) => 42

(guard (e ((assq 'a e) => cdr) ((assq 'b e))) (raise (list (cons 'b 23)))) => (b . 23)

(guard (e (else (list 'caught e))) (raise #f)) => (caught #f)

(call-with-values (lambda () (guard (e (#t (values 1 2))) (raise 'x))) list) => (1 2)

(guard (e ((string? e) e)) (+ 1 (guard (e2 ((number? e2) (raise "inner"))) (raise 5)))) => "inner"

; The handler runs in the outer handler's context.
(guard (e (#t (list 'outer e))) (with-exception-handler (lambda (e) (raise (list 'again e))) (lambda () (raise 'x)))) => (outer (again x))

(let ((path '()) (c #f))
  (let ((add (lambda (s) (set! path (cons s path)))))
    (dynamic-wind (lambda () (add 'connect))
                  (lambda () (add (call/cc (lambda (c0) (set! c c0) 'talk1))))
                  (lambda () (add 'disconnect)))
    (if (< (length path) 4) (c 'talk2) (reverse path))))
  => (connect talk1 disconnect connect talk2 disconnect)

; Re-entering a continuation in map leaves what it returned before alone.
(let ((k* #f) (y* 1))
  (set! y* (* (call/cc (lambda (k) (set! k* k) 2)) 1))
  (let ((r (map (lambda (x) x) (list 1 2 y*)))) (if (< y* 4) (k* (+ y* 1)) r))) => (1 2 4)

(let ((k #f) (count 0) (results '()))
  (let ((r (map (lambda (x) (call/cc (lambda (c) (if (= x 2) (set! k c)) x))) '(1 2 3))))
    (set! results (cons r results))
    (set! count (+ count 1))
    (if (< count 3) (k (* 10 count)))
    (reverse results))) => ((1 2 3) (1 10 3) (1 20 3))

(let ((k #f) (count 0) (results '()))
  (let ((r (vector-map (lambda (x) (call/cc (lambda (c) (if (= x 2) (set! k c)) x))) #(1 2 3))))
    (set! results (cons r results))
    (set! count (+ count 1))
    (if (< count 3) (k (* 10 count)))
    (reverse results))) => (#(1 2 3) #(1 10 3) #(1 20 3))

(call-with-values (lambda () (call/cc (lambda (k) (k 1 2 3)))) list) => (1 2 3)

(list (map + '(1 2 3) '(10 20)) (map (lambda (x . r) (cons x r)) '(1 2) '(3 4) '(5 6 7))) => ((11 22) ((1 3 5) (2 4 6)))

(list (string-map (lambda (a b) (if (char<? a b) a b)) "adc" "bb") (vector-map + #(1 2) #(10 20 30))) => ("ab" #(11 22))

(let ((v '())) (string-for-each (lambda (a b) (set! v (cons (list a b) v))) "abc" "xy") v) => ((#\b #\y) (#\a #\x))

(let ((l '())) (vector-for-each (lambda (x y) (set! l (cons (+ x y) l))) #(1 2 3) #(1 2)) l) => (4 2)

(list (apply + 1 2 '(3 4)) (apply list '()) (apply apply (list + '(1 2)))) => (10 () 3)

(apply + 1 2) =>error

(apply + '(1 . 2)) =>error

; --- 4.2.8 ---

`(1 ,@'() . ,(+ 1 1)) => (1 . 2)

`(1 `,(+ 1 ,(+ 2 3))) => (1 (quasiquote (unquote (+ 1 5))))

`(1 ```,,@,,@(list (+ 1 2)) 4) => (1 ```,,@,3 4)

`#(1 ,@(list 2 3) ,(+ 2 2)) => #(1 2 3 4)

`(a . `(b ,(c ,(+ 1 2)))) => (a quasiquote (b (unquote (c 3))))

`(a `(b ,(c ,(+ 1 2)))) => (a (quasiquote (b (unquote (c 3)))))

`(a `(b ,(c ,,(+ 1 2)))) =>error unquote outside quasiquote

`(a `(b ,,(+ 1 2))) => (a (quasiquote (b (unquote 3))))

; --- 4.2.9 ---

((case-lambda ((a) (list 1 a)) ((a b . c) (list 2 a b c)) (r (list 'r r)))) => (r ())

((case-lambda ((a) 1) ((a b) 2)) 1 2 3) =>error

; --- 4.3 ---

(let ((x 'outer)) (let-syntax ((m (syntax-rules () ((m) x)))) (let ((x 'inner)) (m)))) => outer

(define-syntax be-like-begin (syntax-rules () ((_ name) (define-syntax name (syntax-rules () ((_ expr (... ...)) (begin expr (... ...))))))))
(be-like-begin sequence)
(sequence 1 2 3 4) => 4

(let ((=> #f)) (let-syntax ((t (syntax-rules (=>) ((_ =>) 'arrow) ((_ x) 'other)))) (t =>))) => arrow

(define-syntax is-else (syntax-rules (else) ((_ else) #t) ((_ x) #f)))
(list (is-else else) (let ((else 1)) (is-else else)) (is-else 5)) => (#t #f #f)

(define-syntax tail-pattern (syntax-rules () ((_ a ... b c) '((a ...) b c))))
(list (tail-pattern 1 2) (tail-pattern 1 2 3 4)) => ((() 1 2) ((1 2) 3 4))

(define-syntax dotted (syntax-rules () ((_ a ... . r) '((a ...) r))))
(list (dotted 1 2) (dotted 1 2 . 3) (dotted . 4)) => (((1 2) ()) ((1 2) 3) (() 4))

(define-syntax vec (syntax-rules () ((_ #(a b ...)) '(a (b ...))) ((_ other) 'no)))
(list (vec #(1 2 3)) (vec #(1)) (vec #()) (vec (1 2))) => ((1 (2 3)) (1 ()) no no)

(define-syntax nest (syntax-rules () ((_ ((k v ...) ...)) '((k ...) (v ... ...) ((v ... k) ...)))))
(nest ((a 1 2) (b) (c 3))) => ((a b c) (1 2 3) ((1 2 a) (b) (3 c)))

(define-syntax my-ell (syntax-rules ::: () ((_ (a b :::) :::) '((b ::: a) :::))))
(my-ell (1 2 3) (4)) => ((2 3 1) (4))

(define-syntax under (syntax-rules () ((_ _ x _) 'x)))
(under 1 2 3) => 2

(define-syntax lit-ell (syntax-rules (...) ((_ ...) 'dots) ((_ x) 'x)))
(list (lit-ell ...) (lit-ell 5)) => (dots 5)

(define-syntax data (syntax-rules () ((_ 1) 'one) ((_ "s") 'string) ((_ #\c) 'char) ((_ #t) 'true) ((_ ()) 'nil) ((_ x) 'other)))
(list (data 1) (data "s") (data #\c) (data #t) (data ()) (data 1.0) (data 2)) => (one string char true nil other other)

(define-syntax swap! (syntax-rules () ((_ a b) (let ((tmp a)) (set! a b) (set! b tmp)))))
(let ((tmp 1) (other 2)) (swap! tmp other) (list tmp other)) => (2 1)

(define-syntax my-or (syntax-rules () ((_) #f) ((_ e) e) ((_ e r ...) (let ((t e)) (if t t (my-or r ...))))))
(let ((t 5) (if list)) (my-or #f t)) => 5

(define-syntax loop-until (syntax-rules () ((_ id init test step) (let loop ((id init)) (if test id (loop step))))))
(let ((loop 10)) (loop-until x 1 (> x loop) (+ x 3))) => 13

(define-syntax ten (syntax-rules () ((_) 10)))
(define-syntax plus (syntax-rules () ((_ a ...) (+ a ... (ten)))))
(let ((+ *)) (plus 1 2)) => 13

(define-syntax oops (syntax-rules () ((_ x) (syntax-error "oops is wrong" x))))
(oops (a b)) =>error oops is wrong: ((a b))

(define-syntax bad (syntax-rules () ((_ x ...) (x))))
(bad 1 2) =>error

(define-syntax bad2 (syntax-rules () ((_ x) (x ...)))) =>error nothing under the ellipsis repeats

(define-syntax bad3 (syntax-rules () ((_ x x) 1))) =>error a pattern variable occurs twice

(define-syntax m1 (syntax-rules () ((_ a) 1)))
(m1) =>error no expansion for: ((m1))

(m1 1 2) =>error no expansion for: ((m1 1 2))

m1 =>error invalid use of syntax as value

(set! m1 5) =>error

(letrec-syntax ((ev? (syntax-rules () ((_) #t) ((_ x . r) (od? . r)))) (od? (syntax-rules () ((_) #f) ((_ x . r) (ev? . r))))) (list (ev? 1 2) (ev? 1 2 3))) => (#t #f)

; A body of let-syntax may begin with definitions, which are the body's own.
(let ((x 1)) (let-syntax () (define x 2) x)) => 2

(let ((x 1)) (let-syntax ((foo (syntax-rules () ((_) 5)))) (define x (foo)) (+ x 1))) => 6

; What a macro defines under a name of its own cannot be seen from outside.
(define-syntax def-hidden (syntax-rules () ((_ get) (begin (define hidden 99) (define (get) hidden)))))
(let () (def-hidden get) (define hidden 1) (list (get) hidden)) => (99 1)

; --- 5 ---

(define (curried) (define a 1) (define (b) (+ a 1)) (b))
(curried) => 2

(define-values (x1 y1 . z1) (values 1 2 3 4))
(list x1 y1 z1) => (1 2 (3 4))

(let () (define-values (a b) (values 1 2)) (define-values c (values 3 4)) (list a b c)) => (1 2 (3 4))

(let () (define-values (a) (values 1)) (let () (define-values (b . c) (values a 2 3)) (list a b c))) => (1 1 (2 3))

(define-values (a b) (values 1 2 3)) =>error

(let () (define x 1) (set! x (+ x 1)) (define y (* x 10)) y) => 20

(let () (define (even? n) (if (= n 0) #t (odd? (- n 1)))) (define (odd? n) (if (= n 0) #f (even? (- n 1)))) (even? 101)) => #f

(let () (define x y) (define y 1) x) =>error

(let () (begin (define a 1) (define b 2)) (+ a b)) => 3

(let () (begin) 5) => 5

(let ((x 5)) (define foo (lambda (y) (bar x y))) (define bar (lambda (a b) (+ (* a b) a))) (foo (+ x 3))) => 45

(define-record-type <point> (make-point x y) point? (x point-x set-point-x!) (y point-y))
(let ((p (make-point 1 2))) (set-point-x! p 10) (list (point-x p) (point-y p) (point? p) (point? 5) (vector? p))) => (10 2 #t #f #f)

(point-x 5) =>error

(make-point 1) =>error not enough args

(define-record-type thing #f thing?)
(thing? 1) => #f

(define-record-type <node> (make-node next) node? (val node-val set-node-val!) (next node-next))
(let ((n (make-node 1))) (set-node-val! n 7) (list (node-val n) (node-next n))) => (7 1)

(define-record-type <bad> (make-bad z) bad? (x bad-x)) =>error

(define-library (edges counter)
  (export make (rename tick! bump!) counter?)
  (import (scheme base))
  (begin
    (define-record-type <counter> (%make n) counter? (n counter-n counter-n!))
    (define (make) (%make 0))
    (define-syntax tick! (syntax-rules () ((_ c) (begin (counter-n! c (+ 1 (counter-n c))) (counter-n c)))))))
(import (prefix (except (edges counter) counter?) c:))
(let ((c (c:make)) (counter-n 5)) (c:bump! c) (c:bump! c)) => 2

(c:tick! 5) =>error undefined variable

(import (only (edges counter) nothing)) =>error

(import (rename (edges counter) (make create) (bump! up!)))
(let ((c (create))) (up! c) (up! c)) => 2

(define-library (edges bad) (export nope) (import (scheme base))) =>error

(eval '(define z 1) (environment '(scheme base))) =>error

(eval '(let ((x 3)) (* x x)) (environment '(scheme base))) => 9

(eval '(car x) (environment '(only (scheme base) car))) =>error undefined variable
