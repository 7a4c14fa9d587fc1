;; A set is a sorted vector of code points: even items begin a range, odd ones are past its end.
(define-library (srfi 14)
  (export
    char-set? char-set= char-set<= char-set-hash char-set-cursor char-set-ref
    char-set-cursor-next end-of-char-set? char-set-fold char-set-unfold
    (rename char-set-unfold char-set-unfold!) char-set-for-each char-set-map char-set-copy
    char-set list->char-set string->char-set (rename list->char-set list->char-set!)
    (rename string->char-set string->char-set!) char-set-filter ucs-range->char-set ->char-set
    (rename char-set-filter char-set-filter!) (rename ucs-range->char-set ucs-range->char-set!)
    char-set->list char-set->string char-set-size char-set-count char-set-contains?
    char-set-every char-set-any char-set-adjoin char-set-delete
    (rename char-set-adjoin char-set-adjoin!) (rename char-set-delete char-set-delete!)
    char-set-complement char-set-union char-set-intersection
    (rename char-set-complement char-set-complement!) (rename char-set-union char-set-union!)
    (rename char-set-intersection char-set-intersection!) char-set-difference char-set-xor
    char-set-diff+intersection (rename char-set-difference char-set-difference!)
    (rename char-set-xor char-set-xor!)
    (rename char-set-diff+intersection char-set-diff+intersection!) char-set:lower-case
    char-set:upper-case char-set:title-case char-set:letter char-set:digit
    char-set:letter+digit char-set:graphic char-set:printing char-set:whitespace
    char-set:iso-control char-set:punctuation char-set:symbol char-set:hex-digit
    char-set:blank char-set:ascii char-set:empty char-set:full)
  (import
    (scheme base)
    (only (tein core) %char-class? %char-class-ranges %ranges-has? %ranges-size %ranges-merge
          %chars->ranges %ranges->list))
  (begin
    ;; A standard set has a class, and gets its ranges when they are first needed.
    (define-record-type <char-set>
      (new-set class ranges)
      char-set?
      (class class-of)
      (ranges known-ranges set-ranges!))

    (define (make ranges) (new-set #f ranges))
    (define (ranges cs)
      (or (known-ranges cs)
          (let ((r (%char-class-ranges (class-of cs))))
            (set-ranges! cs r)
            r)))

    (define-syntax define-standard
      (syntax-rules ()
        ((_ (name class) ...) (begin (define name (new-set 'class #f)) ...))))
    (define-standard
      (char-set:lower-case lower-case) (char-set:upper-case upper-case)
      (char-set:title-case title-case) (char-set:letter letter) (char-set:digit digit)
      (char-set:letter+digit letter+digit) (char-set:graphic graphic)
      (char-set:printing printing) (char-set:whitespace whitespace)
      (char-set:iso-control iso-control) (char-set:punctuation punctuation)
      (char-set:symbol symbol) (char-set:hex-digit hex-digit) (char-set:blank blank)
      (char-set:ascii ascii) (char-set:empty empty) (char-set:full full))

    (define (char-set-contains? cs c)
      (if (known-ranges cs)
          (%ranges-has? (known-ranges cs) c)
          (%char-class? (class-of cs) c)))
    (define (char-set-size cs) (%ranges-size (ranges cs)))
    (define (char-set-copy cs) (make (ranges cs)))

    ;; --- comparison ---

    (define (pairwise? ok? sets)
      (or (null? sets)
          (let loop ((a (ranges (car sets))) (l (cdr sets)))
            (or (null? l)
                (let ((b (ranges (car l)))) (and (ok? a b) (loop b (cdr l))))))))
    (define (char-set= . sets) (pairwise? equal? sets))
    (define (char-set<= . sets)
      (pairwise? (lambda (a b) (= 0 (vector-length (%ranges-merge 2 a b)))) sets))
    (define (char-set-hash cs . bound)
      (let ((v (ranges cs))
            (m (if (and (pair? bound) (positive? (car bound))) (car bound) 16777213)))
        (let loop ((i 0) (h 0))
          (if (= i (vector-length v))
              (modulo h m)
              (loop (+ i 1) (modulo (+ (* h 31) (vector-ref v i)) 16777213))))))

    ;; --- iteration: a cursor is the place of a range and a code point in it ---

    (define (char-set-cursor cs)
      (let ((v (ranges cs)))
        (cons 0 (and (< 0 (vector-length v)) (vector-ref v 0)))))
    (define (char-set-ref cs cursor) (integer->char (cdr cursor)))
    (define (char-set-cursor-next cs cursor)
      (let* ((v (ranges cs)) (i (car cursor)) (n (+ (cdr cursor) 1)))
        (cond ((< n (vector-ref v (+ i 1))) (cons i n))
              ((< (+ i 2) (vector-length v)) (cons (+ i 2) (vector-ref v (+ i 2))))
              (else (cons i #f)))))
    (define (end-of-char-set? cursor) (not (cdr cursor)))

    ;; The state after STEP was called with each character and the state before it.
    (define (walk cs seed step)
      (let ((v (ranges cs)))
        (let outer ((i 0) (acc seed))
          (if (= i (vector-length v))
              acc
              (let ((end (vector-ref v (+ i 1))))
                (let inner ((n (vector-ref v i)) (acc acc))
                  (if (= n end)
                      (outer (+ i 2) acc)
                      (inner (+ n 1) (step (integer->char n) acc)))))))))
    (define (char-set-fold kons knil cs) (walk cs knil kons))
    (define (char-set-for-each proc cs) (walk cs #f (lambda (c acc) (proc c) #f)))
    (define (char-set-count pred cs) (walk cs 0 (lambda (c n) (if (pred c) (+ n 1) n))))
    (define (char-set->list cs) (reverse (%ranges->list (ranges cs))))
    (define (char-set->string cs) (list->string (char-set->list cs)))
    (define (char-set-any pred cs)
      (let loop ((cursor (char-set-cursor cs)))
        (and (not (end-of-char-set? cursor))
             (or (pred (char-set-ref cs cursor)) (loop (char-set-cursor-next cs cursor))))))
    (define (char-set-every pred cs)
      (not (char-set-any (lambda (c) (not (pred c))) cs)))

    ;; --- making ---

    ;; The set, joined with an optional base.
    (define (based r base)
      (make (if (pair? base) (%ranges-merge 0 r (ranges (car base))) r)))
    (define (char-set . chars) (make (%chars->ranges chars)))
    (define (list->char-set l . base) (based (%chars->ranges l) base))
    (define (string->char-set s . base)
      (if (not (string? s)) (error "invalid type, expected String" s))
      (based (%chars->ranges s) base))
    (define (char-set-map proc cs)
      (list->char-set (walk cs '() (lambda (c l) (cons (proc c) l)))))
    (define (char-set-filter pred cs . base)
      (based (%chars->ranges (walk cs '() (lambda (c l) (if (pred c) (cons c l) l)))) base))
    (define (char-set-unfold mapper stop? successor seed . base)
      (let loop ((seed seed) (l '()))
        (if (stop? seed)
            (based (%chars->ranges l) base)
            (loop (successor seed) (cons (mapper seed) l)))))
    ;; Code points that are no characters, the surrogates, are left out, or an error if that is asked.
    (define (ucs-range->char-set lower upper . rest)
      (if (not (<= 0 lower upper #x110000))
          (error "ucs-range->char-set: bad range" lower upper))
      (if (and (pair? rest) (car rest) (< lower #xe000) (< #xd800 upper))
          (error "ucs-range->char-set: surrogates are no characters" lower upper))
      (let ((r (if (= lower upper) (vector) (vector lower upper))))
        (based (%ranges-merge 1 r (ranges char-set:full)) (if (pair? rest) (cdr rest) '()))))
    (define (->char-set x)
      (cond ((char-set? x) x)
            ((string? x) (string->char-set x))
            ((char? x) (char-set x))
            (else (error "->char-set: not a character, string or set" x))))

    ;; --- algebra ---

    (define (char-set-adjoin cs . chars)
      (make (%ranges-merge 0 (ranges cs) (%chars->ranges chars))))
    (define (char-set-delete cs . chars)
      (make (%ranges-merge 2 (ranges cs) (%chars->ranges chars))))
    (define (char-set-complement cs)
      (make (%ranges-merge 2 (ranges char-set:full) (ranges cs))))
    (define (combine how first rest)
      (let loop ((r (ranges first)) (l rest))
        (if (null? l)
            (make r)
            (loop (%ranges-merge how r (ranges (car l))) (cdr l)))))
    (define (char-set-union . sets) (combine 0 char-set:empty sets))
    (define (char-set-intersection . sets)
      (if (null? sets) char-set:full (combine 1 (car sets) (cdr sets))))
    (define (char-set-difference cs . sets) (combine 2 cs sets))
    (define (char-set-xor . sets) (combine 3 char-set:empty sets))
    (define (char-set-diff+intersection cs . sets)
      (let ((others (apply char-set-union sets)))
        (values (char-set-difference cs others) (char-set-intersection cs others))))))
