;; Records with a fixed form in bytes.
;;
;;     (define-binary-record-type name
;;       (make: constructor) (pred: predicate) (read: reader) (write: writer)
;;       (block: "literal" (field (type argument ...) getter [setter]) ...) ...)
;;
;; Types: (u8) (s8) (u16/le) (u16/be) (u32/le) (u32/be) (u64/le) (u64/be), numbers as digits in N
;; characters (decimal n) (octal n) (hexadecimal n), and (fixed-string n), (padded-string n [pad]),
;; (fixed-bytevector n).
(define-library (chibi binary-record)
  (export define-binary-record-type)
  (import (scheme base) (only (tein core) bitwise-and arithmetic-shift %record %record-of?))
  (begin
    ;; --- types: a pair of (read port) and (write value port) ---

    (define (read-exactly n in)
      (let ((bytes (if (= n 0) (bytevector) (read-bytevector n in))))
        (if (or (eof-object? bytes) (< (bytevector-length bytes) n))
            (error "binary record: the data ends too early" n))
        bytes))

    (define (check-range x low high)
      (if (not (and (exact-integer? x) (<= low x high)))
          (error "binary record: the number is out of range" x low high)))

    (define (unsigned size big?)
      (cons
        (lambda (in)
          (let ((bytes (read-exactly size in)))
            (let loop ((i 0) (n 0))
              (if (= i size)
                  n
                  (loop (+ i 1)
                        (+ (* 256 n) (bytevector-u8-ref bytes (if big? i (- size i 1)))))))))
        (lambda (x out)
          (check-range x 0 (- (expt 256 size) 1))
          (do ((i 0 (+ i 1)))
              ((= i size))
            (write-u8 (bitwise-and 255 (arithmetic-shift x (* -8 (if big? (- size i 1) i)))) out)))))

    (define signed-byte
      (let ((u8 (unsigned 1 #t)))
        (cons
          (lambda (in) (let ((n ((car u8) in))) (if (> n 127) (- n 256) n)))
          (lambda (x out)
            (check-range x -128 127)
            ((cdr u8) (bitwise-and x 255) out)))))

    (define (fixed-bytes n)
      (cons
        (lambda (in) (read-exactly n in))
        (lambda (x out)
          (if (not (= n (bytevector-length x)))
              (error "binary record: the bytes have another length" n x))
          (write-bytevector x out))))

    (define (fixed-text n)
      (cons
        (lambda (in) (utf8->string (read-exactly n in)))
        (lambda (x out)
          (let ((bytes (string->utf8 x)))
            (if (not (= n (bytevector-length bytes)))
                (error "binary record: the string has another length" n x))
            (write-bytevector bytes out)))))

    ;; Filled up on the right with a character, a NUL by default.
    (define (padded-text n . pad)
      (let ((pad (char->integer (if (pair? pad) (car pad) #\null))))
        (cons
          (lambda (in)
            (let ((bytes (read-exactly n in)))
              (let loop ((end n))
                (if (and (> end 0) (= pad (bytevector-u8-ref bytes (- end 1))))
                    (loop (- end 1))
                    (utf8->string bytes 0 end)))))
          (lambda (x out)
            (let* ((bytes (string->utf8 x)) (k (bytevector-length bytes)))
              (if (> k n) (error "binary record: the string is too long" n x))
              (write-bytevector bytes out)
              (write-bytevector (make-bytevector (- n k) pad) out))))))

    ;; The last character is a space or a NUL when the number leaves room for it.
    (define (number-text radix n)
      (cons
        (lambda (in)
          (let* ((s (utf8->string (read-exactly n in)))
                 (digits (let loop ((i 0) (out '()))
                           (if (= i n)
                               (list->string (reverse out))
                               (let ((c (string-ref s i)))
                                 (loop (+ i 1) (if (memv c '(#\space #\null)) out (cons c out))))))))
            (cond ((string=? digits "") 0)
                  ((string->number digits radix))
                  (else (error "binary record: not a number" s)))))
        (lambda (x out)
          (let* ((s (number->string x radix)) (k (string-length s)))
            (if (> k n) (error "binary record: the number has too many digits" x n))
            (write-bytevector
              (string->utf8
                (if (< k n)
                    (string-append (make-string (- n k 1) #\0) s (string #\null))
                    s))
              out)))))

    (define (literal x)
      (let ((bytes (cond ((string? x) (string->utf8 x))
                         ((char? x) (string->utf8 (string x)))
                         ((bytevector? x) x)
                         ((exact-integer? x) (bytevector x))
                         (else (error "binary record: not a literal" x)))))
        (cons
          (lambda (in)
            (let ((got (read-exactly (bytevector-length bytes) in)))
              (if (not (equal? got bytes))
                  (error "binary record: another literal is expected" x got))))
          (lambda (out) (write-bytevector bytes out)))))

    (define-syntax type-of
      (syntax-rules (u8 s8 u16/le u16/be u32/le u32/be u64/le u64/be decimal octal hexadecimal
                     fixed-string padded-string fixed-bytevector)
        ((_ (u8)) (unsigned 1 #t))
        ((_ (s8)) signed-byte)
        ((_ (u16/le)) (unsigned 2 #f))
        ((_ (u16/be)) (unsigned 2 #t))
        ((_ (u32/le)) (unsigned 4 #f))
        ((_ (u32/be)) (unsigned 4 #t))
        ((_ (u64/le)) (unsigned 8 #f))
        ((_ (u64/be)) (unsigned 8 #t))
        ((_ (decimal n)) (number-text 10 n))
        ((_ (octal n)) (number-text 8 n))
        ((_ (hexadecimal n)) (number-text 16 n))
        ((_ (fixed-bytevector n)) (fixed-bytes n))
        ((_ (fixed-string n)) (fixed-text n))
        ((_ (padded-string . arguments)) (padded-text . arguments))
        ((_ other) other)))

    ;; --- the form ---

    (define-syntax define-binary-record-type
      (syntax-rules ()
        ((_ name . clauses) (binary-clauses clauses name #f #f #f #f ()))))

    (define-syntax binary-clauses
      (syntax-rules (make: pred: read: write: block:)
        ((_ () name make pred read write blocks)
         (binary-fields blocks name make pred read write () ()))
        ((_ ((make: x . fields) . more) name make pred read write blocks)
         (binary-clauses more name x pred read write blocks))
        ((_ ((pred: x) . more) name make pred read write blocks)
         (binary-clauses more name make x read write blocks))
        ((_ ((read: x) . more) name make pred read write blocks)
         (binary-clauses more name make pred x write blocks))
        ((_ ((write: x) . more) name make pred read write blocks)
         (binary-clauses more name make pred read x blocks))
        ((_ ((block: . items) . more) name make pred read write (block ...))
         (binary-clauses more name make pred read write (block ... . items)))
        ((_ (clause . more) . rest)
         (syntax-error "define-binary-record-type: not a clause" clause))))

    ;; Collects the fields, and the steps of reading and writing: (#f literal) and (field type).
    (define-syntax binary-fields
      (syntax-rules ()
        ((_ () name make pred read write fields steps)
         (binary-define name make pred read write fields steps))
        ((_ ((field type . procedures) . more) name make pred read write (f ...) (step ...))
         (binary-fields more name make pred read write
                        (f ... (field . procedures)) (step ... (field type))))
        ((_ (item . more) name make pred read write fields (step ...))
         (binary-fields more name make pred read write fields (step ... (#f item))))))

    (define-syntax binary-define
      (syntax-rules ()
        ((_ name make pred read write ((field getter . setter) ...) steps)
         (begin
           (define-record-type name #f #f (field getter . setter) ...)
           (define-if make (lambda (field ...) (%record name field ...)))
           (define-if pred (lambda (x) (%record-of? x name)))
           (define-if read (record-reader name (field ...) steps))
           (define-if write (record-writer steps ((field getter) ...)))))))

    (define-syntax define-if
      (syntax-rules ()
        ((_ #f value) (begin))
        ((_ name value) (define name value))))

    (define-syntax record-reader
      (syntax-rules ()
        ((_ name fields steps)
         (lambda (in) (read-steps in name fields steps)))))

    (define-syntax read-steps
      (syntax-rules ()
        ((_ in name (field ...) ()) (%record name field ...))
        ((_ in name fields ((#f item) . more))
         (begin
           ((car (literal item)) in)
           (read-steps in name fields more)))
        ((_ in name fields ((field type) . more))
         (let ((field ((car (type-of type)) in)))
           (read-steps in name fields more)))))

    (define-syntax record-writer
      (syntax-rules ()
        ((_ steps getters)
         (lambda (record out) (write-steps record out steps getters)))))

    (define-syntax write-steps
      (syntax-rules ()
        ((_ record out () ()) #t)
        ((_ record out ((#f item) . more) getters)
         (begin
           ((cdr (literal item)) out)
           (write-steps record out more getters)))
        ((_ record out ((field type) . more) ((same getter) . getters))
         (begin
           ((cdr (type-of type)) (getter record) out)
           (write-steps record out more getters)))))))
