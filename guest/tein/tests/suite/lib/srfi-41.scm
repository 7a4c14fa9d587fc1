; import (srfi 41)
; SRFI 41: streams

(define (l s . n) (if (pair? n) (stream->list (car n) s) (stream->list s)))
(define nat (stream-from 0))
(list (stream? stream-null) (stream-null? stream-null) (stream-pair? stream-null) (stream? nat) (stream-pair? nat) (stream? '()) (stream-null? 5) (stream-pair? "a")) => (#t #t #f #t #t #f #f #f)

(l (stream-cons 1 (stream-cons 2 stream-null))) => (1 2)

; Nothing is evaluated before it is needed, and then once.
(define n 0)
(define lazy (stream-cons (begin (set! n (+ n 1)) n) (begin (set! n (+ n 10)) stream-null)))
(list n (stream-car lazy) (stream-car lazy) n) => (0 1 1 1)

(stream-pair? (stream-cons (error "no") (error "never"))) => #t

(stream-car stream-null) =>error stream-car: null stream

(stream-cdr '(1)) =>error stream-cdr: not a stream

(stream-car (stream-cdr (stream-cons 1 5))) =>error not a stream

(define-stream (evens s) (stream-cons (stream-car s) (evens (stream-cdr (stream-cdr s)))))
(l (evens nat) 4) => (0 2 4 6)

(l ((stream-lambda (a b) (stream a b)) 1 2)) => (1 2)

(l (stream-let loop ((i 0)) (if (= i 3) stream-null (stream-cons i (loop (+ i 1)))))) => (0 1 2)

(list (l (list->stream '(1 2))) (l (stream 1 (+ 1 1))) (l (stream)) (l (port->stream (open-input-string "abc")) 2)) => ((1 2) (1 2) () (#\a #\b))

(list->stream 5) =>error list->stream: not a list

(list (l (stream 1 2 3) 0) (l (stream 1 2) 9) (l nat 3)) => (() (1 2) (0 1 2))

(stream->list -1 nat) =>error stream->list: not a count

(list (l (stream-from 1 3) 3) (l (stream-iterate (lambda (x) (* 2 x)) 1) 4) (l (stream-constant 1 2) 5) (l (stream-range 0 3)) (l (stream-range 3 0)) (l (stream-range 0 10 4)) (l (stream-range 3 3))) => ((1 4 7) (1 2 4 8) (1 2 1 2 1) (0 1 2) (3 2 1) (0 4 8) ())

(list (l (stream-append (stream 1) stream-null (stream 2 3))) (l (stream-append)) (l (stream-append (stream 1) nat) 3) (l (stream-concat (stream (stream 1 2) (stream) (stream 3))))) => ((1 2 3) () (1 0 1) (1 2 3))

(list (l (stream-map + nat (stream 10 20))) (l (stream-zip (stream 1 2) nat)) (l (stream-filter odd? nat) 3) (l (stream-take 2 nat)) (l (stream-drop 2 nat) 2) (l (stream-take 5 (stream 1))) (l (stream-drop 5 (stream 1)))) => ((10 21) ((1 0) (2 1)) (1 3 5) (0 1) (2 3) (1) ())

(stream-map +) =>error stream-map: no stream

(stream-take 'a nat) =>error stream-take: not a count

(list (stream-fold + 0 (stream 1 2 3)) (l (stream-scan + 0 (stream 1 2 3))) (stream-length (stream 1 2 3)) (l (stream-reverse (stream 1 2 3))) (stream-ref nat 50)) => (6 (0 1 3 6) 3 (3 2 1) 50)

(stream-ref (stream 1) 1) =>error stream-ref: beyond the end of the stream

(let ((x '())) (stream-for-each (lambda (a b) (set! x (cons (+ a b) x))) (stream 1 2) nat) x) => (3 1)

(list (l (stream-take-while (lambda (x) (< x 3)) nat)) (l (stream-drop-while (lambda (x) (< x 3)) nat) 2)) => ((0 1 2) (3 4))

(l (stream-unfold (lambda (x) (* x x)) (lambda (x) (< x 4)) (lambda (x) (+ x 1)) 0)) => (0 1 4 9)

(call-with-values (lambda () (stream-unfolds (lambda (s) (if (= s 4) (values s '() '()) (values (+ s 1) (if (even? s) (list s) #f) (if (odd? s) (list s) #f)))) 0)) (lambda (a b) (list (l a) (l b)))) => ((0 2) (1 3))

(define (len s) (stream-match s (() 0) ((_ . t) (+ 1 (len t)))))
(list (len (stream 1 2 3)) (stream-match nat ((a b . _) (list a b))) (stream-match (stream 1 2) ((a) 'one) ((a b) (= a b) 'same) ((a b) 'two))) => (3 (0 1) two)

(list (stream-match (stream 1) (s (stream-pair? s) 'pair) (_ 'other)) (stream-match stream-null ((x . y) 1) (_ 'other))) => (pair other)

(stream-match (stream 1) (() 0)) =>error stream-match: no pattern matches

(l (stream-of (* x x) (x in (stream-range 0 6)) (even? x))) => (0 4 16)

(l (stream-of (list a b) (a in (stream-range 1 4)) (b in (stream-range 1 3)))) => ((1 1) (1 2) (2 1) (2 2) (3 1) (3 2))

(l (stream-of (+ x y) (x in (stream-range 1 4)) (y is (* x 10)))) => (11 22 33)

(define-stream (sieve s) (stream-cons (stream-car s) (sieve (stream-filter (lambda (x) (not (zero? (modulo x (stream-car s))))) (stream-cdr s)))))
(l (sieve (stream-from 2)) 8) => (2 3 5 7 11 13 17 19)

; A long search holds nothing and does not recurse.
(stream-car (stream-drop-while (lambda (x) (< x 2000)) nat)) => 2000
