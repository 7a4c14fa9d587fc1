;; The representation of texts.
(define-library (srfi 135 kernel8)
  (export
    complain text-rtd %new-text %text-length %text-ref %string->text text-string the-empty-text
    text? text-tabulate text-length text-ref subtext textual-concatenate)
  (import (scheme base))
  (begin
    (define-record-type text-rtd
      (%new-text string)
      text?
      (string text-string))

    (define (complain who . irritants)
      (apply error (string-append (symbol->string who) ": illegal arguments") irritants))
    (define the-empty-text (%new-text ""))
    ;; The string is the text's own from then on.
    (define (%string->text s)
      (if (= 0 (string-length s)) the-empty-text (%new-text s)))
    (define (%text-length t) (string-length (text-string t)))
    (define (%text-ref t i) (string-ref (text-string t) i))

    (define (check who t)
      (if (not (text? t)) (complain who t)))
    (define (text-length t) (check 'text-length t) (%text-length t))
    (define (text-ref t i)
      (check 'text-ref t)
      (if (not (and (exact-integer? i) (< -1 i (%text-length t)))) (complain 'text-ref t i))
      (%text-ref t i))
    (define (subtext t start end)
      (check 'subtext t)
      (if (not (and (exact-integer? start) (exact-integer? end) (<= 0 start end (%text-length t))))
          (complain 'subtext t start end))
      (if (and (= start 0) (= end (%text-length t)))
          t
          (%string->text (substring (text-string t) start end))))
    (define (text-tabulate proc n)
      (let loop ((i 0) (out '()))
        (if (= i n)
            (%string->text (list->string (reverse out)))
            (loop (+ i 1) (cons (proc i) out)))))
    (define (textual-concatenate l)
      (%string->text
        (apply string-append
               (map (lambda (t)
                      (cond ((string? t) t)
                            ((text? t) (text-string t))
                            (else (complain 'textual-concatenate t))))
                    l))))))
