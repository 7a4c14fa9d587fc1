; R7RS 6.2.6 Numerical operations: division, rounding, roots, functions

(define (both p) (lambda args (call-with-values (lambda () (apply p args)) list)))

((both floor/) 5 2) => (2 1)

((both floor/) -5 2) => (-3 1)

((both floor/) 5 -2) => (-3 -1)

((both floor/) -5 -2) => (2 -1)

((both truncate/) 5 2) => (2 1)

((both truncate/) -5 2) => (-2 -1)

((both truncate/) 5 -2) => (-2 1)

((both truncate/) -5 -2) => (2 -1)

((both truncate/) -5.0 2) => (-2.0 -1.0)

((both floor/) 100000000000000000000 7) => (14285714285714285714 2)

((both floor/) -100000000000000000000 7) => (-14285714285714285715 5)

(floor-quotient -7 2) => -4

(floor-remainder -7 2) => 1

(truncate-quotient -7 2) => -3

(truncate-remainder -7 2) => -1

(modulo 13 4) => 1

(remainder 13 4) => 1

(modulo -13 4) => 3

(remainder -13 4) => -1

(modulo 13 -4) => -3

(remainder 13 -4) => 1

(modulo -13 -4) => -1

(remainder -13 -4) => -1

(remainder -13 -4.0) => -1.0

(modulo 5.5 2) =>error invalid type, expected Integer

(quotient 17 -5) => -3

(quotient 17.0 5) => 3.0

(quotient -9223372036854775808 -1) => 9223372036854775808

(quotient 5 0) =>error divide by zero

(modulo 5 0) =>error divide by zero

(remainder 5 0) =>error divide by zero

(floor/ 5 0) =>error divide by zero

(truncate-quotient 5 0) =>error divide by zero

(quotient 1.5 2) =>error invalid type, expected Integer: (1.5

(quotient 'a 2) =>error invalid type, expected Number: (a)

(quotient 5) =>error not enough args

(gcd 32 -36) => 4

(gcd) => 0

(gcd 0 5) => 5

(gcd 12 18 27) => 3

(gcd 100000000000000000000 10) => 10

(gcd 1.5 2) =>error invalid type, expected Integer

(lcm 32 -36) => 288

(lcm 32.0 -36) => 288.0

(lcm) => 1

(lcm 0 5) => 0

(numerator (/ 6 4)) => 3

(denominator (/ 6 4)) => 2

(denominator 0) => 1

(numerator 5) => 5

(denominator (inexact (/ 6 4))) => 2.0

(numerator 0.5) => 1.0

; rounding
(map floor '(-4.3 3.5 7/2 -7/2 5)) => (-5.0 3.0 3 -4 5)

(map ceiling '(-4.3 3.5 7/2 -7/2 5)) => (-4.0 4.0 4 -3 5)

(map truncate '(-4.3 3.5 7/2 -7/2 5)) => (-4.0 3.0 3 -3 5)

(map round '(-4.3 3.5 7/2 7 2.5 -2.5 1/2 3/2 -1/2)) => (-4.0 4.0 4 7 2.0 -2.0 0 2 0)

(round 0.49999999999999994) => 0.0

(round -0.4) => -0.0

(floor +inf.0) => +inf.0

(floor 'a) =>error invalid type, expected Number: (a)

(floor 1+2i) =>error 

(rationalize (exact .3) 1/10) => 1/3

(rationalize .3 1/10) => 0.3333333333333333

(rationalize 3/10 1/10) => 1/3

(rationalize 5 1) => 4

(rationalize 1/2 0) => 1/2

; exactness
(exact 0.5) => 1/2

(exact 2.5) => 5/2

(exact 3.0) => 3

(exact 1e20) => 100000000000000000000

(exact 5) => 5

(exact .1) => 3602879701896397/36028797018963968

(exact +inf.0) =>error 

(exact +nan.0) =>error 

(inexact 1/3) => 0.3333333333333333

(inexact 5) => 5.0

(inexact 1.5) => 1.5

(inexact 100000000000000000000000) => 1e23

(inexact 1+1/2i) => 1.0+0.5i

(exact 'a) =>error invalid type, expected Number: (a)

; roots and powers
(exact-integer-sqrt 4) => ((values) 2 0)

((both exact-integer-sqrt) 5) => (2 1)

((both exact-integer-sqrt) 0) => (0 0)

((both exact-integer-sqrt) 1000000000000000000000000000001) => (1000000000000000 1)

(exact-integer-sqrt -1) =>error 

(exact-integer-sqrt 4.0) =>error 

(sqrt 9) => 3

(sqrt 16.0) => 4.0

(sqrt 2) => 1.4142135623730951

(sqrt 1/4) => 1/2

(sqrt 0) => 0

(sqrt 100000000000000000000) => 10000000000

(sqrt -2.0) => +1.4142135623730951i

(expt 2 10) => 1024

(expt 2 100) => 1267650600228229401496703205376

(expt 2 -2) => 1/4

(expt 0 0) => 1

(expt 0.0 0) => 1.0

(expt 0 5) => 0

(expt 2.0 3) => 8.0

(expt 2 0.5) => 1.4142135623730951

(expt 1/2 3) => 1/8

(expt -2 3) => -8

(expt 0 -1) =>error divide by zero

(expt 4 1/2) => 2

; transcendental
(exp 0) => 1.0

(exp 1) => 2.718281828459045

(log 1) => 0.0

(log 8 2) => 3.0

(log 100 10) => 2.0

(log 0.0) => -inf.0

(sin 0) => 0.0

(cos 0) => 1.0

(tan 0) => 0.0

(asin 0) => 0.0

(acos 1) => 0.0

(atan 0) => 0.0

(atan 1 1) => 0.7853981633974483

(atan -1 0) => -1.5707963267948966

(atan 1 -1) => 2.356194490192345

(atan 0.0 -1.0) => 3.141592653589793

(sin 1.0) => 0.8414709848078965

(exp 'a) =>error invalid type, expected Number: (a)

(log) =>error not enough args
