;; Numbers inside bytevectors, and bytevectors as numbers and hexadecimal text.
(define-library (chibi bytevector)
  (export
    bytevector-u16-ref-le bytevector-u16-ref-be bytevector-u32-ref-le bytevector-u32-ref-be
    bytevector-ber-ref bytevector-ber-set!
    bytevector-ieee-single-ref bytevector-ieee-single-native-ref
    bytevector-ieee-single-set! bytevector-ieee-single-native-set!
    bytevector-ieee-double-ref bytevector-ieee-double-native-ref
    bytevector-ieee-double-set! bytevector-ieee-double-native-set!
    bytevector-pad-left integer->bytevector bytevector->integer
    integer->hex-string hex-string->integer bytevector->hex-string hex-string->bytevector)
  (import (scheme base) (only (scheme inexact) nan? infinite? finite?)
          (only (tein core) arithmetic-shift bitwise-and bitwise-ior integer-length))
  (begin
    (define (ref bytes i k) (arithmetic-shift (bytevector-u8-ref bytes i) k))

    (define (bytevector-u16-ref-le bytes i) (+ (ref bytes i 0) (ref bytes (+ i 1) 8)))
    (define (bytevector-u16-ref-be bytes i) (+ (ref bytes i 8) (ref bytes (+ i 1) 0)))
    (define (bytevector-u32-ref-le bytes i)
      (+ (ref bytes i 0) (ref bytes (+ i 1) 8) (ref bytes (+ i 2) 16) (ref bytes (+ i 3) 24)))
    (define (bytevector-u32-ref-be bytes i)
      (+ (ref bytes i 24) (ref bytes (+ i 1) 16) (ref bytes (+ i 2) 8) (ref bytes (+ i 3) 0)))

    ;; --- BER compressed integers: seven bits a byte, the last one without the high bit ---

    (define (bytevector-ber-ref bytes . range)
      (let ((start (if (pair? range) (car range) 0))
            (end (if (and (pair? range) (pair? (cdr range))) (cadr range) (bytevector-length bytes))))
        (let loop ((i start) (n 0))
          (if (>= i end) (error "bytevector-ber-ref: the integer does not end" start))
          (let* ((b (bytevector-u8-ref bytes i))
                 (n (+ (* 128 n) (bitwise-and b 127))))
            (if (< b 128) n (loop (+ i 1) n))))))

    (define (bytevector-ber-set! bytes n . start)
      (if (not (and (exact-integer? n) (>= n 0)))
          (error "bytevector-ber-set!: not a natural number" n))
      (let* ((start (if (pair? start) (car start) 0))
             (count (max 1 (quotient (+ (integer-length n) 6) 7))))
        (let loop ((i (+ start count -1)) (n n) (mark 0))
          (if (>= i start)
              (begin
                (bytevector-u8-set! bytes i (+ mark (bitwise-and n 127)))
                (loop (- i 1) (arithmetic-shift n -7) 128))))))

    ;; --- IEEE 754: a format is its bytes, bits of exponent and bits of fraction ---

    (define (check-endianness e)
      (if (not (memq e '(big little))) (error "an endianness is big or little" e)))

    (define (load bytes i size endianness)
      (check-endianness endianness)
      (let loop ((k 0) (n 0))
        (if (= k size)
            n
            (loop (+ k 1)
                  (+ (* 256 n)
                     (bytevector-u8-ref bytes
                       (+ i (if (eq? endianness 'big) k (- size k 1)))))))))

    (define (store! bytes i size endianness n)
      (check-endianness endianness)
      (let loop ((k (- size 1)) (n n))
        (if (>= k 0)
            (begin
              (bytevector-u8-set! bytes (+ i (if (eq? endianness 'big) k (- size k 1)))
                (bitwise-and n 255))
              (loop (- k 1) (arithmetic-shift n -8))))))

    (define (mask bits) (- (arithmetic-shift 1 bits) 1))

    (define (bits->float n exponent-bits fraction-bits)
      (let* ((fraction (bitwise-and n (mask fraction-bits)))
             (exponent (bitwise-and (arithmetic-shift n (- fraction-bits)) (mask exponent-bits)))
             (negative? (= 1 (arithmetic-shift n (- (+ exponent-bits fraction-bits)))))
             (bias (mask (- exponent-bits 1)))
             (scale (lambda (m e) (inexact (* m (expt 2 e)))))
             (x (cond ((= exponent (mask exponent-bits)) (if (= fraction 0) +inf.0 +nan.0))
                      ((= exponent 0) (scale fraction (- 1 bias fraction-bits)))
                      (else (scale (+ fraction (arithmetic-shift 1 fraction-bits))
                                   (- exponent bias fraction-bits))))))
        (if negative? (- x) x)))

    (define (negative-zero? x) (and (= x 0) (eqv? x -0.0)))

    (define (float->bits x exponent-bits fraction-bits)
      (let* ((top (arithmetic-shift (mask exponent-bits) fraction-bits))
             (sign (arithmetic-shift 1 (+ exponent-bits fraction-bits)))
             (x (inexact x)))
        (cond ((nan? x) (+ top (arithmetic-shift 1 (- fraction-bits 1))))
              ((or (< x 0) (negative-zero? x)) (+ sign (magnitude (- x) exponent-bits fraction-bits top)))
              (else (magnitude x exponent-bits fraction-bits top)))))

    ;; Rounds to the nearest fraction, half to even; what is too large becomes infinite.
    (define (magnitude x exponent-bits fraction-bits top)
      (cond ((infinite? x) top)
            ((= x 0) 0)
            (else
             (let* ((x (exact x))
                    (bias (mask (- exponent-bits 1)))
                    (e (floor-log2 x))
                    ;; Below the least normal exponent the fraction has fewer bits.
                    (e (max e (- 1 bias)))
                    (m (round (* x (expt 2 (- fraction-bits e)))))
                    (hidden (arithmetic-shift 1 fraction-bits)))
               ;; A subnormal m lacks the hidden bit; one that rounds up carries into the exponent.
               (min top
                    (if (< m hidden)
                        m
                        (+ m (* hidden (- (+ e bias) 1)))))))))

    ;; The largest e with 2^e at most X, a positive exact rational.
    (define (floor-log2 x)
      (let* ((guess (- (integer-length (numerator x)) (integer-length (denominator x)))))
        (if (<= (expt 2 guess) x) guess (- guess 1))))

    (define (bytevector-ieee-single-ref bytes i endianness)
      (bits->float (load bytes i 4 endianness) 8 23))
    (define (bytevector-ieee-single-native-ref bytes i) (bytevector-ieee-single-ref bytes i 'little))
    (define (bytevector-ieee-single-set! bytes i x endianness)
      (store! bytes i 4 endianness (float->bits x 8 23)))
    (define (bytevector-ieee-single-native-set! bytes i x)
      (bytevector-ieee-single-set! bytes i x 'little))
    (define (bytevector-ieee-double-ref bytes i endianness)
      (bits->float (load bytes i 8 endianness) 11 52))
    (define (bytevector-ieee-double-native-ref bytes i) (bytevector-ieee-double-ref bytes i 'little))
    (define (bytevector-ieee-double-set! bytes i x endianness)
      (store! bytes i 8 endianness (float->bits x 11 52)))
    (define (bytevector-ieee-double-native-set! bytes i x)
      (bytevector-ieee-double-set! bytes i x 'little))

    ;; --- whole numbers, the most significant byte first ---

    (define (bytevector-pad-left bytes size)
      (let ((n (bytevector-length bytes)))
        (if (>= n size)
            bytes
            (bytevector-append (make-bytevector (- size n) 0) bytes))))

    (define (check-natural who n)
      (if (not (and (exact-integer? n) (>= n 0)))
          (error (string-append who ": not a natural number") n)))

    (define (integer->bytevector n)
      (check-natural "integer->bytevector" n)
      (let* ((size (max 1 (quotient (+ (integer-length n) 7) 8)))
             (bytes (make-bytevector size 0)))
        (store! bytes 0 size 'big n)
        bytes))

    (define (bytevector->integer bytes) (load bytes 0 (bytevector-length bytes) 'big))

    ;; Always an even number of digits.
    (define (integer->hex-string n)
      (check-natural "integer->hex-string" n)
      (let ((s (number->string n 16)))
        (if (odd? (string-length s)) (string-append "0" s) s)))

    (define (hex-string->integer s)
      (if (string=? s "")
          0
          (bytevector->integer (hex-string->bytevector s))))

    (define digits "0123456789abcdef")

    (define (bytevector->hex-string bytes)
      (let ((out (open-output-string)))
        (do ((i 0 (+ i 1)))
            ((= i (bytevector-length bytes)) (get-output-string out))
          (let ((b (bytevector-u8-ref bytes i)))
            (write-char (string-ref digits (quotient b 16)) out)
            (write-char (string-ref digits (remainder b 16)) out)))))

    (define (hex-value c)
      (cond ((char<=? #\0 c #\9) (- (char->integer c) 48))
            ((char<=? #\a c #\f) (- (char->integer c) 87))
            ((char<=? #\A c #\F) (- (char->integer c) 55))
            (else (error "not a hexadecimal digit" c))))

    ;; An odd number of digits is read as if a zero stood before them.
    (define (hex-string->bytevector s)
      (let* ((s (if (odd? (string-length s)) (string-append "0" s) s))
             (size (quotient (string-length s) 2))
             (bytes (make-bytevector size)))
        (do ((i 0 (+ i 1)))
            ((= i size) bytes)
          (bytevector-u8-set! bytes i
            (+ (* 16 (hex-value (string-ref s (* 2 i))))
               (hex-value (string-ref s (+ 1 (* 2 i)))))))))))
