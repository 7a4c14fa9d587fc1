(define-library (srfi 135 procedures)
  (export
    textual? textual-null? textual-every textual-any make-text text text-unfold
    text-unfold-right textual->text textual->string textual->vector textual->list string->text
    vector->text list->text reverse-list->text textual->utf8 textual->utf16be textual->utf16
    textual->utf16le utf8->text utf16be->text utf16->text utf16le->text textual-length
    textual-ref subtextual (rename subtextual textual-copy) textual-take textual-take-right
    textual-drop textual-drop-right textual-pad textual-pad-right textual-trim
    textual-trim-right textual-trim-both textual-replace textual=? textual-ci=? textual<?
    textual-ci<? textual>? textual-ci>? textual<=? textual-ci<=? textual>=? textual-ci>=?
    textual-prefix-length textual-suffix-length textual-prefix? textual-suffix? textual-index
    textual-index-right textual-skip textual-skip-right textual-contains
    textual-contains-right textual-upcase textual-downcase textual-foldcase textual-titlecase
    textual-append textual-concatenate-reverse textual-join textual-fold textual-fold-right
    textual-map textual-for-each textual-map-index textual-for-each-index textual-count
    textual-filter textual-remove textual-replicate textual-split)
  (import
    (scheme base) (scheme char) (srfi 130) (srfi 135 kernel8) (only (srfi 129) string-titlecase)
    (only (tein core) %string->utf %utf->string))
  (begin
    (define (textual? x) (or (text? x) (string? x)))
    (define (str x)
      (cond ((text? x) (text-string x))
            ((string? x) x)
            (else (error "invalid type, expected Textual" x))))
    (define (as-text s) (%string->text s))
    ;; The part of a textual that optional arguments name, as a string that is not written to.
    (define (part x range)
      (let* ((s (str x))
             (start (if (pair? range) (car range) 0))
             (end (if (and (pair? range) (pair? (cdr range))) (cadr range) (string-length s))))
        (if (not (and (exact-integer? start) (exact-integer? end)
                      (<= 0 start end (string-length s))))
            (error "textual: index out of range" start end))
        (if (and (= start 0) (= end (string-length s))) s (substring s start end))))
    (define (start-of range) (if (pair? range) (car range) 0))

    ;; --- predicates and making ---

    (define (textual-null? x) (= 0 (textual-length x)))
    (define (textual-every pred x . range) (string-every pred (part x range)))
    (define (textual-any pred x . range) (string-any pred (part x range)))
    (define (make-text n c) (as-text (make-string n c)))
    (define (text . chars) (as-text (list->string chars)))
    (define (piece x) (if (char? x) (string x) (str x)))
    (define (unfolded stop? mapper successor seed)
      (let loop ((seed seed) (out '()))
        (if (stop? seed)
            (cons seed out)
            (loop (successor seed) (cons (piece (mapper seed)) out)))))
    (define (base-of opt) (if (pair? opt) (piece (car opt)) ""))
    (define (final-of opt seed)
      (if (and (pair? opt) (pair? (cdr opt))) (piece ((cadr opt) seed)) ""))
    (define (text-unfold stop? mapper successor seed . opt)
      (let ((l (unfolded stop? mapper successor seed)))
        (textual-concatenate
          (append (list (base-of opt)) (reverse (cdr l)) (list (final-of opt (car l)))))))
    (define (text-unfold-right stop? mapper successor seed . opt)
      (let ((l (unfolded stop? mapper successor seed)))
        (textual-concatenate
          (append (list (final-of opt (car l))) (cdr l) (list (base-of opt))))))

    ;; --- conversion ---

    (define (subtextual x . range)
      (if (and (text? x) (null? range)) x (as-text (string-copy (part x range)))))
    (define (textual->text x . who)
      (if (text? x)
          x
          (if (string? x)
              (as-text (string-copy x))
              (error (string-append (if (pair? who) (symbol->string (car who)) "textual->text")
                                    ": not a textual")
                     x))))
    (define (textual->string x . range) (string-copy (part x range)))
    (define (textual->vector x . range) (string->vector (part x range)))
    (define (textual->list x . range) (string->list (part x range)))
    (define (string->text s . range)
      (if (not (string? s)) (error "invalid type, expected String" s))
      (apply subtextual s range))
    (define (vector->text v . range) (as-text (apply vector->string v range)))
    (define (list->text l . range)
      (let ((s (list->string l))) (if (null? range) (as-text s) (apply subtextual s range))))
    (define (reverse-list->text l) (as-text (list->string (reverse l))))
    (define (textual->utf8 x . range) (string->utf8 (part x range)))
    (define (textual->utf16be x . range) (%string->utf (part x range) 2 #t))
    (define (textual->utf16le x . range) (%string->utf (part x range) 2 #f))
    ;; With a byte order mark.
    (define (textual->utf16 x . range)
      (bytevector-append (bytevector #xfe #xff) (%string->utf (part x range) 2 #t)))
    (define (utf8->text b . range) (as-text (apply utf8->string b range)))
    (define (decode b range big?)
      (let ((b (if (pair? range) (apply bytevector-copy b range) b)))
        (if (odd? (bytevector-length b)) (error "utf16->text: an odd number of bytes" b))
        (as-text (%utf->string b 2 big?))))
    (define (utf16be->text b . range) (decode b range #t))
    (define (utf16le->text b . range) (decode b range #f))
    (define (utf16->text b . range)
      (let* ((b (if (pair? range) (apply bytevector-copy b range) b))
             (mark (and (>= (bytevector-length b) 2)
                        (list (bytevector-u8-ref b 0) (bytevector-u8-ref b 1)))))
        (cond ((equal? mark '(#xfe #xff)) (decode b '(2) #t))
              ((equal? mark '(#xff #xfe)) (decode b '(2) #f))
              (else (decode b '() #t)))))

    ;; --- parts ---

    (define (textual-length x) (string-length (str x)))
    (define (textual-ref x i) (string-ref (str x) i))
    (define (textual-take x n) (subtextual x 0 n))
    (define (textual-drop x n) (subtextual x n))
    (define (textual-take-right x n) (subtextual x (- (textual-length x) n)))
    (define (textual-drop-right x n) (subtextual x 0 (- (textual-length x) n)))
    (define (padding opt) (if (pair? opt) (car opt) #\space))
    (define (padded-part x opt) (part x (if (pair? opt) (cdr opt) '())))
    (define (textual-pad x n . opt)
      (as-text (string-pad (padded-part x opt) n (padding opt))))
    (define (textual-pad-right x n . opt)
      (as-text (string-pad-right (padded-part x opt) n (padding opt))))
    (define (trimmer trim)
      (lambda (x . opt)
        (as-text (trim (padded-part x opt) (if (pair? opt) (car opt) char-whitespace?)))))
    (define textual-trim (trimmer string-trim))
    (define textual-trim-right (trimmer string-trim-right))
    (define textual-trim-both (trimmer string-trim-both))
    (define (textual-replace x y start end . range)
      (textual-append (subtextual x 0 start) (part y range) (subtextual x end)))

    ;; --- comparison ---

    (define-syntax define-comparisons
      (syntax-rules ()
        ((_ (name f) ...)
         (begin (define (name x y . rest) (apply f (map str (cons x (cons y rest))))) ...))))
    (define-comparisons
      (textual=? string=?) (textual<? string<?) (textual>? string>?) (textual<=? string<=?)
      (textual>=? string>=?) (textual-ci=? string-ci=?) (textual-ci<? string-ci<?)
      (textual-ci>? string-ci>?) (textual-ci<=? string-ci<=?) (textual-ci>=? string-ci>=?))

    (define-syntax define-affixes
      (syntax-rules ()
        ((_ (name f) ...)
         (begin (define (name x y . ranges) (apply f (str x) (str y) ranges)) ...))))
    (define-affixes
      (textual-prefix-length string-prefix-length) (textual-suffix-length string-suffix-length)
      (textual-prefix? string-prefix?) (textual-suffix? string-suffix?)
      (textual-contains string-contains) (textual-contains-right string-contains-right))

    ;; --- searching ---

    (define (forward pred x range)
      (let* ((s (part x range)) (n (string-length s)))
        (let loop ((i 0))
          (cond ((= i n) #f)
                ((pred (string-ref s i)) (+ i (start-of range)))
                (else (loop (+ i 1)))))))
    (define (backward pred x range)
      (let ((s (part x range)))
        (let loop ((i (- (string-length s) 1)))
          (cond ((< i 0) #f)
                ((pred (string-ref s i)) (+ i (start-of range)))
                (else (loop (- i 1)))))))
    (define (textual-index x pred . range) (forward pred x range))
    (define (textual-index-right x pred . range) (backward pred x range))
    (define (textual-skip x pred . range) (forward (lambda (c) (not (pred c))) x range))
    (define (textual-skip-right x pred . range) (backward (lambda (c) (not (pred c))) x range))

    ;; --- the whole ---

    (define (textual-upcase x) (as-text (string-upcase (str x))))
    (define (textual-downcase x) (as-text (string-downcase (str x))))
    (define (textual-foldcase x) (as-text (string-foldcase (str x))))
    (define (textual-titlecase x) (as-text (string-titlecase (str x))))
    (define (textual-append . l) (textual-concatenate l))
    (define (textual-concatenate-reverse l . opt)
      (textual-concatenate
        (reverse
          (if (pair? opt) (cons (part (car opt) (cons 0 (cdr opt))) l) l))))
    (define (textual-join l . opt)
      (as-text
        (apply string-join (map str l)
               (if (pair? opt) (cons (str (car opt)) (cdr opt)) opt))))
    (define (textual-fold kons knil x . range)
      (let* ((s (part x range)) (n (string-length s)))
        (let loop ((i 0) (acc knil))
          (if (= i n) acc (loop (+ i 1) (kons (string-ref s i) acc))))))
    (define (textual-fold-right kons knil x . range)
      (let ((s (part x range)))
        (let loop ((i (- (string-length s) 1)) (acc knil))
          (if (< i 0) acc (loop (- i 1) (kons (string-ref s i) acc))))))
    (define (textual-map proc x . rest)
      (textual-concatenate
        (apply map (lambda args (piece (apply proc args)))
               (map (lambda (x) (string->list (str x))) (cons x rest)))))
    (define (textual-for-each proc x . rest)
      (apply for-each proc (map (lambda (x) (string->list (str x))) (cons x rest))))
    (define (textual-for-each-index proc x . range)
      (let* ((start (start-of range)) (end (+ start (string-length (part x range)))))
        (let loop ((i start))
          (if (< i end) (begin (proc i) (loop (+ i 1)))))))
    (define (textual-map-index proc x . range)
      (let ((out '()))
        (apply textual-for-each-index (lambda (i) (set! out (cons (piece (proc i)) out))) x range)
        (textual-concatenate (reverse out))))
    (define (textual-count x pred . range)
      (apply textual-fold (lambda (c n) (if (pred c) (+ n 1) n)) 0 x range))
    (define (textual-filter pred x . range)
      (list->text
        (apply textual-fold-right (lambda (c l) (if (pred c) (cons c l) l)) '() x range)))
    (define (textual-remove pred x . range)
      (apply textual-filter (lambda (c) (not (pred c))) x range))
    (define (textual-replicate x from to . range)
      (as-text (string-replicate (part x range) from to)))
    (define (textual-split x delimiter . opt)
      (let* ((grammar (if (pair? opt) (car opt) 'infix))
             (limit (and (pair? opt) (pair? (cdr opt)) (cadr opt)))
             (range (if (and (pair? opt) (pair? (cdr opt))) (cddr opt) '())))
        (map as-text
             (apply string-split (part x range) (str delimiter) grammar
                    (if limit (list limit) '())))))))
