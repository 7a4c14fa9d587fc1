;; The message digest MD5 (RFC 1321). Broken as a protection: for compatibility only.
(define-library (chibi crypto md5)
  (export md5)
  (import (scheme base) (only (chibi bytevector) bytevector->hex-string bytevector-u32-ref-le)
          (only (tein core) arithmetic-shift bitwise-and bitwise-ior bitwise-xor))
  (begin
    (define (word n) (bitwise-and n #xffffffff))
    (define (rotate n k)
      (word (bitwise-ior (arithmetic-shift n k) (arithmetic-shift n (- k 32)))))

    ;; The whole part of 2^32 * |sin(i + 1)|.
    (define sines
      #(#xd76aa478 #xe8c7b756 #x242070db #xc1bdceee #xf57c0faf #x4787c62a #xa8304613 #xfd469501
        #x698098d8 #x8b44f7af #xffff5bb1 #x895cd7be #x6b901122 #xfd987193 #xa679438e #x49b40821
        #xf61e2562 #xc040b340 #x265e5a51 #xe9b6c7aa #xd62f105d #x02441453 #xd8a1e681 #xe7d3fbc8
        #x21e1cde6 #xc33707d6 #xf4d50d87 #x455a14ed #xa9e3e905 #xfcefa3f8 #x676f02d9 #x8d2a4c8a
        #xfffa3942 #x8771f681 #x6d9d6122 #xfde5380c #xa4beea44 #x4bdecfa9 #xf6bb4b60 #xbebfbc70
        #x289b7ec6 #xeaa127fa #xd4ef3085 #x04881d05 #xd9d4d039 #xe6db99e5 #x1fa27cf8 #xc4ac5665
        #xf4292244 #x432aff97 #xab9423a7 #xfc93a039 #x655b59c3 #x8f0ccc92 #xffeff47d #x85845dd1
        #x6fa87e4f #xfe2ce6e0 #xa3014314 #x4e0811a1 #xf7537e82 #xbd3af235 #x2ad7d2bb #xeb86d391))

    (define shifts #(7 12 17 22 5 9 14 20 4 11 16 23 6 10 15 21))

    ;; The bytes of a string in UTF-8, of a bytevector, or of a binary port to its end.
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
        (do ((i 0 (+ i 1)) (bits (* 8 n) (quotient bits 256)))
            ((= i 8) out)
          (bytevector-u8-set! out (+ (- size 8) i) (remainder bits 256)))))

    (define (md5 src)
      (let* ((bytes (pad (source->bytes src))) (size (bytevector-length bytes)))
        (let block ((at 0) (a0 #x67452301) (b0 #xefcdab89) (c0 #x98badcfe) (d0 #x10325476))
          (if (= at size)
              (digest (list a0 b0 c0 d0))
              (let round ((i 0) (a a0) (b b0) (c c0) (d d0))
                (if (= i 64)
                    (block (+ at 64) (word (+ a a0)) (word (+ b b0)) (word (+ c c0)) (word (+ d d0)))
                    (let* ((kind (quotient i 16))
                           (f (case kind
                                ((0) (bitwise-xor d (bitwise-and b (bitwise-xor c d))))
                                ((1) (bitwise-xor c (bitwise-and d (bitwise-xor b c))))
                                ((2) (bitwise-xor b c d))
                                (else (bitwise-xor c (bitwise-ior b (bitwise-xor d #xffffffff))))))
                           (g (case kind
                                ((0) i)
                                ((1) (bitwise-and 15 (+ 1 (* 5 i))))
                                ((2) (bitwise-and 15 (+ 5 (* 3 i))))
                                (else (bitwise-and 15 (* 7 i)))))
                           (x (word (+ a f (vector-ref sines i)
                                       (bytevector-u32-ref-le bytes (+ at (* 4 g))))))
                           (k (vector-ref shifts (+ (* 4 kind) (bitwise-and 3 i)))))
                      (round (+ i 1) d (word (+ b (rotate x k))) b c))))))))

    (define (digest words)
      (let ((out (make-bytevector 16)))
        (let loop ((i 0) (words words) (n 0))
          (if (= i 16)
              (bytevector->hex-string out)
              (let* ((fresh? (= 0 (remainder i 4)))
                     (n (if fresh? (car words) n)))
                (bytevector-u8-set! out i (bitwise-and n 255))
                (loop (+ i 1) (if fresh? (cdr words) words) (arithmetic-shift n -8)))))))))
