;; The generator is L'Ecuyer's MRG32k3a: two recurrences of order three whose products are fixnums.
(define-library (srfi 27)
  (export
    random-integer random-real default-random-source make-random-source random-source?
    random-source-state-ref random-source-state-set! random-source-randomize!
    random-source-pseudo-randomize! random-source-make-integers random-source-make-reals)
  (import (scheme base) (scheme case-lambda) (only (tein core) random-bytes))
  (begin
    (define m1 4294967087)
    (define m2 4294944443)

    ;; The last three values of both recurrences, newest first, or #f: to be drawn at first use.
    (define-record-type random-source
      (new-source state)
      random-source?
      (state source-state set-source-state!))

    (define (check-source s)
      (if (not (random-source? s)) (error "invalid type, expected Random-Source" s)))

    (define (fixed-state) (vector 12345 12345 12345 12345 12345 12345))

    (define (make-random-source) (new-source (fixed-state)))

    ;; Drawn when it is first used, not when it is made: every run has its own.
    (define default-random-source (new-source #f))

    (define (state-of s)
      (check-source s)
      (if (not (source-state s)) (random-source-randomize! s))
      (source-state s))

    ;; The next number, from zero to below m1.
    (define (step! st)
      (let* ((a1 (vector-ref st 0)) (a2 (vector-ref st 1)) (a3 (vector-ref st 2))
             (b1 (vector-ref st 3)) (b2 (vector-ref st 4)) (b3 (vector-ref st 5))
             (a (modulo (- (* 1403580 a2) (* 810728 a3)) 4294967087))
             (b (modulo (- (* 527612 b1) (* 1370589 b3)) 4294944443)))
        (vector-set! st 2 a2)
        (vector-set! st 1 a1)
        (vector-set! st 0 a)
        (vector-set! st 5 b2)
        (vector-set! st 4 b1)
        (vector-set! st 3 b)
        (modulo (- a b) 4294967087)))

    ;; A number below N. Of RANGE equally likely numbers those are used that fall into N equal parts.
    (define (draw st n)
      (if (<= n m1)
          (let* ((part (quotient m1 n)) (end (* part n)))
            (let loop ((x (step! st)))
              (if (< x end) (quotient x part) (loop (step! st)))))
          (let count ((range (* m1 m1)) (steps 2))
            (if (< range n)
                (count (* range m1) (+ steps 1))
                (let* ((part (quotient range n)) (end (* part n)))
                  (let loop ()
                    (let gather ((x 0) (i 0))
                      (cond ((< i steps) (gather (+ (* x m1) (step! st)) (+ i 1)))
                            ((< x end) (quotient x part))
                            (else (loop))))))))))

    (define (check-bound n)
      (if (not (and (exact-integer? n) (> n 0)))
          (error "random-integer: not a positive exact integer" n)))

    (define (random-integer n)
      (check-bound n)
      (draw (state-of default-random-source) n))

    ;; 53 bits, and neither end.
    (define (draw-real st)
      (/ (inexact (+ (draw st 9007199254740991) 1)) 9007199254740992.0))

    (define (random-real) (draw-real (state-of default-random-source)))

    (define (random-source-make-integers s)
      (check-source s)
      (lambda (n)
        (check-bound n)
        (draw (state-of s) n)))

    (define random-source-make-reals
      (case-lambda
        ((s)
         (check-source s)
         (lambda () (draw-real (state-of s))))
        ((s unit)
         (check-source s)
         (if (not (and (real? unit) (< 0 unit 1)))
             (error "random-source-make-reals: the unit is not between 0 and 1" unit))
         (let* ((parts (ceiling (/ 1 (exact unit)))) (convert (if (exact? unit) exact inexact)))
           (lambda ()
             (convert (/ (+ (draw (state-of s) (- parts 1)) 1) parts)))))))

    ;; --- states ---

    (define (random-source-state-ref s)
      (cons 'mrg32k3a (vector->list (state-of s))))

    ;; Are the first three numbers a recurrence below M?
    (define (valid? part m)
      (let ((numbers (list (car part) (cadr part) (list-ref part 2))))
        (let loop ((l numbers) (some #f))
          (if (null? l)
              some
              (let ((x (car l)))
                (and (exact-integer? x) (<= 0 x) (< x m)
                     (loop (cdr l) (or some (> x 0)))))))))

    (define (random-source-state-set! s state)
      (check-source s)
      (if (not (and (list? state) (= (length state) 7) (eq? (car state) 'mrg32k3a)
                    (valid? (cdr state) m1) (valid? (list-tail state 4) m2)))
          (error "random-source-state-set!: not a state of a random source" state))
      (set-source-state! s (list->vector (cdr state))))

    (define (random-source-randomize! s)
      (check-source s)
      (let ((bytes (random-bytes 24)) (st (make-vector 6)))
        (define (word i)
          (let loop ((k 0) (n 0))
            (if (= k 4) n (loop (+ k 1) (+ (* n 256) (bytevector-u8-ref bytes (+ (* i 4) k)))))))
        (let loop ((i 0))
          (if (< i 6)
              (begin
                (vector-set! st i (modulo (word i) (if (< i 3) m1 m2)))
                (loop (+ i 1)))))
        (avoid-zeros! st)
        (set-source-state! s st)))

    ;; A recurrence of zeros alone would stay there.
    (define (avoid-zeros! st)
      (define (fix! i)
        (if (= 0 (vector-ref st i) (vector-ref st (+ i 1)) (vector-ref st (+ i 2)))
            (vector-set! st i 1)))
      (fix! 0)
      (fix! 3))

    ;; Stirs the digits of a number into a state: other numbers give other states.
    (define (absorb! st n)
      (let loop ((n n))
        (let ((digit (+ (modulo n 16777216) 1)))
          (vector-set! st 0 (modulo (+ (vector-ref st 0) digit) m1))
          (vector-set! st 3 (modulo (+ (vector-ref st 3) digit) m2))
          (avoid-zeros! st)
          (do ((i 0 (+ i 1))) ((= i 8)) (step! st))
          (if (>= n 16777216) (loop (quotient n 16777216))))))

    (define (random-source-pseudo-randomize! s i j)
      (check-source s)
      (if (not (and (exact-integer? i) (>= i 0) (exact-integer? j) (>= j 0)))
          (error "random-source-pseudo-randomize!: not natural numbers" i j))
      (let ((st (fixed-state)))
        (absorb! st i)
        (absorb! st j)
        (set-source-state! s st)))))
