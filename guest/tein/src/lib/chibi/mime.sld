;; Messages of mail and forms (RFC 2045, 2046, 2047, 5322): headers, encoded words, parts.
(define-library (chibi mime)
  (export
    assq-ref assoc-ref mime-ref mime-header-fold mime-headers->list mime-parse-content-type
    mime-decode-header mime-write-headers mime-message-fold mime-message->sxml)
  (import
    (scheme base) (only (scheme char) string-downcase char-whitespace?) (only (scheme write) display)
    (only (chibi base64) base64-decode-bytevector)
    (only (chibi quoted-printable) quoted-printable-decode-bytevector))
  (begin
    (define (optional rest k default)
      (cond ((null? rest) default)
            ((= k 0) (car rest))
            (else (optional (cdr rest) (- k 1) default))))

    ;; The cdr of the pair with that key, or the default.
    (define (assq-ref ls key . default)
      (let ((found (assq key ls))) (if found (cdr found) (optional default 0 #f))))
    (define (assoc-ref ls key . default)
      (let ((found (assoc key ls))) (if found (cdr found) (optional default 0 #f))))
    (define mime-ref assoc-ref)

    ;; --- lines ---

    ;; A line of a textual or binary port without its end, or the end-of-file object.
    (define (next-line in)
      (if (textual-port? in)
          (read-line in)
          (let loop ((bytes '()))
            (let ((b (read-u8 in)))
              (cond ((and (eof-object? b) (null? bytes)) b)
                    ((or (eof-object? b) (= b 10))
                     (let ((bytes (if (and (pair? bytes) (= 13 (car bytes))) (cdr bytes) bytes)))
                       (bytes->text (apply bytevector (reverse bytes)))))
                    (else (loop (cons b bytes))))))))

    ;; UTF-8 where it is valid, Latin-1 otherwise.
    (define (bytes->text bytes)
      (guard (e ((error-object? e) (latin-1->string bytes)))
        (utf8->string bytes)))

    (define (latin-1->string bytes)
      (let ((out (open-output-string)))
        (do ((i 0 (+ i 1)))
            ((= i (bytevector-length bytes)) (get-output-string out))
          (write-char (integer->char (bytevector-u8-ref bytes i)) out))))

    (define (find-char s ok? start)
      (let loop ((i start))
        (cond ((>= i (string-length s)) #f)
              ((ok? (string-ref s i)) i)
              (else (loop (+ i 1))))))

    (define (trim s)
      (let* ((end (let loop ((i (string-length s)))
                    (if (and (> i 0) (char-whitespace? (string-ref s (- i 1)))) (loop (- i 1)) i)))
             (start (or (find-char s (lambda (c) (not (char-whitespace? c))) 0) end)))
        (substring s (min start end) end)))

    (define (prefix? prefix s)
      (and (<= (string-length prefix) (string-length s))
           (string=? prefix (substring s 0 (string-length prefix)))))

    ;; --- headers ---

    ;; ("address" . "date") of the first line of a message in a mailbox, or #f.
    (define (from-line line)
      (and (prefix? "From " line)
           (let* ((rest (trim (substring line 5 (string-length line))))
                  (space (find-char rest char-whitespace? 0)))
             (if space
                 (cons (substring rest 0 space) (trim (substring rest space (string-length rest))))
                 (cons rest "")))))

    ;; Folds over the headers of a string or port up to the empty line: (kons name value acc), the
    ;; name a symbol as it is written, wrapped values on one line. Options: source, limit, kons-from.
    (define (mime-header-fold kons knil . options)
      (let* ((source (optional options 0 (current-input-port)))
             (limit (optional options 1 #f))
             (kons-from (optional options 2 kons))
             (in (if (string? source) (open-input-string source) source))
             (first (next-line in))
             (from (and (string? first) (from-line first))))
        (if from
            (fold-headers kons (kons-from '%from (car from) (kons-from '%date (cdr from) knil))
                          (next-line in) in limit)
            (fold-headers kons knil first in limit))))

    (define (fold-headers kons acc line in limit)
      (let loop ((acc acc) (line line) (n 0))
        (if (or (eof-object? line) (string=? line "") (and limit (>= n limit)))
            acc
            (let ((colon (find-char line (lambda (c) (char=? c #\:)) 0)))
              (if (not colon)
                  ;; Not a header: skipped.
                  (loop acc (next-line in) n)
                  (let ((name (string->symbol (trim (substring line 0 colon)))))
                    (let more ((value (trim (substring line (+ colon 1) (string-length line))))
                               (line (next-line in)))
                      (if (and (string? line) (> (string-length line) 0)
                               (memv (string-ref line 0) '(#\space #\tab)))
                          (more (string-append value " " (trim line)) (next-line in))
                          (loop (kons name value acc) line (+ n 1))))))))))

    (define (downcase-symbol name) (string->symbol (string-downcase (symbol->string name))))

    (define (mime-headers->list . source)
      (reverse
        (apply mime-header-fold
               (lambda (name value acc) (cons (cons (downcase-symbol name) value) acc))
               '()
               source)))

    (define (mime-write-headers headers out)
      (for-each
        (lambda (h)
          (display (car h) out)
          (write-string ": " out)
          (display (cdr h) out)
          (write-string "\r\n" out))
        headers))

    ;; (type (attribute . value) ...), the type and the attributes symbols in lower case.
    (define (mime-parse-content-type s)
      (let loop ((parts (split-parameters s)) (out '()))
        (if (null? parts)
            (reverse out)
            (let* ((part (trim (car parts)))
                   (equals (find-char part (lambda (c) (char=? c #\=)) 0)))
              (cond ((string=? part "") (loop (cdr parts) out))
                    ((or (null? out) (not equals))
                     (loop (cdr parts)
                           (cons (if (null? out)
                                     (string->symbol (string-downcase part))
                                     (list (string->symbol (string-downcase part))))
                                 out)))
                    (else
                     (loop (cdr parts)
                           (cons (cons (string->symbol (string-downcase (trim (substring part 0 equals))))
                                       (unquoted (trim (substring part (+ equals 1) (string-length part)))))
                                 out))))))))

    ;; At semicolons and commas outside quotes.
    (define (split-parameters s)
      (let loop ((i 0) (start 0) (quoted? #f) (parts '()))
        (if (>= i (string-length s))
            (reverse (cons (substring s start (string-length s)) parts))
            (let ((c (string-ref s i)))
              (cond ((and quoted? (char=? c #\\)) (loop (min (+ i 2) (string-length s)) start #t parts))
                    ((char=? c #\") (loop (+ i 1) start (not quoted?) parts))
                    ((and (not quoted?) (memv c '(#\; #\,)))
                     (loop (+ i 1) (+ i 1) #f (cons (substring s start i) parts)))
                    (else (loop (+ i 1) start quoted? parts)))))))

    (define (unquoted s)
      (let ((n (string-length s)))
        (if (and (>= n 2) (char=? #\" (string-ref s 0) (string-ref s (- n 1))))
            (let ((out (open-output-string)))
              (let loop ((i 1))
                (if (< i (- n 1))
                    (let ((escape? (and (char=? #\\ (string-ref s i)) (< (+ i 1) (- n 1)))))
                      (write-char (string-ref s (if escape? (+ i 1) i)) out)
                      (loop (+ i (if escape? 2 1))))))
              (get-output-string out))
            s)))

    ;; --- text in other character sets ---

    (define (decode-text bytes charset)
      (if (and charset
               (member (string-downcase charset) '("iso-8859-1" "latin1" "latin-1" "iso_8859-1" "windows-1252")))
          (latin-1->string bytes)
          (bytes->text bytes)))

    ;; Replaces =?charset?B|Q?text?=; white space between two of these falls away.
    (define (mime-decode-header s)
      (let ((out (open-output-string)) (end (string-length s)))
        (let loop ((i 0) (after? #f))
          (if (< i end)
              (let ((word (encoded-word s i)))
                (cond (word (write-string (car word) out) (loop (cdr word) #t))
                      ((and after? (space-before-word s i)) => (lambda (j) (loop j #t)))
                      (else (write-char (string-ref s i) out) (loop (+ i 1) #f))))))
        (get-output-string out)))

    ;; Where an encoded word begins behind white space at I, or #f.
    (define (space-before-word s i)
      (and (char-whitespace? (string-ref s i))
           (let ((j (find-char s (lambda (c) (not (char-whitespace? c))) i)))
             (and j (encoded-word s j) j))))

    ;; (text . position behind it) of the encoded word at I, or #f.
    (define (encoded-word s i)
      (define (mark from) (and from (find-char s (lambda (c) (char=? c #\?)) from)))
      (and (prefix-at? "=?" s i)
           (let* ((m1 (mark (+ i 2)))
                  (m2 (and m1 (mark (+ m1 1))))
                  (m3 (and m2 (mark (+ m2 1)))))
             (and m3
                  (= m2 (+ m1 2))
                  (prefix-at? "?=" s m3)
                  (let ((charset (substring s (+ i 2) m1))
                        (bytes (string->utf8 (substring s (+ m2 1) m3)))
                        (behind (+ m3 2)))
                    (case (string-ref s (+ m1 1))
                      ((#\b #\B)
                       (cons (decode-text (base64-decode-bytevector bytes) charset) behind))
                      ((#\q #\Q)
                       (cons (decode-text (quoted-printable-decode-bytevector bytes #t) charset) behind))
                      (else #f)))))))

    (define (prefix-at? prefix s i)
      (and (<= (+ i (string-length prefix)) (string-length s))
           (string=? prefix (substring s i (+ i (string-length prefix))))))

    ;; --- messages ---

    (define (read-all in)
      (let ((out (open-output-bytevector)))
        (if (textual-port? in)
            (let loop ((s (read-string 4096 in)))
              (if (string? s)
                  (begin (write-bytevector (string->utf8 s) out) (loop (read-string 4096 in)))))
            (let loop ((b (read-bytevector 4096 in)))
              (if (bytevector? b)
                  (begin (write-bytevector b out) (loop (read-bytevector 4096 in))))))
        (get-output-bytevector out)))

    ;; The position behind the next newline from I, at most END.
    (define (line-end bytes i end)
      (cond ((>= i end) end)
            ((= 10 (bytevector-u8-ref bytes i)) (+ i 1))
            (else (line-end bytes (+ i 1) end))))

    ;; END without the newline before it.
    (define (before-newline bytes start end)
      (let* ((end (if (and (> end start) (= 10 (bytevector-u8-ref bytes (- end 1)))) (- end 1) end)))
        (if (and (> end start) (= 13 (bytevector-u8-ref bytes (- end 1)))) (- end 1) end)))

    (define (same-at? bytes i end text)
      (let ((n (bytevector-length text)))
        (and (<= (+ i n) end)
             (let loop ((k 0))
               (or (= k n)
                   (and (= (bytevector-u8-ref bytes (+ i k)) (bytevector-u8-ref text k))
                        (loop (+ k 1))))))))

    ;; The (start . end) ranges of the parts that the boundary separates.
    (define (part-ranges bytes start end boundary)
      (let* ((mark (string->utf8 (string-append "--" boundary)))
             (last (string->utf8 (string-append "--" boundary "--"))))
        (let loop ((i start) (from #f) (parts '()))
          (let ((close (lambda () (if from (cons (cons from (before-newline bytes from i)) parts) parts))))
            (cond ((>= i end)
                   ;; A message that was cut off keeps its last part.
                   (reverse (if (and from (< from end)) (close) parts)))
                  ((same-at? bytes i end last) (reverse (close)))
                  ((same-at? bytes i end mark)
                   (let ((next (line-end bytes i end)))
                     (loop next next (close))))
                  (else (loop (line-end bytes i end) from parts)))))))

    ;; Calls PROC with the headers at START and the position behind them.
    (define (with-headers bytes start end proc)
      (let* ((in (open-input-bytevector (bytevector-copy bytes start end)))
             (headers (mime-headers->list in))
             (rest (read-all in)))
        (proc headers (- end (bytevector-length rest)))))

    (define (content-type headers)
      (let ((value (assq-ref headers 'content-type)))
        (if value (mime-parse-content-type value) '(text/plain))))

    (define (type-prefix? prefix type) (prefix? prefix (symbol->string (car type))))

    ;; The body of a part: text as a string, anything else as bytes.
    (define (decode-body bytes start end headers type)
      (let* ((encoding (string-downcase (trim (assq-ref headers 'content-transfer-encoding "7bit"))))
             (raw (bytevector-copy bytes start end))
             (decoded (cond ((string=? encoding "base64") (base64-decode-bytevector raw))
                            ((string=? encoding "quoted-printable")
                             (quoted-printable-decode-bytevector raw))
                            (else raw))))
        (if (type-prefix? "text/" type)
            (decode-text decoded (assq-ref (cdr type) 'charset))
            decoded)))

    (define (default-up headers parent-seed seed)
      (cons `(mime (@ ,@headers) ,@(reverse seed)) parent-seed))

    ;; Folds over the parts with (kons parent-headers headers body acc); for a multipart body the
    ;; accumulator inside is (down headers acc), and (up headers acc inner) what it becomes after.
    (define (mime-message-fold source kons knil . options)
      (let* ((down (optional options 0 (lambda (headers seed) '())))
             (up (optional options 1 default-up))
             (given (optional options 2 #f))
             (bytes (read-all (if (string? source) (open-input-string source) source)))
             (end (bytevector-length bytes)))
        (define (part parent headers start end seed)
          (let* ((type (content-type headers))
                 (boundary (and (type-prefix? "multipart/" type) (assq-ref (cdr type) 'boundary))))
            (if boundary
                (let loop ((parts (part-ranges bytes start end boundary)) (inner (down headers seed)))
                  (if (null? parts)
                      (up headers seed inner)
                      (loop (cdr parts)
                            (with-headers bytes (caar parts) (cdar parts)
                              (lambda (own body)
                                (part headers own body (cdar parts) inner))))))
                (kons parent headers (decode-body bytes start end headers type) seed))))
        (define (whole headers start)
          (part '() headers start (before-newline bytes start end) knil))
        (if given
            (whole given 0)
            (with-headers bytes 0 end whole))))

    ;; (mime (@ (header . value) ...) body-or-part ...)
    (define (mime-message->sxml . options)
      (car
        (apply mime-message-fold
          (optional options 0 (current-input-port))
          (lambda (parent headers body seed) (cons `(mime (@ ,@headers) ,body) seed))
          '()
          (lambda (headers seed) '())
          default-up
          (if (and (pair? options) (pair? (cdr options))) (list (cadr options)) '()))))))
