;; Quoted-printable text (RFC 2045, 6.7) and encoded words of headers (RFC 2047). Text is UTF-8.
(define-library (chibi quoted-printable)
  (export
    quoted-printable-encode quoted-printable-encode-string quoted-printable-encode-bytevector
    quoted-printable-encode-header
    quoted-printable-decode quoted-printable-decode-string quoted-printable-decode-bytevector)
  (import (scheme base))
  (begin
    (define (option options k default)
      (if (> (length options) k) (list-ref options k) default))

    (define digits "0123456789ABCDEF")

    (define (hex b)
      (string #\= (string-ref digits (quotient b 16)) (string-ref digits (remainder b 16))))

    ;; Question marks and underscores are always escaped, so that the text can stand in a header.
    (define (plain? b)
      (and (<= 33 b 126) (not (memv b '(61 63 95)))))

    ;; Writes the bytes, beginning in COLUMN, and breaks lines before they are longer than MOST.
    (define (encode bytes column most break header? out)
      (let ((end (bytevector-length bytes)))
        (let loop ((i 0) (column column))
          (if (< i end)
              (let* ((b (bytevector-u8-ref bytes i))
                     (next (and (< (+ i 1) end) (bytevector-u8-ref bytes (+ i 1))))
                     (crlf? (and (= b 13) (eqv? next 10))))
                (if (and (not header?) (or (= b 10) crlf?))
                    (begin
                      (write-string (if crlf? "\r\n" "\n") out)
                      (loop (+ i (if crlf? 2 1)) 0))
                    (let* ((text (cond ((plain? b) (string (integer->char b)))
                                       ((and header? (= b 32)) "_")
                                       ;; White space may not end a line.
                                       ((and (not header?) (memv b '(9 32)) next
                                             (not (memv next '(10 13))))
                                        (string (integer->char b)))
                                       (else (hex b))))
                           (width (string-length text))
                           ;; A break takes a column itself, and none is needed at the end.
                           (full? (and (> column 0) (> (+ column width (if next 1 0)) most))))
                      (if full? (write-string break out))
                      (write-string text out)
                      (loop (+ i 1) (if full? width (+ column width))))))))))

    (define (encode-to-string bytes options)
      (let ((out (open-output-string))
            (separator (option options 2 "\n")))
        (encode bytes (option options 0 0) (option options 1 76) (string-append "=" separator) #f out)
        (get-output-string out)))

    ;; (quoted-printable-encode-string s [start-column max-column separator])
    (define (quoted-printable-encode-string s . options)
      (encode-to-string (string->utf8 s) options))

    (define (quoted-printable-encode-bytevector bytes . options)
      (string->utf8 (encode-to-string bytes options)))

    ;; From the current input port to the current output port.
    (define (quoted-printable-encode . options)
      (write-string (encode-to-string (read-all (current-input-port)) options)))

    ;; (quoted-printable-encode-header charset s [start-column max-column separator])
    (define (quoted-printable-encode-header charset s . options)
      (let* ((charset (if (symbol? charset) (symbol->string charset) charset))
             (prefix (string-append "=?" charset "?Q?"))
             (around (+ (string-length prefix) 2))
             (out (open-output-string))
             (most (max 8 (- (option options 1 76) around))))
        (write-string prefix out)
        (encode (string->utf8 s) (option options 0 0) most
          (string-append "?=" (option options 2 "\r\n") "\t" prefix) #t out)
        (write-string "?=" out)
        (get-output-string out)))

    (define (read-all in)
      (if (textual-port? in)
          (let ((out (open-output-string)))
            (let loop ((s (read-string 4096 in)))
              (if (eof-object? s)
                  (string->utf8 (get-output-string out))
                  (begin (write-string s out) (loop (read-string 4096 in))))))
          (let ((out (open-output-bytevector)))
            (let loop ((b (read-bytevector 4096 in)))
              (if (eof-object? b)
                  (get-output-bytevector out)
                  (begin (write-bytevector b out) (loop (read-bytevector 4096 in))))))))

    ;; --- decoding: what is not an escape stays ---

    (define (hex-value b)
      (cond ((<= 48 b 57) (- b 48))
            ((<= 65 b 70) (- b 55))
            ((<= 97 b 102) (- b 87))
            (else #f)))

    ;; The position behind a soft line break at I, which may have white space before its end, or #f.
    (define (soft-break bytes i end)
      (let loop ((j (+ i 1)))
        (cond ((= j end) j)
              ((memv (bytevector-u8-ref bytes j) '(9 32)) (loop (+ j 1)))
              ((= 10 (bytevector-u8-ref bytes j)) (+ j 1))
              ((and (= 13 (bytevector-u8-ref bytes j)) (< (+ j 1) end)
                    (= 10 (bytevector-u8-ref bytes (+ j 1))))
               (+ j 2))
              (else #f))))

    (define (quoted-printable-decode-bytevector bytes . header?)
      (let ((header? (and (pair? header?) (car header?)))
            (end (bytevector-length bytes))
            (out (open-output-bytevector)))
        (let loop ((i 0))
          (if (>= i end)
              (get-output-bytevector out)
              (let ((b (bytevector-u8-ref bytes i)))
                (cond ((and header? (= b 95)) (write-u8 32 out) (loop (+ i 1)))
                      ((not (= b 61)) (write-u8 b out) (loop (+ i 1)))
                      ((soft-break bytes i end) => loop)
                      (else
                       (let* ((two? (< (+ i 2) end))
                              (high (and two? (hex-value (bytevector-u8-ref bytes (+ i 1)))))
                              (low (and high (hex-value (bytevector-u8-ref bytes (+ i 2))))))
                         (if low
                             (begin (write-u8 (+ (* 16 high) low) out) (loop (+ i 3)))
                             (begin (write-u8 b out) (loop (+ i 1))))))))))))

    (define (quoted-printable-decode-string s . header?)
      (utf8->string (apply quoted-printable-decode-bytevector (string->utf8 s) header?)))

    (define (quoted-printable-decode . header?)
      (write-string
        (utf8->string
          (apply quoted-printable-decode-bytevector (read-all (current-input-port)) header?))))))
