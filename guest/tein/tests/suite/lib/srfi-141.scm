; import (scheme division)
; SRFI 141: integer division. Each family is checked by what defines it: n = d * q + r, and q is
; n / d rounded in the family's way.

(define (euclid n d) (if (> d 0) (floor (/ n d)) (ceiling (/ n d))))
(define (balance n d) (if (> d 0) (floor (+ (/ n d) 1/2)) (ceiling (- (/ n d) 1/2))))
(define families
  (list (list floor/ floor-quotient floor-remainder (lambda (n d) (floor (/ n d))))
        (list ceiling/ ceiling-quotient ceiling-remainder (lambda (n d) (ceiling (/ n d))))
        (list truncate/ truncate-quotient truncate-remainder (lambda (n d) (truncate (/ n d))))
        (list round/ round-quotient round-remainder (lambda (n d) (round (/ n d))))
        (list euclidean/ euclidean-quotient euclidean-remainder euclid)
        (list balanced/ balanced-quotient balanced-remainder balance)))
(define big (expt 10 30))
(define operands (list -20 -13 -8 -7 -6 -5 -3 -2 -1 0 1 2 3 4 5 6 7 8 15 big (- big) (+ big 1) 1152921504606846976 -2305843009213693952))
(define (wrong family)
  (let ((both (car family)) (quo (cadr family)) (rem (list-ref family 2)) (want (list-ref family 3)))
    (let loop ((ns operands) (ds operands) (bad '()))
      (cond ((null? ns) bad)
            ((null? ds) (loop (cdr ns) operands bad))
            ((zero? (car ds)) (loop ns (cdr ds) bad))
            (else
             (let* ((n (car ns)) (d (car ds)) (q (want n d)) (r (- n (* d q))))
               (call-with-values (lambda () (both n d))
                 (lambda (q2 r2)
                   (loop ns (cdr ds)
                         (if (and (eqv? q q2) (eqv? r r2) (eqv? q (quo n d)) (eqv? r (rem n d)))
                             bad
                             (cons (list n d q2 r2 (quo n d) (rem n d)) bad)))))))))))
(map wrong families) => (() () () () () ())

; Inexact integers give inexact ones.
(map (lambda (f) (call-with-values (lambda () ((car f) -7.0 2)) list)) families)
  => ((-4.0 1.0) (-3.0 -1.0) (-3.0 -1.0) (-4.0 1.0) (-4.0 1.0) (-3.0 -1.0))

(map (lambda (f) (guard (e (#t 'refused)) ((car f) 1 0))) families) => (refused refused refused refused refused refused)

(map (lambda (f) (guard (e (#t 'refused)) ((cadr f) 1.5 1))) families) => (refused refused refused refused refused refused)

(map (lambda (f) (guard (e (#t 'refused)) ((list-ref f 2) 'a 1))) families) => (refused refused refused refused refused refused)
