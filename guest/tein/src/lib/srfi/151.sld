(define-library (srfi 151)
  (export
    bitwise-not bitwise-and bitwise-ior bitwise-xor bitwise-eqv bitwise-nand bitwise-nor
    bitwise-andc1 bitwise-andc2 bitwise-orc1 bitwise-orc2 arithmetic-shift bit-count
    integer-length bitwise-if bit-set? any-bit-set? every-bit-set? first-set-bit bit-field
    bit-field-any? bit-field-every? bit-field-clear bit-field-set bit-field-replace
    bit-field-replace-same bit-field-rotate bit-field-reverse copy-bit bits->list list->bits
    bits->vector vector->bits bits bit-swap bitwise-fold bitwise-for-each bitwise-unfold
    make-bitwise-generator)
  (import
    (scheme base) (scheme case-lambda)
    (only (tein core) bitwise-not bitwise-and bitwise-ior bitwise-xor arithmetic-shift bit-count
          integer-length first-set-bit bit-set?))
  (begin
    (define (bitwise-eqv . numbers)
      (let loop ((acc -1) (l numbers))
        (if (null? l) acc (loop (bitwise-not (bitwise-xor acc (car l))) (cdr l)))))
    (define (bitwise-nand a b) (bitwise-not (bitwise-and a b)))
    (define (bitwise-nor a b) (bitwise-not (bitwise-ior a b)))
    (define (bitwise-andc1 a b) (bitwise-and (bitwise-not a) b))
    (define (bitwise-andc2 a b) (bitwise-and a (bitwise-not b)))
    (define (bitwise-orc1 a b) (bitwise-ior (bitwise-not a) b))
    (define (bitwise-orc2 a b) (bitwise-ior a (bitwise-not b)))

    (define (bitwise-if mask a b)
      (bitwise-ior (bitwise-and mask a) (bitwise-and (bitwise-not mask) b)))
    (define (any-bit-set? test i) (not (zero? (bitwise-and test i))))
    (define (every-bit-set? test i) (= test (bitwise-and test i)))
    (define (copy-bit index i bit)
      (let ((one (arithmetic-shift 1 index)))
        (if bit (bitwise-ior i one) (bitwise-andc2 i one))))
    (define (bit-swap i j n)
      (let ((a (bit-set? i n)) (b (bit-set? j n)))
        (copy-bit j (copy-bit i n b) a)))

    ;; --- fields: bits START to before END ---

    (define (ones n) (- (arithmetic-shift 1 n) 1))
    (define (mask start end)
      (if (not (<= 0 start end)) (error "bit field out of range" start end))
      (arithmetic-shift (ones (- end start)) start))
    (define (bit-field i start end)
      (arithmetic-shift (bitwise-and i (mask start end)) (- start)))
    (define (bit-field-any? i start end) (any-bit-set? (mask start end) i))
    (define (bit-field-every? i start end) (every-bit-set? (mask start end) i))
    (define (bit-field-clear i start end) (bitwise-andc2 i (mask start end)))
    (define (bit-field-set i start end) (bitwise-ior i (mask start end)))
    (define (bit-field-replace to from start end)
      (bitwise-if (mask start end) (arithmetic-shift from start) to))
    (define (bit-field-replace-same to from start end)
      (bitwise-if (mask start end) from to))
    (define (bit-field-rotate i count start end)
      (let ((width (- end start)))
        (if (<= width 0)
            i
            (let ((field (bit-field i start end)) (n (modulo count width)))
              (bit-field-replace
                i
                (bitwise-ior (arithmetic-shift field n) (arithmetic-shift field (- n width)))
                start end)))))
    (define (bit-field-reverse i start end)
      (let loop ((n (- end start)) (field (bit-field i start end)) (out 0))
        (if (<= n 0)
            (bit-field-replace i out start end)
            (loop (- n 1)
                  (arithmetic-shift field -1)
                  (bitwise-ior (arithmetic-shift out 1) (bitwise-and field 1))))))

    ;; --- conversion: the least bit first ---

    (define (width-of i len)
      (cond ((pair? len) (car len))
            ((negative? i) (error "a negative number has endless bits" i))
            (else (integer-length i))))
    (define (bits->list i . len)
      (let loop ((n (- (width-of i len) 1)) (out '()))
        (if (negative? n) out (loop (- n 1) (cons (bit-set? n i) out)))))
    (define (list->bits l)
      (let loop ((l (reverse l)) (n 0))
        (if (null? l) n (loop (cdr l) (+ (* 2 n) (if (car l) 1 0))))))
    (define (bits->vector i . len) (list->vector (apply bits->list i len)))
    (define (vector->bits v) (list->bits (vector->list v)))
    (define (bits . l) (list->bits l))

    (define (bitwise-fold proc seed i)
      (let ((n (width-of i '())))
        (let loop ((k 0) (acc seed))
          (if (= k n) acc (loop (+ k 1) (proc (bit-set? k i) acc))))))
    (define (bitwise-for-each proc i)
      (let ((n (width-of i '())))
        (let loop ((k 0))
          (if (< k n) (begin (proc (bit-set? k i)) (loop (+ k 1)))))))
    (define (bitwise-unfold stop? mapper successor seed)
      (let loop ((seed seed) (out '()))
        (if (stop? seed)
            (list->bits (reverse out))
            (loop (successor seed) (cons (mapper seed) out)))))
    (define (make-bitwise-generator i)
      (let ((k 0))
        (lambda ()
          (let ((bit (bit-set? k i)))
            (set! k (+ k 1))
            bit))))))
