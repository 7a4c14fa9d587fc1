; import (srfi 133)
; SRFI 133: vectors

(vector-unfold (lambda (i) (* i i)) 5) => #(0 1 4 9 16)

(vector-unfold (lambda (i x) (values x (* x 2))) 5 1) => #(1 2 4 8 16)

(vector-unfold (lambda (i a b) (values a b (+ a b))) 8 0 1) => #(0 1 1 2 3 5 8 13)

(vector-unfold (lambda (i) i) 0) => #()

(vector-unfold-right (lambda (i) (* i 10)) 3) => #(0 10 20)

(vector-unfold-right (lambda (i x) (values (cons i x) (+ x 1))) 3 0) => #((0 . 2) (1 . 1) (2 . 0))

(let ((v (vector 1 2 3 4))) (vector-unfold! (lambda (i) (* i 10)) v 1 3) v) => #(1 10 20 4)

(let ((v (vector 1 2 3 4))) (vector-unfold! (lambda (i x) (values x (+ x 1))) v 1 3 7) v) => #(1 7 8 4)

(let ((v (vector 1 2 3 4))) (vector-unfold! (lambda (i x y) (values (list x y) y x)) v 0 2 'a 'b) v) => #((a b) (b a) 3 4)

(let ((v (vector 1 2 3 4))) (vector-unfold-right! (lambda (i x) (values x (+ x 1))) v 1 3 7) v) => #(1 8 7 4)

(vector-unfold! (lambda (i) i) (vector 1 2) 0 3) =>error vector-unfold!: index out of range: (0 3)

(vector-reverse-copy #(1 2 3 4)) => #(4 3 2 1)

(vector-reverse-copy #(1 2 3 4) 1) => #(4 3 2)

(vector-reverse-copy #(1 2 3 4) 1 3) => #(3 2)

(vector-reverse-copy #(1 2) 3) =>error vector-reverse-copy: index out of range

(vector-concatenate '(#(1) #() #(2 3))) => #(1 2 3)

(vector-concatenate '()) => #()

(vector-append-subvectors #(a b c) 0 2 #(d e f) 1 3) => #(a b e f)

(vector-append-subvectors) => #()

(vector-append-subvectors #(a) 0) =>error vector-append-subvectors: a vector without start and end

(list (vector-empty? #()) (vector-empty? #(1))) => (#t #f)

(vector-empty? '()) =>error invalid type, expected Vector

(list (vector= =) (vector= = #(1)) (vector= = #(1 2) #(1 2.0)) (vector= = #(1) #(1 2)) (vector= = #(1 2) #(1 2) #(1 3)) (vector= eq? #(a) #(a) #(a))) => (#t #t #t #f #f #t)

(vector-fold (lambda (acc x) (cons x acc)) '() #(1 2 3)) => (3 2 1)

(vector-fold + 0 #(1 2 3)) => 6

(vector-fold (lambda (acc x y) (cons (+ x y) acc)) '() #(1 2 3) #(10 20)) => (22 11)

(vector-fold-right (lambda (acc x) (cons x acc)) '() #(1 2 3)) => (1 2 3)

(vector-fold-right (lambda (acc x y) (cons (list x y) acc)) '() #(1 2) #(a b)) => ((1 a) (2 b))

(vector-map + #(1 2) #(10 20)) => #(11 22)

(vector-map (lambda (x) (* x x)) #(1 2 3)) => #(1 4 9)

(let ((v (vector 1 2 3))) (vector-map! - v) v) => #(-1 -2 -3)

(let ((v (vector 1 2 3))) (vector-map! + v #(10 20)) v) => #(11 22 3)

(let ((out '())) (vector-for-each (lambda (x y) (set! out (cons (list x y) out))) #(1 2) #(a b)) out) => ((2 b) (1 a))

(vector-count even? #(1 2 4)) => 2

(vector-count < #(1 5 3) #(2 4 4)) => 2

(vector-count even? #()) => 0

(vector-cumulate + 0 #(3 1 4 1 5)) => #(3 4 8 9 14)

(vector-cumulate + 0 #()) => #()

(list (vector-index even? #(1 2 4)) (vector-index even? #(1 3)) (vector-index even? #())) => (1 #f #f)

(vector-index < #(3 1 5) #(2 4 6 8)) => 1

(list (vector-index-right even? #(1 2 4 5)) (vector-index-right even? #(1))) => (2 #f)

(vector-index-right < #(1 1 5) #(2 4 1)) => 1

(list (vector-skip even? #(2 4 5)) (vector-skip even? #(2))) => (2 #f)

(vector-skip < #(1 5) #(2 4)) => 1

(list (vector-skip-right even? #(1 3 4)) (vector-skip-right even? #(2))) => (1 #f)

(define (order a b) (- a b))
(map (lambda (x) (vector-binary-search #(1 3 5 7) x order)) '(1 3 5 7 0 4 9)) => (0 1 2 3 #f #f #f)

(vector-binary-search #() 1 order) => #f

; The item is the first argument.
(vector-binary-search #((1 . a) (2 . b) (3 . c)) 2 (lambda (item key) (- (car item) key))) => 1

(list (vector-any (lambda (x) (and (even? x) (* x 10))) #(1 2 4)) (vector-any even? #(1)) (vector-any even? #())) => (20 #f #f)

(vector-any (lambda (x y) (and (> x y) (list x y))) #(1 5) #(2 4)) => (5 4)

(list (vector-every (lambda (x) (and (even? x) (* x 10))) #(2 4)) (vector-every even? #(2 1)) (vector-every even? #())) => (40 #f #t)

(vector-every < #(1 3) #(2 4 0)) => #t

(call-with-values (lambda () (vector-partition even? #(1 2 3 4 5 6))) list) => (#(2 4 6 1 3 5) 3)

(call-with-values (lambda () (vector-partition even? #())) list) => (#() 0)

(let ((v (vector 1 2 3))) (vector-swap! v 0 2) v) => #(3 2 1)

(vector-swap! (vector 1 2) 0 2) =>error vector-ref: index out of range

(let ((v (vector 1 2 3 4 5))) (vector-reverse! v) v) => #(5 4 3 2 1)

(let ((v (vector 1 2 3 4 5))) (vector-reverse! v 1 4) v) => #(1 4 3 2 5)

(let ((v (vector 1 2 3 4 5))) (vector-reverse! v 3) v) => #(1 2 3 5 4)

(vector-reverse! (vector 1) 0 2) =>error vector-reverse!: index out of range: (0 2)

(let ((v (make-vector 4 'x))) (vector-reverse-copy! v 1 #(1 2 3)) v) => #(x 3 2 1)

(let ((v (make-vector 4 'x))) (vector-reverse-copy! v 0 #(1 2 3 4) 1 3) v) => #(3 2 x x)

; Overlapping is no trouble.
(let ((v (vector 1 2 3 4))) (vector-reverse-copy! v 1 v 0 3) v) => #(1 3 2 1)

(vector-reverse-copy! (vector 1) 0 #(1 2)) =>error index out of range

(reverse-vector->list #(1 2 3)) => (3 2 1)

(reverse-vector->list #(1 2 3) 1) => (3 2)

(reverse-vector->list #(1 2 3) 0 2) => (2 1)

(reverse-list->vector '(1 2 3)) => #(3 2 1)

(let ((v (vector 1 2 3))) (vector-fill! v 'x 1 2) v) => #(1 x 3)

(list (vector->list #(1 2 3) 1) (list->vector '(1 2)) (vector->string #(#\a #\b)) (string->vector "ab")) => ((2 3) #(1 2) "ab" #(#\a #\b))

(let ((v (vector 1 2 3 4 5))) (vector-copy! v 1 v 0 3) v) => #(1 1 2 3 5)

(vector-append #(1) #(2 3)) => #(1 2 3)

(vector-fold + 0 '(1 2)) =>error invalid type, expected Vector
