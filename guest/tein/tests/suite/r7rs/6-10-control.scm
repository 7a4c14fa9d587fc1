; R7RS 6.10 Control features

(map procedure? (list car 'car (lambda (x) x) '(lambda (x) x) (make-parameter 1))) => (#t #f #t #f #t)

(call/cc procedure?) => #t

(apply + (list 3 4)) => 7

(apply + 1 2 '(3 4)) => 10

(apply list '()) => ()

(define compose (lambda (f g) (lambda args (f (apply g args)))))
((compose sqrt *) 12 75) => 30

(apply + 1) =>error 

(apply + 1 2) =>error 

(apply + '(1 . 2)) =>error 

(apply 5 '(1)) =>error non procedure application: (5)

(apply car '(1 2)) =>error too many args

(map cadr '((a b) (d e) (g h))) => (b e h)

(map (lambda (n) (expt n n)) '(1 2 3 4 5)) => (1 4 27 256 3125)

(map + '(1 2 3) '(4 5 6)) => (5 7 9)

(map + '(1 2) '(10 20 30) '(100 200)) => (111 222)

(map car '()) => ()

(map + '(1 2) '#0=(10 . #0#)) => (11 12)

(map car '(1)) =>error car: not a pair: (1)

(map 5 '(1)) =>error non procedure application: (5)

(let ((v (make-vector 5))) (for-each (lambda (i) (vector-set! v i (* i i))) '(0 1 2 3 4)) v) => #(0 1 4 9 16)

(let ((out '())) (for-each (lambda (a b) (set! out (cons (+ a b) out))) '(1 2) '(10 20 30)) out) => (22 11)

(string-map char-upcase "abc") => "ABC"

; call/cc
(call-with-current-continuation
 (lambda (exit) (for-each (lambda (x) (if (negative? x) (exit x))) '(54 0 37 -3 245 19)) #t)) => -3

(define list-length
  (lambda (obj)
    (call-with-current-continuation
     (lambda (return)
       (letrec ((r (lambda (obj)
                     (cond ((null? obj) 0) ((pair? obj) (+ (r (cdr obj)) 1)) (else (return #f))))))
         (r obj))))))
(list-length '(1 2 3 4)) => 4

(list-length '(a b . c)) => #f

(+ 1 (call/cc (lambda (k) (+ 10 (k 1))))) => 2

(+ 1 (call/cc (lambda (k) 1))) => 2

(call/cc (lambda (k) (k 1 2))) => ((values) 1 2)

(call-with-values (lambda () (call/cc (lambda (k) (k 1 2)))) +) => 3

(call/cc (lambda (k) (dynamic-wind (lambda () #f) (lambda () (k 'out)) (lambda () #f)))) => out

(call/cc 5) =>error non procedure application: (5)

(call/cc) =>error not enough args

; Re-entry.
(let ((k #f) (n 0))
  (call/cc (lambda (c) (set! k c)))
  (set! n (+ n 1))
  (if (< n 5) (k #f))
  n) => 5

; A generator that enters and leaves a tree walk.
(define (tree->generator tree)
  (define caller #f)
  (define (loop tree)
    (cond ((null? tree) 'skip)
          ((pair? tree) (loop (car tree)) (loop (cdr tree)))
          (else (call/cc (lambda (rest)
                           (set! resume (lambda () (rest 'resume)))
                           (caller tree))))))
  (define resume (lambda () (loop tree) (caller '*eof*)))
  (lambda () (call/cc (lambda (k) (set! caller k) (resume)))))
(define (same-fringe? a b)
  (let ((g1 (tree->generator a)) (g2 (tree->generator b)))
    (let loop ()
      (let ((x (g1)) (y (g2)))
        (cond ((not (eqv? x y)) #f) ((eq? x '*eof*) #t) (else (loop)))))))
(list (same-fringe? '(1 (2 3)) '((1 2) (3))) (same-fringe? '(1 2 3) '(1 3 2))) => (#t #f)

; map is not disturbed when a continuation captured in it is entered again.
(let ((k #f) (count 0))
  (let ((result (map (lambda (x) (call/cc (lambda (c) (if (= x 2) (set! k c)) x))) '(1 2 3))))
    (set! count (+ count 1))
    (if (= count 1) (let ((old result)) (k 'again)) result))) => (1 again 3)

(let ((results '()) (k #f) (n 0))
  (let ((r (map (lambda (x) (call/cc (lambda (c) (if (= x 1) (set! k c)) x))) '(1 2))))
    (set! results (cons r results))
    (set! n (+ n 1))
    (if (< n 3) (k (* n 100)))
    (reverse results))) => ((1 2) (100 2) (200 2))

; values
(call-with-values (lambda () (values 4 5)) (lambda (a b) b)) => 5

(call-with-values * -) => -1

(values 1) => 1

(values) => ((values))

(values 1 2 3) => ((values) 1 2 3)

(call-with-values (lambda () (values)) list) => ()

(call-with-values (lambda () 5) list) => (5)

(call-with-values (lambda () (values 1 2)) (lambda (a) a)) =>error too many args

(call-with-values (lambda () (values 1)) (lambda (a b) a)) =>error not enough args

(call-with-values (lambda () (apply values (make-list 300 1))) +) => 300

(call-with-values (lambda () (values #(1 2))) list) => (#(1 2))

; dynamic-wind
(let ((path '()) (c #f))
  (let ((add (lambda (s) (set! path (cons s path)))))
    (dynamic-wind
     (lambda () (add 'connect))
     (lambda () (add (call/cc (lambda (c0) (set! c c0) 'talk1))))
     (lambda () (add 'disconnect)))
    (if (< (length path) 4) (c 'talk2) (reverse path)))) => (connect talk1 disconnect connect talk2 disconnect)

(let ((trace '()))
  (define (note x) (set! trace (cons x trace)))
  (call/cc (lambda (k)
             (dynamic-wind
              (lambda () (note 'in1))
              (lambda ()
                (dynamic-wind (lambda () (note 'in2)) (lambda () (k 'x)) (lambda () (note 'out2))))
              (lambda () (note 'out1)))))
  (reverse trace)) => (in1 in2 out2 out1)

(dynamic-wind (lambda () 1) (lambda () 2) (lambda () 3)) => 2

(call-with-values (lambda () (dynamic-wind (lambda () 1) (lambda () (values 2 3)) (lambda () 4))) list) => (2 3)

; The after thunk runs when an error leaves.
(let ((n 0))
  (guard (e (#t (list 'caught n)))
    (dynamic-wind (lambda () (set! n (+ n 1))) (lambda () (error "x")) (lambda () (set! n (+ n 10)))))) => (caught 11)

; A jump between two winds leaves one and enters the other.
(let ((trace '()) (k1 #f) (n 0))
  (define (note x) (set! trace (cons x trace)))
  (dynamic-wind
   (lambda () (note 'a-in))
   (lambda () (call/cc (lambda (k) (set! k1 k))))
   (lambda () (note 'a-out)))
  (set! n (+ n 1))
  (if (= n 1)
      (dynamic-wind (lambda () (note 'b-in)) (lambda () (k1 #f)) (lambda () (note 'b-out))))
  (reverse trace)) => (a-in a-out b-in b-out a-in a-out)

; A jump out of an after thunk.
(let ((n 0))
  (call/cc (lambda (k)
             (dynamic-wind (lambda () #f) (lambda () #f) (lambda () (k (set! n 5))))))
  n) => 5

(dynamic-wind 1 2 3) =>error non procedure application: (1)

; Within the winds a parameter keeps its value.
(define p (make-parameter 'outer))
(let ((seen '()))
  (parameterize ((p 'inner))
    (dynamic-wind
     (lambda () (set! seen (cons (p) seen)))
     (lambda () (parameterize ((p 'body)) (set! seen (cons (p) seen))))
     (lambda () (set! seen (cons (p) seen)))))
  (reverse (cons (p) seen))) => (inner body inner outer)

; Deep recursion through map, apply and dynamic-wind.
(define (nest n) (if (= n 0) 0 (+ 1 (car (map nest (list (- n 1)))))))
(nest 10000) => 10000

(define (nest-apply n) (if (= n 0) 0 (+ 1 (apply nest-apply (list (- n 1))))))
(nest-apply 10000) => 10000

(define (nest-wind n) (if (= n 0) 0 (dynamic-wind (lambda () #f) (lambda () (+ 1 (nest-wind (- n 1)))) (lambda () #f))))
(nest-wind 5000) => 5000

; Coroutines by continuations alone.
(define (make-queue) (cons '() '()))
(define queue '())
(define (enqueue! t) (set! queue (append queue (list t))))
(define (dequeue!) (let ((t (car queue))) (set! queue (cdr queue)) t))
(define (yield) (call/cc (lambda (k) (enqueue! (lambda () (k #f))) ((dequeue!)))))
(define output '())
(define (worker name n)
  (lambda ()
    (let loop ((i 0))
      (if (< i n) (begin (set! output (cons (list name i) output)) (yield) (loop (+ i 1)))))
    (if (pair? queue) ((dequeue!)) (finish #f))))
(define finish #f)
(call/cc (lambda (k)
           (set! finish k)
           (enqueue! (worker 'a 2))
           (enqueue! (worker 'b 3))
           ((dequeue!))))
(reverse output) => ((a 0) (b 0) (a 1) (b 1) (b 2))
