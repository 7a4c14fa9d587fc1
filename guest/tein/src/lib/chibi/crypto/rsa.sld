;; RSA on integers, and on bytes and text through them. This is the bare operation: it hides nothing
;; about equal messages and gives no protection against chosen ones.
(define-library (chibi crypto rsa)
  (export
    make-rsa-key rsa-key-gen rsa-key-gen-from-primes rsa-pub-key
    rsa-encrypt rsa-decrypt rsa-sign rsa-verify rsa-verify?
    rsa-key? rsa-key-bits rsa-key-n rsa-key-e rsa-key-d
    pkcs1-pad pkcs1-unpad)
  (import (scheme base) (chibi bytevector) (chibi math prime))
  (begin
    ;; A public key has no D.
    (define-record-type rsa-key
      (make-rsa-key bits n e d)
      rsa-key?
      (bits rsa-key-bits)
      (n rsa-key-n)
      (e rsa-key-e)
      (d rsa-key-d))

    (define (rsa-pub-key key) (make-rsa-key (rsa-key-bits key) (rsa-key-n key) (rsa-key-e key) #f))

    ;; E is the first of the usual exponents that is coprime to the order, or a random one.
    (define (rsa-key-gen-from-primes bits p q . e)
      (let* ((n (* p q))
             (order (* (- p 1) (- q 1)))
             (e (cond ((pair? e) (car e))
                      ((usual-exponent order))
                      (else (random-coprime order)))))
        (if (not (and (coprime? e order) (not (= p q))))
            (error "rsa-key-gen-from-primes: the primes and the exponent do not fit" p q e))
        (make-rsa-key bits n e (modular-inverse e order))))

    (define (usual-exponent order)
      (let loop ((l '(3 5 7 11 13 17 257 65537)))
        (and (pair? l)
             (if (and (< (car l) order) (coprime? (car l) order)) (car l) (loop (cdr l))))))

    ;; BITS of each prime; the modulus has twice as many.
    (define (rsa-key-gen . bits)
      (let* ((bits (if (pair? bits) (car bits) 128))
             (low (expt 2 (- bits 1)))
             (high (expt 2 bits)))
        (if (< bits 3) (error "rsa-key-gen: too few bits" bits))
        (let* ((p (random-prime low high))
               (q (random-prime-distinct-from low high p)))
          (rsa-key-gen-from-primes bits p q))))

    ;; --- messages: integers stay integers, the others become bytevectors ---

    (define (crypt m exponent n)
      (if (not (< -1 m n)) (error "rsa: the message is not less than the modulus" m n))
      (modular-expt m exponent n))

    (define (convert message exponent n)
      (cond ((exact-integer? message) (crypt message exponent n))
            ((string? message) (convert (string->utf8 message) exponent n))
            ((bytevector? message)
             (integer->bytevector (crypt (bytevector->integer message) exponent n)))
            (else (error "rsa: a message is an integer, a string or a bytevector" message))))

    (define (private-exponent key)
      (or (rsa-key-d key) (error "rsa: this takes a private key")))

    (define (rsa-encrypt key message) (convert message (rsa-key-e key) (rsa-key-n key)))
    (define (rsa-decrypt key cipher) (convert cipher (private-exponent key) (rsa-key-n key)))
    (define (rsa-sign key message) (convert message (private-exponent key) (rsa-key-n key)))
    (define (rsa-verify key signature) (convert signature (rsa-key-e key) (rsa-key-n key)))

    (define (rsa-verify? key message signature)
      (equal? (rsa-verify key signature)
              (if (string? message) (string->utf8 message) message)))

    ;; --- padding to blocks of eight bytes, each added byte saying how many there are ---

    (define (pkcs1-pad bytes)
      (let ((k (- 8 (remainder (bytevector-length bytes) 8))))
        (bytevector-append bytes (make-bytevector k k))))

    (define (pkcs1-unpad bytes)
      (let* ((n (bytevector-length bytes))
             (k (if (> n 0) (bytevector-u8-ref bytes (- n 1)) 0)))
        (if (or (not (= 0 (remainder n 8)))
                (not (<= 1 k 8))
                (not (let loop ((i (- n k)))
                       (or (= i n) (and (= k (bytevector-u8-ref bytes i)) (loop (+ i 1)))))))
            (error "pkcs1-unpad: not padded bytes" bytes))
        (bytevector-copy bytes 0 (- n k))))))
