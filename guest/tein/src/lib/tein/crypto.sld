;; Hashes of strings (their UTF-8 bytes) and bytevectors, and random numbers from the host's
;; generator.
(define-library (tein crypto)
  (export sha256 sha512 blake3 sha256-bytes sha512-bytes blake3-bytes random-bytes random-integer
          random-float)
  (import (scheme base)
          (only (tein core) sha256 sha512 blake3 sha256-bytes sha512-bytes blake3-bytes random-bytes))
  (begin
    (define (bytes->integer bytes)
      (let ((n (bytevector-length bytes)))
        (let loop ((i 0) (acc 0))
          (if (= i n) acc (loop (+ i 1) (+ (* acc 256) (bytevector-u8-ref bytes i)))))))

    (define (bytes-for n)
      (let loop ((n n) (count 0))
        (if (= n 0) count (loop (quotient n 256) (+ count 1)))))

    ;; Eight bytes more than N has: what is left of a bias is below one in 2^64.
    (define (random-integer n)
      (if (not (and (exact-integer? n) (positive? n)))
          (error "random-integer: n must be positive" n))
      (modulo (bytes->integer (random-bytes (+ 8 (bytes-for n)))) n))

    ;; A multiple of 2^-53, as all flonums from one half on are.
    (define (random-float)
      (/ (inexact (quotient (bytes->integer (random-bytes 7)) 8)) 9007199254740992.))))
