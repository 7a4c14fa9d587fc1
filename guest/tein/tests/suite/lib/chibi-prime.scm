; import (chibi math prime)

(map prime? '(1 2 3 4 5 6 7 8 9 10 11 0 -7 7919 7921)) => (#f #t #t #f #t #f #t #f #f #f #t #f #f #t #f)

(map nth-prime '(0 1 2 3 4 167 168 169)) => (2 3 5 7 11 997 1009 1013)

(map prime-above '(1 2 3 4 5 888 907)) => (2 3 5 5 7 907 911)

(map prime-below '(2 3 4 5 6 7 808)) => (#f 2 3 3 5 5 797)

(map totient '(1 2 3 4 5 6 7 8 9 10 36)) => (1 1 2 2 4 2 6 4 6 4 12)

(totient 0) =>error not a positive integer: (0)

(map perfect? '(1 2 6 7 28 496 8128 8129)) => (#f #f #t #f #t #t #t #f)

(map factor '(1 2 4 6 12 72 945 1001 9973)) => (() (2) (2 2) (2 3) (2 2 3) (2 2 2 3 3) (3 3 3 5 7) (7 11 13) (9973))

(factor 0) =>error factor: not a positive integer: (0)

(map factor-alist '(1 72 945)) => (() ((2 . 3) (3 . 2)) ((3 . 3) (5 . 1) (7 . 1)))

(list (factor (* 1000003 1000033)) (factor (* 1009 1009 1013)) (factor (* 4 1000003))) => ((1000003 1000033) (1009 1009 1013) (2 2 1000003))

(map aliquot '(1 6 12 945)) => (0 6 16 975)

; --- large numbers ---

(map probable-prime? '(4611686020149081683 4611686020243253179 4611686020243253219 4611686020243253257)) => (#t #t #t #t)

(map probable-prime? '(4611686020243253181 4611686020243253183 4611686020243253247 118901521 3215031751 341 561)) => (#f #f #f #f #f #f #f)

(list (prime? (- (expt 2 89) 1)) (prime? (- (expt 2 83) 1)) (provable-prime? 104729) (provable-prime? 104730) (miller-rabin-composite? 118901521)) => (#t #f #t #f #t)

(let loop ((i 2)) (cond ((= i 500) 'same) ((eq? (provable-prime? i) (probable-prime? i)) (loop (+ i 1))) (else i))) => same

; --- modular arithmetic ---

(list (modular-inverse 3 10) (modular-inverse 3 11) (modular-inverse 3 40) (modular-inverse 3 64)) => (7 4 27 43)

(modular-inverse 2 4) =>error modular-inverse: the numbers are not coprime: (2 4)

(list (modular-expt 3 200 13) (modular-expt 2 0 7) (modular-expt 3 -1 11) (modular-expt 7670626353261554806 5772301760555853353 (* 2936546443 3213384203))) => (9 1 4 5)

(list (coprime? 8 9) (coprime? 8 10)) => (#t #f)

; --- random numbers ---

(let ((p (random-prime 100 200))) (and (prime? p) (<= 100 p 199))) => #t

(list (random-prime 2 3) (random-prime-distinct-from 2 4 3)) => (2 2)

(random-prime 24 29) =>error random-prime: there is no prime in the range: (24 29)

(random-prime-distinct-from 2 3 2) =>error there is no other prime in the range

(let ((n (random-coprime 30 7 20))) (and (coprime? n 30) (<= 7 n 19))) => #t
