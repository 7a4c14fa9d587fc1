; import (srfi 139)
; import (srfi 154)
; import (srfi 211 identifier-syntax)
; import (srfi 55)
; SRFI 139 syntax parameters, 154 dynamic environments, 211 identifier syntax, 55 require-extension

(define-syntax-parameter abort (syntax-rules () ((_ . _) (syntax-error "abort used outside of loop"))))
(define-syntax forever
  (syntax-rules ()
    ((_ body ...)
     (call/cc (lambda (escape)
       (syntax-parameterize ((abort (syntax-rules () ((_ value (... ...)) (escape value (... ...))))))
         (let loop () body ... (loop))))))))
(define i 0)
(forever (set! i (+ i 1)) (if (= i 5) (abort i))) => 5

(abort) =>error abort used outside of loop

(define-syntax-parameter it (syntax-rules () ((_) 'none)))
(define-syntax show-it (syntax-rules () ((_) (it))))
(list (show-it) (syntax-parameterize ((it (syntax-rules () ((_) 'one)))) (list (show-it) (syntax-parameterize ((it (syntax-rules () ((_) 'two)))) (show-it)) (it))) (it)) => (none (one two one) none)

(syntax-parameterize ((car (syntax-rules () ((_) 1)))) 2) =>error not a syntax parameter

(define p (make-parameter 1))
(define env (parameterize ((p 2)) (current-dynamic-environment)))
(list (p) (with-dynamic-environment env (lambda () (p))) (p) (dynamic-environment? env) (dynamic-environment? 1)) => (1 2 1 #t #f)

(call-with-values (lambda () (with-dynamic-environment env (lambda () (values 1 (p))))) list) => (1 2)

(define f (parameterize ((p 5)) (closed-lambda (x) (list x (p)))))
(parameterize ((p 9)) (f 'a)) => (a 5)

(define e2 (call/cc (lambda (k) (with-exception-handler (lambda (x) (k (list 'caught x))) (lambda () (current-dynamic-environment))))))
(dynamic-environment? e2) => #t

(with-dynamic-environment 1 (lambda () 2)) =>error expected Dynamic-Environment

(define v (vector 1 2))
(define-syntax first (identifier-syntax (vector-ref v 0)))
(list first (+ first 10) (let ((v 5)) first)) => (1 11 1)

(define-syntax second (identifier-syntax (_ (vector-ref v 1)) ((set! _ x) (vector-set! v 1 x))))
(begin (set! second (+ second 40)) (list second v)) => (42 #(1 42))

(define (g) (define-syntax here (identifier-syntax (list first second))) (car here))
(g) => 1

(define-syntax plus (identifier-syntax +))
(plus 1 2) => 3

(let-syntax ((x (identifier-syntax 'inner))) (list x x)) => (inner inner)

(set! first 1) =>error no expansion for

(require-extension (srfi 8))
(receive (a b) (values 1 2) (+ a b)) => 3

(require-extension (srfi 8 11))
(let-values (((a) 1)) a) => 1
