(import (scheme char) (tein time))

(define-record-type note (make-note title body) note?
  (title note-title)
  (body note-body set-note-body!))

(define-syntax unless-empty
  (syntax-rules ()
    ((_ text then) (if (string=? text "") #f then))))

(define words '("one" "two" "three" "four" "five"))

(define (summarise-0 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 0))))))

(define (summarise-1 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 1))))))

(define (summarise-2 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 2))))))

(define (summarise-3 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 3))))))

(define (summarise-4 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 4))))))

(define (summarise-5 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 5))))))

(define (summarise-6 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 6))))))

(define (summarise-7 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 7))))))

(define (summarise-8 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 8))))))

(define (summarise-9 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 9))))))

(define (summarise-10 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 10))))))

(define (summarise-11 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 11))))))

(define (summarise-12 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 12))))))

(define (summarise-13 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 13))))))

(define (summarise-14 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 14))))))

(define (summarise-15 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 15))))))

(define (summarise-16 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 16))))))

(define (summarise-17 text limit)
  ;; Counts, cuts and joins, as tools do.
  (let loop ((rest (string->list text)) (kept '()) (left limit))
    (cond ((null? rest) (list->string (reverse kept)))
          ((= left 0) (string-append (list->string (reverse kept)) "..."))
          ((char-alphabetic? (car rest))
           (loop (cdr rest) (cons (char-upcase (car rest)) kept) (- left 1)))
          (else (loop (cdr rest) (cons (car rest) kept) (- left 17))))))

(define-tool t
  (description "Cuts a text")
  (parameters '((text . ((type . "string")))))
  (execute
    (lambda (args)
      (let ((note (make-note "title" (cdr (assoc "text" args)))))
        (unless-empty (note-body note) (summarise-0 (note-body note) 200))))))
