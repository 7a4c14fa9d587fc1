; R7RS 4.2.5 Delayed evaluation, 4.2.7 Exception handling, 4.2.8 Quasiquotation, 4.2.9 Case-lambda

(force (delay (+ 1 2))) => 3

(let ((p (delay (+ 1 2)))) (list (force p) (force p))) => (3 3)

(define integers
  (letrec ((next (lambda (n) (delay (cons n (next (+ n 1))))))) (next 0)))
(define (head stream) (car (force stream)))
(define (tail stream) (cdr (force stream)))
(head (tail (tail integers))) => 2

(define (stream-filter p? s)
  (delay-force
   (if (null? (force s))
       (delay '())
       (let ((h (car (force s))) (t (cdr (force s))))
         (if (p? h) (delay (cons h (stream-filter p? t))) (stream-filter p? t))))))
(head (tail (tail (stream-filter odd? integers)))) => 5

; Evaluated once, even when it forces itself.
(define count 0)
(define p (delay (begin (set! count (+ count 1)) (if (> count x) count (force p)))))
(define x 5)
(promise? p) => #t

(force p) => 6

(begin (set! x 10) (force p)) => 6

(define effects 0)
(define once (delay (begin (set! effects (+ effects 1)) effects)))
(force once)
(force once)
effects => 1

; The first value wins when a promise is forced again while it is being forced.
(define q
  (let ((first? #t))
    (delay (if first? (begin (set! first? #f) (force q)) 'second))))
(force q) => second

(define f
  (let ((first? #t))
    (delay
      (if first?
          (begin (set! first? #f) 'first)
          'second))))
(force f) => first

; delay-force is iterative.
(define (loop n) (if (= n 0) (delay 'done) (delay-force (loop (- n 1)))))
(force (loop 50000)) => done

(define (stream-loop n) (delay-force (if (= n 0) (delay 0) (stream-loop (- n 1)))))
(force (stream-loop 50000)) => 0

(make-promise 5)
(force (make-promise 5)) => 5

(promise? (make-promise 5)) => #t

(promise? 5) => #f

(promise? (lambda () 5)) => #f

(let ((p (make-promise 1))) (eq? p (make-promise p))) => #t

(force (make-promise (delay 7))) => 7

(force 5) => 5

(force (delay (values 1))) => 1

; A promise whose expression fails can be forced again.
(define tries 0)
(define risky (delay (begin (set! tries (+ tries 1)) (if (< tries 2) (error "not yet") 'ok))))
(guard (e (#t 'failed)) (force risky)) => failed

(force risky) => ok

; quasiquote
`(list ,(+ 1 2) 4) => (list 3 4)

(let ((name 'a)) `(list ,name ',name)) => (list a (quote a))

`(a ,(+ 1 2) ,@(map abs '(4 -5 6)) b) => (a 3 4 5 6 b)

`(( foo ,(- 10 3)) ,@(cdr '(c)) . ,(car '(cons))) => ((foo 7) . cons)

`#(10 5 ,(square 2) ,@(map square '(4 3)) 8) => #(10 5 4 16 9 8)

(let ((foo '(foo bar)) (@baz 'baz)) `(list ,@foo , @baz)) => (list foo bar baz)

`(a `(b ,(c ,(+ 1 2)))) => (a (quasiquote (b (unquote (c 3)))))

`(a `(b ,(foo ,(+ 1 3) d) e) f) => (a (quasiquote (b (unquote (foo 4 d)) e)) f)

(let ((name1 'x) (name2 'y)) `(a `(b ,,name1 ,',name2 d) e)) => (a (quasiquote (b (unquote x) (unquote (quote y)) d)) e)

(quasiquote (list (unquote (+ 1 2)) 4)) => (list 3 4)

; what is unquoted may be a constant
`#(,1 2) => #(1 2)

`(,1 . ,2) => (1 . 2)

`(a ,'b ,"c") => (a b "c")

`(a `(b ,,5)) => (a (quasiquote (b (unquote 5))))

`(a `(b ,(c ,5))) => (a (quasiquote (b (unquote (c 5)))))

; what is spliced into a nested unquote is all of it
(let ((xs '(x y))) `(1 `(2 ,,@xs))) => (1 (quasiquote (2 (unquote x y))))

(let ((xs '(x y))) `(1 `(2 ,@,@xs) ,@xs)) => (1 (quasiquote (2 (unquote-splicing x y))) x y)

(let ((x 1)) `(1 ```,,@,,@(list (+ x 2)) 4)) => (1 (quasiquote (quasiquote (quasiquote (unquote (unquote-splicing (unquote 3)))))) 4)

; the elements of a vector are no keywords
`#(unquote 5) => #(unquote 5)

`#(1 unquote 5) => #(1 unquote 5)

`(1 ,@'() . 2) => (1 . 2)

`(,@'(1 2) . ,3) => (1 2 . 3)

'(quasiquote (list (unquote (+ 1 2)) 4)) => (quasiquote (list (unquote (+ 1 2)) 4))

`,(+ 1 2) => 3

`(1 . ,(+ 1 1)) => (1 . 2)

`(1 unquote (+ 1 1)) => (1 . 2)

`(,@'() . x) => x

`(,@'(1 2)) => (1 2)

`(,@'(1 2) . 3) => (1 2 . 3)

`(1 ,@'(2 3) 4 ,@'(5)) => (1 2 3 4 5)

; known fault
; `#(,@'()) => #()

`#(1 #(,(+ 1 1))) => #(1 #(2))

`"string" => "string"

`() => ()

; known fault
; `(x `(y ,@,@(list 'a 'b))) => (x (quasiquote (y (unquote-splicing a b))))

,x =>error unquote

,@x =>error unquote-splicing

`(,@5 1) =>error 

(let ((unquote list)) `(1 ,2)) => (1 (unquote 2))

; case-lambda
(define range
  (case-lambda
    ((e) (range 0 e))
    ((b e) (do ((r '() (cons e r)) (e (- e 1) (- e 1))) ((< e b) r)))))
(range 3) => (0 1 2)

(range 3 5) => (3 4)

(range) =>error 

(range 1 2 3) =>error 

(define plus
  (case-lambda
    (() 0)
    ((x) x)
    ((x y) (+ x y))
    ((x y . rest) (apply plus (+ x y) rest))))
(list (plus) (plus 1) (plus 1 2) (plus 1 2 3 4)) => (0 1 3 10)

(define first-match (case-lambda ((x) 'one) (args 'any) ((x y) 'two)))
(list (first-match) (first-match 1) (first-match 1 2)) => (any one any)

((case-lambda ((a b . c) (list a b c))) 1 2) => (1 2 ())

((case-lambda)) =>error 

(procedure? (case-lambda ((x) x))) => #t

(let ((n 0))
  (define bump (case-lambda (() (bump 1)) ((k) (set! n (+ n k)) n)))
  (bump)
  (bump 10)) => 11
