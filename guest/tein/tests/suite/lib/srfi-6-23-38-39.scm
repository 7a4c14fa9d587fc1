; import (srfi 6)
; import (srfi 23)
; import (srfi 38)
; import (srfi 39)
; import (srfi 46)
; import (srfi 147)
; SRFI 6 string ports, 23 errors, 38 shared structure, 39 parameters, 46 and 147 syntax rules

(let ((out (open-output-string))) (write 'abc (begin out)) (get-output-string out)) => "abc"

(read-char (open-input-string "xy")) => #\x

(error "oops" 1 "two") =>error oops: (1 "two")

(let ((x (list 1 2))) (write-with-shared-structure (list x x))) =>output (#0=(1 2) #0#)

(let ((out (open-output-string)) (x (list 1))) (set-cdr! x x) (write/ss x out) (get-output-string out)) => "#0=(1 . #0#)"

(let ((out (open-output-string))) (write/ss '(1 "a") out 'x) (get-output-string out)) => "(1 \"a\")"

(let ((x (read/ss (open-input-string "#1=(a . #1#)")))) (eq? x (cdr x))) => #t

(read-with-shared-structure (open-input-string "(1 2)")) => (1 2)

(define p (make-parameter 10 (lambda (x) (* x 2))))
(list (p) (parameterize ((p 3)) (p)) (p)) => (20 6 20)

(define-syntax my-let
  (syntax-rules ::: ()
    ((_ ((n v) :::) b :::) ((lambda (n :::) b :::) v :::))))
(my-let ((a 1) (b 2)) (+ a b)) => 3

; The transformer may itself be a macro use.
(define-syntax rules-for
  (syntax-rules () ((_ result) (syntax-rules () ((_) result)))))
(define-syntax seven (rules-for 7))
(seven) => 7

(let-syntax ((eight (rules-for 8))) (eight)) => 8
