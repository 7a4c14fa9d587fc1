; import (chibi ast)
; import (chibi show shared)

; --- (chibi ast) ---

(map (lambda (x) (type-name (type-of x))) (list '(1) 'a "a" 1 (expt 10 30) 1.5 1/2 1+2i #\a #t '#(1) #u8(1) car (open-input-string "") (open-output-string) '()))
=> ("Pair" "Symbol" "String" "Integer" "Bignum" "Flonum" "Complex" "Complex" "Char" "Boolean" "Vector" "Byte-Vector" "Procedure" "Input-Port" "Output-Port" "Object")

(define-record-type point (make-point x y) point? (x px) (y py))
(let ((t (type-of (make-point 1 2)))) (list (eq? t point) (type-name t) (type-slots t) (type-num-slots t) (eq? (type-parent t) Object) (type? t)))
=> (#t "point" (x y) 2 #t #t)

(list (map type-name (vector->list (type-cpl Flonum))) (type? 5) (eq? Pair (type-of '(1))) (type-parent Object)) => (("Object" "Number" "Flonum") #f #t #f)

(type-name 5) =>error invalid type, expected Type

(guard (e (#t (list (exception? e) (exception-kind e) (exception-message e) (exception-irritants e) (type-name (type-of e))))) (error "oops" 1 2)) => (#t user "oops" (1 2) "Exception")

(guard (e (#t (exception-kind e))) (read (open-input-string "("))) => read

(list (procedure-variadic? list) (procedure-variadic? car) (procedure-variadic? (lambda (a . b) a)) (procedure-arity (lambda (a b) a)) (procedure-name car)) => (#t #f #t (2 . 2) #f)

(list (lambda? car) (opcode? car) (macro? 1) (syntactic-closure? 'a) (environment? 1)) => (#f #f #f #f #f)

(analyze '(+ 1 2)) =>error [sandbox:chibi/ast] analyze not available

(setenv "A" "b") =>error [sandbox:chibi/ast] setenv not available

(list (gc) (atomically (+ 1 2)) (thread-list) (string-contains "abc" "c") (flatten-dot '(a b . c)) (immutable? 'a) (immutable? (list 1)) (let ((s (make-string 3 #\-))) (list (string-cursor-copy! s 1 "abcd" 0 4) s)))
=> (0 3 () 2 (a b c) #t #f (2 "-ab"))

; --- (chibi show shared) ---

; A writer of lists with labels.
(define (show x cyclic-only?)
  (let ((shares (extract-shared-objects x cyclic-only?)) (out (open-output-string)))
    (define (each . parts) (for-each (lambda (p) (if (procedure? p) (p) (display p out))) parts))
    (define (item x)
      (cond ((pair? x) (call-with-shared-ref x shares each (lambda () (each "(" (lambda () (items x)) ")"))))
            ((vector? x) (call-with-shared-ref x shares each (lambda () (each "#" (lambda () (item (vector->list x)))))))
            (else (each (lambda () (write x out))))))
    (define (items x)
      (item (car x))
      (cond ((null? (cdr x)) #f)
            ((pair? (cdr x)) (call-with-shared-ref/cdr (cdr x) shares each (lambda () (items (cdr x))) " "))
            (else (each " . ") (item (cdr x)))))
    (item x)
    (get-output-string out)))
(let ((x (list 1 2))) (list (show (list x x '(3 . 4)) #f) (show (list x x) #t)))
=> ("(#0=(1 2) #0# (3 . 4))" "((1 2) (1 2))")

(let ((x (list 1 2 3))) (set-cdr! (cddr x) x) (list (show x #f) (show (list 0 x) #t))) => ("#0=(1 2 3 . #0#)" "(0 #0=(1 2 3 . #0#))")

(let ((v (vector 1 2))) (vector-set! v 1 v) (show v #t)) => "#0=#(1 #0#)"

(let ((x (list 1 2 3))) (set-cdr! (cddr x) (cdr x)) (show x #t)) => "(1 . #0=(2 3 . #0#))"
