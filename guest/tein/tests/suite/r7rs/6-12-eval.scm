; R7RS 6.12 Environments and evaluation

(eval '(* 7 3) (environment '(scheme base))) => 21

(let ((f (eval '(lambda (f x) (f x x)) (environment '(scheme base))))) (f + 10)) => 20

(eval ''a (environment '(scheme base))) => a

(eval 5 (environment '(scheme base))) => 5

(eval '(let loop ((i 0)) (if (< i 10) (loop (+ i 1)) i)) (environment '(scheme base))) => 10

(eval '(char-upcase #\a) (environment '(scheme base) '(scheme char))) => #\A

(eval '(my-car '(1)) (environment '(rename (scheme base) (car my-car)))) => 1

(eval '(the-car '(1)) (environment '(prefix (only (scheme base) car quote) the-))) =>error 

(eval '(car '(1)) (environment '(only (scheme base) car quote))) => 1

(eval '(cdr '(1)) (environment '(only (scheme base) car quote))) =>error undefined variable: (cdr)

(eval '(car '(1)) (environment)) =>error 

(eval 'no-such (environment '(scheme base))) =>error undefined variable: (no-such)

(environment '(no such library)) =>error [sandbox:environment] module (no such library) not in allowlist

(eval '(if) (environment '(scheme base))) =>error not enough args to if

(eval '(error "inside" 1) (environment '(scheme base))) =>error inside: (1)

(guard (e (#t (error-object-message e))) (eval '(car 5) (environment '(scheme base)))) => "car: not a pair"

; The program's own variables are not in it.
(define here 1)
(eval 'here (environment '(scheme base))) =>error undefined variable: (here)

(eval '(let-syntax ((m (syntax-rules () ((_ x) (list x x))))) (m 1)) (environment '(scheme base))) => (1 1)

; Data built at run time.
(eval (list '+ 1 (list '* 2 3)) (environment '(scheme base))) => 7

(eval (list car ''(1 2)) (environment '(scheme base))) => 1

(eval '(begin 1 2 3) (environment '(scheme base))) => 3

(call/cc (lambda (k) (eval (list k 42) (environment '(scheme base))))) => 42

(eval '(1 . 2) (environment '(scheme base))) =>error 

(eval 5) =>error not enough args

(eval 5 5) =>error 

; Evaluation nests.
(eval '(eval '(+ 1 2) (environment '(scheme base))) (environment '(scheme base) '(scheme eval))) => 3

(map (lambda (e) (eval e (environment '(scheme base)))) '(1 (+ 1 1) (car '(3)))) => (1 2 3)
