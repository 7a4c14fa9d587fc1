; import (chibi memoize)
; import (srfi 69)

(define-memoized (fib n) (if (<= n 1) 1 (+ (fib (- n 1)) (fib (- n 2)))))
(list (fib 1) (fib 100))
=> (1 573147844013817084101)

(define-memoized (ack m n) (cond ((= m 0) (+ n 1)) ((= n 0) (ack (- m 1) 1)) (else (ack (- m 1) (ack m (- n 1))))))
(ack 2 3)
=> 9

(define calls 0)
(define f (memoize (lambda (x) (set! calls (+ calls 1)) (* x x))))
(list (f 3) (f 3) (f 4) calls)
=> (9 9 16 2)

(let* ((n 0) (f (memoize (lambda (x) (set! n (+ n 1)) x) 'size-limit: 2))) (f 1) (f 2) (f 1) (f 3) (f 1) (f 2) n) => 4

; --- caches ---

(define c (make-lru-cache 'size-limit: 2))
(lru-set! c 'a 1)
(lru-set! c 'b 2)
(list (lru-ref c 'a) (begin (lru-set! c 'x 3) (lru-ref c 'b)) (lru-ref c 'a) (lru-ref c 'x) (lru-cache? c) (lru-cache? '()))
=> (1 #f 1 3 #t #f)

(list (lru-ref c 'q (lambda (key) (list key 'computed))) (lru-ref c 'q)) => ((q computed) #f)

(list (lru-ref! c 'q (lambda (key) 5)) (lru-ref c 'q)) => (5 5)

(let ((c (make-lru-cache 'size-limit: 10 'compute-size: (lambda (k v) (string-length v)))))
  (lru-set! c 1 "12345") (lru-set! c 2 "12345") (lru-set! c 3 "1") (list (lru-ref c 1) (lru-ref c 2) (lru-ref c 3) (begin (lru-set! c 3 "12345678") (lru-ref c 2))))
=> (#f "12345" "1" #f)

(let ((c (make-lru-cache 'equal: eq?))) (lru-set! c 'k 1) (lru-ref c 'k)) => 1

(let ((t (make-hash-table))) (list (hash-table-ref! t 'a (lambda () 1)) (hash-table-ref! t 'a (lambda () 2)))) => (1 1)

; --- files are not granted ---

((memoize-to-file (lambda (x) x) 'memo-dir: "/tmp/memo") 1) =>error sandbox

((memoize-file-loader (lambda (path) path)) "x") =>error not implemented: (file-modification-time)
