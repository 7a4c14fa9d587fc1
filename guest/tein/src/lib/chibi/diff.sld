;; Longest common subsequences, and differences of texts written with them.
(define-library (chibi diff)
  (export
    lcs lcs-with-positions diff write-diff diff->string write-edits edits->string
    edits->string/color write-line-diffs write-line-diffs/color write-char-diffs
    write-char-diffs/color)
  (import
    (scheme base) (only (scheme write) write)
    (only (chibi term ansi) red-escape green-escape reset-color-escape))
  (begin
    (define (lcs a b . same?) (map car (apply lcs-with-positions a b same?)))

    ;; The common items with their positions in both lists: ((item i j) ...).
    (define (lcs-with-positions a b . same?)
      (let* ((same? (if (pair? same?) (car same?) equal?))
             (a (list->vector a))
             (b (list->vector b))
             (m (vector-length a))
             (n (vector-length b))
             (both (min m n))
             (head (let loop ((i 0))
                     (if (and (< i both) (same? (vector-ref a i) (vector-ref b i)))
                         (loop (+ i 1))
                         i)))
             (tail (let loop ((i 0))
                     (if (and (< i (- both head))
                              (same? (vector-ref a (- m i 1)) (vector-ref b (- n i 1))))
                         (loop (+ i 1))
                         i)))
             (item (lambda (i j) (list (vector-ref a i) i j)))
             (run (lambda (i j k)
                    (let loop ((k (- k 1)) (found '()))
                      (if (< k 0) found (loop (- k 1) (cons (item (+ i k) (+ j k)) found)))))))
        (append (run 0 0 head)
                (middle a b head (- m tail) (- n tail) same? item)
                (run (- m tail) (- n tail) tail))))

    ;; Between START and the two ends. A byte for each pair of positions says where to go from there:
    ;; 0 along both, 1 along A, 2 along B. What is removed comes before what is added.
    (define (middle a b start m n same? item)
      (let* ((width (- n start))
             (height (- m start))
             (way (make-bytevector (* width height) 0))
             (row (make-vector (+ width 1) 0)))
        (do ((i (- height 1) (- i 1)))
            ((< i 0))
          (let ((x (vector-ref a (+ start i))))
            (let loop ((j (- width 1)) (diagonal 0))
              (if (>= j 0)
                  (let ((below (vector-ref row j))
                        (right (vector-ref row (+ j 1))))
                    (cond ((same? x (vector-ref b (+ start j)))
                           (vector-set! row j (+ 1 diagonal)))
                          ((>= below right)
                           (bytevector-u8-set! way (+ (* i width) j) 1))
                          (else
                           (bytevector-u8-set! way (+ (* i width) j) 2)
                           (vector-set! row j right)))
                    (loop (- j 1) below))))))
        (let loop ((i 0) (j 0) (found '()))
          (if (or (= i height) (= j width))
              (reverse found)
              (case (bytevector-u8-ref way (+ (* i width) j))
                ((0) (loop (+ i 1) (+ j 1) (cons (item (+ start i) (+ start j)) found)))
                ((1) (loop (+ i 1) j found))
                (else (loop i (+ j 1) found)))))))

    ;; Two strings or ports, read into items: (items-of-a items-of-b common).
    (define (diff a b . options)
      (let* ((reader (if (pair? options) (car options) read-line))
             (same? (if (and (pair? options) (pair? (cdr options))) (cadr options) equal?))
             (a (read-items a reader))
             (b (read-items b reader)))
        (list a b (lcs-with-positions a b same?))))

    (define (read-items source reader)
      (let ((port (if (string? source) (open-input-string source) source)))
        (let loop ((items '()))
          (let ((item (reader port)))
            (if (eof-object? item) (reverse items) (loop (cons item items)))))))

    ;; The first K items, and the rest.
    (define (split ls k)
      (let loop ((ls ls) (k k) (head '()))
        (if (= k 0) (values (reverse head) ls) (loop (cdr ls) (- k 1) (cons (car ls) head)))))

    ;; Calls (writer items kind out) for each run of items that are in both, added or removed.
    (define (write-diff d . options)
      (let* ((writer (if (pair? options) (car options) write-line-diffs))
             (out (if (and (pair? options) (pair? (cdr options))) (cadr options) (current-output-port)))
             (put (lambda (items kind) (if (pair? items) (writer items kind out)))))
        (let loop ((a (car d)) (i 0) (b (cadr d)) (j 0) (common (caddr* d)) (same '()))
          (cond ((null? common)
                 (put (reverse same) 'same)
                 (put a 'remove)
                 (put b 'add))
                ((and (= i (cadr (car common))) (= j (caddr* (car common))))
                 (loop (cdr a) (+ i 1) (cdr b) (+ j 1) (cdr common) (cons (car a) same)))
                (else
                 (put (reverse same) 'same)
                 (let ((i2 (cadr (car common))) (j2 (caddr* (car common))))
                   (let*-values (((removed a) (split a (- i2 i)))
                                 ((added b) (split b (- j2 j))))
                     (put removed 'remove)
                     (put added 'add)
                     (loop a i2 b j2 common '()))))))))

    (define (caddr* ls) (car (cdr (cdr ls))))

    (define (diff->string d . writer)
      (let ((out (open-output-string)))
        (write-diff d (if (pair? writer) (car writer) write-line-diffs) out)
        (get-output-string out)))

    ;; One of the two sequences, 1 or 2, with its own items marked.
    (define (write-edits ls common index . options)
      (let* ((writer (if (pair? options) (car options) write-line-diffs))
             (out (if (and (pair? options) (pair? (cdr options))) (cadr options) (current-output-port)))
             (kind (if (eqv? index 1) 'remove 'add))
             (position (if (eqv? index 1) cadr caddr*))
             (put (lambda (items kind) (if (pair? items) (writer items kind out)))))
        (let loop ((ls ls) (i 0) (common common) (same '()))
          (cond ((null? common)
                 (put (reverse same) 'same)
                 (put ls kind))
                ((= i (position (car common)))
                 (loop (cdr ls) (+ i 1) (cdr common) (cons (car ls) same)))
                (else
                 (put (reverse same) 'same)
                 (let ((next (position (car common))))
                   (let-values (((own ls) (split ls (- next i))))
                     (put own kind)
                     (loop ls next common '()))))))))

    (define (edits ls common index options chars lines)
      (let ((out (open-output-string))
            (writer (cond ((pair? options) (car options))
                          ((and (pair? ls) (char? (car ls))) chars)
                          (else lines))))
        (write-edits ls common index writer out)
        (get-output-string out)))

    (define (edits->string ls common index . options)
      (edits ls common index options write-char-diffs write-line-diffs))

    (define (edits->string/color ls common index . options)
      (edits ls common index options write-char-diffs/color write-line-diffs/color))

    ;; --- writers ---

    (define (unknown kind) (error "unknown kind of difference" kind))

    (define (write-item x out) (if (string? x) (write-string x out) (write x out)))

    (define (write-line-diffs lines kind out)
      (for-each
        (lambda (line)
          (write-char (case kind ((add) #\+) ((remove) #\-) ((same) #\space) (else (unknown kind))) out)
          (write-item line out)
          (newline out))
        lines))

    (define (color kind)
      (case kind ((add) (green-escape)) ((remove) (red-escape)) (else (unknown kind))))

    (define (write-line-diffs/color lines kind out)
      (for-each
        (lambda (line)
          (if (eq? kind 'same)
              (write-char #\space out)
              (begin
                (write-string (color kind) out)
                (write-char (if (eq? kind 'add) #\+ #\-) out)))
          (write-item line out)
          (if (not (eq? kind 'same)) (write-string (reset-color-escape) out))
          (newline out))
        lines))

    (define (write-chars chars out) (write-string (list->string chars) out))

    (define (write-char-diffs chars kind out)
      (let ((put (lambda (before after)
                   (write-string before out)
                   (write-chars chars out)
                   (write-string after out))))
        (case kind
          ((add) (put " «" "» "))
          ((remove) (put " »" "« "))
          ((same) (put "" ""))
          (else (unknown kind)))))

    (define (write-char-diffs/color chars kind out)
      (if (eq? kind 'same)
          (write-chars chars out)
          (begin
            (write-string (color kind) out)
            (write-chars chars out)
            (write-string (reset-color-escape) out))))))
