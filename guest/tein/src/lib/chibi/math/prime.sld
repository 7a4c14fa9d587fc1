;; Prime numbers, factors, and arithmetic modulo a number.
(define-library (chibi math prime)
  (export
    prime? nth-prime prime-above prime-below factor factor-alist perfect? totient aliquot
    provable-prime? probable-prime? random-prime random-prime-distinct-from
    coprime? random-coprime modular-inverse modular-expt miller-rabin-composite?)
  (import (scheme base) (only (srfi 27) random-integer)
          (only (tein core) arithmetic-shift first-set-bit bit-set? integer-length))
  (begin
    (define (check-natural who n)
      (if (not (and (exact-integer? n) (> n 0)))
          (error (string-append who ": not a positive integer") n)))

    ;; --- modular arithmetic ---

    ;; The x with a*x = 1 modulo N.
    (define (modular-inverse a n)
      (let loop ((r0 n) (r1 (modulo a n)) (t0 0) (t1 1))
        (cond ((= r1 0)
               (if (> r0 1) (error "modular-inverse: the numbers are not coprime" a n))
               (modulo t0 n))
              (else
               (let ((q (quotient r0 r1)))
                 (loop r1 (- r0 (* q r1)) t1 (- t0 (* q t1))))))))

    (define (modular-expt base e n)
      (if (< e 0)
          (modular-expt (modular-inverse base n) (- e) n)
          (let loop ((i (- (integer-length e) 1)) (x (modulo 1 n)) (b (modulo base n)))
            (if (< i 0)
                x
                (let ((x (modulo (* x x) n)))
                  (loop (- i 1) (if (bit-set? i e) (modulo (* x b) n) x) b))))))

    (define (coprime? a b) (= 1 (gcd a b)))

    ;; --- tests ---

    ;; n - 1 = odd * 2^s: does the base A prove that N is composite?
    (define (witness? n a odd s)
      (let ((x (modular-expt a odd n)))
        (not (or (= x 1)
                 (= x (- n 1))
                 (let loop ((x x) (i 1))
                   (and (< i s)
                        (let ((x (modulo (* x x) n)))
                          (or (= x (- n 1)) (loop x (+ i 1))))))))))

    (define (any-witness? n bases)
      (let* ((s (first-set-bit (- n 1))) (odd (arithmetic-shift (- n 1) (- s))))
        (let loop ((bases bases))
          (and (pair? bases)
               (or (and (< 1 (modulo (car bases) n) (- n 1)) (witness? n (car bases) odd s))
                   (loop (cdr bases)))))))

    ;; With these bases the test errs on no number below 3317044064679887385961981 (Sorenson and
    ;; Webster, 2015).
    (define small-primes '(2 3 5 7 11 13 17 19 23 29 31 37 41))
    (define proven-below 3317044064679887385961981)

    ;; True when N is proved composite; false for every prime. Random bases are tried as well.
    (define (miller-rabin-composite? n . rounds)
      (cond ((< n 2) #t)
            ((< n 4) #f)
            ((even? n) #t)
            (else
             (or (any-witness? n small-primes)
                 (and (>= n proven-below)
                      (let loop ((k (if (pair? rounds) (car rounds) 16)))
                        (and (> k 0)
                             (or (any-witness? n (list (+ 2 (random-integer (- n 3)))))
                                 (loop (- k 1))))))))))

    (define (divisible-by-small? n)
      (let loop ((l small-primes))
        (and (pair? l)
             (or (and (= 0 (remainder n (car l))) (not (= n (car l))))
                 (loop (cdr l))))))

    ;; Wrong about a composite number at most once in 4^rounds, and never below the bound above.
    (define (probable-prime? n . rounds)
      (and (>= n 2)
           (not (divisible-by-small? n))
           (not (apply miller-rabin-composite? n rounds))))

    ;; By trial division: slow, but a proof.
    (define (provable-prime? n)
      (and (>= n 2)
           (= n (least-factor n 2))))

    (define (prime? n)
      (and (exact-integer? n)
           (> n 1)
           (if (< n 10000) (provable-prime? n) (probable-prime? n 32))))

    ;; The least divisor of N that is at least D, where N has none below D.
    (define (least-factor n d)
      (let loop ((d d))
        (cond ((> (* d d) n) n)
              ((= 0 (remainder n d)) d)
              ((= d 2) (loop 3))
              (else (loop (+ d 2))))))

    ;; --- sequences ---

    (define (prime-above n)
      (let loop ((m (cond ((< n 2) 2) ((odd? n) (+ n 2)) (else (+ n 1)))))
        (if (prime? m) m (loop (if (= m 2) 3 (+ m 2))))))

    ;; #f when there is none.
    (define (prime-below n)
      (cond ((<= n 2) #f)
            ((= n 3) 2)
            (else
             (let loop ((m (if (odd? n) (- n 2) (- n 1))))
               (if (prime? m) m (loop (- m 2)))))))

    ;; Counted from 0: (nth-prime 0) is 2.
    (define (nth-prime i)
      (let loop ((i i) (p 2))
        (if (= i 0) p (loop (- i 1) (prime-above p)))))

    ;; --- factors ---

    ;; A divisor of the composite odd N: Pollard's rho with Floyd's cycle.
    (define (rho n)
      (let try ((c 1))
        (let ((step (lambda (x) (modulo (+ (* x x) c) n))))
          (let loop ((slow 2) (fast 2))
            (let* ((slow (step slow)) (fast (step (step fast))) (d (gcd (abs (- slow fast)) n)))
              (cond ((= d 1) (loop slow fast))
                    ((= d n) (try (+ c 1)))
                    (else d)))))))

    (define (insert n ls)
      (if (or (null? ls) (<= n (car ls))) (cons n ls) (cons (car ls) (insert n (cdr ls)))))

    ;; The prime factors in ascending order.
    (define (factor n)
      (check-natural "factor" n)
      (let loop ((n n) (d 2) (out '()))
        (cond ((= n 1) (reverse out))
              ((> (* d d) n) (reverse (cons n out)))
              ((= 0 (remainder n d)) (loop (quotient n d) d (cons d out)))
              ((< d 1000) (loop n (if (= d 2) 3 (+ d 2)) out))
              (else
               (append (reverse out)
                 (let split ((n n) (found '()))
                   (if (prime? n)
                       (insert n found)
                       (let ((p (rho n)))
                         (split p (split (quotient n p) found))))))))))

    ;; ((prime . exponent) ...)
    (define (factor-alist n)
      (let loop ((l (factor n)) (out '()))
        (cond ((null? l) (reverse out))
              ((and (pair? out) (= (car l) (caar out)))
               (loop (cdr l) (cons (cons (car l) (+ 1 (cdar out))) (cdr out))))
              (else (loop (cdr l) (cons (cons (car l) 1) out))))))

    ;; How many of 1 to N are coprime to N.
    (define (totient n)
      (let loop ((l (factor-alist n)) (product 1))
        (if (null? l)
            product
            (loop (cdr l) (* product (- (caar l) 1) (expt (caar l) (- (cdar l) 1)))))))

    ;; The sum of the divisors of N that are less than N.
    (define (aliquot n)
      (let loop ((l (factor-alist n)) (sum 1))
        (if (null? l)
            (- sum n)
            (loop (cdr l)
                  (* sum (quotient (- (expt (caar l) (+ 1 (cdar l))) 1) (- (caar l) 1)))))))

    (define (perfect? n) (and (> n 1) (= n (aliquot n))))

    ;; --- random ---

    ;; A prime from LO to before HI, or from 2 to before LO.
    (define (random-prime lo . hi)
      (let* ((low (if (pair? hi) (max 2 lo) 2))
             (high (if (pair? hi) (car hi) lo))
             (first (prime-above (- low 1))))
        (if (>= first high) (error "random-prime: there is no prime in the range" low high))
        (let loop ()
          (let ((p (prime-above (+ low -1 (random-integer (- high low))))))
            (if (< p high) p (loop))))))

    (define (random-prime-distinct-from lo hi p)
      (if (and (<= lo p) (let ((next (prime-above p)) (first (prime-above (- lo 1))))
                           (and (= first p) (>= next hi))))
          (error "random-prime-distinct-from: there is no other prime in the range" lo hi p))
      (let loop ((q (random-prime lo hi)))
        (if (= p q) (loop (random-prime lo hi)) q)))

    ;; A number of the range that is coprime to N.
    (define (random-coprime n . range)
      (let ((low (if (pair? range) (car range) 2))
            (high (if (and (pair? range) (pair? (cdr range))) (cadr range) n)))
        (if (not (let loop ((m low)) (and (< m high) (or (coprime? n m) (loop (+ m 1))))))
            (error "random-coprime: there is no coprime number in the range" n low high))
        (let loop ()
          (let ((m (+ low (random-integer (- high low)))))
            (if (coprime? n m) m (loop))))))))
