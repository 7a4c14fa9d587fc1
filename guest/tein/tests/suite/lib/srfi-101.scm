; import (scheme rlist)
; import (prefix (only (srfi 101) quote cons list map length<=? list-ref/update) s:)
; SRFI 101: random-access lists

(define (l r) (rlist->list r))
(list (l (rlist 1 2 3)) (rpair? (rlist 1)) (rpair? '(1)) (rnull? '()) (rlist? (rlist 1 2)) (rlist? (rcons 1 2)) (rlist? '())) => ((1 2 3) #t #f #t #t #f #t)

(list (rcar (rcons 1 2)) (rcdr (rcons 1 2)) (l (rcdr (rlist 1 2 3))) (rcadr (rlist 1 2 3)) (l (rcddr (rlist 1 2 3 4))) (rcaar (rlist (rlist 1))) (rcadddr (rlist 1 2 3 4))) => (1 2 (2 3) 2 (3 4) 1 4)

(rcar '()) =>error slot-ref: bad type

(define (count n) (let loop ((i n) (r '())) (if (= i 0) r (loop (- i 1) (rcons i r)))))
(define big (count 100))
(list (rlength big) (map (lambda (i) (rlist-ref big i)) '(0 1 2 3 50 98 99)) (let loop ((r big) (sum 0)) (if (rnull? r) sum (loop (rcdr r) (+ sum (rcar r)))))) => (100 (1 2 3 4 51 99 100) 5050)

; Every position of lists of every small length.
(let loop ((n 1)) (or (= n 40) (and (let ((r (count n))) (let each ((i 0)) (or (= i n) (and (= (rlist-ref r i) (+ i 1)) (equal? (l (rlist-set r i 'x)) (let ((v (list->vector (l r)))) (vector-set! v i 'x) (vector->list v))) (equal? (l (rlist-tail r i)) (list-tail (l r) i)) (each (+ i 1)))))) (loop (+ n 1))))) => #t

(rlist-ref big 100) =>error list-ref: index out of range

(rlist-tail (rlist 1) 2) =>error list-tail: index out of range

(call-with-values (lambda () (rlist-ref/update (rlist 7 8 9 10) 2 -)) (lambda (x r) (list x (l r)))) => (9 (7 8 -9 10))

(let ((r (rlist 1 2 3))) (rlist-set r 0 'x) (l r)) => (1 2 3)

(list (l (rappend (rlist 1) '() (rlist 2 3))) (l (rappend)) (rcdr (rappend (rlist 1) 5)) (l (rreverse (rlist 1 2 3))) (l (make-rlist 2 'x)) (l (list->rlist '(1 2)))) => ((1 2 3) () 5 (3 2 1) (x x) (1 2))

(rlength (rcons 1 2)) =>error length: not a list

(list (rlength<=? 'a 0) (rlength<=? (rcons 1 2) 1) (rlength<=? (rcons 1 2) 2) (s:length<=? (rlist 1 2) 2)) => (#t #t #f #t)

(list (l (rmap + (rlist 1 2) (rlist 10 20))) (let ((n 0)) (rfor-each (lambda (x) (set! n (+ n x))) (rlist 1 2 3)) n)) => ((11 22) 6)

(rmap + (rlist 1 2) (rlist 1)) =>error map: lists of different length

(let ((q (rquote (1 (2 . 3) #(4))))) (list (rcar q) (rcar (rcadr q)) (rcdr (rcadr q)) (rcar (rcddr q)))) => (1 2 3 #(4))

(list (rquote a) (rquote ()) (l (s:cons 1 (s:list 2))) (l (s:map - (s:quote (1 2))))) => (a () (1 2) (-1 -2))

; Every composition of rcar and rcdr up to four deep that a list has a place for.
(define (deep x) (if (rpair? x) (cons (deep (rcar x)) (deep (rcdr x))) x))
(define rtree (rcons (rlist (rlist (rlist 1 2) 3) 4 (rlist 5)) (rlist (rlist 6 (rlist 7)) (rlist 8) 9 10 11)))
(define (walk . path) (let loop ((ops (reverse path)) (t rtree)) (if (null? ops) t (loop (cdr ops) (if (eq? (car ops) 'a) (rcar t) (rcdr t))))))
(define (same f . path) (let ((want (guard (e (#t 'none)) (apply walk path))) (got (guard (e (#t 'none)) (f rtree)))) (or (equal? (deep want) (deep got)) path)))
(list (same rcdar 'd 'a) (same rcaaar 'a 'a 'a) (same rcaadr 'a 'a 'd) (same rcaddr 'a 'd 'd) (same rcadar 'a 'd 'a) (same rcdaar 'd 'a 'a) (same rcdadr 'd 'a 'd) (same rcdddr 'd 'd 'd) (same rcddar 'd 'd 'a)
      (same rcaaaar 'a 'a 'a 'a) (same rcaaadr 'a 'a 'a 'd) (same rcaaddr 'a 'a 'd 'd) (same rcaadar 'a 'a 'd 'a) (same rcadaar 'a 'd 'a 'a) (same rcadadr 'a 'd 'a 'd) (same rcaddar 'a 'd 'd 'a)
      (same rcdaaar 'd 'a 'a 'a) (same rcdaadr 'd 'a 'a 'd) (same rcdaddr 'd 'a 'd 'd) (same rcdadar 'd 'a 'd 'a) (same rcddaar 'd 'd 'a 'a) (same rcddadr 'd 'd 'a 'd) (same rcddddr 'd 'd 'd 'd) (same rcdddar 'd 'd 'd 'a))
  => (#t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t)

(list (rcaaaar rtree) (deep (rcdddar (rcons (rlist 1 2 3 4) 5))) (deep (rcaddar rtree))) => (1 (4) (5))
