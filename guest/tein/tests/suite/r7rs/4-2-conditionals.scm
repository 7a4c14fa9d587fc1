; R7RS 4.2.1 Conditionals, 4.2.3 Sequencing

(cond ((> 3 2) 'greater) ((< 3 2) 'less)) => greater

(cond ((> 3 3) 'greater) ((< 3 3) 'less) (else 'equal)) => equal

(cond ((assv 'b '((a 1) (b 2))) => cadr) (else #f)) => 2

(cond ((assv 'c '((a 1) (b 2))) => cadr) (else 'none)) => none

(cond (#f 1)) => #<unspecified>

(cond (5)) => 5

(cond (#f) (6)) => 6

(cond (#f 1) (else 2 3 4)) => 4

(cond ((+ 1 1) => (lambda (x) (* x 10)))) => 20

(cond (1 2 3)) => 3

(cond (else 1) (#t 2)) =>error else is not the last clause

(cond 5) =>error where a form was expected

(cond ()) =>error cond

(let ((else #f)) (cond (else 'no) (#t 'yes))) => yes

; case
(case (* 2 3) ((2 3 5 7) 'prime) ((1 4 6 8 9) 'composite)) => composite

(case (car '(c d)) ((a) 'a) ((b) 'b)) => #<unspecified>

(case (car '(c d))
  ((a e i o u) 'vowel)
  ((w y) 'semivowel)
  (else => (lambda (x) x))) => c

(case 5 ((1 2 3) 'small) ((4 5 6) => (lambda (n) (* n n))) (else 'big)) => 25

(case #\b ((#\a) 1) ((#\b #\c) 2) (else 3)) => 2

(case "a" (("a") 'string) (else 'no)) => no

(case 2.0 ((2) 'exact) ((2.0) 'inexact) (else 'none)) => inexact

(case 100000000000000000000 ((100000000000000000000) 'big) (else 'no)) => big

(case '() ((()) 'nil) (else 'no)) => nil

(case #t ((#f) 'f) ((#t) 't)) => t

(case 'else ((else) 'symbol) (else 'clause)) => symbol

(case 1 ((1) 'a 'b 'c)) => c

(case (begin 'x) ((x y) 'first) ((x) 'second)) => first

(case 1) => #<unspecified>

(case) =>error case

(case 1 (1 2)) =>error where a form was expected

; and, or
(and (= 2 2) (> 2 1)) => #t

(and (= 2 2) (< 2 1)) => #f

(and 1 2 'c '(f g)) => (f g)

(and) => #t

(and #f (car 5)) => #f

(or (= 2 2) (> 2 1)) => #t

(or (= 2 2) (< 2 1)) => #t

(or #f #f #f) => #f

(or (memq 'b '(a b c)) (/ 3 0)) => (b c)

(or) => #f

(or #f 5) => 5

(let ((n 0)) (or (begin (set! n (+ n 1)) #f) (begin (set! n (+ n 10)) n))) => 11

; when, unless
(when (> 3 2) 'a 'b) => b

(when #f 'a) => #<unspecified>

(unless (> 2 3) 'a 'b) => b

(unless #t 'a) => #<unspecified>

(when) =>error when

(unless) =>error unless

(let ((n 0)) (when (= n 0) (set! n 1) (set! n (+ n 1))) n) => 2

; cond-expand
(cond-expand (r7rs 'yes) (else 'no)) => yes

(cond-expand (no-such-feature 'yes) (else 'no)) => no

(cond-expand ((and r7rs (not no-such-feature)) 'yes) (else 'no)) => yes

(cond-expand ((or no-such-feature full-unicode) 'yes) (else 'no)) => yes

(cond-expand ((library (scheme base)) 'yes) (else 'no)) => yes

(cond-expand ((library (no such library)) 'yes) (else 'no)) => no

(cond-expand ((and) 'all) (else 'none)) => all

(cond-expand ((or) 'some) (else 'none)) => none

(cond-expand (ratios 1 2 3)) => 3

(let () (cond-expand (r7rs (define a 1) (define b 2))) (+ a b)) => 3

(if (memq 'r7rs (features)) 'yes 'no) => yes

; begin
(define x 0)
(and (= x 0) (begin (set! x 5) (+ x 1))) => 6

(begin 1 2 3) => 3

(let ((x 1)) (begin (set! x 2)) x) => 2

(begin (define in-begin 7) (define also 8))
(+ in-begin also) => 15

(begin (display "4 plus 1 equals ") (display (+ 4 1))) =>output 4 plus 1 equals 5

(let () (begin (define p 1)) (begin) (+ p 1)) => 2
