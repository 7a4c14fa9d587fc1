; R7RS 6.2.5 Syntax of numerical constants, 6.2.7 Numerical input and output

(list 1 -1 +1 007) => (1 -1 1 7)

(list 1.5 -1.5 .5 -.5 5. 1e3 1E3 1.5e-3) => (1.5 -1.5 0.5 -0.5 5.0 1000.0 1000.0 0.0015)

(list #b1010 #o17 #d10 #xff #XFF #xAbC) => (10 15 10 255 255 2748)

(list #e1.5 #e1e3 #i5 #i1/2 #x#e1f #e#xff) => (3/2 1000 5.0 0.5 31 255)

(list 1/2 -3/6 4/2 #x1/a) => (1/2 -1/2 2 1/10)

(list +inf.0 -inf.0 +nan.0) => (+inf.0 -inf.0 +nan.0)

(list 1+2i 1-i +i -2.5i 1/2+3/4i +inf.0i) => (1+2i 1-i +i -2.5i 1/2+3/4i +inf.0i)

1@0 => 1

#e.1 => 1/10

#e1e-3 => 1/1000

123456789012345678901234567890 => 123456789012345678901234567890

#x-ff => -255

-0 => 0

-0.0 => -0.0

1e400 => +inf.0

; Symbols that are nearly numbers.
(map symbol? '(+ - ... +a -- 1+ -> .foo +.x 1a --1)) => (#t #t #t #t #t #t #t #t #t #t #t)

(map number? '(+1 -1. +.5 1/2 -i +i)) => (#t #t #t #t #t #t)

(number->string 10) => "10"

(number->string 255 16) => "ff"

(number->string -255 2) => "-11111111"

(number->string 8 8) => "10"

(number->string 3.0) => "3.0"

(number->string 0.1) => "0.1"

(number->string -0.0) => "-0.0"

(number->string 1e21) => "1e+21"

(number->string 1e20) => "1e+20"

(number->string 1e-7) => "1e-07"

(number->string 1/3) => "1/3"

(number->string 1/3 2) => "1/11"

(number->string +inf.0) => "+inf.0"

(number->string -inf.0) => "-inf.0"

(number->string +nan.0) => "+nan.0"

(number->string 1+2i) => "1+2i"

(number->string 123456789.123) => "123456789.123"

(number->string 5e-324) => "5e-324"

(number->string 1.7976931348623157e308) => "1.7976931348623157e+308"

(number->string 100000000000000000000 16) => "56bc75e2d63100000"

(number->string 'a) =>error invalid type, expected Number: (a)

(number->string 10 1) =>error radix

(number->string 10 99) =>error radix

(string->number "100") => 100

(string->number "100" 16) => 256

(string->number "1e2") => 100.0

(string->number "#x10") => 16

(string->number "#x10" 10) => 16

(string->number "10" 2) => 2

(string->number "12" 2) => #f

(string->number "ff" 16) => 255

(string->number "FF" 16) => 255

(string->number "1/2") => 1/2

(string->number "1/0") => #f

(string->number "-1.5") => -1.5

(string->number ".5") => 0.5

(string->number "+inf.0") => +inf.0

(string->number "+INF.0") => +inf.0

(string->number "1+2i") => 1+2i

(string->number "+i") => +i

(string->number "1e") => #f

(string->number "") => #f

(string->number "-") => #f

(string->number "+") => #f

(string->number ".") => #f

(string->number "1.2.3") => #f

(string->number "abc") => #f

(string->number " 1") => #f

(string->number "1 ") => #f

(string->number "--1") => #f

(string->number "1/") => #f

(string->number "1i") => #f

(string->number "#e1.5") => 3/2

(string->number "#i3/4") => 0.75

(string->number "#e#x10") => 16

(string->number "#x#e10") => 16

(string->number "#x#x10") => #f

(string->number "#b102") => #f

(string->number "99999999999999999999") => 99999999999999999999

(string->number 'a) =>error invalid type, expected String: (a)

(string->number "1" 99) =>error radix

; Every radix both ways.
(let loop ((r 2))
  (or (> r 16)
      (and (= (string->number (number->string 123456789 r) r) 123456789)
           (= (string->number (number->string -12345678901234567890 r) r) -12345678901234567890)
           (loop (+ r 1))))) => #t

; Shortest forms come back as the same flonum.
(let loop ((x 1e-300) (n 0))
  (cond ((= n 600) #t)
        ((eqv? x (string->number (number->string x))) (loop (* x 10.1) (+ n 1)))
        (else x))) => #t

(display 3.14) =>output 3.14

(write 1/2) =>output 1/2
