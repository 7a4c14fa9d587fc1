(define-library (srfi 128)
  (export
    comparator? comparator-ordered? comparator-hashable? make-comparator make-pair-comparator
    make-list-comparator make-vector-comparator make-eq-comparator make-eqv-comparator
    make-equal-comparator boolean-hash char-hash char-ci-hash string-hash string-ci-hash symbol-hash
    number-hash hash-bound hash-salt make-default-comparator default-hash comparator-register-default!
    comparator-type-test-predicate comparator-equality-predicate comparator-ordering-predicate
    comparator-hash-function comparator-test-type comparator-check-type comparator-hash =? <? >? <=? >=?
    comparator-if<=> comparator-max comparator-min comparator-max-in-list comparator-min-in-list
    default-comparator boolean-comparator real-comparator char-comparator char-ci-comparator
    string-comparator string-ci-comparator list-comparator vector-comparator eq-comparator
    eqv-comparator equal-comparator)
  (import
    (scheme base) (scheme case-lambda) (scheme complex) (scheme char)
    (only (scheme inexact) finite?)
    (only (tein core) string-hash %hash %hash-by-identity))
  (begin
    (define-record-type comparator
      (new-comparator type-test equality ordering hash ordered? hashable?)
      comparator?
      (type-test comparator-type-test-predicate)
      (equality comparator-equality-predicate)
      (ordering comparator-ordering-predicate)
      (hash comparator-hash-function)
      (ordered? comparator-ordered?)
      (hashable? comparator-hashable?))

    (define (no-ordering a b) (error "comparator: no ordering predicate"))
    (define (no-hash x) (error "comparator: no hash function"))
    (define (anything? x) #t)

    (define (make-comparator type-test equality ordering hash)
      (new-comparator
        (if (eq? type-test #t) anything? type-test)
        (if (eq? equality #t)
            (lambda (a b) (not (or (ordering a b) (ordering b a))))
            equality)
        (or ordering no-ordering)
        (or hash no-hash)
        (and ordering #t)
        (and hash #t)))

    ;; --- hash functions ---

    (define-syntax hash-bound (syntax-rules () ((_) 33554432)))
    (define-syntax hash-salt (syntax-rules () ((_) 16064047)))

    ;; Both are small enough that the sum is a fixnum.
    (define (mix hash more) (modulo (+ (* hash 31) more) 33554393))

    (define (boolean-hash x) (if x 1 0))
    (define (char-hash c) (char->integer c))
    (define (char-ci-hash c) (char->integer (char-foldcase c)))
    (define (symbol-hash s) (string-hash (symbol->string s)))
    (define string-ci-hash
      (case-lambda
        ((s) (string-hash (string-foldcase s)))
        ((s bound) (string-hash (string-foldcase s) bound))))

    ;; Numbers that are = hash alike, exact or not.
    (define (number-hash x)
      (cond ((exact-integer? x) (%hash-by-identity x (hash-bound)))
            ((real? x) (if (finite? x) (%hash-by-identity (exact x) (hash-bound)) 0))
            (else (mix (number-hash (real-part x)) (number-hash (imag-part x))))))

    ;; Looks at no more than eight parts of a datum, and of each of them, three levels deep.
    (define (hash-to-depth x depth)
      (cond ((string? x) (string-hash x))
            ((symbol? x) (%hash-by-identity x (hash-bound)))
            ((number? x) (number-hash x))
            ((pair? x)
             (if (= depth 0)
                 1
                 (let loop ((x x) (i 0) (hash 1))
                   (cond ((= i 8) hash)
                         ((pair? x) (loop (cdr x) (+ i 1) (mix hash (hash-to-depth (car x) (- depth 1)))))
                         (else (mix hash (hash-to-depth x (- depth 1))))))))
            ((vector? x)
             (let ((n (if (= depth 0) 0 (min 8 (vector-length x)))))
               (let loop ((i 0) (hash (vector-length x)))
                 (if (= i n)
                     hash
                     (loop (+ i 1) (mix hash (hash-to-depth (vector-ref x i) (- depth 1))))))))
            ((bytevector? x) (%hash x (hash-bound)))
            ((or (char? x) (boolean? x) (null? x)) (%hash-by-identity x (hash-bound)))
            ((registered x) => (lambda (c) (comparator-hash c x)))
            (else (%hash-by-identity x (hash-bound)))))

    (define (default-hash x) (hash-to-depth x 3))

    ;; --- the default comparator ---

    ;; Comparators for other types, first registered first.
    (define others '())

    (define (comparator-register-default! c)
      (if (not (comparator? c)) (error "comparator-register-default!: not a comparator" c))
      (set! others (append others (list c))))

    (define (registered x)
      (let loop ((l others))
        (cond ((null? l) #f)
              (((comparator-type-test-predicate (car l)) x) (car l))
              (else (loop (cdr l))))))

    (define (default=? a b)
      (cond ((number? a) (and (number? b) (= a b)))
            ((string? a) (and (string? b) (string=? a b)))
            ((pair? a)
             (and (pair? b) (default=? (car a) (car b)) (default=? (cdr a) (cdr b))))
            ((vector? a)
             (and (vector? b)
                  (let ((n (vector-length a)))
                    (and (= n (vector-length b))
                         (let loop ((i 0))
                           (or (= i n)
                               (and (default=? (vector-ref a i) (vector-ref b i)) (loop (+ i 1)))))))))
            ((bytevector? a) (equal? a b))
            ((or (symbol? a) (char? a) (boolean? a) (null? a)) (eq? a b))
            ((registered a)
             => (lambda (c)
                  (and (comparator-test-type c b) ((comparator-equality-predicate c) a b))))
            (else (eqv? a b))))

    ;; The place of an object's type in the order of types.
    (define (rank x)
      (cond ((null? x) 0)
            ((pair? x) 1)
            ((boolean? x) 2)
            ((char? x) 3)
            ((string? x) 4)
            ((symbol? x) 5)
            ((number? x) 6)
            ((vector? x) 7)
            ((bytevector? x) 8)
            (else
             (let loop ((l others) (i 9))
               (if (or (null? l) ((comparator-type-test-predicate (car l)) x))
                   i
                   (loop (cdr l) (+ i 1)))))))

    (define-syntax by
      (syntax-rules ()
        ((_ less? a b) (cond ((less? a b) -1) ((less? b a) 1) (else 0)))))

    ;; Negative, zero or positive as A is before, equal to or after B.
    (define (compare a b)
      (let ((kind (rank a)) (kind-of-b (rank b)))
        (if (not (= kind kind-of-b))
            (- kind kind-of-b)
            (case kind
              ((0) 0)
              ((1)
               (let ((first (compare (car a) (car b))))
                 (if (eqv? first 0) (compare (cdr a) (cdr b)) first)))
              ((2) (cond ((eq? a b) 0) (a 1) (else -1)))
              ((3) (by char<? a b))
              ((4) (by string<? a b))
              ((5) (by string<? (symbol->string a) (symbol->string b)))
              ((6)
               (if (and (real? a) (real? b))
                   (by < a b)
                   (let ((first (by < (real-part a) (real-part b))))
                     (if (eqv? first 0) (by < (imag-part a) (imag-part b)) first))))
              ((7) (compare-parts a b (vector-length a) (vector-length b) vector-ref))
              ((8) (compare-parts a b (bytevector-length a) (bytevector-length b) bytevector-u8-ref))
              (else
               (let ((c (registered a)))
                 (cond ((not c) 0)
                       (((comparator-ordering-predicate c) a b) -1)
                       (((comparator-equality-predicate c) a b) 0)
                       (else 1))))))))

    (define (compare-parts a b n m ref)
      (if (= n m)
          (let loop ((i 0))
            (if (= i n)
                0
                (let ((first (compare (ref a i) (ref b i))))
                  (if (eqv? first 0) (loop (+ i 1)) first))))
          (- n m)))

    (define (default<? a b) (< (compare a b) 0))

    (define (make-default-comparator)
      (make-comparator anything? default=? default<? default-hash))

    ;; --- comparators made from comparators ---

    (define (make-pair-comparator first rest)
      (let ((first-type (comparator-type-test-predicate first))
            (first= (comparator-equality-predicate first))
            (first< (comparator-ordering-predicate first))
            (first-hash (comparator-hash-function first))
            (rest-type (comparator-type-test-predicate rest))
            (rest= (comparator-equality-predicate rest))
            (rest< (comparator-ordering-predicate rest))
            (rest-hash (comparator-hash-function rest)))
        (make-comparator
          (lambda (x) (and (pair? x) (first-type (car x)) (rest-type (cdr x))))
          (lambda (a b) (and (first= (car a) (car b)) (rest= (cdr a) (cdr b))))
          (and (comparator-ordered? first) (comparator-ordered? rest)
               (lambda (a b)
                 (if (first= (car a) (car b))
                     (rest< (cdr a) (cdr b))
                     (first< (car a) (car b)))))
          (and (comparator-hashable? first) (comparator-hashable? rest)
               (lambda (x) (mix (modulo (first-hash (car x)) (hash-bound)) (rest-hash (cdr x))))))))

    (define (make-list-comparator element type-test empty? head tail)
      (let ((element-type (comparator-type-test-predicate element))
            (element= (comparator-equality-predicate element))
            (element< (comparator-ordering-predicate element))
            (element-hash (comparator-hash-function element)))
        (make-comparator
          (lambda (x)
            (and (type-test x)
                 (let loop ((x x))
                   (or (empty? x) (and (element-type (head x)) (loop (tail x)))))))
          (lambda (a b)
            (let loop ((a a) (b b))
              (cond ((empty? a) (empty? b))
                    ((empty? b) #f)
                    ((element= (head a) (head b)) (loop (tail a) (tail b)))
                    (else #f))))
          (and (comparator-ordered? element)
               (lambda (a b)
                 (let loop ((a a) (b b))
                   (cond ((empty? a) (not (empty? b)))
                         ((empty? b) #f)
                         ((element= (head a) (head b)) (loop (tail a) (tail b)))
                         (else (element< (head a) (head b)))))))
          (and (comparator-hashable? element)
               (lambda (x)
                 (let loop ((x x) (hash 1))
                   (if (empty? x)
                       hash
                       (loop (tail x) (mix hash (element-hash (head x)))))))))))

    (define (make-vector-comparator element type-test length ref)
      (let ((element-type (comparator-type-test-predicate element))
            (element= (comparator-equality-predicate element))
            (element< (comparator-ordering-predicate element))
            (element-hash (comparator-hash-function element)))
        (make-comparator
          (lambda (x)
            (and (type-test x)
                 (let ((n (length x)))
                   (let loop ((i 0))
                     (or (= i n) (and (element-type (ref x i)) (loop (+ i 1))))))))
          (lambda (a b)
            (let ((n (length a)))
              (and (= n (length b))
                   (let loop ((i 0))
                     (or (= i n) (and (element= (ref a i) (ref b i)) (loop (+ i 1))))))))
          (and (comparator-ordered? element)
               (lambda (a b)
                 (let ((n (length a)) (m (length b)))
                   (if (= n m)
                       (let loop ((i 0))
                         (cond ((= i n) #f)
                               ((element= (ref a i) (ref b i)) (loop (+ i 1)))
                               (else (element< (ref a i) (ref b i)))))
                       (< n m)))))
          (and (comparator-hashable? element)
               (lambda (x)
                 (let ((n (length x)))
                   (let loop ((i 0) (hash n))
                     (if (= i n) hash (loop (+ i 1) (mix hash (element-hash (ref x i))))))))))))

    (define (make-eq-comparator) (make-comparator anything? eq? #f default-hash))
    (define (make-eqv-comparator) (make-comparator anything? eqv? #f default-hash))
    (define (make-equal-comparator) (make-comparator anything? equal? #f default-hash))

    (define default-comparator (make-default-comparator))
    (define boolean-comparator
      (make-comparator boolean? boolean=? (lambda (a b) (and (not a) b)) boolean-hash))
    (define real-comparator (make-comparator real? = < number-hash))
    (define char-comparator (make-comparator char? char=? char<? char-hash))
    (define char-ci-comparator (make-comparator char? char-ci=? char-ci<? char-ci-hash))
    (define string-comparator (make-comparator string? string=? string<? string-hash))
    (define string-ci-comparator
      (make-comparator string? string-ci=? string-ci<? string-ci-hash))
    (define list-comparator (make-list-comparator default-comparator list? null? car cdr))
    (define vector-comparator
      (make-vector-comparator default-comparator vector? vector-length vector-ref))
    (define eq-comparator (make-eq-comparator))
    (define eqv-comparator (make-eqv-comparator))
    (define equal-comparator (make-equal-comparator))

    ;; --- use ---

    (define (comparator-test-type c x) ((comparator-type-test-predicate c) x))

    (define (comparator-check-type c x)
      (or (comparator-test-type c x)
          (error "comparator-check-type: not of the comparator's type" x)))

    (define (comparator-hash c x) ((comparator-hash-function c) x))

    ;; A predicate of two objects and more that holds when TEST does between all neighbours.
    (define-syntax define-chain
      (syntax-rules ()
        ((_ name accessor (test a b) body)
         (define name
           (case-lambda
             ((c a b) (let ((test (accessor c))) body))
             ((c a b . more)
              (let ((test (accessor c)))
                (let loop ((a a) (b b) (more more))
                  (and body
                       (or (null? more) (loop b (car more) (cdr more))))))))))))

    (define-chain =? comparator-equality-predicate (same? a b) (same? a b))
    (define-chain <? comparator-ordering-predicate (less? a b) (less? a b))
    (define-chain >? comparator-ordering-predicate (less? a b) (less? b a))
    (define-chain <=? comparator-ordering-predicate (less? a b) (not (less? b a)))
    (define-chain >=? comparator-ordering-predicate (less? a b) (not (less? a b)))

    (define-syntax comparator-if<=>
      (syntax-rules ()
        ((_ a b less equal greater)
         (comparator-if<=> default-comparator a b less equal greater))
        ((_ comparator a b less equal greater)
         (let ((c comparator) (x a) (y b))
           (cond ((=? c x y) equal)
                 ((<? c x y) less)
                 (else greater))))))

    ;; The element that no other comes before in the order of BEFORE?.
    (define (extreme before? l)
      (let loop ((best (car l)) (l (cdr l)))
        (cond ((null? l) best)
              ((before? (car l) best) (loop (car l) (cdr l)))
              (else (loop best (cdr l))))))

    (define (comparator-min-in-list c l) (extreme (comparator-ordering-predicate c) l))
    (define (comparator-max-in-list c l)
      (let ((less? (comparator-ordering-predicate c)))
        (extreme (lambda (a b) (less? b a)) l)))
    (define (comparator-min c x . more) (comparator-min-in-list c (cons x more)))
    (define (comparator-max c x . more) (comparator-max-in-list c (cons x more)))))
