; import (srfi 144)
; SRFI 144: flonums

(define (close? a b) (< (abs (- a b)) (* 1e-14 (max 1.0 (abs b)))))
(list (flonum 1) (flonum 1/2) (nan? (flonum 'a)) (flonum? 1.0) (flonum? 1) (flonum? 'x)) => (1.0 0.5 #t #t #f #f)

(list fl-pi fl-e fl-epsilon (close? fl-phi (/ (+ 1.0 fl-sqrt-5) 2.0)) (close? (* fl-cbrt-3 fl-cbrt-3 fl-cbrt-3) 3.0) (close? (exp fl-log-pi) fl-pi) (close? fl-2pi (* 2.0 fl-pi))) => (3.141592653589793 2.718281828459045 2.220446049250313e-16 #t #t #t #t)

(list (fl=? 1.0 1.0 1.0) (fl<? 1.0 2.0 3.0) (fl<? 1.0 3.0 2.0) (fl>? 2.0 1.0) (fl<=? 1.0 1.0) (fl>=? 1.0 2.0) (fl= 1.0 1.0) (fl< 2.0 1.0)) => (#t #t #f #t #t #f #t #f)

(fl=? 1 1) =>error expected Flonum

(list (flodd? 3.0) (fleven? 3.0) (flinteger? 2.5) (flzero? -0.0) (flpositive? 0.0) (flnegative? -1.0) (flunordered? 1.0 +nan.0) (flunordered? 1.0 2.0)) => (#t #f #f #t #f #t #t #f)

(list (fl+ 1.0 2.0 3.0) (fl+) (fl* 2.0 3.0) (fl*) (fl- 1.0) (fl- 5.0 1.0 1.0) (fl/ 2.0) (fl/ 8.0 2.0 2.0) (fl+* 2.0 3.0 4.0)) => (6.0 0.0 6.0 1.0 -1.0 3.0 0.5 2.0 10.0)

(fl+ 1.0 2) =>error expected Flonum

(list (flmax 1.0 3.0 2.0) (flmin 1.0 3.0 -2.0) (flmax) (flmin) (flabsdiff 1.0 4.0) (flposdiff 4.0 1.0) (flposdiff 1.0 4.0)) => (3.0 -2.0 -inf.0 +inf.0 3.0 3.0 0.0)

(list (flnumerator 0.75) (fldenominator 0.75) (flabs -2.0) (flsgn -3.0) (flsgn 0.0) (flcopysign 2.0 -0.0) (sign-bit -0.0) (sign-bit 1.0)) => (3.0 4.0 2.0 -1.0 1.0 -2.0 1 0)

(list (fladjacent 1.0 2.0) (fladjacent 0.0 1.0) (make-flonum 3.0 4) (make-flonum 1.0 -1074)) => (1.0000000000000002 5e-324 48.0 5e-324)

(call-with-values (lambda () (flinteger-fraction -3.75)) list) => (-3.0 -0.75)

(call-with-values (lambda () (flnormalized-fraction-exponent 12.0)) list) => (0.75 4)

(list (flexponent 8.0) (flexponent 0.1) (flinteger-exponent 8.0) (flexponent 0.0) (= (flinteger-exponent 0.0) fl-integer-exponent-zero)) => (3.0 -4.0 3 -inf.0 #t)

(list (flfinite? 1.0) (flinfinite? -inf.0) (flnan? +nan.0) (flnormalized? 1.0) (flnormalized? 1e-310) (fldenormalized? 1e-310) (fldenormalized? 0.0)) => (#t #t #t #t #f #t #f)

(list (flfloor -1.5) (flceiling -1.5) (flround 2.5) (fltruncate -1.5) (flsquare 3.0) (flsqrt 9.0) (flcbrt -27.0) (flhypot 3.0 4.0) (flexpt 2.0 10.0)) => (-2.0 -1.0 2.0 -1.0 9.0 3.0 -3.0 5.0 1024.0)

(list (flnan? (flsqrt -1.0)) (flnan? (fllog -1.0)) (flnan? (flasin 2.0)) (flnan? (flexpt -1.0 0.5)) (fllog 0.0)) => (#t #t #t #t -inf.0)

(list (flexp 0.0) (flexp2 3.0) (close? (flexp-1 1e-10) 1.00000000005e-10) (fllog1+ 0.0) (fllog2 8.0) (fllog10 1000.0)) => (1.0 8.0 #t 0.0 3.0 3.0)

(list (close? (flsin fl-pi/2) 1.0) (flcos 0.0) (close? (fltan fl-pi/4) 1.0) (close? (flasin 1.0) fl-pi/2) (flacos 1.0) (close? (flatan 1.0) fl-pi/4) (close? (flatan 1.0 -1.0) (* 3.0 fl-pi/4))) => (#t 1.0 #t #t 0.0 #t #t)

(list (flsinh 0.0) (flcosh 0.0) (close? (fltanh (flatanh 0.5)) 0.5) (close? (flsinh (flasinh 2.0)) 2.0) (close? (flcosh (flacosh 2.0)) 2.0)) => (0.0 1.0 #t #t #t)

(list (close? (flgamma 5.0) 24.0) (close? (flgamma 0.5) fl-gamma-1/2) (close? (flerf 0.0) 0.0) (close? (+ (flerf 0.7) (flerfc 0.7)) 1.0) (close? (flfirst-bessel 0 0.0) 1.0) (< (abs (- (flfirst-bessel 2 1.0) 0.1149034849319005)) 1e-12) (< (abs (- (flsecond-bessel 0 1.0) 0.08825696421567697)) 1e-12)) => (#t #t #t #t #t #t #t)

(call-with-values (lambda () (flloggamma -0.5)) (lambda (a s) (list (close? a (fllog (* 2.0 fl-sqrt-pi))) s))) => (#t -1.0)

(call-with-values (lambda () (flremquo 7.0 2.0)) (lambda (r q) (list r (modulo q 8)))) => (-1.0 4)

(call-with-values (lambda () (flfloor/ -7.0 2.0)) list) => (-4.0 1.0)

(list (fleuclidean-remainder -7.0 -2.0) (flceiling-quotient 7.0 2.0) (fltruncate-remainder -7.0 2.0) (flround-quotient 7.0 2.0) (flbalanced-remainder 13.0 4.0)) => (1.0 4.0 -1.0 4.0 1.0)

(flfloor-quotient 7 2) =>error expected Flonum

; The constants, by what they are.
(map (lambda (pair) (or (close? (car pair) (cdr pair)) pair))
  (list (cons fl-1/e (exp -1.0)) (cons fl-e-2 (exp 2.0)) (cons fl-e-pi/4 (exp fl-pi/4)) (cons fl-log2-e (/ 1.0 (log 2.0)))
        (cons fl-log10-e (/ 1.0 (log 10.0))) (cons fl-log-2 (log 2.0)) (cons fl-1/log-2 (/ 1.0 (log 2.0))) (cons fl-log-3 (log 3.0))
        (cons fl-log-10 (log 10.0)) (cons fl-1/log-10 (/ 1.0 (log 10.0))) (cons fl-1/pi (/ 1.0 fl-pi)) (cons fl-2/pi (/ 2.0 fl-pi))
        (cons fl-pi-squared (* fl-pi fl-pi)) (cons fl-degree (/ fl-pi 180.0)) (cons fl-2/sqrt-pi (/ 2.0 (sqrt fl-pi)))
        (cons fl-sqrt-2 (sqrt 2.0)) (cons fl-sqrt-3 (sqrt 3.0)) (cons fl-sqrt-10 (sqrt 10.0)) (cons fl-1/sqrt-2 (sqrt 0.5))
        (cons (expt fl-cbrt-2 3) 2.0) (cons (expt fl-4thrt-2 4) 2.0) (cons fl-log-phi (log fl-phi)) (cons fl-1/log-phi (/ 1.0 (log fl-phi)))
        (cons fl-e-euler (exp fl-euler)) (cons fl-sin-1 (sin 1.0)) (cons fl-cos-1 (cos 1.0)) (cons fl-gamma-1/3 (flgamma (/ 1.0 3.0)))
        (cons fl-gamma-2/3 (flgamma (/ 2.0 3.0))) (cons fl-gamma-1/2 (sqrt fl-pi))))
  => (#t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t)

; Euler's constant by the harmonic numbers, with two terms of their expansion.
(let loop ((n 1) (h 0.0)) (if (> n 10000) (< (abs (- fl-euler (- h (log 10000.0) (/ 1.0 20000.0) (- (/ 1.0 1.2e9))))) 1e-12) (loop (+ n 1) (+ h (/ 1.0 n))))) => #t

(list (= fl-least (fladjacent 0.0 1.0)) (= (fladjacent fl-greatest +inf.0) +inf.0) (flfinite? fl-greatest) (= (/ fl-least 2.0) 0.0)) => (#t #t #t #t)

(list (flinteger-exponent +nan.0) (exact-integer? fl-integer-exponent-nan) (boolean? fl-fast-+*)) => (-2147483648 #t #t)

(define (two f . xs) (call-with-values (lambda () (apply f xs)) list))
(list (two flfloor/ -7.0 2.0) (two flceiling/ -7.0 2.0) (two fltruncate/ -7.0 2.0) (two flround/ -7.0 2.0) (two fleuclidean/ -7.0 -2.0) (two flbalanced/ -7.0 4.0))
  => ((-4.0 1.0) (-3.0 -1.0) (-3.0 -1.0) (-4.0 1.0) (4.0 1.0) (-2.0 1.0))

(list (flfloor-remainder 7.0 -2.0) (flceiling-remainder 7.0 2.0) (fltruncate-quotient -7.0 2.0) (flround-remainder 5.0 2.0) (fleuclidean-quotient 7.0 -2.0) (flbalanced-quotient 7.0 4.0))
  => (-1.0 -1.0 -3.0 1.0 -3.0 2.0)
