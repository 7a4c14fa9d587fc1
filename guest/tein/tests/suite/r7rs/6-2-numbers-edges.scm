; R7RS 6.2: what the numeric procedures do at the edges
; import (scheme inexact)
; import (scheme complex)

; --- 6.2.5 and 7.1.1, how numbers are written ---

(list #e1.5e3 #e-1.25 #e1e20 #i3/4 #x#i10 #i#x10 #b#e101) => (1500 -5/4 100000000000000000000 0.75 16.0 16.0 5)

#x-1/2+i => -1/2+i

#xa+bi => 10+11i

(list #b-101/11 #o-17/7 #xF/F) => (-5/3 -15/7 1)

(list #e+i #e1.5+2.5i #i1/2+i) => (+i 3/2+5/2i 0.5+1.0i)

(inexact 1/3) => 0.3333333333333333

(map string->number '("1e2" "1E2" "#e1e2" "1e+2" "1e-2")) => (100.0 100.0 100 100.0 0.01)

(map string->number '("" "+" "-" "." "..." "+." "1+" "1/" "/1" "1/0" "e1" "1e" "1e+" "--1" "1.2.3" "#" "#x" "#e" "#xg"))
  => (#f #f #f #f #f #f #f #f #f #f #f #f #f #f #f #f #f #f #f)

(map string->number '("1/2/3" "1.5/2" "1/2.5" "1e2/3" "i" "1i" "+i+i" "1@" "@1" "1@2@3" " 1" "1 " "1_000" "0x10" "#b2" "#o8" "#d1a"))
  => (#f #f #f #f #f #f #f #f #f #f #f #f #f #f #f #f #f)

(map string->number '("#x#x10" "#e#i1" "#e#e1" "#x#e#x1" "#b#d1")) => (#f #f #f #f #f)

(map string->number '("+inf.0" "-inf.0" "+INF.0" "inf.0" "+inf" "+inf.")) => (+inf.0 -inf.0 +inf.0 #f #f #f)

(nan? (string->number "-nan.0")) => #t

(map string->number '("#e+inf.0" "#e+nan.0")) => (#f #f)

(list (string->number "ff" 16) (string->number "FF" 16) (string->number "#b101" 16) (string->number "101" 2) (string->number "102" 2))
  => (255 255 5 5 #f)

(string->number "1e2" 16) => 482

(string->number "1.5" 2) => #f

(list (string->number "-1/2+i" 16) (string->number "+i" 2)) => (-1/2+i +i)

(string->number "1" 1) =>error radix

(string->number "1" 37) =>error radix

(list (number->string 1/2+i 16) (number->string -10 16) (number->string 0 2)) => ("1/2+i" "-a" "0")

; A point belongs to radix 10 alone, so that an inexact number in another has a prefix.
(map (lambda (x) (number->string x 2)) '(0.5 2.0 -0.75 10)) => ("#i1/10" "#i10" "#i-11/100" "1010")

(map (lambda (x) (eqv? x (string->number (number->string x 16) 16))) '(0.1 -1e300 5e-324 1.5-0.25i -0.0)) => (#t #t #t #t #t)

(map (lambda (x) (string->number (number->string x))) '(0.1 1e23 5e-324 1.7976931348623157e308 -0.0 123456789.123456789 4.35 9007199254740993.0))
  => (0.1 1e23 5e-324 1.7976931348623157e308 -0.0 123456789.12345679 4.35 9007199254740992.0)

; Halfway cases round to even.
(list 9007199254740993e0 9007199254740995e0 2.2250738585072011e-308 (= 1e23 (inexact (expt 10 23))))
  => (9007199254740992.0 9007199254740996.0 2.225073858507201e-308 #t)

(list (string->number "1e400") (string->number "-1e400") (string->number "1e-400") (string->number "-1e-400"))
  => (+inf.0 -inf.0 0.0 -0.0)

; --- exactness ---

(exact 1e18) => 1000000000000000000

(exact 1e30) => 1000000000000000019884624838656

(= (exact 1.7976931348623157e308) (* (- (expt 2 53) 1) (expt 2 971))) => #t

(= (exact 5e-324) (/ 1 (expt 2 1074))) => #t

(exact 0.1) => 3602879701896397/36028797018963968

(exact -0.0) => 0

(exact +inf.0) =>error invalid type, expected Rational: (+inf.0)

(exact +nan.0) =>error invalid type, expected Rational: (+nan.0)

(inexact (/ (expt 10 400) (+ (expt 10 399) 1))) => 10.0

(inexact (expt 10 400)) => +inf.0

(inexact (/ 1 (expt 10 400))) => 0.0

(inexact (+ (expt 2 53) 1)) => 9007199254740992.0

(inexact (+ (expt 2 54) 3)) => 18014398509481988.0

(list (exact? 1/2) (inexact? 1.) (exact? 1+2i) (inexact? 1.0+2i) (exact? +i)) => (#t #t #t #t #t)

(exact? 'a) =>error invalid type, expected Number

(list (exact-integer? 5) (exact-integer? 5.0) (exact-integer? 5/1) (exact-integer? 'a)) => (#t #f #t #f)

(list (integer? 3.0) (integer? 3.5) (integer? +inf.0) (integer? 3+0i) (integer? "3")) => (#t #f #f #t #f)

(list (rational? +inf.0) (rational? +nan.0) (rational? 1.5) (rational? 1/2) (rational? 1+i)) => (#f #f #t #t #f)

(list (real? 1+0i) (real? 1+0.0i) (real? +nan.0) (complex? 1) (number? 'a)) => (#t #f #t #t #f)

(list (finite? 1e308) (finite? +inf.0) (finite? 1+inf.0i) (infinite? -inf.0) (infinite? 1-inf.0i) (nan? +nan.0+i) (nan? 1))
  => (#t #f #f #t #t #t #f)

; --- comparison ---

(list (= 1 1.0) (= 1/2 0.5) (= +nan.0 +nan.0) (= 0.0 -0.0) (= 1+i 1+i) (= 1 1 2) (=)) =>error not enough args

(list (= 1 1.0 1) (= 1/2 0.5) (= +nan.0 +nan.0) (= 0.0 -0.0) (= 1+i 1+i) (= 1 1 2)) => (#t #t #f #t #t #f)

; Transitive with exact arithmetic, where a conversion would lose digits.
(list (= 9007199254740993 9007199254740992.0) (< 9007199254740992.0 9007199254740993) (= (expt 10 23) 1e23)) => (#f #t #f)

(list (< 1/3 0.3333333333333333) (> 1/3 0.3333333333333333) (< (expt 10 400) +inf.0) (> (- (expt 10 400)) -inf.0)) => (#f #t #t #t)

(list (< 1 +nan.0) (> 1 +nan.0) (<= +nan.0 +nan.0) (< 1 2 +nan.0 3)) => (#f #f #f #f)

(< 1 'a) =>error invalid type, expected

(< 2 1 'a) =>error invalid type, expected

(< 1 1+i) =>error invalid type, expected

(list (max 1 2.0) (max 3 2.0) (min 1 2.0) (max 1/2 1/3) (max 5)) => (2.0 3.0 1.0 1/2 5)

(list (nan? (max 1 +nan.0)) (nan? (min +nan.0 1)) (max 1 +inf.0)) => (#t #t +inf.0)

(max) =>error not enough args

(max 'a) =>error invalid type, expected

(list (zero? 0) (zero? 0.0) (zero? -0.0) (zero? 0+0.0i) (positive? 0.0) (negative? -0.0) (positive? +inf.0) (negative? +nan.0))
  => (#t #t #t #t #f #f #t #f)

(list (odd? 1) (odd? -1) (even? 0) (even? -2) (odd? 3.0) (even? 1e20) (odd? (+ (expt 2 70) 1))) => (#t #t #t #t #t #t #t)

(even? 1.5) =>error

(odd? 1/2) =>error

; --- arithmetic ---

(list (+) (*) (+ 5) (* 5) (- 5) (/ 5) (/ 0.5) (- 0.0)) => (0 1 5 5 -5 1/5 2.0 -0.0)

(-) =>error not enough args

(/) =>error not enough args

(list (/ 6 4) (/ 6 3) (/ 6 4.0) (/ -1 -2) (/ 1 2 3)) => (3/2 2 1.5 1/2 1/6)

(/ 0) =>error divide by zero

(/ 1/2 0) =>error divide by zero

(list (- 4611686018427387904 1) (+ 2305843009213693951 1) (* 4294967296 4294967296) (- -2305843009213693952 1))
  => (4611686018427387903 2305843009213693952 18446744073709551616 -2305843009213693953)

(list (* 0 1.5) (+ 0 1.5) (* 1 1.5)) => (0.0 1.5 1.5)

(nan? (* 0 +inf.0)) => #t

(list (abs -7) (abs -7/2) (abs -0.0) (abs -inf.0) (abs (- (expt 2 61))) (abs (- (expt 2 100))))
  => (7 7/2 0.0 +inf.0 2305843009213693952 1267650600228229401496703205376)

(+ 'a) =>error invalid type, expected Number

(* 2 "3") =>error invalid type, expected Number

; --- 6.2.6 division ---

(call-with-values (lambda () (floor/ 5 2)) list) => (2 1)

(call-with-values (lambda () (floor/ -5 2)) list) => (-3 1)

(call-with-values (lambda () (floor/ 5 -2)) list) => (-3 -1)

(call-with-values (lambda () (floor/ -5 -2)) list) => (2 -1)

(call-with-values (lambda () (truncate/ -5 2)) list) => (-2 -1)

(call-with-values (lambda () (truncate/ 5 -2)) list) => (-2 1)

(call-with-values (lambda () (truncate/ -5.0 2)) list) => (-2.0 -1.0)

(call-with-values (lambda () (floor/ (- (expt 10 30)) 7)) list) => (-142857142857142857142857142858 6)

(call-with-values (lambda () (truncate/ (- (expt 10 30)) 7)) list) => (-142857142857142857142857142857 -1)

(call-with-values (lambda () (floor/ 7 (expt 10 30))) list) => (0 7)

(call-with-values (lambda () (floor/ -7 (expt 10 30))) list) => (-1 999999999999999999999999999993)

(list (quotient (- (expt 2 61)) -1) (remainder (- (expt 2 61)) -1) (modulo -13 4) (modulo 13 -4) (remainder -13 4) (modulo -13 4.0))
  => (2305843009213693952 0 3 -3 -1 3.0)

(quotient 1.5 1) =>error

(modulo 1 0) =>error divide by zero

(floor/ 1 0) =>error divide by zero

(truncate-remainder 1 0.0) =>error divide by zero

(list (gcd) (lcm) (gcd 0 0) (gcd 0 -5) (gcd 12 -18) (lcm 4 -6) (lcm 0 5) (gcd 12.0 18) (lcm 32 -36.0)) => (0 1 0 5 6 12 0 6.0 288.0)

(gcd (expt 2 100) (expt 6 50)) => 1125899906842624

(gcd 1.5 2) =>error

(list (numerator 6/4) (denominator 6/4) (denominator 0) (denominator 0.5) (numerator 0.5) (numerator -6/4) (denominator (inexact 6/4)))
  => (3 2 1 2.0 1.0 -3 2.0)

(list (floor -4.3) (ceiling -4.3) (truncate -4.3) (round -4.3) (round 3.5) (round 2.5) (round -2.5) (round 7/2) (round -7/2) (floor -7/2) (truncate -7/2) (round 7))
  => (-5.0 -4.0 -4.0 -4.0 4.0 2.0 -2.0 4 -4 -4 -3 7)

(list (round 0.5) (round -0.5) (round 1.5) (ceiling -0.5) (truncate -0.5) (round 4503599627370497.5) (floor +inf.0)) => (0.0 -0.0 2.0 -0.0 -0.0 4503599627370498.0 +inf.0)

(round 'a) =>error invalid type, expected

(list (rationalize 3/10 1/10) (rationalize .3 1/10) (rationalize -3/10 1/10) (rationalize 5 1) (rationalize 1/10 1)) => (1/3 0.3333333333333333 -1/3 4 0)

; --- transcendental functions ---

(list (exp 0) (exp 1) (log 1) (log 8 2) (log 100 10) (sin 0) (cos 0) (atan 1 0) (asin 0) (acos 1))
  => (1.0 2.718281828459045 0.0 3.0 2.0 0.0 1.0 1.5707963267948966 0.0 0.0)

(list (atan 0 1) (atan 0.0 1) (atan -0.0 1) (atan 0.0 -1) (atan -0.0 -1) (atan 1 0.0) (atan -1 0.0) (atan 0.0 0.0) (atan -0.0 -0.0))
  => (0 0.0 -0.0 3.141592653589793 -3.141592653589793 1.5707963267948966 -1.5707963267948966 0.0 -3.141592653589793)

(list (atan +inf.0) (atan -inf.0) (atan +inf.0 +inf.0) (atan 1 +inf.0)) => (1.5707963267948966 -1.5707963267948966 0.7853981633974483 0.0)

(list (log 0.0) (exp -inf.0) (exp +inf.0)) => (-inf.0 0.0 +inf.0)

(log 0) => -inf.0

(log -1) => +3.141592653589793i

(imag-part (log -1.0)) => 3.141592653589793

(list (square 5) (square -1/2) (square 1.5) (square +i)) => (25 1/4 2.25 -1)

; --- roots and powers ---

(list (sqrt 16) (sqrt 1/4) (sqrt 2) (sqrt 16.0) (sqrt 0) (sqrt 0.0) (sqrt -0.0)) => (4 1/2 1.4142135623730951 4.0 0 0.0 -0.0)

(list (sqrt -1) (sqrt -4) (sqrt -2.25) (sqrt -1/4) (sqrt (expt 10 40)) (sqrt (expt 10 41))) => (+i +2i +1.5i +1/2i 100000000000000000000 3.1622776601683795e20)

(sqrt -4.0) => +2.0i

(= (sqrt (expt 10 400)) (expt 10 200)) => #t

(list (sqrt 3+4i) (sqrt -3+4i) (sqrt +2i)) => (2+i 1+2i 1+i)

(call-with-values (lambda () (exact-integer-sqrt 17)) list) => (4 1)

(call-with-values (lambda () (exact-integer-sqrt 0)) list) => (0 0)

(call-with-values (lambda () (exact-integer-sqrt (- (expt 10 60) 1))) list) => (999999999999999999999999999999 1999999999999999999999999999998)

(call-with-values (lambda () (exact-integer-sqrt (expt 2 200))) list) => (1267650600228229401496703205376 0)

(exact-integer-sqrt -1) =>error

(exact-integer-sqrt 4.0) =>error

(list (expt 0 0) (expt 0.0 0) (expt 0 0.0) (expt 0.0 0.0) (expt 0 5) (expt 0.0 5) (expt 2 0)) => (1 1.0 1.0 1.0 0 0.0 1)

(list (expt 2 -2) (expt -2 3) (expt 2/3 3) (expt 2/3 -3) (expt 2.0 3) (expt 2 0.5) (expt 4 1/2) (expt 8 1/3))
  => (1/4 -8 8/27 27/8 8.0 1.4142135623730951 2 2.0)

(list (expt -1 1000001) (expt 1 (expt 10 30)) (expt -1 (expt 10 30)) (expt 0 (expt 10 30))) => (-1 1 1 0)

(list (expt +i 2) (expt +i 3) (expt 1+i 4) (expt 1+i -1)) => (-1 -i -4 1/2-1/2i)

(expt 0 -1) =>error divide by zero

(list (expt 0.0 -1) (expt +inf.0 0) (expt 2 1000.0) (expt 2.0 -1074)) => (+inf.0 1.0 1.0715086071862673e301 5e-324)

(expt 2 100) => 1267650600228229401496703205376

; --- complex ---

(list (make-rectangular 1 2) (make-rectangular 1 0) (make-rectangular 1.0 0) (make-polar 2 0)) => (1+2i 1 1.0 2)

(list (real-part 1+2i) (imag-part 1+2i) (real-part 5) (imag-part 5) (imag-part 1.5) (magnitude 3+4i) (magnitude -5) (angle 1) (angle -1))
  => (1 2 5 0 0 5 5 0 3.141592653589793)

(list (+ 1+2i 1-2i) (* 1+2i 1-2i) (/ 1+2i 1-2i) (- 1+2i 1) (* +i +i)) => (2 5 -3/5+4/5i +2i -1)

(list 1.0+2.0i 1+0.5i -1.5-2i 1e10+1i +nan.0+inf.0i -0.0-0.0i) => (1.0+2.0i 1+0.5i -1.5-2i 10000000000.0+i +nan.0+inf.0i -0.0-0.0i)

(number->string 1.5-0.5i) => "1.5-0.5i"

; --- boolean answers of exact-rational? kinds are in R7RS-large; exact-integer? is above ---

(list (number->string 1e21) (number->string 1e100) (number->string 123456.0) (number->string 0.000001) (number->string 100.0))
  => ("1e+21" "1e+100" "123456.0" "1e-06" "100.0")
