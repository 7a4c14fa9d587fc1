; R7RS 6.2.6 Numerical operations: predicates, comparison, arithmetic

(map complex? '(3+4i 3 1.5 +inf.0)) => (#t #t #t #t)

(complex? 'a) => #f

(map real? '(3 -2.5+0i 1e10 +inf.0 +nan.0 1/3)) => (#t #t #t #t #t #t)

(real? -2.5+0.0i) => #f

(real? 1+i) => #f

(map rational? '(6/10 6/3 1.5 3)) => (#t #t #t #t)

(map rational? '(+inf.0 -inf.0 +nan.0 1+2i)) => (#f #f #f #f)

(map integer? '(3 3.0 8/4 3+0i)) => (#t #t #t #t)

(map integer? '(1.5 1/2 +inf.0 "3" #\3)) => (#f #f #f #f #f)

(map number? (list 1 1.5 'a "1" #\1 1/2 +nan.0)) => (#t #t #f #f #f #t #t)

(map exact? '(3 3.0 1/2 #e3.0 1+2i 1.0+2i)) => (#t #f #t #t #t #f)

(map inexact? '(3 3.0 #i3 1e2)) => (#f #t #t #t)

(exact? 'a) =>error invalid type, expected Number: (a)

(map exact-integer? '(32 32.0 32/5 10000000000000000000000)) => (#t #f #f #t)

(exact-integer? 'a) => #f

(map finite? '(3 1.5 +inf.0 -inf.0 +nan.0 3.0+inf.0i)) => (#t #t #f #f #f #f)

(map infinite? '(3 +inf.0 -inf.0 +nan.0 3.0+inf.0i)) => (#f #t #t #f #t)

(map nan? '(+nan.0 32 1.5 1+2i +nan.0+5.0i)) => (#t #f #f #f #t)

; comparison
(= 1 1 1) => #t

(= 1 1 2) => #f

(= 1 1.0) => #t

(= 1/2 0.5) => #t

(= 1/3 .3333333333333333) => #f

(= +nan.0 +nan.0) => #f

(= 0.0 -0.0) => #t

(= 9007199254740993 9007199254740992.0) => #f

(= 1+2i 1+2i) => #t

(< 1 2 3) => #t

(< 1 3 2) => #f

(< 1 1) => #f

(> 3 2 1) => #t

(> 3 3) => #f

(<= 1 1 2) => #t

(<= 2 1) => #f

(>= 2 2 1) => #t

(>= 1 2) => #f

(< -inf.0 -1e308 0 1/2 1 +inf.0) => #t

(< 1 +nan.0) => #f

(< 100000000000000000000 100000000000000000001) => #t

(< 1/3 1/2) => #t

(< 9007199254740992.0 9007199254740993) => #t

(= 5) => #t

(< 5) => #t

(< 1 'a) =>error invalid type, expected Number: (a)

(< 2 1 'a) =>error invalid type, expected Number: (a)

(= 1 "1") =>error invalid type, expected Number: ("1")

(< 1+i 2) =>error 

(map zero? '(0 0.0 -0.0 1 1/2 0+0.0i)) => (#t #t #t #f #f #t)

(map positive? '(1 0 -1 1.5 +inf.0 1/2)) => (#t #f #f #t #t #t)

(map negative? '(1 0 -1 -1.5 -inf.0 -0.0)) => (#f #f #t #t #t #f)

(map odd? '(1 2 -3 0 5.0 100000000000000000001)) => (#t #f #t #f #t #t)

(map even? '(1 2 -4 0 6.0 100000000000000000000)) => (#f #t #t #t #t #t)

(odd? 1.5) =>error invalid type, expected Integer: (1.5)

(even? 'a) =>error invalid type, expected

(zero? "0") =>error invalid type, expected Number: ("0")

(max 3 4) => 4

(max 3.9 4) => 4.0

(max 1 2 3 2) => 3

(max 1/2 1/3) => 1/2

(max 5) => 5

(min 1 2 0) => 0

(min 1 2.0) => 1.0

(max) =>error not enough args

(max 1 'a) =>error invalid type, expected Number: (a)

(max 1+i 2) =>error 

; arithmetic
(+ 3 4) => 7

(+ 3) => 3

(+) => 0

(* 4) => 4

(*) => 1

(- 3 4) => -1

(- 3 4 5) => -6

(- 3) => -3

(/ 3 4 5) => 3/20

(/ 3) => 1/3

(/ 6 3) => 2

(/ 1.0 4) => 0.25

(+ 1/2 1/3) => 5/6

(+ 1/2 1/2) => 1

(* 2/3 3/2) => 1

(- 1/2) => -1/2

(+ 1 2.5) => 3.5

(+ 1/2 0.5) => 1.0

(* 0 1.5) => 0.0

(+ 1 2 3 4 5) => 15

(* 1 2 3 4 5) => 120

(-) =>error not enough args

(/) =>error not enough args

(+ 'a 1) =>error invalid type, expected Number: (a)

(+ 'a) =>error invalid type, expected Number: (a)

(- "1") =>error invalid type, expected Number: ("1")

(* 2 #\a) =>error invalid type, expected Number: (#\a)

(/ 0 0) =>error divide by zero

(/ 5 0 2) =>error divide by zero

(/ 0.0 0) =>error divide by zero

(/ 0) =>error divide by zero

(/ 1 0.0) => +inf.0

(/ -1 0.0) => -inf.0

(/ 0.0 0.0) => +nan.0

(/ 0 1.5) => 0.0

; Fixnum, bignum and back.
(+ 2305843009213693951 1) => 2305843009213693952

(- -2305843009213693952 1) => -2305843009213693953

(- (+ 2305843009213693951 1) 1) => 2305843009213693951

(* 4611686018427387904 2) => 9223372036854775808

(* 3037000500 3037000500) => 9223372037000250000

(- 9223372036854775808 9223372036854775807) => 1

(* 99999999999 99999999999) => 9999999999800000000001

(- 0 -9223372036854775808) => 9223372036854775808

(abs -9223372036854775808) => 9223372036854775808

(let loop ((n 30) (acc 1)) (if (= n 0) acc (loop (- n 1) (* acc n)))) => 265252859812191058636308480000000

(quotient 265252859812191058636308480000000 (expt 2 26)) => 3952575621190533915703125

(abs -7) => 7

(abs -7.5) => 7.5

(abs -1/2) => 1/2

(magnitude -5) => 5

(abs 'a) =>error invalid type, expected Number: (a)

(square 42) => 1764

(square 2.0) => 4.0

(square 1/2) => 1/4

(square 10000000000) => 100000000000000000000

(square 'x) =>error invalid type, expected Number: (x)

; complex
(+ 1+2i 3-2i) => 4

(* +i +i) => -1

(* 1+2i 1-2i) => 5

(- 1+2i) => -1-2i

(/ 1+2i 2) => 1/2+1i

(real-part 1+2i) => 1

(imag-part 1+2i) => 2

(imag-part 5) => 0

(make-rectangular 1 2) => 1+2i

(make-rectangular 1 0) => 1

(make-rectangular 1.5 -2) => 1.5-2i

(magnitude 3+4i) => 5

(make-polar 2 0) => 2

(angle -1) => 3.141592653589793

(angle 1) => 0

(sqrt -4) => +2i

(sqrt -1) => +i

(expt +i 2) => -1
