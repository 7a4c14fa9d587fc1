;; Parsers of numbers, lists, addresses and URIs, for use in grammars.
(define-library (chibi parse common)
  (export
    parse-integer parse-unsigned-integer parse-c-integer parse-real parse-complex
    parse-identifier parse-delimited parse-separated parse-records
    parse-space parse-binary-op
    parse-ipv4-address parse-ipv6-address parse-ip-address
    parse-domain parse-common-domain parse-email parse-uri
    char-hex-digit? char-octal-digit?)
  (import (scheme base) (scheme char) (chibi parse))
  (begin
    (define (optional rest k default)
      (cond ((null? rest) default)
            ((= k 0) (car rest))
            (else (optional (cdr rest) (- k 1) default))))

    (define (digit? c) (char<=? #\0 c #\9))
    (define (char-octal-digit? c) (char<=? #\0 c #\7))
    (define (char-hex-digit? c)
      (or (digit? c) (char<=? #\a c #\f) (char<=? #\A c #\F)))

    (define (text f . proc) (apply parse-map-substring f proc))

    ;; --- numbers ---

    (define (in-range f lo hi)
      (if (or lo hi)
          (parse-assert f (lambda (n) (and (or (not lo) (>= n lo)) (or (not hi) (<= n hi)))))
          f))

    (define sign (parse-optional (parse-or (parse-char #\+) (parse-char #\-))))

    ;; (parse-unsigned-integer [lo hi])
    (define (parse-unsigned-integer . range)
      (in-range (parse-map (parse-token digit?) string->number)
                (optional range 0 #f) (optional range 1 #f)))

    (define (parse-integer . range)
      (in-range (text (parse-seq sign (parse-token digit?)) string->number)
                (optional range 0 #f) (optional range 1 #f)))

    ;; Decimal, 0x hexadecimal or 0 octal, as in C.
    (define (parse-c-integer)
      (parse-map
        (parse-seq
          sign
          (parse-or
            (parse-map
              (parse-seq (parse-ignore (parse-or (parse-string "0x") (parse-string "0X")))
                         (parse-token char-hex-digit?))
              (lambda (l) (string->number (car l) 16)))
            (parse-map (parse-seq (parse-ignore (parse-char #\0)) (parse-token char-octal-digit?))
                       (lambda (l) (string->number (car l) 8)))
            (parse-map (parse-token digit?) string->number)))
        (lambda (l) (if (eqv? #\- (car l)) (- (cadr l)) (cadr l)))))

    (define digits (parse-token digit?))

    (define unsigned-real
      (parse-seq
        (parse-or (parse-seq digits (parse-optional (parse-seq (parse-char #\.) (parse-optional digits))))
                  (parse-seq (parse-char #\.) digits))
        (parse-optional
          (parse-seq (parse-or (parse-char #\e) (parse-char #\E)) sign digits))))

    (define (parse-real) (text (parse-seq sign unsigned-real) string->number))

    ;; A real number, an imaginary one, or a sum of both.
    (define (parse-complex)
      (let* ((plus-or-minus (parse-or (parse-char #\+) (parse-char #\-)))
             (imaginary (parse-seq plus-or-minus (parse-optional unsigned-real) (parse-char #\i)
                                   (parse-not (parse-char char-alphabetic?)))))
        (parse-assert
          (text (parse-or (parse-seq sign unsigned-real imaginary)
                          imaginary
                          (parse-seq sign unsigned-real))
                string->number)
          number?)))

    ;; --- names, lists and space ---

    (define (parse-identifier . pred)
      (let* ((first? (optional pred 0 (lambda (c) (or (char-alphabetic? c) (char=? c #\_)))))
             (rest? (optional pred 1
                      (lambda (c) (or (char-alphabetic? c) (char-numeric? c) (char=? c #\_))))))
        (text (parse-seq (parse-char first?) (parse-optional (parse-token rest?))) string->symbol)))

    (define parse-space (parse-char char-whitespace?))

    ;; (parse-delimited [delimiter escape parser]): the text between two delimiters.
    (define (parse-delimited . options)
      (let* ((delimiter (optional options 0 #\"))
             (escape (optional options 1 #\\))
             (plain (optional options 2
                      (parse-char (lambda (c) (not (or (eqv? c delimiter) (eqv? c escape))))))))
        (parse-map
          (parse-seq
            (parse-ignore (parse-char delimiter))
            (parse-repeat
              (if escape
                  (parse-or plain
                            (parse-map (parse-seq (parse-ignore (parse-char escape)) parse-anything) car))
                  plain))
            (parse-ignore (parse-char delimiter)))
          (lambda (l) (list->string (car l))))))

    ;; (parse-separated [separator mark escape ok? parser]): fields of one line, at least one.
    (define (parse-separated . options)
      (let* ((separator (optional options 0 #\,))
             (mark (optional options 1 #\"))
             (escape (optional options 2 mark))
             (ok? (optional options 3
                    (lambda (c) (not (or (eqv? c separator) (eqv? c mark) (memv c '(#\newline #\return)))))))
             (quoted
              (and mark
                   (parse-map
                     (parse-seq
                       (parse-ignore (parse-char mark))
                       (parse-repeat
                         (parse-or
                           (parse-map (parse-seq (parse-ignore (parse-char escape))
                                                 (if (eqv? escape mark) (parse-char mark) parse-anything))
                                      car)
                           (parse-char (lambda (c) (not (or (eqv? c mark) (eqv? c escape)))))))
                       (parse-ignore (parse-char mark)))
                     (lambda (l) (list->string (car l))))))
             (bare (text (parse-repeat (parse-char ok?))))
             (field (optional options 4 (if quoted (parse-or quoted bare) bare))))
        (parse-map
          (parse-seq field
                     (parse-repeat
                       (parse-map (parse-seq (parse-ignore (parse-char separator)) field) car)))
          (lambda (l) (cons (car l) (cadr l))))))

    ;; The same for every line up to the end; an end of line after the last one adds nothing.
    (define (parse-records . options)
      (let ((end (parse-or (parse-string "\r\n") (parse-string "\n") (parse-string "\r")))
            (row (apply parse-separated options)))
        (parse-map
          (parse-seq
            (parse-repeat
              (parse-map (parse-seq (parse-ignore (parse-not parse-end)) row
                                    (parse-ignore (parse-or end parse-end)))
                         car)))
          car)))

    ;; --- operators ---

    ;; OPS gives for each operator (op precedence [left | right | none]), where a smaller precedence
    ;; binds tighter; OP and EXPR parse operators and operands, and COMBINE, a list by default, puts
    ;; an operator and two operands together.
    (define (parse-binary-op op ops expr . options)
      (let* ((space (optional options 0 (parse-repeat parse-space)))
             (combine (optional options 1 list))
             (info (lambda (o) (or (assoc o ops) (error "parse-binary-op: unknown operator" o))))
             (precedence (lambda (o) (cadr (info o))))
             (associativity (lambda (o) (if (pair? (cddr (info o))) (car (cddr (info o))) 'left))))
        (define (reduce operators operands)
          (values (cdr operators)
                  (cons (combine (car operators) (cadr operands) (car operands)) (cddr operands))))
        ;; Does the operator on the stack come before the new one?
        (define (first? old new)
          (let ((p (precedence old)) (q (precedence new)))
            (or (< p q)
                (and (= p q) (eq? 'left (associativity new))))))
        (define (build operand rest)
          (let loop ((rest rest) (operators '()) (operands (list operand)))
            (cond ((and (pair? operators) (or (null? rest) (first? (car operators) (caar rest))))
                   (let-values (((operators operands) (reduce operators operands)))
                     (loop rest operators operands)))
                  ((null? rest) (car operands))
                  ((and (pair? operators)
                        (= (precedence (car operators)) (precedence (caar rest)))
                        (eq? 'none (associativity (caar rest))))
                   #f)
                  (else
                   (loop (cdr rest) (cons (caar rest) operators) (cons (cadr (car rest)) operands))))))
        (parse-assert
          (parse-map
            (parse-seq
              (parse-ignore space)
              expr
              (parse-repeat
                (parse-seq (parse-ignore space) op (parse-ignore space) expr)))
            (lambda (l) (build (car l) (cadr l))))
          (lambda (r) r))))

    ;; --- addresses ---

    (define octet (parse-unsigned-integer 0 255))

    ;; Four numbers in a vector, as in RFC 791.
    (define parse-ipv4-address
      (text
        (parse-seq octet (parse-char #\.) octet (parse-char #\.) octet (parse-char #\.) octet
                   (parse-not (parse-char digit?)))))

    (define group (parse-assert (parse-token char-hex-digit?) (lambda (s) (<= (string-length s) 4))))

    ;; RFC 4291, 2.2: eight groups, of which one run may be left out, the last two perhaps as IPv4.
    (define parse-ipv6-address
      (let* ((colon (parse-char #\:))
             (groups (lambda (lo hi)
                       (parse-map
                         (parse-optional
                           (parse-seq group (parse-repeat (parse-seq colon group) (max 0 (- lo 1)) (- hi 1))))
                         (lambda (r) (if r (+ 1 (length (cadr r))) 0)))))
             (tail (parse-or
                     (parse-map
                       (parse-seq (parse-repeat (parse-seq group colon) 0 6) parse-ipv4-address)
                       (lambda (r) (+ 2 (length (car r)))))
                     (groups 0 8)))
             (full (parse-assert tail (lambda (n) (= n 8))))
             (short (parse-assert
                      (parse-map (parse-seq (groups 0 7) (parse-ignore (parse-string "::")) tail)
                                 (lambda (l) (+ (car l) (cadr l))))
                      (lambda (n) (<= n 7)))))
        (text (parse-or short full))))

    (define parse-ip-address (parse-or parse-ipv6-address parse-ipv4-address))

    ;; --- domains, mail, URIs ---

    (define (label-char? c) (or (char-alphabetic? c) (char-numeric? c) (char=? c #\-)))

    ;; RFC 1035: a label neither begins nor ends with a hyphen and has at most 63 characters.
    (define label
      (parse-assert (parse-token label-char?)
        (lambda (s)
          (and (<= (string-length s) 63)
               (not (char=? #\- (string-ref s 0)))
               (not (char=? #\- (string-ref s (- (string-length s) 1))))))))

    (define dotted-labels
      (parse-seq label (parse-repeat+ (parse-seq (parse-char #\.) label))))

    (define parse-domain (text dotted-labels))

    ;; A domain below one of the best-known top-level domains or a country's.
    (define parse-common-domain
      (parse-assert parse-domain
        (lambda (s)
          (let ((top (let loop ((i (- (string-length s) 1)))
                       (if (char=? #\. (string-ref s i))
                           (string-downcase (substring s (+ i 1) (string-length s)))
                           (loop (- i 1))))))
            (or (= 2 (string-length top))
                (member top '("com" "edu" "gov" "info" "int" "mil" "net" "org" "biz" "name" "arpa"
                              "aero" "coop" "museum" "jobs" "mobi" "travel" "app" "dev" "io")))))))

    (define (mail-char? c)
      (or (char-alphabetic? c) (char-numeric? c) (memv c (string->list "!#$%&'*+/=?^_`{|}~-"))))

    ;; The usual form of RFC 5322, 3.4.1: a dotted name and a domain.
    (define parse-email
      (text
        (parse-seq (parse-token mail-char?)
                   (parse-repeat (parse-seq (parse-char #\.) (parse-token mail-char?)))
                   (parse-char #\@)
                   dotted-labels)))

    (define (uri-char? c)
      (or (char-alphabetic? c) (char-numeric? c) (memv c (string->list "-._~:/?[]@!$&'()*+,;=%"))))

    ;; A scheme, "://", a host and what may follow it (RFC 3986).
    (define parse-uri
      (let ((scheme-char? (lambda (c) (or (char-alphabetic? c) (char-numeric? c) (memv c '(#\+ #\- #\.)))))
            (rest (parse-optional (parse-token uri-char?))))
        (text
          (parse-seq
            (parse-char char-alphabetic?)
            (parse-optional (parse-token scheme-char?))
            (parse-string "://")
            (parse-optional
              (parse-seq (parse-token (lambda (c) (and (uri-char? c) (not (memv c '(#\@ #\/ #\?))))) )
                         (parse-char #\@)))
            (parse-or (parse-seq (parse-char #\[) parse-ipv6-address (parse-char #\]))
                      dotted-labels label)
            (parse-optional (parse-seq (parse-char #\:) (parse-token digit?)))
            (parse-optional (parse-seq (parse-char #\/) rest))
            (parse-optional (parse-seq (parse-char #\?) rest))
            (parse-optional (parse-seq (parse-char #\#) rest))))))))
