; import (srfi 151)
; SRFI 151: bitwise operations

(list (bitwise-not 10) (bitwise-not -37)) => (-11 36)

(list (bitwise-ior 10 12) (bitwise-and 10 12) (bitwise-xor 10 12)) => (14 8 6)

(list (bitwise-ior) (bitwise-and) (bitwise-xor) (bitwise-eqv)) => (0 -1 0 -1)

(list (bitwise-eqv 37 12) (bitwise-nand 11 26) (bitwise-nor 11 26)) => (-42 -11 -28)

(list (bitwise-andc1 11 26) (bitwise-andc2 11 26) (bitwise-orc1 11 26) (bitwise-orc2 11 26)) => (16 1 -2 -17)

(bitwise-eqv 1 2 3) => 0

(list (arithmetic-shift 8 2) (arithmetic-shift 8 -1) (arithmetic-shift -1 -5) (arithmetic-shift 1 100)) => (32 4 -1 1267650600228229401496703205376)

(list (bit-count 12) (bit-count 0) (bit-count -1) (bit-count -4) (bit-count (- (expt 2 100) 1))) => (2 0 0 2 100)

(list (integer-length 0) (integer-length 1) (integer-length -1) (integer-length 7) (integer-length -7) (integer-length 128)) => (0 1 0 3 3 8)

(list (bitwise-if 3 1 8) (bitwise-if 3 8 1) (bitwise-if 1 1 2) (bitwise-if #b00111100 #b11110000 #b00001111)) => (9 0 3 #b00110011)

(list (bit-set? 1 1) (bit-set? 0 1) (bit-set? 3 10) (bit-set? 6 -1) (bit-set? 1000 -1)) => (#f #t #t #t #t)

(bit-set? -1 5) =>error number out of range

(list (copy-bit 0 0 #t) (copy-bit 2 0 #t) (copy-bit 2 #b1111 #f)) => (1 4 #b1011)

(list (bit-swap 0 2 4) (bit-swap 0 1 2) (bit-swap 3 5 5)) => (1 1 5)

(list (any-bit-set? 3 6) (any-bit-set? 3 12) (every-bit-set? 4 6) (every-bit-set? 7 6)) => (#t #f #t #f)

(list (first-set-bit 1) (first-set-bit 0) (first-set-bit -4) (first-set-bit 40)) => (0 -1 2 3)

(list (bit-field #b1101101010 0 4) (bit-field #b1101101010 3 9) (bit-field #b1101101010 4 9)) => (#b1010 #b101101 #b10110)

(list (bit-field-any? #b1001001 1 6) (bit-field-any? #b1000001 1 6) (bit-field-every? #b1011110 1 5) (bit-field-every? #b1011010 1 5)) => (#t #f #t #f)

(list (bit-field-clear #b101010 1 4) (bit-field-set #b101010 1 4)) => (#b100000 #b101110)

(list (bit-field-replace #b101010 #b010 1 4) (bit-field-replace #b110 1 0 1) (bit-field-replace-same #b1111 #b0000 1 3)) => (#b100100 #b111 #b1001)

(list (bit-field-rotate #b110 1 1 3) (bit-field-rotate #b0111 -1 1 4) (bit-field-rotate #b110 0 0 10) (bit-field-rotate 6 5 2 2)) => (#b110 #b1011 #b110 6)

(list (bit-field-reverse 6 1 3) (bit-field-reverse 6 1 4) (bit-field-reverse #b1010011 1 4)) => (6 12 #b1011001)

(bit-field 5 3 1) =>error bit field out of range

(list (bits->list 6) (bits->list 3 5) (bits->list 0)) => ((#f #t #t) (#t #t #f #f #f) ())

(list (list->bits '(#t #f #t #f #t)) (list->bits '(#f #f)) (bits #t #t) (bits)) => (21 0 3 0)

(bits->list -1) =>error a negative number has endless bits

(list (bits->vector 6) (vector->bits '#(#t #f #t))) => (#(#f #t #t) 5)

(bitwise-fold cons '() #b1010111) => (#t #f #t #f #t #t #t)

(let ((n 0)) (bitwise-for-each (lambda (b) (if b (set! n (+ n 1)))) #b1010111) n) => 5

(bitwise-unfold (lambda (i) (= i 10)) even? (lambda (i) (+ i 1)) 0) => #b101010101

(let ((g (make-bitwise-generator #b10110))) (let* ((a (g)) (b (g)) (c (g)) (d (g)) (e (g)) (f (g))) (list a b c d e f))) => (#f #t #t #f #t #f)

(bitwise-and 1.5 2) =>error invalid type
