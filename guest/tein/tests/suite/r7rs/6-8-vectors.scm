; R7RS 6.8 Vectors

(map vector? (list #(1) #() '(1) "a" #u8(1))) => (#t #t #f #f #f)

#(0 (2 2 2 2) "Anna") => #(0 (2 2 2 2) "Anna")

(make-vector 3 'x) => #(x x x)

(vector-length (make-vector 5)) => 5

(make-vector 0) => #()

(make-vector -1) =>error 

(make-vector 'a) =>error invalid type, expected Integer: (a)

(vector 'a 'b 'c) => #(a b c)

(vector) => #()

(vector-length #(1 2 3)) => 3

(vector-length '(1)) =>error invalid type, expected Vector: ((1))

(vector-ref #(1 1 2 3 5 8 13 21) 5) => 8

(vector-ref #(1 1 2 3 5 8 13 21) (exact (round (* 2 (acos -1))))) => 13

(vector-ref #(1 2) 2) =>error vector-ref: index out of range: (#(1 2) 2)

(vector-ref #(1 2) -1) =>error vector-ref: index out of range: (#(1 2) -1)

(vector-ref #(1 2) 1.0) =>error invalid type, expected Integer: (1.0)

(vector-ref #(1 2) 100000000000000000000) =>error 

(vector-ref '(1 2) 0) =>error invalid type, expected Vector: ((1 2))

(let ((vec (vector 0 '(2 2 2 2) "Anna"))) (vector-set! vec 1 '("Sue" "Sue")) vec) => #(0 ("Sue" "Sue") "Anna")

(vector-set! (vector 1 2) 2 'x) =>error vector-set!: index out of range: (#(1 2) 2)

(vector-set! "ab" 0 1) =>error invalid type, expected Vector: ("ab")

(vector->list #(dah dah didah)) => (dah dah didah)

(vector->list #(dah dah didah) 1) => (dah didah)

(vector->list #(dah dah didah) 1 2) => (dah)

(vector->list #()) => ()

(vector->list #(1 2) 3) =>error index out of range

(list->vector '(dididit dah)) => #(dididit dah)

(list->vector '()) => #()

(list->vector '(1 . 2)) =>error invalid type, expected List: ((1 . 2))

(vector-copy #(1 2 3)) => #(1 2 3)

(vector-copy #(1 8 2 8) 2 4) => #(2 8)

(vector-copy #(1 2 3) 1) => #(2 3)

(vector-copy #(1 2 3) 3) => #()

(vector-copy #(1 2 3) 2 1) =>error index out of range

(let* ((a (vector 1 8 2 8)) (b (vector-copy a))) (vector-set! b 0 3) (list a b)) => (#(1 8 2 8) #(3 8 2 8))

(let ((a #(1 2 3 4 5)) (b (vector 10 20 30 40 50))) (vector-copy! b 1 a 0 2) b) => #(10 1 2 40 50)

(let ((b (vector 1 2 3 4 5))) (vector-copy! b 1 b 0 4) b) => #(1 1 2 3 4)

(let ((b (vector 1 2 3 4 5))) (vector-copy! b 0 b 1) b) => #(2 3 4 5 5)

(vector-copy! (vector 1 2) 1 #(1 2)) =>error vector-copy!: index out of range

(vector-copy! (vector 1 2) 3 #()) =>error vector-copy!: index out of range

(vector-append #(a b c) #(d e f)) => #(a b c d e f)

(vector-append) => #()

(vector-append #(1) #() #(2 3)) => #(1 2 3)

(vector-append #(1) '(2)) =>error invalid type, expected Vector: ((2))

(let ((a (vector 1 2 3 4 5))) (vector-fill! a 'smash 2 4) a) => #(1 2 smash smash 5)

(let ((a (vector 1 2))) (vector-fill! a 0) a) => #(0 0)

(let ((a (vector 1 2 3))) (vector-fill! a 0 1) a) => #(1 0 0)

(vector-fill! (vector 1) 0 2) =>error index out of range

(vector-map cadr #((a b) (d e) (g h))) => #(b e h)

(vector-map (lambda (n) (expt n n)) #(1 2 3 4 5)) => #(1 4 27 256 3125)

(vector-map * #(1 2) #(10 20 30)) => #(10 40)

(vector-map + #()) => #()

(let ((v (make-vector 5))) (vector-for-each (lambda (i) (vector-set! v i (* i i))) #(0 1 2 3 4)) v) => #(0 1 4 9 16)

(let ((sum 0)) (vector-for-each (lambda (a b) (set! sum (+ sum (* a b)))) #(1 2 3) #(10 20)) sum) => 50

(vector-map car '(1)) =>error invalid type, expected Vector: ((1))

; A vector literal needs no quote.
(vector-ref #(a b) 0) => a

(vector->string #(#\a)) => "a"

(vector-length (vector-append (make-vector 50000 1) (make-vector 50000 2))) => 100000

; Re-entering vector-map does not change what it gave before.
(let ((k* #f) (y* 1))
  (set! y* (* 2 y*))
  (let ((v (vector-map (lambda (x) (call/cc (lambda (k) (if (= x 2) (if (not k*) (set! k* k))) x))) #(1 2 3))))
    (if (= y* 2)
        (begin (set! y* 3) (let ((first v)) (k* 20)))
        v))) => #(1 20 3)
