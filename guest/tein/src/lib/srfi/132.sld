(define-library (srfi 132)
  (export
    list-sorted? vector-sorted? list-sort (rename list-sort list-stable-sort)
    (rename list-sort list-sort!) (rename list-sort list-stable-sort!)
    vector-sort (rename vector-sort vector-stable-sort)
    vector-sort! (rename vector-sort! vector-stable-sort!)
    list-merge (rename list-merge list-merge!) vector-merge vector-merge!
    list-delete-neighbor-dups (rename list-delete-neighbor-dups list-delete-neighbor-dups!)
    vector-delete-neighbor-dups vector-delete-neighbor-dups!
    vector-find-median vector-find-median! vector-select! vector-separate!)
  (import (scheme base) (scheme case-lambda) (only (tein core) append-reverse %sorted))
  (begin
    (define (check-procedure who f)
      (if (not (procedure? f)) (error (string-append who ": not a procedure") f)))

    (define (check-range who v start end)
      (if (not (and (exact-integer? start) (exact-integer? end)
                    (<= 0 start end (vector-length v))))
          (error (string-append who ": index out of range") start end)))

    ;; A procedure of a procedure and a vector, and the range of it that counts.
    (define-syntax define-ranged
      (syntax-rules ()
        ((_ (name who f v start end) body0 body ...)
         (define name
           (case-lambda
             ((f v) (name f v 0 (vector-length v)))
             ((f v start) (name f v start (vector-length v)))
             ((f v start end)
              (check-procedure who f)
              (check-range who v start end)
              body0 body ...))))))

    ;; --- merge sort ---

    ;; Runs of this many items are sorted by insertion first.
    (define run 6)

    (define (insert-run! v lo hi less)
      (let next ((i (+ lo 1)))
        (if (< i hi)
            (let ((x (vector-ref v i)))
              (let sink ((j i))
                (if (> j lo)
                    (let ((y (vector-ref v (- j 1))))
                      (if (less x y)
                          (begin (vector-set! v j y) (sink (- j 1)))
                          (begin (vector-set! v j x) (next (+ i 1)))))
                    (begin (vector-set! v j x) (next (+ i 1)))))))))

    ;; Merges two sorted neighbours of FROM into TO.
    (define (merge-runs! from to lo mid hi less)
      (if (or (= mid hi) (not (less (vector-ref from mid) (vector-ref from (- mid 1)))))
          (vector-copy! to lo from lo hi)
          (let loop ((i lo) (j mid) (k lo) (x (vector-ref from lo)) (y (vector-ref from mid)))
            (if (less y x)
                (let ((j (+ j 1)))
                  (vector-set! to k y)
                  (if (< j hi)
                      (loop i j (+ k 1) x (vector-ref from j))
                      (vector-copy! to (+ k 1) from i mid)))
                (let ((i (+ i 1)))
                  (vector-set! to k x)
                  (if (< i mid)
                      (loop i j (+ k 1) (vector-ref from i) y)
                      (vector-copy! to (+ k 1) from j hi)))))))

    ;; Orders of the language's own, by which numbers, strings and characters are sorted at once.
    (define ascending (vector < string<? char<?))
    (define descending (vector > string>? char>?))

    ;; The items of V in order, in V or in another vector. V is used up.
    (define (sorted v less)
      (or (%sorted v less ascending descending)
          (merge-sorted v less)))

    (define (merge-sorted v less)
      (let ((n (vector-length v)))
        (let runs ((lo 0))
          (if (< lo n)
              (begin
                (insert-run! v lo (min n (+ lo run)) less)
                (runs (+ lo run)))))
        (if (<= n run)
            v
            (let pass ((from v) (to (make-vector n)) (width run))
              (if (>= width n)
                  from
                  (let merges ((lo 0))
                    (if (< lo n)
                        (let* ((mid (min n (+ lo width))) (hi (min n (+ mid width))))
                          (merge-runs! from to lo mid hi less)
                          (merges hi))
                        (pass to from (* width 2)))))))))

    (define (list-sort less l)
      (check-procedure "list-sort" less)
      (vector->list (sorted (list->vector l) less)))

    (define-ranged (vector-sort "vector-sort" less v start end)
      (sorted (vector-copy v start end) less))

    (define-ranged (vector-sort! "vector-sort!" less v start end)
      (vector-copy! v start (sorted (vector-copy v start end) less)))

    ;; --- sorted or not ---

    (define (list-sorted? less l)
      (check-procedure "list-sorted?" less)
      (or (null? l)
          (let loop ((x (car l)) (l (cdr l)))
            (or (null? l)
                (and (not (less (car l) x)) (loop (car l) (cdr l)))))))

    (define-ranged (vector-sorted? "vector-sorted?" less v start end)
      (let loop ((i (+ start 1)))
        (or (>= i end)
            (and (not (less (vector-ref v i) (vector-ref v (- i 1)))) (loop (+ i 1))))))

    ;; --- merging ---

    (define (list-merge less a b)
      (check-procedure "list-merge" less)
      (let loop ((a a) (b b) (out '()))
        (cond ((null? a) (append-reverse out b))
              ((null? b) (append-reverse out a))
              ((less (car b) (car a)) (loop a (cdr b) (cons (car b) out)))
              (else (loop (cdr a) b (cons (car a) out))))))

    (define (merge-into! less to at a i a-end b j b-end)
      (let loop ((k at) (i i) (j j))
        (cond ((= i a-end) (vector-copy! to k b j b-end))
              ((= j b-end) (vector-copy! to k a i a-end))
              ((less (vector-ref b j) (vector-ref a i))
               (vector-set! to k (vector-ref b j))
               (loop (+ k 1) i (+ j 1)))
              (else
               (vector-set! to k (vector-ref a i))
               (loop (+ k 1) (+ i 1) j)))))

    (define vector-merge
      (case-lambda
        ((less a b) (vector-merge less a b 0))
        ((less a b i) (vector-merge less a b i (vector-length a)))
        ((less a b i a-end) (vector-merge less a b i a-end 0))
        ((less a b i a-end j) (vector-merge less a b i a-end j (vector-length b)))
        ((less a b i a-end j b-end)
         (check-procedure "vector-merge" less)
         (check-range "vector-merge" a i a-end)
         (check-range "vector-merge" b j b-end)
         (let ((to (make-vector (+ (- a-end i) (- b-end j)))))
           (merge-into! less to 0 a i a-end b j b-end)
           to))))

    (define vector-merge!
      (case-lambda
        ((less to a b) (vector-merge! less to a b 0))
        ((less to a b at) (vector-merge! less to a b at 0))
        ((less to a b at i) (vector-merge! less to a b at i (vector-length a)))
        ((less to a b at i a-end) (vector-merge! less to a b at i a-end 0))
        ((less to a b at i a-end j) (vector-merge! less to a b at i a-end j (vector-length b)))
        ((less to a b at i a-end j b-end)
         (check-procedure "vector-merge!" less)
         (check-range "vector-merge!" a i a-end)
         (check-range "vector-merge!" b j b-end)
         (check-range "vector-merge!" to at (+ at (- a-end i) (- b-end j)))
         (merge-into! less to at a i a-end b j b-end))))

    ;; --- neighbours that are the same ---

    (define (list-delete-neighbor-dups same? l)
      (check-procedure "list-delete-neighbor-dups" same?)
      (if (null? l)
          '()
          (let loop ((x (car l)) (l (cdr l)) (out (list (car l))))
            (cond ((null? l) (reverse out))
                  ((same? x (car l)) (loop x (cdr l) out))
                  (else (loop (car l) (cdr l) (cons (car l) out)))))))

    ;; Where the items that are kept end.
    (define-ranged (vector-delete-neighbor-dups! "vector-delete-neighbor-dups!" same? v start end)
      (if (= start end)
          end
          (let loop ((i (+ start 1)) (last start))
            (cond ((= i end) (+ last 1))
                  ((same? (vector-ref v last) (vector-ref v i)) (loop (+ i 1) last))
                  (else
                   (vector-set! v (+ last 1) (vector-ref v i))
                   (loop (+ i 1) (+ last 1)))))))

    (define-ranged (vector-delete-neighbor-dups "vector-delete-neighbor-dups" same? v start end)
      (let ((copy (vector-copy v start end)))
        (vector-copy copy 0 (vector-delete-neighbor-dups! same? copy))))

    ;; --- by rank ---

    (define (average a b) (/ (+ a b) 2))

    (define (median v knil mean)
      (let* ((n (vector-length v)) (half (quotient n 2)))
        (cond ((= n 0) knil)
              ((odd? n) (vector-ref v half))
              (else (mean (vector-ref v (- half 1)) (vector-ref v half))))))

    (define vector-find-median
      (case-lambda
        ((less v knil) (vector-find-median less v knil average))
        ((less v knil mean) (median (vector-sort less v) knil mean))))

    (define vector-find-median!
      (case-lambda
        ((less v knil) (vector-find-median! less v knil average))
        ((less v knil mean)
         (vector-sort! less v)
         (median v knil mean))))

    ;; A sorted range has every item at its rank.
    (define vector-select!
      (case-lambda
        ((less v k) (vector-select! less v k 0 (vector-length v)))
        ((less v k start) (vector-select! less v k start (vector-length v)))
        ((less v k start end)
         (check-range "vector-select!" v start end)
         (if (not (and (exact-integer? k) (<= 0 k) (< k (- end start))))
             (error "vector-select!: index out of range" k))
         (vector-sort! less v start end)
         (vector-ref v (+ start k)))))

    (define vector-separate!
      (case-lambda
        ((less v k) (vector-separate! less v k 0 (vector-length v)))
        ((less v k start) (vector-separate! less v k start (vector-length v)))
        ((less v k start end)
         (check-range "vector-separate!" v start end)
         (if (not (and (exact-integer? k) (<= 0 k (- end start))))
             (error "vector-separate!: index out of range" k))
         (vector-sort! less v start end))))))
