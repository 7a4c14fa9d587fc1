;; Strings by cursors, which are indexes here. A check is a predicate, a character or a char-set.
(define-library (chibi string)
  (export
    string-cursor? string-cursor-start string-cursor-end string-cursor-ref
    string-cursor<? string-cursor<=? string-cursor>? string-cursor>=? string-cursor=?
    string-cursor-next string-cursor-prev substring-cursor string-cursor->index
    string-index->cursor string-cursor-forward string-cursor-back
    string-null? string-every string-any string-join string-split string-count
    string-trim string-trim-left string-trim-right string-mismatch string-mismatch-right
    (rename s:string-prefix? string-prefix?) (rename s:string-suffix? string-suffix?)
    string-find string-find-right string-find? string-skip string-skip-right
    string-fold string-fold-right string-map string-for-each
    string-contains make-string-searcher string-downcase-ascii string-upcase-ascii
    call-with-input-string call-with-output-string)
  (import
    (scheme base)
    (only (scheme char) char-whitespace?)
    (only (srfi 14) char-set? char-set-contains?)
    (prefix
      (only (tein core)
        string-contains string-join string-prefix? string-suffix? string-prefix-length
        string-suffix-length %string-find)
      s:)
    (only (srfi 130)
      string-cursor? string-cursor-start string-cursor-end string-cursor<? string-cursor<=?
      string-cursor>? string-cursor>=? string-cursor=? string-cursor-next string-cursor-prev
      string-cursor->index string-index->cursor string-cursor-forward string-cursor-back
      string-null?))
  (begin
    (define (string-cursor-ref s cursor) (string-ref s cursor))
    (define (substring-cursor s start . end) (apply string-copy s start end))

    ;; --- checks and ranges ---

    (define (check->predicate check)
      (cond ((char? check) (lambda (c) (eqv? c check)))
            ((procedure? check) check)
            ((char-set? check) (lambda (c) (char-set-contains? check c)))
            (else (error "not a character, char-set or predicate" check))))

    (define (check-range s start end)
      (if (not (and (exact-integer? start) (exact-integer? end)
                    (<= 0 start end (string-length s))))
          (error "cursor out of range" s start end)))

    ;; Binds ok? to the predicate and START and END to the range in the rest arguments.
    (define-syntax with-check
      (syntax-rules ()
        ((_ (s check rest) (ok? start end) body ...)
         (let* ((ok? (check->predicate check))
                (start (if (pair? rest) (car rest) 0))
                (end (if (and (pair? rest) (pair? (cdr rest))) (cadr rest) (string-length s))))
           (check-range s start end)
           body ...))))

    ;; --- searching ---

    ;; The first cursor whose character passes, or the end.
    (define (string-find s check . rest)
      (with-check (s check rest) (ok? start end)
        (let loop ((i start))
          (if (or (>= i end) (ok? (string-ref s i))) i (loop (+ i 1))))))

    ;; The cursor after the last character that passes, or the start.
    (define (string-find-right s check . rest)
      (with-check (s check rest) (ok? start end)
        (let loop ((i end))
          (if (or (<= i start) (ok? (string-ref s (- i 1)))) i (loop (- i 1))))))

    (define (string-find? s check . rest)
      (with-check (s check rest) (ok? start end)
        (let loop ((i start))
          (and (< i end) (or (and (ok? (string-ref s i)) #t) (loop (+ i 1)))))))

    (define (complement check)
      (let ((ok? (check->predicate check)))
        (lambda (c) (not (ok? c)))))

    (define (string-skip s check . rest) (apply string-find s (complement check) rest))
    (define (string-skip-right s check . rest) (apply string-find-right s (complement check) rest))

    (define (string-every check s . rest)
      (with-check (s check rest) (ok? start end)
        (or (= start end)
            (let loop ((i start))
              (if (= (+ i 1) end)
                  (ok? (string-ref s i))
                  (and (ok? (string-ref s i)) (loop (+ i 1))))))))

    (define (string-any check s . rest)
      (with-check (s check rest) (ok? start end)
        (and (< start end)
             (let loop ((i start))
               (if (= (+ i 1) end)
                   (ok? (string-ref s i))
                   (or (ok? (string-ref s i)) (loop (+ i 1))))))))

    (define (string-count s check . rest)
      (with-check (s check rest) (ok? start end)
        (let loop ((i start) (n 0))
          (if (= i end) n (loop (+ i 1) (if (ok? (string-ref s i)) (+ n 1) n))))))

    (define (string-contains s pattern . rest)
      (if (pair? rest)
          (s:string-contains s pattern (car rest))
          (s:string-contains s pattern)))

    (define (make-string-searcher pattern) (lambda (s) (string-contains s pattern)))

    ;; Where the prefix first differs from the string: the prefix's end when it does not.
    (define (string-mismatch prefix s) (s:string-prefix-length prefix s))

    ;; The same from the right, as a cursor into S after which both are the same.
    (define (string-mismatch-right suffix s)
      (- (string-length s) (s:string-suffix-length suffix s)))

    ;; --- pieces ---

    (define (string-join strings . separator)
      (s:string-join strings (if (pair? separator) (car separator) "")))

    ;; At most LIMIT pieces, which characters that pass separate.
    (define (string-split s . rest)
      (let* ((ok? (check->predicate (if (pair? rest) (car rest) #\space)))
             (limit (if (and (pair? rest) (pair? (cdr rest))) (cadr rest) +inf.0))
             (end (string-length s)))
        (if (= end 0)
            '()
            (let loop ((i 0) (from 0) (pieces '()) (n 1))
              (cond ((or (= i end) (>= n limit))
                     (reverse (cons (substring s from end) pieces)))
                    ((ok? (string-ref s i))
                     (loop (+ i 1) (+ i 1) (cons (substring s from i) pieces) (+ n 1)))
                    (else (loop (+ i 1) from pieces n)))))))

    (define (trim-check rest) (if (pair? rest) (car rest) char-whitespace?))

    (define (string-trim-left s . rest)
      (substring s (string-skip s (trim-check rest)) (string-length s)))

    (define (string-trim-right s . rest)
      (substring s 0 (string-skip-right s (trim-check rest))))

    (define (string-trim s . rest)
      (let* ((check (trim-check rest))
             (left (string-skip s check)))
        (substring s left (string-skip-right s check left))))

    ;; --- the whole string ---

    (define (string-fold kons knil s . more)
      (if (null? more)
          (let ((end (string-length s)))
            (let loop ((i 0) (acc knil))
              (if (= i end) acc (loop (+ i 1) (kons (string-ref s i) acc)))))
          (let* ((strings (cons s more))
                 (end (apply min (map string-length strings))))
            (let loop ((i 0) (acc knil))
              (if (= i end)
                  acc
                  (loop (+ i 1)
                        (apply kons
                          (append (map (lambda (s) (string-ref s i)) strings) (list acc)))))))))

    (define (string-fold-right kons knil s)
      (let loop ((i (string-length s)) (acc knil))
        (if (= i 0) acc (loop (- i 1) (kons (string-ref s (- i 1)) acc)))))

    ;; Shifts the letters between FROM and TO; no other character changes.
    (define (shift-ascii s from to by)
      (string-map
        (lambda (c)
          (if (char<=? from c to) (integer->char (+ (char->integer c) by)) c))
        s))

    (define (string-downcase-ascii s) (shift-ascii s #\A #\Z 32))
    (define (string-upcase-ascii s) (shift-ascii s #\a #\z -32))

    ;; --- ports ---

    (define (call-with-input-string s proc) (proc (open-input-string s)))

    (define (call-with-output-string proc)
      (let ((port (open-output-string)))
        (proc port)
        (get-output-string port)))))
