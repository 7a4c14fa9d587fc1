(define-library (srfi 133)
  (export
    make-vector vector vector-unfold vector-unfold-right vector-copy vector-reverse-copy vector-append
    vector-concatenate vector-append-subvectors vector? vector-empty? vector= vector-ref vector-length
    vector-fold vector-fold-right vector-map vector-map! vector-for-each vector-count vector-cumulate
    vector-index vector-index-right vector-skip vector-skip-right vector-binary-search vector-any
    vector-every vector-partition vector-set! vector-swap! vector-fill! vector-reverse! vector-copy!
    vector-reverse-copy! vector-unfold! vector-unfold-right! vector->list reverse-vector->list
    list->vector reverse-list->vector vector->string string->vector)
  (import (scheme base) (scheme case-lambda))
  (begin
    (define (check-range who v start end)
      (if (not (and (exact-integer? start) (exact-integer? end)
                    (<= 0 start end (vector-length v))))
          (error (string-append who ": index out of range") start end)))

    ;; A procedure of a vector and the range of it that counts.
    (define-syntax define-ranged
      (syntax-rules ()
        ((_ (name who v start end) body0 body ...)
         (define name
           (case-lambda
             ((v) (name v 0 (vector-length v)))
             ((v start) (name v start (vector-length v)))
             ((v start end) (check-range who v start end) body0 body ...))))))

    ;; --- several vectors at once ---

    (define (shortest vectors)
      (let loop ((n (vector-length (car vectors))) (l (cdr vectors)))
        (if (pair? l) (loop (min n (vector-length (car l))) (cdr l)) n)))

    (define (column vectors i) (map (lambda (v) (vector-ref v i)) vectors))

    ;; --- constructors ---

    (define vector-unfold
      (case-lambda
        ((f n)
         (let ((v (make-vector n)))
           (vector-unfold! f v 0 n)
           v))
        ((f n . seeds)
         (let ((v (make-vector n)))
           (apply vector-unfold! f v 0 n seeds)
           v))))

    (define (vector-unfold-right f n . seeds)
      (let ((v (make-vector n)))
        (apply vector-unfold-right! f v 0 n seeds)
        v))

    ;; F gets an index and seeds, and gives an item and the next seeds.
    (define vector-unfold!
      (case-lambda
        ((f v start end)
         (check-range "vector-unfold!" v start end)
         (let loop ((i start))
           (if (< i end)
               (begin (vector-set! v i (f i)) (loop (+ i 1))))))
        ((f v start end seed)
         (check-range "vector-unfold!" v start end)
         (let loop ((i start) (seed seed))
           (if (< i end)
               (call-with-values
                 (lambda () (f i seed))
                 (lambda (x seed)
                   (vector-set! v i x)
                   (loop (+ i 1) seed))))))
        ((f v start end . seeds)
         (check-range "vector-unfold!" v start end)
         (let loop ((i start) (seeds seeds))
           (if (< i end)
               (call-with-values
                 (lambda () (apply f i seeds))
                 (lambda (x . seeds)
                   (vector-set! v i x)
                   (loop (+ i 1) seeds))))))))

    (define (vector-unfold-right! f v start end . seeds)
      (check-range "vector-unfold-right!" v start end)
      (let loop ((i (- end 1)) (seeds seeds))
        (if (>= i start)
            (call-with-values
              (lambda () (apply f i seeds))
              (lambda (x . seeds)
                (vector-set! v i x)
                (loop (- i 1) seeds))))))

    (define-ranged (vector-reverse-copy "vector-reverse-copy" v start end)
      (let ((copy (vector-copy v start end)))
        (reverse-items! copy 0 (- end start))
        copy))

    (define (vector-concatenate vectors) (apply vector-append vectors))

    (define (vector-append-subvectors . parts)
      (let loop ((l parts) (out '()))
        (cond ((null? l) (vector-concatenate (reverse out)))
              ((or (null? (cdr l)) (null? (cddr l)))
               (error "vector-append-subvectors: a vector without start and end" (car l)))
              (else
               (loop (cdr (cddr l))
                     (cons (vector-copy (car l) (cadr l) (car (cddr l))) out))))))

    ;; --- predicates ---

    (define (vector-empty? v) (eqv? (vector-length v) 0))

    (define (vector= same? . vectors)
      (define (two a b)
        (let ((n (vector-length a)))
          (and (= n (vector-length b))
               (let loop ((i 0))
                 (or (= i n)
                     (and (same? (vector-ref a i) (vector-ref b i)) (loop (+ i 1))))))))
      (or (null? vectors)
          (let loop ((a (car vectors)) (l (cdr vectors)))
            (or (null? l)
                (and (two a (car l)) (loop (car l) (cdr l)))))))

    ;; --- folds and maps ---

    (define vector-fold
      (case-lambda
        ((kons knil v)
         (let ((n (vector-length v)))
           (let loop ((i 0) (acc knil))
             (if (= i n) acc (loop (+ i 1) (kons acc (vector-ref v i)))))))
        ((kons knil . vectors)
         (let ((n (shortest vectors)))
           (let loop ((i 0) (acc knil))
             (if (= i n) acc (loop (+ i 1) (apply kons acc (column vectors i)))))))))

    (define vector-fold-right
      (case-lambda
        ((kons knil v)
         (let loop ((i (- (vector-length v) 1)) (acc knil))
           (if (< i 0) acc (loop (- i 1) (kons acc (vector-ref v i))))))
        ((kons knil . vectors)
         (let loop ((i (- (shortest vectors) 1)) (acc knil))
           (if (< i 0) acc (loop (- i 1) (apply kons acc (column vectors i))))))))

    (define vector-map!
      (case-lambda
        ((f v)
         (let ((n (vector-length v)))
           (let loop ((i 0))
             (if (< i n)
                 (begin (vector-set! v i (f (vector-ref v i))) (loop (+ i 1)))))))
        ((f v . more)
         (let* ((vectors (cons v more)) (n (shortest vectors)))
           (let loop ((i 0))
             (if (< i n)
                 (begin (vector-set! v i (apply f (column vectors i))) (loop (+ i 1)))))))))

    (define vector-count
      (case-lambda
        ((pred v)
         (let ((n (vector-length v)))
           (let loop ((i 0) (count 0))
             (cond ((= i n) count)
                   ((pred (vector-ref v i)) (loop (+ i 1) (+ count 1)))
                   (else (loop (+ i 1) count))))))
        ((pred . vectors)
         (let ((n (shortest vectors)))
           (let loop ((i 0) (count 0))
             (cond ((= i n) count)
                   ((apply pred (column vectors i)) (loop (+ i 1) (+ count 1)))
                   (else (loop (+ i 1) count))))))))

    (define (vector-cumulate f knil v)
      (let* ((n (vector-length v)) (out (make-vector n)))
        (let loop ((i 0) (acc knil))
          (if (= i n)
              out
              (let ((acc (f acc (vector-ref v i))))
                (vector-set! out i acc)
                (loop (+ i 1) acc))))))

    ;; --- searching ---

    (define vector-index
      (case-lambda
        ((pred v)
         (let ((n (vector-length v)))
           (let loop ((i 0))
             (cond ((= i n) #f)
                   ((pred (vector-ref v i)) i)
                   (else (loop (+ i 1)))))))
        ((pred . vectors)
         (let ((n (shortest vectors)))
           (let loop ((i 0))
             (cond ((= i n) #f)
                   ((apply pred (column vectors i)) i)
                   (else (loop (+ i 1)))))))))

    (define vector-index-right
      (case-lambda
        ((pred v)
         (let loop ((i (- (vector-length v) 1)))
           (cond ((< i 0) #f)
                 ((pred (vector-ref v i)) i)
                 (else (loop (- i 1))))))
        ((pred . vectors)
         (let loop ((i (- (shortest vectors) 1)))
           (cond ((< i 0) #f)
                 ((apply pred (column vectors i)) i)
                 (else (loop (- i 1))))))))

    (define (vector-skip pred . vectors)
      (apply vector-index (complement pred) vectors))
    (define (vector-skip-right pred . vectors)
      (apply vector-index-right (complement pred) vectors))
    (define (complement pred)
      (case-lambda
        ((x) (not (pred x)))
        (items (not (apply pred items)))))

    ;; ORDER gets an item and the value, and gives a negative number when the item is before it.
    (define (vector-binary-search v value order)
      (let loop ((lo 0) (hi (vector-length v)))
        (if (= lo hi)
            #f
            (let* ((mid (quotient (+ lo hi) 2)) (sign (order (vector-ref v mid) value)))
              (cond ((< sign 0) (loop (+ mid 1) hi))
                    ((> sign 0) (loop lo mid))
                    (else mid))))))

    (define vector-any
      (case-lambda
        ((pred v)
         (let ((n (vector-length v)))
           (let loop ((i 0))
             (and (< i n)
                  (or (pred (vector-ref v i)) (loop (+ i 1)))))))
        ((pred . vectors)
         (let ((n (shortest vectors)))
           (let loop ((i 0))
             (and (< i n)
                  (or (apply pred (column vectors i)) (loop (+ i 1)))))))))

    (define vector-every
      (case-lambda
        ((pred v)
         (let ((n (vector-length v)))
           (let loop ((i 0) (last #t))
             (if (= i n)
                 last
                 (let ((x (pred (vector-ref v i))))
                   (and x (loop (+ i 1) x)))))))
        ((pred . vectors)
         (let ((n (shortest vectors)))
           (let loop ((i 0) (last #t))
             (if (= i n)
                 last
                 (let ((x (apply pred (column vectors i))))
                   (and x (loop (+ i 1) x)))))))))

    ;; Items that pass from the front, the others from the back, which is then turned.
    (define (vector-partition pred v)
      (let* ((n (vector-length v)) (out (make-vector n)))
        (let loop ((i 0) (front 0) (back n))
          (cond ((= i n)
                 (reverse-items! out front n)
                 (values out front))
                ((pred (vector-ref v i))
                 (vector-set! out front (vector-ref v i))
                 (loop (+ i 1) (+ front 1) back))
                (else
                 (vector-set! out (- back 1) (vector-ref v i))
                 (loop (+ i 1) front (- back 1)))))))

    ;; --- mutation ---

    (define (vector-swap! v i j)
      (let ((x (vector-ref v i)) (y (vector-ref v j)))
        (vector-set! v i y)
        (vector-set! v j x)))

    (define (reverse-items! v start end)
      (let loop ((i start) (j (- end 1)))
        (if (< i j)
            (let ((x (vector-ref v i)))
              (vector-set! v i (vector-ref v j))
              (vector-set! v j x)
              (loop (+ i 1) (- j 1))))))

    (define-ranged (vector-reverse! "vector-reverse!" v start end)
      (reverse-items! v start end))

    (define (vector-reverse-copy! to at from . range)
      (vector-copy! to at (apply vector-reverse-copy from range)))

    ;; --- conversion ---

    (define-ranged (reverse-vector->list "reverse-vector->list" v start end)
      (let loop ((i start) (out '()))
        (if (= i end) out (loop (+ i 1) (cons (vector-ref v i) out)))))

    (define (reverse-list->vector l) (list->vector (reverse l)))))
