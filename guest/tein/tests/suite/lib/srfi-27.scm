; import (srfi 27)
; SRFI 27: sources of random bits

(random-integer 1) => 0

(let loop ((i 0)) (or (= i 500) (let ((x (random-integer 10))) (and (exact-integer? x) (<= 0 x 9) (loop (+ i 1)))))) => #t

(let loop ((i 0)) (or (= i 200) (let ((x (random-integer 1000000000000))) (and (exact-integer? x) (<= 0 x 999999999999) (loop (+ i 1)))))) => #t

(define big (expt 10 60))
(let loop ((i 0)) (or (= i 50) (let ((x (random-integer big))) (and (exact-integer? x) (<= 0 x) (< x big) (loop (+ i 1)))))) => #t

; A large range is used as a whole.
(let loop ((i 0) (seen #f)) (if (= i 50) seen (loop (+ i 1) (or seen (> (random-integer big) (expt 10 59)))))) => #t

; Every number of a small range comes.
(let ((seen (make-vector 6 #f)))
  (let loop ((i 0)) (if (< i 1000) (begin (vector-set! seen (random-integer 6) #t) (loop (+ i 1)))))
  seen) => #(#t #t #t #t #t #t)

; The ends of the range of one step.
(< -1 (random-integer 4294967087) 4294967087) => #t

(< -1 (random-integer 4294967088) 4294967088) => #t

(< -1 (random-integer 4294967086) 4294967086) => #t

(random-integer 0) =>error random-integer: not a positive exact integer: (0)

(random-integer -3) =>error random-integer: not a positive exact integer

(random-integer 2.0) =>error random-integer: not a positive exact integer

(random-integer "6") =>error random-integer: not a positive exact integer

(random-integer) =>error not enough args

(let loop ((i 0)) (or (= i 200) (let ((x (random-real))) (and (inexact? x) (< 0 x 1) (loop (+ i 1)))))) => #t

(let loop ((i 0) (sum 0)) (if (= i 2000) (< 0.4 (/ sum 2000) 0.6) (loop (+ i 1) (+ sum (random-real))))) => #t

(= (random-real) (random-real)) => #f

(random-source? default-random-source) => #t

(random-source? (make-random-source)) => #t

(random-source? 5) => #f

(random-source? (vector 1 2 3 4 5 6)) => #f

; New sources begin alike.
(equal? (random-source-state-ref (make-random-source)) (random-source-state-ref (make-random-source))) => #t

(define (take rand n) (let loop ((i 0) (out '())) (if (= i n) (reverse out) (loop (+ i 1) (cons (rand 1000) out)))))
(let ((a (make-random-source)) (b (make-random-source)))
  (equal? (take (random-source-make-integers a) 20) (take (random-source-make-integers b) 20))) => #t

; Known numbers of the generator from its usual first state.
(let ((rand (random-source-make-integers (make-random-source)))) (rand 4294967087)) => 545508589

; Two procedures of one source share its state.
(let* ((s (make-random-source)) (a (random-source-make-integers s)) (b (random-source-make-integers s))
       (x (list (a 1000) (b 1000))) (all (take (random-source-make-integers (make-random-source)) 2)))
  (equal? x all)) => #t

(define s (make-random-source))
(define state (random-source-state-ref s))
(define first (take (random-source-make-integers s) 10))
(random-source-state-set! s state)
(equal? first (take (random-source-make-integers s) 10)) => #t

; A state can be written and read.
(let ((copy (read (open-input-string (let ((p (open-output-string))) (write state p) (get-output-string p))))))
  (random-source-state-set! s copy)
  (equal? first (take (random-source-make-integers s) 10))) => #t

; The state that was got does not change afterwards.
(equal? state (random-source-state-ref (make-random-source))) => #t

(random-source-state-set! s '(1 2 3)) =>error random-source-state-set!: not a state of a random source

(random-source-state-set! s '(mrg32k3a 0 0 0 1 2 3)) =>error not a state of a random source

(random-source-state-set! s '(mrg32k3a 1 2 3 1 2 4294944443)) =>error not a state of a random source

(random-source-state-set! s '(mrg32k3a 1 2 3 1 2 x)) =>error not a state of a random source

(random-source-state-ref 'x) =>error invalid type, expected Random-Source: (x)

; Pseudo-random states depend on both numbers and on nothing else.
(define (from i j) (let ((s (make-random-source))) (random-source-pseudo-randomize! s i j) (take (random-source-make-integers s) 8)))
(equal? (from 3 4) (from 3 4)) => #t

(equal? (from 3 4) (from 4 3)) => #f

(equal? (from 0 0) (from 0 1)) => #f

(equal? (from 0 0) (from 1 0)) => #f

(equal? (from (expt 10 30) 7) (from (+ (expt 10 30) 1) 7)) => #f

(equal? (from 16777216 0) (from 0 0)) => #f

(let ((s (make-random-source)))
  (take (random-source-make-integers s) 5)
  (random-source-pseudo-randomize! s 3 4)
  (equal? (from 3 4) (take (random-source-make-integers s) 8))) => #t

(random-source-pseudo-randomize! s -1 0) =>error random-source-pseudo-randomize!: not natural numbers: (-1 0)

(random-source-pseudo-randomize! s 1.5 0) =>error not natural numbers

(let ((s (make-random-source)))
  (random-source-randomize! s)
  (equal? (random-source-state-ref s) state)) => #f

(random-source-randomize! 1) =>error invalid type, expected Random-Source

(let ((real (random-source-make-reals (make-random-source))))
  (let loop ((i 0)) (or (= i 100) (let ((x (real))) (and (inexact? x) (< 0 x 1) (loop (+ i 1))))))) => #t

(let ((real (random-source-make-reals (make-random-source) 1/4)))
  (let loop ((i 0)) (or (= i 100) (and (memv (real) '(1/4 1/2 3/4)) (loop (+ i 1)))))) => #t

(let ((real (random-source-make-reals (make-random-source) 0.25)))
  (let loop ((i 0)) (or (= i 100) (and (memv (real) '(0.25 0.5 0.75)) (loop (+ i 1)))))) => #t

((random-source-make-reals (make-random-source) 0.9)) => 0.5

(random-source-make-reals s 0) =>error the unit is not between 0 and 1: (0)

(random-source-make-reals s 1) =>error the unit is not between 0 and 1

((random-source-make-integers s) 0) =>error random-integer: not a positive exact integer

(random-source-make-integers 0) =>error invalid type, expected Random-Source
