;; The standard sets within ASCII.
(define-library (chibi char-set ascii)
  (export
    char-set:lower-case char-set:upper-case char-set:title-case char-set:letter char-set:digit
    char-set:letter+digit char-set:graphic char-set:printing char-set:whitespace
    char-set:iso-control char-set:punctuation char-set:symbol char-set:hex-digit char-set:blank)
  (import
    (scheme base) (only (tein core) %char-class?)
    (only (srfi 14) list->char-set char-set:empty))
  (begin
    ;; The class is asked about 128 characters, which is less than to make its whole set.
    (define (ascii class)
      (let loop ((i 127) (chars '()))
        (if (< i 0)
            (list->char-set chars)
            (let ((c (integer->char i)))
              (loop (- i 1) (if (%char-class? class c) (cons c chars) chars))))))

    (define char-set:lower-case (ascii 'lower-case))
    (define char-set:upper-case (ascii 'upper-case))
    (define char-set:title-case char-set:empty)
    (define char-set:letter (ascii 'letter))
    (define char-set:digit (ascii 'digit))
    (define char-set:letter+digit (ascii 'letter+digit))
    (define char-set:graphic (ascii 'graphic))
    (define char-set:printing (ascii 'printing))
    (define char-set:whitespace (ascii 'whitespace))
    (define char-set:iso-control (ascii 'iso-control))
    (define char-set:punctuation (ascii 'punctuation))
    (define char-set:symbol (ascii 'symbol))
    (define char-set:hex-digit (ascii 'hex-digit))
    (define char-set:blank (ascii 'blank))))
