(define-library (srfi 129)
  (export char-title-case? char-titlecase string-titlecase)
  (import (scheme base) (scheme char) (only (tein core) %char-class?))
  (begin
    (define (char-title-case? c) (%char-class? 'title-case c))

    ;; The digraphs that have a title case of their own: upper, title and lower follow each other.
    (define digraphs '(#x1c4 #x1c7 #x1ca #x1f1))

    (define (char-titlecase c)
      (let ((n (char->integer c)))
        (let loop ((l digraphs))
          (cond ((null? l) (if (char-title-case? c) c (georgian c)))
                ((<= (car l) n (+ (car l) 2)) (integer->char (+ (car l) 1)))
                (else (loop (cdr l)))))))

    ;; Georgian letters are their own title case, and Greek ones with iota subscript have theirs.
    (define (georgian c)
      (let ((n (char->integer c)))
        (cond ((<= #x10d0 n #x10ff) c)
              ((or (<= #x1f80 n #x1f87) (<= #x1f90 n #x1f97) (<= #x1fa0 n #x1fa7))
               (integer->char (+ n 8)))
              ((memv n '(#x1fb3 #x1fc3 #x1ff3)) (integer->char (+ n 9)))
              (else (char-upcase c)))))

    ;; Words are runs of cased letters and what may stand inside a word.
    (define (inside? c)
      (or (char-alphabetic? c) (memv c '(#\' #\x2019 #\xad)) (%char-class? 'title-case c)
          ;; Combining marks are graphic and in none of the other classes.
          (and (%char-class? 'graphic c)
               (not (or (%char-class? 'punctuation c) (%char-class? 'symbol c)
                        (%char-class? 'letter c) (char-numeric? c))))))

    (define (title c)
      (let ((up (string-upcase (string c))) (t (char-titlecase c)))
        ;; Letters such as sharp s and ligatures become several, of which the first is capital.
        (if (and (> (string-length up) 1) (char=? t c))
            (string-append (string (string-ref up 0)) (string-downcase (substring up 1)))
            (string t))))

    (define (string-titlecase s)
      (let ((n (string-length s)) (out (open-output-string)))
        (let loop ((i 0))
          (cond ((= i n) (get-output-string out))
                ((char-alphabetic? (string-ref s i))
                 (write-string (title (string-ref s i)) out)
                 (let end ((j (+ i 1)))
                   (if (and (< j n) (inside? (string-ref s j)))
                       (end (+ j 1))
                       (begin
                         ;; After a letter, so that a final sigma is found.
                         (write-string
                           (substring (string-downcase (string-append "a" (substring s (+ i 1) j))) 1)
                           out)
                         (loop j)))))
                (else (write-char (string-ref s i) out) (loop (+ i 1)))))))))
