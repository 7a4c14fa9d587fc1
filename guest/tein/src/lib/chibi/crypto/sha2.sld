;; The message digests SHA-224 and SHA-256 (FIPS 180-4), as lower-case hexadecimal text.
(define-library (chibi crypto sha2)
  (export sha-224 sha-256)
  (import (scheme base) (only (chibi bytevector) bytevector-u32-ref-be)
          (only (tein core) arithmetic-shift bitwise-and bitwise-ior bitwise-xor))
  (begin
    (define (word n) (bitwise-and n #xffffffff))
    (define (rotate n k)
      (word (bitwise-ior (arithmetic-shift n (- k)) (arithmetic-shift n (- 32 k)))))

    ;; The fractional parts of the cube roots of the first 64 primes.
    (define constants
      #(#x428a2f98 #x71374491 #xb5c0fbcf #xe9b5dba5 #x3956c25b #x59f111f1 #x923f82a4 #xab1c5ed5
        #xd807aa98 #x12835b01 #x243185be #x550c7dc3 #x72be5d74 #x80deb1fe #x9bdc06a7 #xc19bf174
        #xe49b69c1 #xefbe4786 #x0fc19dc6 #x240ca1cc #x2de92c6f #x4a7484aa #x5cb0a9dc #x76f988da
        #x983e5152 #xa831c66d #xb00327c8 #xbf597fc7 #xc6e00bf3 #xd5a79147 #x06ca6351 #x14292967
        #x27b70a85 #x2e1b2138 #x4d2c6dfc #x53380d13 #x650a7354 #x766a0abb #x81c2c92e #x92722c85
        #xa2bfe8a1 #xa81a664b #xc24b8b70 #xc76c51a3 #xd192e819 #xd6990624 #xf40e3585 #x106aa070
        #x19a4c116 #x1e376c08 #x2748774c #x34b0bcb5 #x391c0cb3 #x4ed8aa4a #x5b9cca4f #x682e6ff3
        #x748f82ee #x78a5636f #x84c87814 #x8cc70208 #x90befffa #xa4506ceb #xbef9a3f7 #xc67178f2))

    (define (source->bytes src)
      (cond ((string? src) (string->utf8 src))
            ((bytevector? src) src)
            (else
             (let ((out (open-output-bytevector)))
               (let loop ((b (read-bytevector 4096 src)))
                 (if (eof-object? b)
                     (get-output-bytevector out)
                     (begin (write-bytevector b out) (loop (read-bytevector 4096 src)))))))))

    (define (pad bytes)
      (let* ((n (bytevector-length bytes))
             (size (* 64 (quotient (+ n 72) 64)))
             (out (make-bytevector size 0)))
        (bytevector-copy! out 0 bytes)
        (bytevector-u8-set! out n #x80)
        (do ((i 1 (+ i 1)) (bits (* 8 n) (quotient bits 256)))
            ((= i 9) out)
          (bytevector-u8-set! out (- size i) (remainder bits 256)))))

    (define (schedule! w bytes at)
      (do ((i 0 (+ i 1)))
          ((= i 16))
        (vector-set! w i (bytevector-u32-ref-be bytes (+ at (* 4 i)))))
      (do ((i 16 (+ i 1)))
          ((= i 64))
        (let ((x (vector-ref w (- i 15))) (y (vector-ref w (- i 2))))
          (vector-set! w i
            (word (+ (vector-ref w (- i 16))
                     (bitwise-xor (rotate x 7) (rotate x 18) (arithmetic-shift x -3))
                     (vector-ref w (- i 7))
                     (bitwise-xor (rotate y 17) (rotate y 19) (arithmetic-shift y -10))))))))

    ;; The eight words of the state after every block.
    (define (hash state src)
      (let* ((bytes (pad (source->bytes src)))
             (size (bytevector-length bytes))
             (w (make-vector 64)))
        (let block ((at 0) (state state))
          (if (= at size)
              state
              (begin
                (schedule! w bytes at)
                (block (+ at 64)
                       (map (lambda (old new) (word (+ old new)))
                            state
                            (apply compress w state))))))))

    (define (compress w a b c d e f g h)
      (let round ((i 0) (a a) (b b) (c c) (d d) (e e) (f f) (g g) (h h))
        (if (= i 64)
            (list a b c d e f g h)
            (let ((t1 (+ h
                         (bitwise-xor (rotate e 6) (rotate e 11) (rotate e 25))
                         (bitwise-xor g (bitwise-and e (bitwise-xor f g)))
                         (vector-ref constants i)
                         (vector-ref w i)))
                  (t2 (+ (bitwise-xor (rotate a 2) (rotate a 13) (rotate a 22))
                         (bitwise-ior (bitwise-and a b) (bitwise-and c (bitwise-ior a b))))))
              (round (+ i 1) (word (+ t1 t2)) a b c (word (+ d t1)) e f g)))))

    (define (hex n)
      (let ((s (number->string n 16)))
        (string-append (make-string (- 8 (string-length s)) #\0) s)))

    (define (text words) (apply string-append (map hex words)))

    (define (sha-256 src)
      (text
        (hash '(#x6a09e667 #xbb67ae85 #x3c6ef372 #xa54ff53a #x510e527f #x9b05688c #x1f83d9ab #x5be0cd19)
              src)))

    ;; Other first words, and the last word of the state left out.
    (define (sha-224 src)
      (text
        (reverse
          (cdr
            (reverse
              (hash '(#xc1059ed8 #x367cd507 #x3070dd17 #xf70e5939 #xffc00b31 #x68581511 #x64f98fa7 #xbefa4fa4)
                    src))))))))
