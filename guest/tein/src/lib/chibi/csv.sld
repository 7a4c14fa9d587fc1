;; Tables as text (RFC 4180 and its many dialects), read and written by a grammar.
(define-library (chibi csv)
  (export
    csv-grammar csv-parser csv-grammar? default-csv-grammar default-tsv-grammar
    csv-read->list csv-read->vector csv-read->fixed-vector csv-read->sxml
    csv-num-rows csv-fold csv-map csv->list csv-for-each csv->sxml
    csv-writer csv-write csv-skip-line)
  (import (scheme base) (only (scheme write) display))
  (begin
    (define-record-type grammar
      (make-grammar separators quote doubling? escape end comments quote-non-numeric?)
      csv-grammar?
      (separators grammar-separators)
      (quote grammar-quote)
      (doubling? grammar-doubling?)
      (escape grammar-escape)
      (end grammar-end)
      (comments grammar-comments)
      (quote-non-numeric? grammar-quote-non-numeric?))

    (define options
      '(separator-chars quote-char quote-doubling-escapes? escape-char record-separator
        comment-chars quote-non-numeric?))

    ;; From (option . value) or (option value ...). The separator of records is lf, crlf, cr, or lax
    ;; for any of these, or a character.
    (define (csv-grammar spec)
      (for-each
        (lambda (x)
          (if (not (and (pair? x) (memq (car x) options)))
              (error "csv-grammar: unknown option" x)))
        spec)
      (let* ((ref (lambda (key default) (let ((x (assq key spec))) (if x (cdr x) default))))
             (one (lambda (key default)
                    (let ((x (ref key default))) (if (pair? x) (car x) x))))
             (many (lambda (key default)
                     (let ((x (ref key default)))
                       (cond ((char? x) (list x))
                             ((and (pair? x) (pair? (car x))) (car x))
                             (else x))))))
        (make-grammar
          (let ((l (many 'separator-chars '(#\,))))
            (if (not (pair? l)) (error "csv-grammar: no separator" l))
            l)
          (one 'quote-char #\")
          (one 'quote-doubling-escapes? #t)
          (one 'escape-char #f)
          (one 'record-separator 'lax)
          (many 'comment-chars '())
          (one 'quote-non-numeric? #f))))

    (define default-csv-grammar (csv-grammar '()))
    (define default-tsv-grammar
      (csv-grammar '((separator-chars #\tab) (quote-char . #f))))

    (define (optional rest default) (if (pair? rest) (car rest) default))

    ;; --- reading ---

    ;; Takes the end of a record at C, which was read, and says whether it was one.
    (define (record-end? c end in)
      (case end
        ((lf) (eqv? c #\newline))
        ((cr) (eqv? c #\return))
        ((crlf)
         (and (eqv? c #\return) (eqv? (peek-char in) #\newline)
              (begin (read-char in) #t)))
        ((lax)
         (or (eqv? c #\newline)
             (and (eqv? c #\return)
                  (begin
                    (if (eqv? (peek-char in) #\newline) (read-char in))
                    #t))))
        (else (eqv? c end))))

    ;; To behind the next end of a line.
    (define (csv-skip-line . in)
      (read-line (optional in (current-input-port)))
      #t)

    ;; A procedure (parse kons knil in) that folds over the fields of one record with (kons acc index
    ;; field). It gives the end-of-file object when there is none; empty lines are no records.
    (define (csv-parser . grammar)
      (let* ((g (optional grammar default-csv-grammar))
             (separators (grammar-separators g))
             (quote-char (grammar-quote g))
             (doubling? (grammar-doubling? g))
             (escape (grammar-escape g))
             (end (grammar-end g))
             (comments (grammar-comments g)))
        (define (start kons knil in)
          (let ((c (peek-char in)))
            (cond ((eof-object? c) c)
                  ((memv c comments) (csv-skip-line in) (start kons knil in))
                  (else
                   (let ((c (read-char in)))
                     (if (record-end? c end in)
                         (start kons knil in)
                         (field c kons knil 0 in)))))))
        ;; A field that begins with C.
        (define (field c kons acc i in)
          (if (and quote-char (eqv? c quote-char))
              (quoted kons acc i in)
              (let ((out (open-output-string)))
                (bare c out kons acc i in))))
        (define (bare c out kons acc i in)
          (let ((finish (lambda () (kons acc i (get-output-string out)))))
            (cond ((eof-object? c) (finish))
                  ((memv c separators) (next kons (finish) (+ i 1) in))
                  ((record-end? c end in) (finish))
                  ((and escape (eqv? c escape) (not (eof-object? (peek-char in))))
                   (write-char (read-char in) out)
                   (bare (read-char in) out kons acc i in))
                  (else
                   (write-char c out)
                   (bare (read-char in) out kons acc i in)))))
        (define (next kons acc i in) (field (read-char in) kons acc i in))
        (define (quoted kons acc i in)
          (let ((out (open-output-string)))
            (let loop ()
              (let ((c (read-char in)))
                (cond ((eof-object? c) (error "csv: a quoted field does not end" (get-output-string out)))
                      ((and escape (eqv? c escape) (not (eof-object? (peek-char in))))
                       (write-char (read-char in) out)
                       (loop))
                      ((not (eqv? c quote-char)) (write-char c out) (loop))
                      ((and doubling? (eqv? (peek-char in) quote-char))
                       (write-char (read-char in) out)
                       (loop))
                      ;; What follows the closing quote belongs to the field.
                      (else (bare (read-char in) out kons acc i in)))))))
        start))

    (define (reader finish)
      (lambda parser
        (let ((parse (optional parser (csv-parser))))
          (lambda in
            (let ((row (parse (lambda (acc i field) (cons field acc)) '()
                              (optional in (current-input-port)))))
              (if (eof-object? row) row (finish (reverse row))))))))

    (define csv-read->list (reader (lambda (row) row)))
    (define csv-read->vector (reader list->vector))

    ;; Every record must have that many fields.
    (define (csv-read->fixed-vector size . parser)
      (let ((read (apply csv-read->list parser)))
        (lambda in
          (let ((row (apply read in)))
            (cond ((eof-object? row) row)
                  ((= size (length row)) (list->vector row))
                  (else (error "csv: a record has another number of fields" size row)))))))

    ;; (row (col-0 field) ...), or with other names.
    (define (csv-read->sxml . options)
      (let* ((row-name (optional options 'row))
             (options (if (pair? options) (cdr options) '()))
             (names (optional options
                      (lambda (i) (string->symbol (string-append "col-" (number->string i))))))
             (name (if (procedure? names)
                       names
                       (let ((v (if (vector? names) names (list->vector names))))
                         (lambda (i) (vector-ref v i)))))
             (parse (optional (if (pair? options) (cdr options) '()) (csv-parser))))
        (lambda in
          (let ((row (parse (lambda (acc i field) (cons (list (name i) field) acc)) '()
                            (optional in (current-input-port)))))
            (if (eof-object? row) row (cons row-name (reverse row)))))))

    ;; --- whole tables ---

    (define (csv-num-rows . options)
      (let ((parse (optional options (csv-parser)))
            (in (optional (if (pair? options) (cdr options) '()) (current-input-port))))
        (let loop ((n 0))
          (if (eof-object? (parse (lambda (acc i field) acc) #f in)) n (loop (+ n 1))))))

    (define (csv-fold kons knil . options)
      (let ((read (optional options (csv-read->list)))
            (in (optional (if (pair? options) (cdr options) '()) (current-input-port))))
        (let loop ((acc knil))
          (let ((row (read in)))
            (if (eof-object? row) acc (loop (kons row acc)))))))

    (define (csv-map proc . options)
      (reverse (apply csv-fold (lambda (row acc) (cons (proc row) acc)) '() options)))

    (define (csv-for-each proc . options)
      (apply csv-fold (lambda (row acc) (proc row) acc) #f options))

    (define (csv->list . options) (apply csv-map (lambda (row) row) options))

    (define (csv->sxml . options)
      (let ((read (apply csv-read->sxml options)))
        (lambda in (cons '*TOP* (apply csv->list read in)))))

    ;; --- writing ---

    (define (->string x)
      (cond ((string? x) x)
            ((symbol? x) (symbol->string x))
            ((number? x) (number->string x))
            (else (let ((out (open-output-string))) (display x out) (get-output-string out)))))

    (define (find-char s ok?)
      (let loop ((i 0))
        (and (< i (string-length s)) (or (ok? (string-ref s i)) (loop (+ i 1))))))

    ;; A procedure (write row [out]) that writes one record, a list or a vector.
    (define (csv-writer . grammar)
      (let* ((g (optional grammar default-csv-grammar))
             (separators (grammar-separators g))
             (quote-char (grammar-quote g))
             (escape (grammar-escape g))
             (end (grammar-end g))
             (special? (lambda (c)
                         (or (memv c separators) (eqv? c quote-char) (eqv? c escape)
                             (memv c '(#\newline #\return)) (eqv? c end)))))
        (define (put x first? out)
          (let ((s (->string x)))
            (cond ((or (find-char s special?)
                       (and first? (pair? (grammar-comments g)) (> (string-length s) 0)
                            (memv (string-ref s 0) (grammar-comments g)))
                       (and quote-char (grammar-quote-non-numeric? g) (not (number? x))))
                   (if quote-char (put-quoted s out) (put-escaped s out)))
                  (else (write-string s out)))))
        (define (put-quoted s out)
          (write-char quote-char out)
          (string-for-each
            (lambda (c)
              (cond ((and (eqv? c quote-char) (grammar-doubling? g)) (write-char c out))
                    ((and escape (or (eqv? c quote-char) (eqv? c escape))) (write-char escape out))
                    ((eqv? c quote-char) (error "csv: the grammar cannot write the quote" s)))
              (write-char c out))
            s)
          (write-char quote-char out))
        (define (put-escaped s out)
          (if (not escape) (error "csv: the grammar cannot write the field" s))
          (string-for-each
            (lambda (c)
              (if (special? c) (write-char escape out))
              (write-char c out))
            s))
        (lambda (row . out)
          (let ((out (optional out (current-output-port))))
            (let loop ((row (if (vector? row) (vector->list row) row)) (first? #t))
              (if (pair? row)
                  (begin
                    (if (not first?) (write-char (car separators) out))
                    (put (car row) first? out)
                    (loop (cdr row) #f))))
            (case end
              ((lf lax) (write-char #\newline out))
              ((crlf) (write-string "\r\n" out))
              ((cr) (write-char #\return out))
              (else (write-char end out)))))))

    ;; A procedure (write rows [out]) that writes a table.
    (define (csv-write . writer)
      (let ((write-row (optional writer (csv-writer))))
        (lambda (rows . out)
          (for-each (lambda (row) (apply write-row row out)) rows))))))
