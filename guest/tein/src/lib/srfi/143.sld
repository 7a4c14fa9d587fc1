;; Fixnums have 62 bits. Operations that leave them give an error.
(define-library (srfi 143)
  (export
    fx-width fx-greatest fx-least fixnum? fx=? fx<? fx>? fx<=? fx>=? fxzero? fxpositive?
    fxnegative? fxodd? fxeven? fxmax fxmin fx+ fx- fxneg fx* fxabs fxsquare fxsqrt fxquotient
    fxremainder fx+/carry fx-/carry fx*/carry fxnot fxand fxior fxxor fxarithmetic-shift
    fxarithmetic-shift-left fxarithmetic-shift-right fxbit-count fxlength fxbit-field
    fxbit-field-rotate fxbit-field-reverse fxif fxbit-set? fxcopy-bit fxfirst-set-bit)
  (import (scheme base) (only (scheme division) balanced/) (srfi 151))
  (begin
    (define fx-width 62)
    (define fx-greatest (- (expt 2 61) 1))
    (define fx-least (- (expt 2 61)))
    (define (fixnum? x) (and (exact-integer? x) (<= fx-least x fx-greatest)))

    (define (checked who n)
      (if (fixnum? n) n (error (string-append who ": not a fixnum") n)))

    ;; (define-fixnum (name argument ...) body): arguments and result are fixnums.
    (define-syntax define-fixnum
      (syntax-rules ()
        ((_ (name arg ...) body)
         (define (name arg ...)
           (checked (symbol->string 'name) arg) ...
           (checked (symbol->string 'name) body)))))
    (define-syntax define-test
      (syntax-rules ()
        ((_ (name arg ...) body)
         (define (name arg ...)
           (checked (symbol->string 'name) arg) ...
           body))))
    (define-syntax define-many
      (syntax-rules ()
        ((_ name f)
         (define (name first . rest)
           (checked (symbol->string 'name) first)
           (for-each (lambda (x) (checked (symbol->string 'name) x)) rest)
           (apply f first rest)))))

    (define-many fx=? =)
    (define-many fx<? <)
    (define-many fx>? >)
    (define-many fx<=? <=)
    (define-many fx>=? >=)
    (define-many fxmax max)
    (define-many fxmin min)
    (define-test (fxzero? i) (zero? i))
    (define-test (fxpositive? i) (positive? i))
    (define-test (fxnegative? i) (negative? i))
    (define-test (fxodd? i) (odd? i))
    (define-test (fxeven? i) (even? i))
    (define-fixnum (fx+ i j) (+ i j))
    (define-fixnum (fx- i j) (- i j))
    (define-fixnum (fx* i j) (* i j))
    (define-fixnum (fxneg i) (- i))
    (define-fixnum (fxabs i) (abs i))
    (define-fixnum (fxsquare i) (* i i))
    (define-fixnum (fxquotient i j) (quotient i j))
    (define-fixnum (fxremainder i j) (remainder i j))
    (define-test (fxsqrt i) (exact-integer-sqrt i))

    ;; The low part, balanced around zero, and what is carried.
    (define (carried n)
      (call-with-values (lambda () (balanced/ n (expt 2 fx-width)))
        (lambda (q r) (values r q))))
    (define-test (fx+/carry i j k) (carried (+ i j k)))
    (define-test (fx-/carry i j k) (carried (- i j k)))
    (define-test (fx*/carry i j k) (carried (+ (* i j) k)))

    (define-fixnum (fxnot i) (bitwise-not i))
    (define (fxand . l) (for-each (lambda (x) (checked "fxand" x)) l) (apply bitwise-and l))
    (define (fxior . l) (for-each (lambda (x) (checked "fxior" x)) l) (apply bitwise-ior l))
    (define (fxxor . l) (for-each (lambda (x) (checked "fxxor" x)) l) (apply bitwise-xor l))
    (define-fixnum (fxarithmetic-shift i n) (arithmetic-shift i n))
    (define (shift-count who n)
      (if (not (and (exact-integer? n) (<= 0 n (- fx-width 1))))
          (error (string-append who ": bad shift count") n)))
    (define-fixnum (fxarithmetic-shift-left i n)
      (begin (shift-count "fxarithmetic-shift-left" n) (arithmetic-shift i n)))
    (define-fixnum (fxarithmetic-shift-right i n)
      (begin (shift-count "fxarithmetic-shift-right" n) (arithmetic-shift i (- n))))
    (define-fixnum (fxbit-count i) (bit-count i))
    (define-fixnum (fxlength i) (integer-length i))
    (define-fixnum (fxif mask i j) (bitwise-if mask i j))
    (define-test (fxbit-set? index i)
      (if (>= index fx-width) (negative? i) (bit-set? index i)))
    (define (fxcopy-bit index i bit)
      (checked "fxcopy-bit" (copy-bit (checked "fxcopy-bit" index) (checked "fxcopy-bit" i) bit)))
    (define-fixnum (fxfirst-set-bit i) (first-set-bit i))
    (define-fixnum (fxbit-field i start end) (bit-field i start end))
    (define-fixnum (fxbit-field-rotate i count start end) (bit-field-rotate i count start end))
    (define-fixnum (fxbit-field-reverse i start end) (bit-field-reverse i start end))))
