;; Cursor-based strings. A cursor is an exact integer that counts characters, so the procedures
;; with /cursors in their names are those without.
(define-library (srfi 130)
  (export
    string-cursor? string-cursor-start string-cursor-end string-cursor-next string-cursor-prev
    string-cursor-forward string-cursor-back string-cursor=? string-cursor<? string-cursor>?
    string-cursor<=? string-cursor>=? string-cursor-diff string-cursor->index string-index->cursor
    string-null? string-every string-any string-tabulate string-unfold string-unfold-right
    (rename string->list string->list/cursors) (rename string->vector string->vector/cursors)
    reverse-list->string string-join (rename string-ref string-ref/cursor)
    (rename substring substring/cursors) (rename string-copy string-copy/cursors)
    string-take string-take-right string-drop string-drop-right string-pad string-pad-right
    string-trim string-trim-right string-trim-both string-prefix-length string-suffix-length
    string-prefix? string-suffix? string-index string-index-right string-skip string-skip-right
    string-contains string-contains-right string-reverse
    (rename %string-concatenate string-concatenate) string-concatenate-reverse
    string-fold string-fold-right string-for-each-cursor string-replicate string-count
    string-replace string-split string-filter string-remove)
  (import
    (scheme base) (scheme case-lambda) (only (scheme char) char-whitespace?)
    (only (tein core)
      string-null? string-contains string-contains-right string-join string-split string-take
      string-take-right string-drop string-drop-right string-pad string-pad-right
      string-prefix-length string-suffix-length string-prefix? string-suffix? string-reverse
      string-concatenate-reverse string-replicate string-replace %string-concatenate
      %string-find %string-find-last))
  (begin
    ;; --- optional arguments ---

    (define (check-range who start end length)
      (if (not (and (exact-integer? start) (exact-integer? end) (<= 0 start end length)))
          (error (string-append who ": index out of range") start end)))

    ;; Binds START and END to what the rest arguments say about the string.
    (define-syntax with-range
      (syntax-rules ()
        ((_ who (s rest start end) body ...)
         (let* ((length (string-length s))
                (start (if (pair? rest) (car rest) 0))
                (end (if (and (pair? rest) (pair? (cdr rest))) (cadr rest) length)))
           (check-range who start end length)
           body ...))))

    ;; A predicate, or a character for the test whether a character is that one.
    (define (criterion pred)
      (if (char? pred) (lambda (c) (char=? c pred)) pred))

    (define (complement pred)
      (if (char? pred)
          (lambda (c) (not (char=? c pred)))
          (lambda (c) (not (pred c)))))

    ;; --- cursors ---

    (define (string-cursor? x) (and (exact-integer? x) (not (negative? x))))
    (define (string-cursor-start s) (string-length s) 0)
    (define (string-cursor-end s) (string-length s))
    (define (move who s cursor n)
      (let ((to (+ cursor n)))
        (check-range who to to (string-length s))
        to))
    (define (string-cursor-next s cursor) (move "string-cursor-next" s cursor 1))
    (define (string-cursor-prev s cursor) (move "string-cursor-prev" s cursor -1))
    (define (string-cursor-forward s cursor n) (move "string-cursor-forward" s cursor n))
    (define (string-cursor-back s cursor n) (move "string-cursor-back" s cursor (- n)))
    (define (string-cursor=? a b) (= a b))
    (define (string-cursor<? a b) (< a b))
    (define (string-cursor>? a b) (> a b))
    (define (string-cursor<=? a b) (<= a b))
    (define (string-cursor>=? a b) (>= a b))
    (define (string-cursor-diff s start end) (- end start))
    (define (string-cursor->index s cursor) (move "string-cursor->index" s cursor 0))
    (define (string-index->cursor s index) (move "string-index->cursor" s index 0))

    ;; --- predicates ---

    (define (string-every pred s . rest)
      (with-range "string-every" (s rest start end)
        (let ((pred (criterion pred)) (last (- end 1)))
          (or (= start end)
              (let loop ((i start))
                (if (= i last)
                    (pred (string-ref s i))
                    (and (pred (string-ref s i)) (loop (+ i 1)))))))))

    (define (string-any pred s . rest)
      (with-range "string-any" (s rest start end)
        (let ((pred (criterion pred)) (last (- end 1)))
          (and (< start end)
               (let loop ((i start))
                 (if (= i last)
                     (pred (string-ref s i))
                     (or (pred (string-ref s i)) (loop (+ i 1)))))))))

    ;; --- constructors ---

    (define (reverse-list->string chars) (list->string (reverse chars)))

    (define (string-tabulate proc len)
      (let loop ((i (- len 1)) (chars '()))
        (if (< i 0)
            (list->string chars)
            (loop (- i 1) (cons (proc i) chars)))))

    ;; The characters that the seeds give, last first, and the last seed's own part, to FINISH.
    (define (unfold-chars stop? mapper successor seed finish)
      (let loop ((seed seed) (chars '()))
        (if (stop? seed)
            (finish chars seed)
            (loop (successor seed) (cons (mapper seed) chars)))))

    (define string-unfold
      (case-lambda
        ((stop? mapper successor seed) (string-unfold stop? mapper successor seed ""))
        ((stop? mapper successor seed base)
         (string-unfold stop? mapper successor seed base (lambda (seed) "")))
        ((stop? mapper successor seed base make-final)
         (unfold-chars stop? mapper successor seed
           (lambda (chars seed)
             (string-append base (reverse-list->string chars) (make-final seed)))))))

    (define string-unfold-right
      (case-lambda
        ((stop? mapper successor seed) (string-unfold-right stop? mapper successor seed ""))
        ((stop? mapper successor seed base)
         (string-unfold-right stop? mapper successor seed base (lambda (seed) "")))
        ((stop? mapper successor seed base make-final)
         (unfold-chars stop? mapper successor seed
           (lambda (chars seed)
             (string-append (make-final seed) (list->string chars) base))))))

    ;; --- searching ---

    ;; The first position from START on, or END, whose character passes.
    (define (scan pred s start end)
      (let loop ((i start))
        (if (or (= i end) (pred (string-ref s i))) i (loop (+ i 1)))))

    ;; The position after the last one before END whose character passes, or START.
    (define (scan-right pred s start end)
      (let loop ((i end))
        (if (or (= i start) (pred (string-ref s (- i 1)))) i (loop (- i 1)))))

    (define (string-index s pred . rest)
      (with-range "string-index" (s rest start end)
        (if (char? pred)
            (or (%string-find s pred start end) end)
            (scan pred s start end))))

    (define (string-index-right s pred . rest)
      (with-range "string-index-right" (s rest start end)
        (if (char? pred)
            (let ((i (%string-find-last s pred start end))) (if i (+ i 1) start))
            (scan-right pred s start end))))

    (define (string-skip s pred . rest)
      (with-range "string-skip" (s rest start end)
        (scan (complement pred) s start end)))

    (define (string-skip-right s pred . rest)
      (with-range "string-skip-right" (s rest start end)
        (scan-right (complement pred) s start end)))

    ;; --- trimming ---

    (define-syntax define-trimmer
      (syntax-rules ()
        ((_ name who (s pred start end) from to)
         (define (name s . rest)
           (let ((pred (if (pair? rest) (complement (car rest)) not-whitespace?))
                 (rest (if (pair? rest) (cdr rest) '())))
             (with-range who (s rest start end)
               (substring s from to)))))))

    (define (not-whitespace? c) (not (char-whitespace? c)))

    (define-trimmer string-trim "string-trim" (s pred start end)
      (scan pred s start end) end)
    (define-trimmer string-trim-right "string-trim-right" (s pred start end)
      start (scan-right pred s start end))
    (define-trimmer string-trim-both "string-trim-both" (s pred start end)
      (scan pred s start end) (scan-right pred s (scan pred s start end) end))

    ;; --- the whole string ---

    (define (string-fold kons knil s . rest)
      (with-range "string-fold" (s rest start end)
        (let loop ((i start) (acc knil))
          (if (= i end) acc (loop (+ i 1) (kons (string-ref s i) acc))))))

    (define (string-fold-right kons knil s . rest)
      (with-range "string-fold-right" (s rest start end)
        (let loop ((i end) (acc knil))
          (if (= i start) acc (loop (- i 1) (kons (string-ref s (- i 1)) acc))))))

    (define (string-for-each-cursor proc s . rest)
      (with-range "string-for-each-cursor" (s rest start end)
        (let loop ((i start))
          (if (< i end)
              (begin (proc i) (loop (+ i 1)))))))

    (define (string-count s pred . rest)
      (with-range "string-count" (s rest start end)
        (let ((pred (criterion pred)))
          (let loop ((i start) (n 0))
            (if (= i end) n (loop (+ i 1) (if (pred (string-ref s i)) (+ n 1) n)))))))

    (define (select pred s start end)
      (let loop ((i (- end 1)) (chars '()))
        (if (< i start)
            (list->string chars)
            (let ((c (string-ref s i)))
              (loop (- i 1) (if (pred c) (cons c chars) chars))))))

    (define (string-filter pred s . rest)
      (with-range "string-filter" (s rest start end)
        (select (criterion pred) s start end)))

    (define (string-remove pred s . rest)
      (with-range "string-remove" (s rest start end)
        (select (complement pred) s start end)))))
