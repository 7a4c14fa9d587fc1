; R7RS 4.3 Macros

(define-syntax swap!
  (syntax-rules () ((_ a b) (let ((tmp a)) (set! a b) (set! b tmp)))))
(let ((tmp 1) (other 2)) (swap! tmp other) (list tmp other)) => (2 1)

(let ((x 'outer))
  (let-syntax ((m (syntax-rules () ((m) x))))
    (let ((x 'inner)) (m)))) => outer

(letrec-syntax
    ((my-or (syntax-rules ()
              ((my-or) #f)
              ((my-or e) e)
              ((my-or e1 e2 ...) (let ((temp e1)) (if temp temp (my-or e2 ...)))))))
  (let ((x #f) (y 7) (temp 8) (let odd?) (if even?))
    (my-or x (let temp) (if y) y))) => 7

(define-syntax be-like-begin
  (syntax-rules ()
    ((be-like-begin name)
     (define-syntax name
       (syntax-rules () ((name expr (... ...)) (begin expr (... ...))))))))
(be-like-begin sequence)
(sequence 1 2 3 4) => 4

(let ((=> #f)) (cond (#t => 'ok))) => ok

(define-syntax tail-pattern
  (syntax-rules () ((_ a ... b c) '(b c (a ...)))))
(tail-pattern 1 2 3 4 5) => (4 5 (1 2 3))

(define-syntax nested
  (syntax-rules () ((_ ((a b ...) ...)) '((b ... a) ...))))
(nested ((1 2 3) (4) (5 6))) => ((2 3 1) (4) (6 5))

(define-syntax vec (syntax-rules () ((_ #(a b ...)) '(a (b ...)))))
(vec #(1 2 3)) => (1 (2 3))

(define-syntax lit (syntax-rules (foo) ((_ foo) 'literal) ((_ x) 'other)))
(list (lit foo) (lit bar)) => (literal other)

(let ((foo 1)) (lit foo)) => other

(define-syntax custom (syntax-rules ::: () ((_ a :::) '(a ::: end))))
(custom 1 2 3) => (1 2 3 end)

(define-syntax nope (syntax-rules (a) ((_ a x) x)))
(nope b 1) =>error no expansion for: ((nope b 1))
