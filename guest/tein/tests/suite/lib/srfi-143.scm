; import (srfi 143)
; SRFI 143: fixnums

(list fx-width fx-greatest fx-least) => (62 2305843009213693951 -2305843009213693952)

(list (fixnum? fx-greatest) (fixnum? (+ fx-greatest 1)) (fixnum? fx-least) (fixnum? (- fx-least 1)) (fixnum? 1.0) (fixnum? 'a)) => (#t #f #t #f #f #f)

(list (fx=? 1 1 1) (fx<? 1 2 3) (fx<? 1 3 2) (fx>? 3 2 1) (fx<=? 1 1 2) (fx>=? 2 2 3)) => (#t #t #f #t #t #f)

(list (fxzero? 0) (fxpositive? 0) (fxnegative? -1) (fxodd? 3) (fxeven? 3)) => (#t #f #t #t #f)

(list (fxmax 1 3 2) (fxmin 3 1 2)) => (3 1)

(list (fx+ 1 2) (fx- 1 2) (fx* 3 -4) (fxneg 5) (fxabs -5) (fxsquare 7) (fxquotient -7 2) (fxremainder -7 2)) => (3 -1 -12 -5 5 49 -3 -1)

(call-with-values (lambda () (fxsqrt 32)) list) => (5 7)

(fx+ fx-greatest 1) =>error fx+: not a fixnum

(fx* fx-greatest 2) =>error fx*: not a fixnum

(fx+ 1 2.0) =>error fx+: not a fixnum: (2.0)

(fxquotient 1 0) =>error divide by zero

(call-with-values (lambda () (fx+/carry fx-greatest 1 0)) list) => (-2305843009213693952 1)

(call-with-values (lambda () (fx-/carry fx-least 1 0)) list) => (2305843009213693951 -1)

(call-with-values (lambda () (fx*/carry fx-greatest 2 3)) list) => (1 1)

(list (fxnot 5) (fxand 12 10) (fxior 12 10) (fxxor 12 10) (fxand) (fxior)) => (-6 8 14 6 -1 0)

(list (fxarithmetic-shift 8 -1) (fxarithmetic-shift-left 1 4) (fxarithmetic-shift-right -8 2)) => (4 16 -2)

(fxarithmetic-shift-left 1 62) =>error fxarithmetic-shift-left: bad shift count: (62)

(list (fxbit-count 7) (fxlength 8) (fxif 3 1 8) (fxbit-set? 1 2) (fxbit-set? 100 -1) (fxcopy-bit 1 0 #t) (fxfirst-set-bit 4)) => (3 4 9 #t #t 2 2)

(list (fxbit-field #b1010 1 3) (fxbit-field-rotate #b110 1 1 3) (fxbit-field-reverse #b1010011 1 4)) => (#b01 #b110 #b1011001)
