;; Base 64 (RFC 4648, RFC 2045). Text is UTF-8. Decoding skips what is not in the alphabet.
(define-library (chibi base64)
  (export
    base64-encode base64-encode-string base64-encode-bytevector
    base64-decode base64-decode-string base64-decode-bytevector base64-encode-header)
  (import (scheme base))
  (begin
    (define alphabet
      (string->utf8 "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))

    ;; Values of the bytes; 64 for the others. The alphabet for URLs is taken as well.
    (define values-of-bytes
      (let ((table (make-bytevector 256 64)))
        (do ((i 0 (+ i 1))) ((= i 64))
          (bytevector-u8-set! table (bytevector-u8-ref alphabet i) i))
        (bytevector-u8-set! table (char->integer #\-) 62)
        (bytevector-u8-set! table (char->integer #\_) 63)
        table))

    (define (base64-encode-bytevector bytes)
      (let* ((n (bytevector-length bytes))
             (out (make-bytevector (* 4 (quotient (+ n 2) 3)) (char->integer #\=)))
             (put (lambda (at six)
                    (bytevector-u8-set! out at (bytevector-u8-ref alphabet six)))))
        (let loop ((i 0) (o 0))
          (if (< i n)
              (let* ((left (- n i))
                     (a (bytevector-u8-ref bytes i))
                     (b (if (> left 1) (bytevector-u8-ref bytes (+ i 1)) 0))
                     (c (if (> left 2) (bytevector-u8-ref bytes (+ i 2)) 0)))
                (put o (quotient a 4))
                (put (+ o 1) (+ (* 16 (remainder a 4)) (quotient b 16)))
                (if (> left 1) (put (+ o 2) (+ (* 4 (remainder b 16)) (quotient c 64))))
                (if (> left 2) (put (+ o 3) (remainder c 64)))
                (loop (+ i 3) (+ o 4)))))
        out))

    (define (base64-encode-string s) (utf8->string (base64-encode-bytevector (string->utf8 s))))

    ;; Ends at the first padding.
    (define (base64-decode-bytevector bytes)
      (let* ((n (bytevector-length bytes))
             (out (make-bytevector (quotient (* 3 (+ n 3)) 4)))
             (end (char->integer #\=)))
        (let loop ((i 0) (o 0) (bits 0) (acc 0))
          (if (or (= i n) (= end (bytevector-u8-ref bytes i)))
              (bytevector-copy out 0 o)
              (let ((six (bytevector-u8-ref values-of-bytes (bytevector-u8-ref bytes i))))
                (if (= six 64)
                    (loop (+ i 1) o bits acc)
                    (let ((acc (+ (* 64 acc) six)) (bits (+ bits 6)))
                      (if (< bits 8)
                          (loop (+ i 1) o bits acc)
                          (let ((unit (expt 2 (- bits 8))))
                            (bytevector-u8-set! out o (quotient acc unit))
                            (loop (+ i 1) (+ o 1) (- bits 8) (remainder acc unit)))))))))))

    (define (base64-decode-string s) (utf8->string (base64-decode-bytevector (string->utf8 s))))

    ;; --- ports: textual or binary, the current ones by default ---

    (define (read-all in)
      (if (textual-port? in)
          (let ((out (open-output-string)))
            (let loop ()
              (let ((s (read-string 4096 in)))
                (if (eof-object? s)
                    (string->utf8 (get-output-string out))
                    (begin (write-string s out) (loop))))))
          (let ((out (open-output-bytevector)))
            (let loop ()
              (let ((b (read-bytevector 4096 in)))
                (if (eof-object? b)
                    (get-output-bytevector out)
                    (begin (write-bytevector b out) (loop))))))))

    (define (convert proc ports)
      (let* ((in (if (pair? ports) (car ports) (current-input-port)))
             (out (if (and (pair? ports) (pair? (cdr ports))) (cadr ports) (current-output-port)))
             (bytes (proc (read-all in))))
        (if (textual-port? out)
            (write-string (utf8->string bytes) out)
            (write-bytevector bytes out))))

    (define (base64-encode . ports) (convert base64-encode-bytevector ports))
    (define (base64-decode . ports) (convert base64-decode-bytevector ports))

    ;; --- headers (RFC 2047) ---

    ;; Encoded words of at most MAX columns each, no character cut in two.
    (define (base64-encode-header charset s . options)
      (let* ((charset (if (symbol? charset) (symbol->string charset) charset))
             (option (lambda (k default)
                       (if (> (length options) k) (list-ref options k) default)))
             (column (option 0 0))
             (most (option 1 76))
             (newline (option 2 "\r\n"))
             (prefix (string-append "=?" charset "?B?"))
             (around (+ (string-length prefix) 2))
             ;; Bytes that fit behind the columns in use.
             (room (lambda (used) (* 3 (quotient (max 4 (- most used around)) 4))))
             (end (string-length s)))
        (let loop ((start 0) (used column) (words '()))
          (let* ((stop (fit s start end (room used)))
                 (word (string-append prefix (base64-encode-string (substring s start stop)) "?="))
                 (words (cons word words)))
            (if (= stop end)
                (join (reverse words) (string-append newline "\t"))
                (loop stop 1 words))))))

    ;; The last position up to which the characters are at most ROOM bytes, and at least one.
    (define (fit s start end room)
      (let loop ((i start) (left room))
        (if (= i end)
            i
            (let ((left (- left (bytevector-length (string->utf8 (string (string-ref s i)))))))
              (if (and (< left 0) (> i start)) i (loop (+ i 1) left))))))

    (define (join words between)
      (apply string-append (car words)
        (let loop ((words (cdr words)))
          (if (null? words) '() (cons between (cons (car words) (loop (cdr words))))))))))
