; import (chibi equiv)
; import (chibi edit-distance)
; import (chibi generic)

; --- (chibi equiv) ---

(list (equiv? '(1 "a" #(2)) (list 1 "a" (vector 2))) (equiv? 1 1.0) (equiv? "a" "b")) => (#t #f #f)

(let ((a (list 1 2)) (b (list 1 2))) (set-cdr! (cdr a) a) (set-cdr! (cdr b) b) (equiv? a b)) => #t

; --- (chibi edit-distance) ---

(map (lambda (p) (edit-distance (car p) (cadr p)))
     '(("" "") ("same" "same") ("same" "game") ("same" "sand") ("kitten" "sitting") ("Saturday" "Sunday") ("" "abc") ("abc" "") ("λx" "x")))
=> (0 0 1 2 3 3 3 3 1)

(edit-distance 'a "a") =>error invalid type, expected String

(find-nearest-edits "list" '("lisp" "last" "vector" "mist")) => ("lisp" "last" "mist")

(list (find-nearest-edits "a" '()) (find-nearest-edits "car" '("cdr" "car" "bar"))) => (() ("car"))

; --- (chibi generic) ---

(define-generic add)
(define-method (add (x number?) (y number?)) (+ x y))
(define-method (add (x string?) (y string?)) (string-append x y))
(define-method (add x (y list?)) (append x y))
(list (add 2 2) (add "2" "2") (add '() '(2 2)) (add '(2) '(2)))
=> (4 "22" (2 2) (2 2))

(add '#(2) '#(2)) =>error no method of the generic procedure applies: (add (#(2) #(2)))

(add 1) =>error no method of the generic procedure applies: (add (1))

; The latest method that applies is used, and can go on to the one before.
(define-generic mul)
(define-method (mul (x number?) (y number?)) (* x y))
(define-method (mul (x inexact?) (y inexact?)) (+ (* x y) 0.1))
(define-method (mul (x exact?) (y exact?)) (list 'exact (call-next-method)))
(list (mul 3 7) (mul 3.0 7) (mul 3 7.0) (mul 2.0 0.5))
=> ((exact 21) 21.0 21.0 1.1)

(define-generic only)
(define-method (only (x symbol?)) (let ((later (lambda () (call-next-method)))) (later)))
(only 'a)
=>error no method of the generic procedure applies: (only (a))

; Methods may have different numbers of parameters, and generic procedures need no name.
(let ((g (make-generic 'g)))
  (generic-add! g (list number?) (lambda (next x) (list 'one x)))
  (generic-add! g (list number? number?) (lambda (next x y) (list 'two x y)))
  (generic-add! g '() (lambda (next) 'none))
  (list (g 1) (g 1 2) (g)))
=> ((one 1) (two 1 2) none)
