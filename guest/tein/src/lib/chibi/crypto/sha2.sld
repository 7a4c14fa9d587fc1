;; The message digests SHA-224 and SHA-256 (FIPS 180-4), as lower-case hexadecimal text.
(define-library (chibi crypto sha2)
  (export sha-224 sha-256)
  (import (scheme base) (only (tein core) %sha224 sha256))
  (begin
    ;; A string stands for its UTF-8, a binary port for its bytes to the end.
    (define (hashed src)
      (if (or (string? src) (bytevector? src))
          src
          (let ((out (open-output-bytevector)))
            (let loop ((b (read-bytevector 4096 src)))
              (if (eof-object? b)
                  (get-output-bytevector out)
                  (begin (write-bytevector b out) (loop (read-bytevector 4096 src))))))))

    (define (sha-224 src) (%sha224 (hashed src)))
    (define (sha-256 src) (sha256 (hashed src)))))
