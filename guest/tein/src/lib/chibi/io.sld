;; More ways to read and write ports, and ports made of procedures.
(define-library (chibi io)
  (export
    read-string read-string! read-line write-line (rename read-line %%read-line)
    port-fold port-fold-right port-map port->list port->string-list port->sexp-list
    port->string port->bytevector file->string file->bytevector
    file-position set-file-position! seek/set seek/cur seek/end
    make-custom-input-port make-custom-output-port
    make-custom-binary-input-port make-custom-binary-output-port
    make-null-output-port make-null-input-port make-broadcast-port make-concatenated-port
    make-generated-input-port make-generated-binary-input-port
    make-filtered-output-port make-filtered-input-port string-count-chars
    open-input-bytevector open-output-bytevector get-output-bytevector
    string->utf8 (rename string->utf8 string->utf8!) string-offset
    utf8->string (rename utf8->string utf8->string!) utf8-ref utf8-next utf8-prev
    write-string write-u8 read-u8 peek-u8 send-file is-a-socket?
    call-with-input-file call-with-output-file)
  (import
    (rename (scheme base) (read-string base:read-string) (read-line base:read-line))
    (scheme case-lambda) (only (scheme read) read)
    (only (chibi text utf8) utf8-ref utf8-next utf8-prev)
    (only (tein core)
      %make-input-port %make-output-port %port-feed! %port-take! %port-position
      %set-port-position! %port-size))
  (cond-expand
    ((library (scheme file))
     (import (only (scheme file) open-input-file open-binary-input-file call-with-input-file
                   call-with-output-file)))
    (else
     (begin
       (define (refuse path) (error "[sandbox:file] access denied by sandbox policy" path))
       (define (open-input-file path) (refuse path))
       (define (open-binary-input-file path) (refuse path))
       (define (call-with-input-file path proc) (refuse path))
       (define (call-with-output-file path proc) (refuse path)))))
  (begin
    (define (in-port rest) (if (pair? rest) (car rest) (current-input-port)))
    (define (out-port rest) (if (pair? rest) (car rest) (current-output-port)))

    ;; --- reading and writing ---

    (define (read-string n . in) (base:read-string n (in-port in)))

    ;; (read-string! string [n in]): the number of characters read into the string.
    (define (read-string! s . options)
      (let* ((n (if (pair? options) (car options) (string-length s)))
             (got (base:read-string n (in-port (if (pair? options) (cdr options) '())))))
        (if (> n (string-length s)) (error "read-string!: the string is too short" n))
        (if (eof-object? got)
            0
            (begin (string-copy! s 0 got) (string-length got)))))

    ;; (read-line [in n]), in either order: at most N characters of the line.
    (define (read-line . options)
      (let loop ((options options) (in #f) (n #f))
        (cond ((pair? options)
               (if (port? (car options))
                   (loop (cdr options) (car options) n)
                   (loop (cdr options) in (car options))))
              ((not n) (base:read-line (or in (current-input-port))))
              (else (short-line (or in (current-input-port)) n)))))

    (define (short-line in n)
      (let ((out (open-output-string)))
        (let loop ((i 0))
          (let ((c (if (< i n) (read-char in) (peek-char in))))
            (cond ((eof-object? c) (if (= i 0) c (get-output-string out)))
                  ((char=? c #\newline)
                   (if (= i n) (read-char in))
                   (get-output-string out))
                  ((= i n) (get-output-string out))
                  (else (write-char c out) (loop (+ i 1))))))))

    (define (write-line s . out)
      (let ((out (out-port out)))
        (write-string s out)
        (newline out)))

    ;; --- folding over what a port gives ---

    (define (port-fold kons knil . options)
      (let ((read (if (pair? options) (car options) read))
            (in (in-port (if (pair? options) (cdr options) '()))))
        (let loop ((acc knil))
          (let ((x (read in)))
            (if (eof-object? x) acc (loop (kons x acc)))))))

    (define (port-fold-right kons knil . options)
      (let loop ((l (apply port-fold cons '() options)) (acc knil))
        (if (null? l) acc (loop (cdr l) (kons (car l) acc)))))

    (define (port-map proc . options)
      (reverse (apply port-fold (lambda (x acc) (cons (proc x) acc)) '() options)))

    (define (port->list . options) (apply port-map (lambda (x) x) options))
    (define (port->sexp-list . in) (port->list read (in-port in)))
    (define (port->string-list . in) (port->list base:read-line (in-port in)))

    (define (port->string . in)
      (let ((in (in-port in)) (out (open-output-string)))
        (let loop ((s (base:read-string 4096 in)))
          (if (eof-object? s)
              (get-output-string out)
              (begin (write-string s out) (loop (base:read-string 4096 in)))))))

    (define (port->bytevector . in)
      (let ((in (in-port in)) (out (open-output-bytevector)))
        (let loop ((b (read-bytevector 4096 in)))
          (if (eof-object? b)
              (get-output-bytevector out)
              (begin (write-bytevector b out) (loop (read-bytevector 4096 in)))))))

    (define (file->string path)
      (let* ((in (open-input-file path)) (s (port->string in)))
        (close-port in)
        s))

    (define (file->bytevector path)
      (let* ((in (open-binary-input-file path)) (b (port->bytevector in)))
        (close-port in)
        b))

    ;; --- positions: characters of textual ports, bytes of binary ones ---

    (define seek/set 0)
    (define seek/cur 1)
    (define seek/end 2)

    (define (file-position port) (%port-position port))

    (define (set-file-position! port offset . from)
      (let ((from (if (pair? from) (car from) seek/set)))
        (%set-port-position! port
          (+ offset
             (cond ((eqv? from seek/set) 0)
                   ((eqv? from seek/cur) (%port-position port))
                   ((eqv? from seek/end) (%port-size port))
                   (else (error "set-file-position!: not a place to count from" from)))))))

    (define (string-count-chars s) (string-length s))
    ;; Cursors are indexes.
    (define (string-offset cursor) cursor)

    (define (send-file . args) (error "[sandbox:chibi/io] send-file not available"))
    (define (is-a-socket? x) #f)

    ;; --- ports made of procedures ---

    ;; The engine calls the procedure of an input port with nothing, or with what to do after.
    (define (input-port-of textual? more)
      (letrec ((port (%make-input-port textual?
                       (case-lambda
                         (() (%port-feed! port (more)))
                         ((again . args) (%port-feed! port (more)) (apply again args))))))
        port))

    (define (output-port-of textual? take)
      (letrec ((port (%make-output-port textual? (lambda () (take (%port-take! port))))))
        port))

    ;; A string for what GENERATOR gives: anything but a string that is not empty is the end.
    (define (make-generated-input-port generator) (input-port-of #t generator))
    (define (make-generated-binary-input-port generator) (input-port-of #f generator))

    (define buffer-size 256)

    ;; (read string start end) fills the string and says how many characters it put there.
    (define (make-custom-input-port read . options)
      (make-generated-input-port
        (lambda ()
          (let* ((s (make-string buffer-size)) (n (read s 0 buffer-size)))
            (and (exact-integer? n) (> n 0) (substring s 0 n))))))

    (define (make-custom-binary-input-port read . options)
      (make-generated-binary-input-port
        (lambda ()
          (let* ((b (make-bytevector buffer-size)) (n (read b 0 buffer-size)))
            (and (exact-integer? n) (> n 0) (bytevector-copy b 0 n))))))

    ;; (write string start end) gets what each operation wrote.
    (define (make-custom-output-port write . options)
      (output-port-of #t (lambda (s) (write s 0 (string-length s)))))

    (define (make-custom-binary-output-port write . options)
      (output-port-of #f (lambda (b) (write b 0 (bytevector-length b)))))

    (define (make-null-input-port) (open-input-string ""))
    (define (make-null-output-port) (output-port-of #t (lambda (s) #f)))

    (define (make-broadcast-port . ports)
      (output-port-of #t
        (lambda (s) (for-each (lambda (port) (write-string s port)) ports))))

    ;; The ports' text one after the other.
    (define (make-concatenated-port . ports)
      (make-generated-input-port
        (lambda ()
          (let loop ()
            (and (pair? ports)
                 (let ((s (base:read-string buffer-size (car ports))))
                   (if (eof-object? s)
                       (begin (set! ports (cdr ports)) (loop))
                       s)))))))

    (define (make-filtered-input-port filter in)
      (make-generated-input-port
        (lambda ()
          (let ((s (base:read-string buffer-size in)))
            (and (string? s) (filter s))))))

    (define (make-filtered-output-port filter out)
      (output-port-of #t (lambda (s) (write-string (filter s) out))))))
