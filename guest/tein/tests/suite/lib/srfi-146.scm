; import (srfi 128)
; import (srfi 146)
; import (only (srfi 1) iota fold every)
; SRFI 146: mappings

(define c (make-default-comparator))
(define (l m) (mapping->alist m))
(define m (mapping c 'b 2 'a 1 'c 3 'a 9))
(list (l m) (mapping? m) (mapping? '()) (mapping-empty? m) (mapping-empty? (mapping c)) (mapping-size m)) => (((a . 1) (b . 2) (c . 3)) #t #f #f #t 3)

(mapping c 'a) =>error mapping: a key without a value

(mapping (make-comparator #t eq? #f #f)) =>error mapping: not an ordered comparator

(list (mapping-contains? m 'a) (mapping-contains? m 'z) (mapping-ref m 'a) (mapping-ref m 'z (lambda () 'none)) (mapping-ref m 'a (lambda () 'none) list) (mapping-ref/default m 'z 5) (eq? (mapping-key-comparator m) c)) => (#t #f 1 none (1) 5 #t)

(mapping-ref m 'z) =>error mapping-ref: key not found: (z)

(list (l (mapping-unfold (lambda (i) (= i 3)) (lambda (i) (values i (* i i))) (lambda (i) (+ i 1)) 0 c)) (l (alist->mapping c '((2 . b) (1 . a) (2 . z)))) (l (mapping/ordered c 1 2)) (l (alist->mapping! m '((a . 7) (d . 4))))) => (((0 . 0) (1 . 1) (2 . 4)) ((1 . a) (2 . b)) ((1 . 2)) ((a . 1) (b . 2) (c . 3) (d . 4)))

(list (l (mapping-adjoin m 'a 9 'd 4)) (l (mapping-set m 'a 9 'd 4)) (l (mapping-replace m 'a 9)) (l (mapping-replace m 'z 9)) (l (mapping-delete m 'a 'z)) (l (mapping-delete-all m '(a b))) (l m)) => (((a . 1) (b . 2) (c . 3) (d . 4)) ((a . 9) (b . 2) (c . 3) (d . 4)) ((a . 9) (b . 2) (c . 3)) ((a . 1) (b . 2) (c . 3)) ((b . 2) (c . 3)) ((c . 3)) ((a . 1) (b . 2) (c . 3)))

(call-with-values (lambda () (mapping-intern m 'z (lambda () 26))) (lambda (m v) (list (l m) v))) => (((a . 1) (b . 2) (c . 3) (z . 26)) 26)

(call-with-values (lambda () (mapping-intern m 'a (lambda () 26))) (lambda (m v) v)) => 1

(list (l (mapping-update m 'a (lambda (x) (* 10 x)))) (l (mapping-update m 'z list (lambda () 0))) (l (mapping-update/default m 'z - 5)) (l (mapping-update!/default m 'a - 5))) => (((a . 10) (b . 2) (c . 3)) ((a . 1) (b . 2) (c . 3) (z 0)) ((a . 1) (b . 2) (c . 3) (z . -5)) ((a . -1) (b . 2) (c . 3)))

(mapping-update m 'z list) =>error mapping-ref: key not found

(call-with-values (lambda () (mapping-pop m)) (lambda (m k v) (list (l m) k v))) => (((b . 2) (c . 3)) a 1)

(list (mapping-pop (mapping c) (lambda () 'empty))) => (empty)

(mapping-pop (mapping c)) =>error mapping-pop: empty mapping

(define (look k f) (call-with-values (lambda () (mapping-search m k (lambda (insert ignore) (f insert ignore)) (lambda (k v update remove) (f update remove)))) (lambda (m x) (list (l m) x))))
(list (look 'z (lambda (insert ignore) (insert 26 'new))) (look 'z (lambda (insert ignore) (ignore 'no))) (look 'a (lambda (update remove) (update 'x 5 'up))) (look 'a (lambda (update remove) (remove 'gone)))) => ((((a . 1) (b . 2) (c . 3) (z . 26)) new) (((a . 1) (b . 2) (c . 3)) no) (((b . 2) (c . 3) (x . 5)) up) (((b . 2) (c . 3)) gone))

(call-with-values (lambda () (mapping-find (lambda (k v) (> v 1)) m (lambda () 'none))) list) => (b 2)

(list (mapping-find (lambda (k v) (> v 9)) m (lambda () 'none)) (mapping-count (lambda (k v) (odd? v)) m) (mapping-any? (lambda (k v) (= v 2)) m) (mapping-every? (lambda (k v) (= v 2)) m)) => (none 2 #t #f)

(list (mapping-keys m) (mapping-values m) (mapping-map->list list m) (mapping-fold (lambda (k v acc) (cons k acc)) '() m) (mapping-fold/reverse (lambda (k v acc) (cons k acc)) '() m)) => ((a b c) (1 2 3) ((a 1) (b 2) (c 3)) (c b a) (a b c))

(call-with-values (lambda () (mapping-entries m)) list) => ((a b c) (1 2 3))

(let ((n 0)) (mapping-for-each (lambda (k v) (set! n (+ n v))) m) n) => 6

(list (l (mapping-map (lambda (k v) (values v k)) c m)) (l (mapping-map/monotone (lambda (k v) (values (symbol->string k) v)) c m)) (l (mapping-filter (lambda (k v) (odd? v)) m)) (l (mapping-remove (lambda (k v) (odd? v)) m)) (l (mapping-copy m))) => (((1 . a) (2 . b) (3 . c)) (("a" . 1) ("b" . 2) ("c" . 3)) ((a . 1) (c . 3)) ((b . 2)) ((a . 1) (b . 2) (c . 3)))

(call-with-values (lambda () (mapping-partition (lambda (k v) (odd? v)) m)) (lambda (a b) (list (l a) (l b)))) => (((a . 1) (c . 3)) ((b . 2)))

(define n (mapping c 'b 20 'd 40))
(list (l (mapping-union m n)) (l (mapping-intersection m n)) (l (mapping-difference m n)) (l (mapping-xor m n)) (l (mapping-union m n (mapping c 'e 5)))) => (((a . 1) (b . 2) (c . 3) (d . 40)) ((b . 2)) ((a . 1) (c . 3)) ((a . 1) (c . 3) (d . 40)) ((a . 1) (b . 2) (c . 3) (d . 40) (e . 5)))

(list (mapping-disjoint? m n) (mapping-disjoint? m (mapping c 'z 1)) (mapping=? c m (mapping-copy m)) (mapping=? c m n) (mapping<=? c (mapping c 'a 1) m) (mapping<? c m m) (mapping<? c (mapping c 'a 1) m) (mapping>? c m (mapping c 'a 1)) (mapping>=? c m m) (mapping<=? c (mapping c 'a 2) m)) => (#f #t #t #f #t #f #t #t #t #f)

(list (mapping-min-key m) (mapping-max-key m) (mapping-min-value m) (mapping-max-value m) (mapping-key-predecessor m 'b (lambda () 'none)) (mapping-key-successor m 'b (lambda () 'none)) (mapping-key-predecessor m 'a (lambda () 'none))) => (a c 1 3 a c none)

(mapping-min-key (mapping c)) =>error mapping-min-key: empty mapping

(map l (list (mapping-range= m 'b) (mapping-range< m 'b) (mapping-range> m 'b) (mapping-range<= m 'b) (mapping-range>= m 'b) (mapping-range= m 'x))) => (((b . 2)) ((a . 1)) ((c . 3)) ((a . 1) (b . 2)) ((b . 2) (c . 3)) ())

(call-with-values (lambda () (mapping-split m 'b)) (lambda ms (map l ms))) => (((a . 1)) ((a . 1) (b . 2)) ((b . 2)) ((b . 2) (c . 3)) ((c . 3)))

(l (mapping-catenate c (mapping c 1 'a) 5 'mid (mapping c 9 'z))) => ((1 . a) (5 . mid) (9 . z))

(mapping-catenate c (mapping c 6 'a) 5 'mid (mapping c 9 'z)) =>error mapping-catenate: the keys are not in order

(list (=? mapping-comparator m (mapping-copy m)) (<? mapping-comparator (mapping c 'a 1) m) (= (comparator-hash mapping-comparator m) (comparator-hash mapping-comparator (mapping-copy m))) (=? c m m) (<? (make-mapping-comparator c) (mapping c 1 1) (mapping c 1 2))) => (#t #t #t #t #t)

; A thousand keys in a scrambled order, against what they are.
(define keys (map (lambda (i) (modulo (* i 389) 1009)) (iota 1000 1)))
(define big (fold (lambda (k m) (mapping-set m k (- k))) (mapping c) keys))
(list (mapping-size big) (every (lambda (k) (= (mapping-ref big k) (- k))) keys) (equal? (mapping-keys big) (mapping-keys (mapping-map (lambda (k v) (values k v)) c big))) (let ((m (fold (lambda (k m) (if (even? k) (mapping-delete m k) m)) big keys))) (list (mapping-size m) (mapping-every? (lambda (k v) (odd? k)) m)))) => (1000 #t #t (500 #t))

(let* ((a (mapping-filter (lambda (k v) (= 0 (modulo k 2))) big)) (b (mapping-filter (lambda (k v) (= 0 (modulo k 3))) big))) (list (= (mapping-size (mapping-union a b)) (- (+ (mapping-size a) (mapping-size b)) (mapping-size (mapping-intersection a b)))) (mapping-every? (lambda (k v) (= 0 (modulo k 6))) (mapping-intersection a b)) (= (mapping-size (mapping-xor a b)) (+ (mapping-size (mapping-difference a b)) (mapping-size (mapping-difference b a)))))) => (#t #t #t)

; The names that may change their argument give what the others give.
(define (m3) (mapping c 'a 1 'b 2 'c 3))
(map l (list (mapping-adjoin! (m3) 'a 9 'd 4) (mapping-set! (m3) 'a 9) (mapping-replace! (m3) 'z 9) (mapping-replace! (m3) 'b 9) (mapping-delete! (m3) 'a 'q) (mapping-delete-all! (m3) '(a b))))
  => (((a . 1) (b . 2) (c . 3) (d . 4)) ((a . 9) (b . 2) (c . 3)) ((a . 1) (b . 2) (c . 3)) ((a . 1) (b . 9) (c . 3)) ((b . 2) (c . 3)) ((c . 3)))

(call-with-values (lambda () (mapping-intern! (m3) 'z (lambda () 26))) (lambda (m v) (list (l m) v))) => (((a . 1) (b . 2) (c . 3) (z . 26)) 26)

(call-with-values (lambda () (mapping-intern! (m3) 'a (lambda () 26))) (lambda (m v) (list (l m) v))) => (((a . 1) (b . 2) (c . 3)) 1)

(l (mapping-update! (m3) 'b (lambda (x) (* x 10)))) => ((a . 1) (b . 20) (c . 3))

(l (mapping-update! (m3) 'z (lambda (x) (* x 10)) (lambda () 5))) => ((a . 1) (b . 2) (c . 3) (z . 50))

(call-with-values (lambda () (mapping-pop! (m3))) (lambda (m k v) (list (l m) k v))) => (((b . 2) (c . 3)) a 1)

(mapping-pop! (mapping c)) =>error

(call-with-values (lambda () (mapping-search! (m3) 'b (lambda (insert ignore) (insert 0)) (lambda (k v update remove) (update 'bb 5 'found)))) (lambda (m r) (list (mapping-ref/default m 'bb #f) (mapping-contains? m 'b) r))) => (5 #f found)

(call-with-values (lambda () (mapping-search! (m3) 'z (lambda (insert ignore) (ignore 'left)) (lambda (k v update remove) (remove 'gone)))) (lambda (m r) (list (l m) r))) => (((a . 1) (b . 2) (c . 3)) left)

(list (l (mapping-filter! (lambda (k v) (odd? v)) (m3))) (l (mapping-remove! (lambda (k v) (odd? v)) (m3))) (map l (call-with-values (lambda () (mapping-partition! (lambda (k v) (odd? v)) (m3))) list)))
  => (((a . 1) (c . 3)) ((b . 2)) (((a . 1) (c . 3)) ((b . 2))))

(map l (list (mapping-union! (m3) (mapping c 'a 9 'd 4)) (mapping-intersection! (m3) (mapping c 'a 9 'd 4)) (mapping-difference! (m3) (mapping c 'a 9 'd 4)) (mapping-xor! (m3) (mapping c 'a 9 'd 4))))
  => (((a . 1) (b . 2) (c . 3) (d . 4)) ((a . 1)) ((b . 2) (c . 3)) ((b . 2) (c . 3) (d . 4)))

(map l (list (mapping-range=! (m3) 'b) (mapping-range<! (m3) 'b) (mapping-range>! (m3) 'b) (mapping-range<=! (m3) 'b) (mapping-range>=! (m3) 'b)))
  => (((b . 2)) ((a . 1)) ((c . 3)) ((a . 1) (b . 2)) ((b . 2) (c . 3)))

(l (mapping-catenate! c (mapping c 'a 1) 'm 13 (mapping c 'z 26))) => ((a . 1) (m . 13) (z . 26))

(l (mapping-map/monotone! (lambda (k v) (values k (* v v))) c (m3))) => ((a . 1) (b . 4) (c . 9))

(list (l (mapping-unfold/ordered null? (lambda (s) (values (car s) #t)) cdr '(a b c) c)) (l (alist->mapping/ordered c '((a . 1) (b . 2)))) (l (alist->mapping/ordered! (mapping c 'a 1) '((b . 2) (c . 3)))))
  => (((a . #t) (b . #t) (c . #t)) ((a . 1) (b . 2)) ((a . 1) (b . 2) (c . 3)))
