;; URIs (RFC 3986): parts, text, relative references, and queries as association lists.
(define-library (chibi uri)
  (export
    uri? uri->string make-uri string->uri string->path-uri uri-has-scheme?
    uri-scheme uri-user uri-host uri-port uri-path uri-query uri-fragment
    uri-with-scheme uri-with-user uri-with-host uri-with-path uri-with-query uri-with-fragment
    uri-resolve uri-encode uri-decode uri-query->alist uri-alist->query)
  (import
    (scheme base)
    (only (tein core) %string-find %string-find-last string-join string-prefix?))
  (begin
    (define-record-type uri
      (%make-uri scheme user host port path query fragment)
      uri?
      (scheme uri-scheme)
      (user uri-user)
      (host uri-host)
      (port uri-port)
      (path uri-path)
      (query uri-query)
      (fragment uri-fragment))

    ;; (make-uri scheme [user host port path query fragment])
    (define (make-uri scheme . parts)
      (let ((n (length parts)))
        (if (> n 6) (error "make-uri: too many parts" parts))
        (apply %make-uri scheme (append parts (make-list (- 6 n) #f)))))

    (define (uri-with-scheme u x)
      (make-uri x (uri-user u) (uri-host u) (uri-port u) (uri-path u) (uri-query u) (uri-fragment u)))
    (define (uri-with-user u x)
      (make-uri (uri-scheme u) x (uri-host u) (uri-port u) (uri-path u) (uri-query u) (uri-fragment u)))
    (define (uri-with-host u x)
      (make-uri (uri-scheme u) (uri-user u) x (uri-port u) (uri-path u) (uri-query u) (uri-fragment u)))
    (define (uri-with-path u x)
      (make-uri (uri-scheme u) (uri-user u) (uri-host u) (uri-port u) x (uri-query u) (uri-fragment u)))
    (define (uri-with-query u x)
      (make-uri (uri-scheme u) (uri-user u) (uri-host u) (uri-port u) (uri-path u) x (uri-fragment u)))
    (define (uri-with-fragment u x)
      (make-uri (uri-scheme u) (uri-user u) (uri-host u) (uri-port u) (uri-path u) (uri-query u) x))

    ;; --- percent encoding ---

    (define (letter? c) (or (char<=? #\a c #\z) (char<=? #\A c #\Z)))
    (define (digit? c) (char<=? #\0 c #\9))
    (define (unreserved? c) (or (letter? c) (digit? c) (memv c '(#\- #\. #\_ #\~))))

    (define digits "0123456789ABCDEF")

    (define (write-escaped c out)
      (let ((bytes (string->utf8 (string c))))
        (do ((i 0 (+ i 1)))
            ((= i (bytevector-length bytes)))
          (let ((b (bytevector-u8-ref bytes i)))
            (write-char #\% out)
            (write-char (string-ref digits (quotient b 16)) out)
            (write-char (string-ref digits (remainder b 16)) out)))))

    ;; With PLUS? a space becomes a plus sign, as in forms.
    (define (uri-encode s . plus?)
      (let ((plus? (and (pair? plus?) (car plus?)))
            (out (open-output-string)))
        (string-for-each
          (lambda (c)
            (cond ((unreserved? c) (write-char c out))
                  ((and plus? (char=? c #\space)) (write-char #\+ out))
                  (else (write-escaped c out))))
          s)
        (get-output-string out)))

    (define (hex-value c)
      (cond ((digit? c) (- (char->integer c) 48))
            ((char<=? #\a c #\f) (- (char->integer c) 87))
            ((char<=? #\A c #\F) (- (char->integer c) 55))
            (else #f)))

    ;; A percent sign that no two hexadecimal digits follow stays as it is.
    (define (uri-decode s . plus?)
      (let ((plus? (and (pair? plus?) (car plus?)))
            (end (string-length s))
            (out (open-output-bytevector)))
        (let loop ((i 0))
          (if (< i end)
              (let* ((c (string-ref s i))
                     (escape? (and (char=? c #\%) (< (+ i 2) end)))
                     (high (and escape? (hex-value (string-ref s (+ i 1)))))
                     (low (and high (hex-value (string-ref s (+ i 2))))))
                (cond (low (write-u8 (+ (* 16 high) low) out) (loop (+ i 3)))
                      ((and plus? (char=? c #\+)) (write-u8 32 out) (loop (+ i 1)))
                      (else (write-bytevector (string->utf8 (string c)) out) (loop (+ i 1)))))))
        (utf8->string (get-output-bytevector out))))

    ;; --- reading ---

    (define (scheme-char? c)
      (or (letter? c) (digit? c) (memv c '(#\+ #\- #\.))))

    ;; The position of the colon after a scheme, or #f.
    (define (scheme-end s)
      (let ((colon (%string-find s #\: 0 (string-length s))))
        (and colon
             (> colon 0)
             (letter? (string-ref s 0))
             (let loop ((i 1))
               (or (and (= i colon) colon)
                   (and (scheme-char? (string-ref s i)) (loop (+ i 1))))))))

    (define (uri-has-scheme? s) (and (scheme-end s) #t))

    ;; (string->uri string [decode? query->alist?]): #f when the string does not begin with a scheme.
    (define (string->uri s . options)
      (let ((colon (scheme-end s)))
        (and colon
             (parse-rest (string->symbol (ascii-downcase (substring s 0 colon)))
                         s (+ colon 1) options))))

    ;; The same for what follows a scheme.
    (define (string->path-uri scheme s . options) (parse-rest scheme s 0 options))

    (define (ascii-downcase s)
      (string-map
        (lambda (c) (if (char<=? #\A c #\Z) (integer->char (+ 32 (char->integer c))) c))
        s))

    ;; The first position from START of one of the characters, or END.
    (define (find-any s chars start end)
      (let loop ((i start))
        (if (or (>= i end) (memv (string-ref s i) chars)) i (loop (+ i 1)))))

    (define (parse-rest scheme s start options)
      (let* ((decode? (and (pair? options) (car options)))
             (alist? (and (pair? options) (pair? (cdr options)) (cadr options)))
             (end (string-length s))
             (hash (find-any s '(#\#) start end))
             (mark (find-any s '(#\?) start hash))
             (authority? (and (<= (+ start 2) mark)
                              (char=? #\/ (string-ref s start) (string-ref s (+ start 1)))))
             (from (if authority? (+ start 2) start))
             (slash (if authority? (find-any s '(#\/) from mark) from))
             (decode (if decode? uri-decode (lambda (s . plus?) s)))
             (path (and (< slash mark) (decode (substring s slash mark))))
             (raw-query (and (< mark hash) (substring s (+ mark 1) hash)))
             (query (cond ((not raw-query) #f)
                          (alist? (uri-query->alist raw-query decode?))
                          (else (decode raw-query #t))))
             (fragment (and (< hash end) (decode (substring s (+ hash 1) end)))))
        (if authority?
            (let* ((at (%string-find-last s #\@ from slash))
                   (host (if at (+ at 1) from))
                   (colon (port-colon s host slash)))
              (%make-uri scheme
                         (and at (decode (substring s from at)))
                         (decode (substring s host (or colon slash)))
                         (and colon (string->number (substring s (+ colon 1) slash)))
                         path query fragment))
            (%make-uri scheme #f #f #f path query fragment))))

    ;; The colon before a port: digits alone follow it, so it is not one inside an IPv6 address.
    (define (port-colon s start end)
      (let loop ((i (- end 1)))
        (and (>= i start)
             (let ((c (string-ref s i)))
               (cond ((char=? c #\:) (and (< (+ i 1) end) i))
                     ((digit? c) (loop (- i 1)))
                     (else #f))))))

    ;; --- writing ---

    (define (->text x)
      (cond ((symbol? x) (symbol->string x))
            ((number? x) (number->string x))
            (else x)))

    ;; With ENCODE? the user, path and fragment are percent-encoded.
    (define (uri->string u . encode?)
      (if (string? u)
          u
          (let* ((encode? (and (pair? encode?) (car encode?)))
                 (encode (if encode? uri-encode (lambda (s) s)))
                 (part (lambda (before x after)
                         (if x (string-append before (->text x) after) ""))))
            (string-append
              (part "" (uri-scheme u) ":")
              (if (uri-host u) "//" "")
              (part "" (and (uri-user u) (encode (uri-user u))) "@")
              (part "" (uri-host u) "")
              (part ":" (uri-port u) "")
              (part "" (and (uri-path u) (if encode? (encode-path (uri-path u)) (uri-path u))) "")
              (part "?" (and (uri-query u)
                             (if (or (pair? (uri-query u)) (null? (uri-query u)))
                                 (uri-alist->query (uri-query u))
                                 (uri-query u)))
                    "")
              (part "#" (and (uri-fragment u) (encode (uri-fragment u))) "")))))

    ;; The slashes between the segments stay.
    (define (encode-path path)
      (let ((end (string-length path)))
        (let loop ((i 0) (from 0) (out '()))
          (let ((done (lambda () (cons (uri-encode (substring path from i)) out))))
            (cond ((= i end) (string-join (reverse (done)) "/"))
                  ((char=? #\/ (string-ref path i)) (loop (+ i 1) (+ i 1) (done)))
                  (else (loop (+ i 1) from out)))))))

    ;; --- queries ---

    ;; Fields end at an ampersand or a semicolon; one without an equals sign has the value #f.
    (define (uri-query->alist s . plus?)
      (let ((plus? (and (pair? plus?) (car plus?)))
            (end (string-length s)))
        (let loop ((start 0) (fields '()))
          (if (>= start end)
              (reverse fields)
              (let* ((stop (find-any s '(#\& #\;) start end))
                     (equals (find-any s '(#\=) start stop))
                     (text (lambda (from to) (uri-decode (substring s from to) plus?))))
                (loop (+ stop 1)
                      (if (= start stop)
                          fields
                          (cons (cons (text start equals)
                                      (and (< equals stop) (text (+ equals 1) stop)))
                                fields))))))))

    (define (uri-alist->query alist . plus?)
      (let ((encode (lambda (x) (apply uri-encode (->text x) plus?))))
        (string-join
          (map (lambda (field)
                 (if (cdr field)
                     (string-append (encode (car field)) "=" (encode (cdr field)))
                     (encode (car field))))
               alist)
          "&")))

    ;; --- references (RFC 3986, 5.2) ---

    ;; The URI that the reference, a URI or a string, means where the other is the base.
    (define (uri-resolve reference base)
      (let* ((base (if (string? base) (string->uri base) base))
             (u (cond ((uri? reference) reference)
                      ((string->uri reference))
                      (else (string->path-uri #f reference)))))
        (if (not (uri? base)) (error "uri-resolve: the base has no scheme" base))
        (let ((path (or (uri-path u) "")))
          (cond ((and (uri-scheme u) (or (uri-host u) (not (eq? (uri-scheme u) (uri-scheme base)))))
                 (uri-with-path u (and (uri-path u) (remove-dots path))))
                ((uri-host u)
                 (uri-with-path (uri-with-scheme u (uri-scheme base))
                                (and (uri-path u) (remove-dots path))))
                (else
                 (make-uri (uri-scheme base) (uri-user base) (uri-host base) (uri-port base)
                   (cond ((string=? path "") (uri-path base))
                         ((string-prefix? "/" path) (remove-dots path))
                         (else (remove-dots (merge-paths base path))))
                   (if (string=? path "") (or (uri-query u) (uri-query base)) (uri-query u))
                   (uri-fragment u)))))))

    (define (merge-paths base path)
      (let* ((old (or (uri-path base) (if (uri-host base) "/" "")))
             (slash (%string-find-last old #\/ 0 (string-length old))))
        (string-append (if slash (substring old 0 (+ slash 1)) "") path)))

    (define (remove-dots path)
      (let* ((absolute (string-prefix? "/" path))
             (parts (split-slashes path)))
        (let loop ((parts (if absolute (cdr parts) parts)) (kept '()))
          (cond ((null? parts)
                 (string-append (if absolute "/" "") (string-join (reverse kept) "/")))
                ((string=? "." (car parts))
                 (loop (cdr parts) (if (null? (cdr parts)) (cons "" kept) kept)))
                ((string=? ".." (car parts))
                 (let ((kept (if (pair? kept) (cdr kept) kept)))
                   (loop (cdr parts) (if (null? (cdr parts)) (cons "" kept) kept))))
                (else (loop (cdr parts) (cons (car parts) kept)))))))

    (define (split-slashes path)
      (let ((end (string-length path)))
        (let loop ((start 0) (parts '()))
          (let ((slash (find-any path '(#\/) start end)))
            (if (= slash end)
                (reverse (cons (substring path start end) parts))
                (loop (+ slash 1) (cons (substring path start slash) parts)))))))))
