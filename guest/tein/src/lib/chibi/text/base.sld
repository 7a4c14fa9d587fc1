;; Texts to edit: marks stay where they are in the text while it changes around them.
;;
;; A position is a mark or a count of characters from the start.
(define-library (chibi text base)
  (export
    make-text text? text-empty? text-beginning-of-line? text-end-of-line?
    text-char-length text-utf8-length text-piece-length
    string->text text->string text->utf8
    text-append text-append! text-concatenate text-concatenate!
    text-ref text-copy text-current-column text-insert! text-delete!
    text-mark text-mark! text-forward-char! text-backward-char!
    text-forward-word! text-backward-word! text-beginning-of-line! text-end-of-line!
    text-forward-line! text-backward-line!
    mark-text mark-offset mark-copy mark-anchor! mark-release!)
  (import (scheme base) (only (scheme char) char-alphabetic? char-numeric?)
          (chibi text types) (chibi text utf8))
  (begin
    (define (string->text s) (make-text (string->utf8 s)))

    ;; The bytes of all the pieces.
    (define (text->utf8 tx)
      (let loop ((tx (text-last tx)) (pieces '()))
        (if tx
            (loop (text-prev tx)
                  (cons (bytevector-copy (text-bytes tx) (text-start tx) (text-end tx)) pieces))
            (apply bytevector-append pieces))))

    (define (text->string tx) (utf8->string (text->utf8 tx)))

    (define (text-piece-length tx) (- (text-end tx) (text-start tx)))

    (define (text-utf8-length tx)
      (let loop ((tx (text-first tx)) (n 0))
        (if tx (loop (text-next tx) (+ n (text-piece-length tx))) n)))

    (define (text-char-length tx) (string-length (text->string tx)))
    (define (text-empty? tx) (= 0 (text-utf8-length tx)))
    (define (text-copy tx) (make-text (text->utf8 tx)))

    ;; One piece with everything, so that offsets are those of the whole text; marks move along.
    (define (join! tx)
      (let ((first (text-first tx)))
        (if (text-next first)
            (let ((bytes (text->utf8 first)))
              (let loop ((piece first) (before 0) (marks '()))
                (if piece
                    (begin
                      (for-each
                        (lambda (mk)
                          (mark-offset-set! mk (+ before (- (mark-offset mk) (text-start piece))))
                          (mark-text-set! mk first))
                        (text-marks piece))
                      (loop (text-next piece) (+ before (text-piece-length piece))
                            (append (text-marks piece) marks)))
                    (text-marks-set! first marks)))
              (replace! first bytes)
              (text-next-set! first #f)))
        first))

    (define (replace! tx bytes)
      (text-bytes-set! tx bytes)
      (text-start-set! tx 0)
      (text-end-set! tx (bytevector-length bytes)))

    (define (text-concatenate texts)
      (make-text (apply bytevector-append (map text->utf8 texts))))
    (define (text-append . texts) (text-concatenate texts))

    ;; Into the first text.
    (define (text-concatenate! texts)
      (if (null? texts)
          (make-text)
          (let ((first (join! (car texts))))
            (for-each (lambda (tx) (insert-bytes! first (text->utf8 tx) (text-end first))) (cdr texts))
            first)))
    (define (text-append! . texts) (text-concatenate! texts))

    ;; --- marks ---

    ;; The byte offset of the character that N characters come before.
    (define (char->offset tx n)
      (let loop ((i (text-start tx)) (n n))
        (if (= n 0)
            i
            (loop (or (utf8-next (text-bytes tx) i (text-end tx))
                      (error "the position is outside of the text" n))
                  (- n 1)))))

    (define (position->offset tx position)
      (cond ((mark? position) (mark-offset position))
            ((and (exact-integer? position) (>= position 0)) (char->offset tx position))
            (else (error "not a mark or a position" position))))

    ;; A mark that does not move when the text changes; text-mark! makes one that does.
    (define (text-mark tx position . data)
      (let ((tx (join! tx)))
        (make-mark tx (position->offset tx position) (and (pair? data) (car data)))))

    (define (text-mark! tx position . data)
      (mark-anchor! (apply text-mark tx position data)))

    (define (mark-anchor! mk)
      (let ((tx (mark-text mk)))
        (if (not (memq mk (text-marks tx))) (text-marks-set! tx (cons mk (text-marks tx))))
        mk))

    (define (mark-release! mk)
      (let ((tx (mark-text mk)))
        (text-marks-set! tx
          (let loop ((l (text-marks tx)))
            (cond ((null? l) '())
                  ((eq? mk (car l)) (cdr l))
                  (else (cons (car l) (loop (cdr l)))))))
        mk))

    (define (mark-copy mk)
      (let ((copy (make-mark (mark-text mk) (mark-offset mk) (mark-data mk))))
        (if (memq mk (text-marks (mark-text mk))) (mark-anchor! copy))
        copy))

    ;; --- changing ---

    (define (insert-bytes! tx bytes at)
      (let ((n (bytevector-length bytes)) (old (text-bytes tx)) (start (text-start tx)))
        (replace! tx
          (bytevector-append (bytevector-copy old start at) bytes (bytevector-copy old at (text-end tx))))
        (for-each
          (lambda (mk)
            (let ((offset (mark-offset mk)))
              (mark-offset-set! mk (- (if (>= offset at) (+ offset n) offset) start))))
          (text-marks tx))))

    (define (->bytes x)
      (cond ((string? x) (string->utf8 x))
            ((char? x) (string->utf8 (string x)))
            ((bytevector? x) x)
            ((text? x) (text->utf8 x))
            (else (error "not a string, character or text" x))))

    ;; Marks at the place come to stand behind what is inserted.
    (define (text-insert! tx x position)
      (let* ((tx (join! tx)) (at (position->offset tx position)))
        (insert-bytes! tx (->bytes x) at)
        tx))

    (define (text-delete! tx from to)
      (let* ((tx (join! tx))
             (a (position->offset tx from))
             (b (position->offset tx to))
             (from (min a b)) (to (max a b))
             (start (text-start tx)) (old (text-bytes tx)))
        (replace! tx (bytevector-append (bytevector-copy old start from)
                                        (bytevector-copy old to (text-end tx))))
        (for-each
          (lambda (mk)
            (let ((offset (mark-offset mk)))
              (mark-offset-set! mk
                (- (cond ((<= offset from) offset)
                         ((>= offset to) (- offset (- to from)))
                         (else from))
                   start))))
          (text-marks tx))
        tx))

    ;; --- looking ---

    ;; The character at a mark, or at a position of a text; #f at the end.
    (define (text-ref x . position)
      (let* ((mk (if (mark? x) x (text-mark x (car position))))
             (tx (mark-text mk)))
        (and (< (mark-offset mk) (text-end tx))
             (utf8-ref (text-bytes tx) (mark-offset mk)))))

    (define (char-before mk)
      (let* ((tx (mark-text mk)) (i (utf8-prev (text-bytes tx) (mark-offset mk) (text-start tx))))
        (and i (utf8-ref (text-bytes tx) i))))

    (define (text-beginning-of-line? mk) (memv* (char-before mk) '(#f #\newline)))
    (define (text-end-of-line? mk) (memv* (text-ref mk) '(#f #\newline)))
    (define (memv* x ls) (and (memv x ls) #t))

    ;; Characters between the beginning of the line and the mark.
    (define (text-current-column mk)
      (let ((mk (still mk)))
        (let loop ((n 0))
          (if (text-beginning-of-line? mk) n (begin (text-backward-char! mk) (loop (+ n 1)))))))

    (define (still mk) (make-mark (mark-text mk) (mark-offset mk)))

    ;; --- moving marks ---

    ;; The character that the mark moved over, or #f at the end.
    (define (text-forward-char! mk)
      (let* ((tx (mark-text mk)) (c (text-ref mk)))
        (if c (mark-offset-set! mk (utf8-next (text-bytes tx) (mark-offset mk) (text-end tx))))
        c))

    (define (text-backward-char! mk)
      (let* ((tx (mark-text mk))
             (i (utf8-prev (text-bytes tx) (mark-offset mk) (text-start tx))))
        (and i
             (begin
               (mark-offset-set! mk i)
               (utf8-ref (text-bytes tx) i)))))

    (define (word-char? c) (and c (or (char-alphabetic? c) (char-numeric? c) (char=? c #\_))))

    ;; To the end of the next word, or the beginning of the one before; #f when there is none, and
    ;; then the mark stays.
    (define (move-word! mk look step!)
      (let ((probe (still mk)))
        (let skip ()
          (cond ((not (look probe)) #f)
                ((not (word-char? (look probe))) (step! probe) (skip))
                (else
                 (let take ()
                   (if (word-char? (look probe)) (begin (step! probe) (take))))
                 (mark-offset-set! mk (mark-offset probe))
                 mk)))))

    (define (text-forward-word! mk) (move-word! mk text-ref text-forward-char!))
    (define (text-backward-word! mk) (move-word! mk char-before text-backward-char!))

    (define (text-beginning-of-line! mk)
      (if (text-beginning-of-line? mk)
          mk
          (begin (text-backward-char! mk) (text-beginning-of-line! mk))))

    (define (text-end-of-line! mk)
      (if (text-end-of-line? mk)
          mk
          (begin (text-forward-char! mk) (text-end-of-line! mk))))

    ;; As far into the line as it was in the other one.
    (define (to-column! mk column)
      (if (or (= column 0) (text-end-of-line? mk))
          mk
          (begin (text-forward-char! mk) (to-column! mk (- column 1)))))

    ;; Both give #f where there is no such line, and then the mark stays.
    (define (text-forward-line! mk)
      (let ((probe (still mk)) (column (text-current-column mk)))
        (text-end-of-line! probe)
        (and (text-forward-char! probe)
             (begin
               (mark-offset-set! mk (mark-offset (to-column! probe column)))
               mk))))

    (define (text-backward-line! mk)
      (let ((probe (still mk)) (column (text-current-column mk)))
        (text-beginning-of-line! probe)
        (and (text-backward-char! probe)
             (begin
               (text-beginning-of-line! probe)
               (mark-offset-set! mk (mark-offset (to-column! probe column)))
               mk))))))
