; import (srfi 127)
; import (only (srfi 158) make-range-generator make-iota-generator generator generator->list)
; SRFI 127: lazy sequences

(define (ones) (generator->lseq (make-range-generator 1)))
(define (upto n) (generator->lseq (make-iota-generator n 1)))
(lseq-realize (upto 3)) => (1 2 3)

(let ((s (ones))) (list (lseq-car s) (lseq-first s) (lseq-car (lseq-cdr s)) (lseq-ref s 5) (lseq-car (lseq-rest s)))) => (1 1 2 6 2)

(list (lseq? '()) (lseq? '(1)) (lseq? (ones)) (lseq? 5) (lseq? '(1 . 2))) => (#t #t #t #f #f)

(lseq-car '()) =>error lseq-car: not a pair

(lseq-cdr '()) =>error lseq-cdr: not a pair

(list (lseq=? = (upto 3) '(1 2 3)) (lseq=? = (upto 3) (upto 2)) (lseq=? = '() '())) => (#t #f #t)

(list (lseq-realize (lseq-take (ones) 3)) (lseq-take '(1) 0) (lseq-realize (lseq-drop (upto 4) 2))) => ((1 2 3) () (3 4))

(lseq-realize (lseq-take '(1 2) 3)) =>error lseq-car

; Only what is asked for is generated.
(let* ((n 0) (s (generator->lseq (lambda () (set! n (+ n 1)) n)))) (lseq-realize (lseq-take s 3)) n) => 3

(list (generator->list (lseq->generator (upto 3))) (lseq-length (upto 4)) (lseq-realize (lseq-append (upto 2) '() '(a) (upto 1)))) => ((1 2 3) 4 (1 2 a 1))

(list (lseq-realize (lseq-zip (ones) '(a b))) (lseq-realize (lseq-map + (upto 3) (ones)))) => (((1 a) (2 b)) (2 4 6))

(let ((n 0)) (lseq-for-each (lambda (x) (set! n (+ n x))) (upto 4)) n) => 10

(list (lseq-realize (lseq-filter odd? (upto 5))) (lseq-realize (lseq-remove odd? (upto 5))) (lseq-find even? (ones)) (lseq-find zero? (upto 3)) (lseq-car (lseq-find-tail even? (ones)))) => ((1 3 5) (2 4) 2 #f 2)

(list (lseq-any (lambda (x) (and (> x 3) x)) (ones)) (lseq-any zero? (upto 3)) (lseq-every (lambda (x) x) (upto 3)) (lseq-every even? (ones)) (lseq-every even? '()) (lseq-index even? (ones)) (lseq-index = '(1 2 3) '(4 2 3))) => (4 #f 3 #f #t 1 1)

(list (lseq-realize (lseq-take-while (lambda (x) (< x 4)) (ones))) (lseq-car (lseq-drop-while (lambda (x) (< x 4)) (ones)))) => ((1 2 3) 4)

(list (lseq-realize (lseq-member 2 (upto 3))) (lseq-member 9 (upto 3)) (lseq-memq 'b '(a b c)) (lseq-realize (lseq-memv 3 (upto 3))) (lseq-car (lseq-member 2.0 (ones) =))) => ((2 3) #f (b c) (3) 2)
