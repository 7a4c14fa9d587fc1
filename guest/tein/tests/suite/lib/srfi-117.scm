; import (srfi 117)
; SRFI 117: list queues

(define (l q) (list-queue-list q))
(list (l (list-queue 1 2 3)) (l (make-list-queue '(1 2))) (list-queue? (list-queue)) (list-queue? '())) => ((1 2 3) (1 2) #t #f)

(let* ((x (list 1 2)) (q (make-list-queue x (cdr x)))) (list-queue-add-back! q 3) (l q)) => (1 2 3)

(let ((q (list-queue 1 2 3))) (list (list-queue-front q) (list-queue-back q) (list-queue-empty? q) (list-queue-empty? (list-queue)))) => (1 3 #f #t)

(let ((q (list-queue))) (list-queue-add-front! q 2) (list-queue-add-front! q 1) (list-queue-add-back! q 3) (l q)) => (1 2 3)

(let ((q (list-queue))) (list-queue-add-back! q 1) (list-queue-add-back! q 2) (list (list-queue-remove-front! q) (list-queue-remove-back! q) (l q))) => (1 2 ())

(let ((q (list-queue 1 2 3))) (let* ((a (list-queue-remove-back! q)) (b (list-queue-remove-back! q))) (list-queue-add-back! q 9) (list a b (l q)))) => (3 2 (1 9))

(list-queue-remove-front! (list-queue)) =>error list-queue-remove-front!: empty queue

(list-queue-remove-back! (list-queue)) =>error list-queue-remove-back!: empty queue

(list-queue-front (list-queue)) =>error list-queue-front: empty queue

(let ((q (list-queue 1 2))) (list (list-queue-remove-all! q) (l q))) => ((1 2) ())

(let ((q (list-queue 1 2))) (list-queue-set-list! q (list 5 6)) (list-queue-add-back! q 7) (l q)) => (5 6 7)

(let ((q (list-queue 1 2)) (x (list 8 9))) (list-queue-set-list! q x (cdr x)) (list-queue-add-back! q 7) (l q)) => (8 9 7)

(call-with-values (lambda () (list-queue-first-last (list-queue 1 2 3))) list) => ((1 2 3) (3))

(let* ((a (list-queue 1)) (b (list-queue 2 3)) (c (list-queue-append a (list-queue) b))) (list-queue-add-back! c 4) (list (l a) (l b) (l c))) => ((1) (2 3) (1 2 3 4))

(let ((q (list-queue-append! (list-queue) (list-queue 1) (list-queue) (list-queue 2)))) (list-queue-add-back! q 3) (l q)) => (1 2 3)

(l (list-queue-concatenate (list (list-queue 1) (list-queue 2)))) => (1 2)

(let* ((q (list-queue 1 2)) (c (list-queue-copy q))) (list-queue-add-back! c 3) (list (l q) (l c))) => ((1 2) (1 2 3))

(l (list-queue-unfold (lambda (x) (> x 3)) (lambda (x) (* x 2)) (lambda (x) (+ x 1)) 0)) => (0 2 4 6)

(l (list-queue-unfold (lambda (x) (> x 3)) (lambda (x) (* x 2)) (lambda (x) (+ x 1)) 0 (list-queue 8))) => (0 2 4 6 8)

(l (list-queue-unfold-right (lambda (x) (> x 3)) (lambda (x) (* x 2)) (lambda (x) (+ x 1)) 0)) => (6 4 2 0)

(l (list-queue-unfold-right (lambda (x) (> x 3)) (lambda (x) (* x 2)) (lambda (x) (+ x 1)) 0 (list-queue 8))) => (8 6 4 2 0)

(let ((q (list-queue 1 2))) (list-queue-map! - q) (list (l q) (l (list-queue-map - q)))) => ((-1 -2) (1 2))

(let ((n 0)) (list-queue-for-each (lambda (x) (set! n (+ n x))) (list-queue 1 2 3)) n) => 6
