; import (srfi 116)
; import (only (srfi 128) =? <? comparator-hash make-default-comparator comparator-test-type)
; SRFI 116: immutable lists

(define (l x) (itree->tree x))
(list (l (iq 1 2 3)) (l (iq)) (l (iq 1 (2 3) . 4)) (l (ilist 1 2)) (ipair? (iq 1)) (ipair? '(1)) (icar (ipair 1 2)) (icdr (ipair 1 2))) => ((1 2 3) () (1 (2 3) . 4) (1 2) #t #f 1 2)

(icar '()) =>error slot-ref: bad type

(list (l (xipair 1 2)) (l (ipair* 1 2 (iq 3))) (l (ipair* 1 2 3)) (l (make-ilist 2 'x)) (l (ilist-tabulate 3 -)) (l (iiota 3 1 2)) (l (ilist-copy (iq 1 2)))) => ((2 . 1) (1 2 3) (1 2 . 3) (x x) (0 -1 -2) (1 3 5) (1 2))

(list (proper-ilist? (iq 1)) (ilist? 5) (ilist? '()) (dotted-ilist? (iq 1 . 2)) (dotted-ilist? (iq 1)) (not-ipair? 1) (null-ilist? '()) (null-ilist? (iq 1)) (ilist= = (iq 1 2) (iq 1 2)) (ilist= = (iq 1) (iq 2))) => (#t #f #t #t #f #t #t #f #t #f)

(null-ilist? 5) =>error null-ilist?: not an ilist


(map l (list (icadr (iq 1 2 3)) (icddr (iq 1 2 3)) (icaar (iq (1) 2)) (icdddr (iq 1 2 3)) (icadddr (iq 1 2 3 4)) (icdadr (iq 1 (2 3))))) => (2 (3) 1 () 4 (3))

(define ten (iiota 10 1))
(list (ifirst ten) (ififth ten) (itenth ten) (ilist-ref ten 3) (ilast ten) (l (last-ipair ten)) (ilength ten)) => (1 5 10 4 10 (10) 10)

(ilength (iq 1 . 2)) =>error not a proper ilist

(call-with-values (lambda () (icar+icdr (ipair 1 2))) list) => (1 2)

(list (l (itake ten 2)) (l (idrop ten 8)) (l (itake-right ten 2)) (l (idrop-right ten 8)) (l (itake-right (iq 1 2 . d) 1)) (l (idrop-right (iq 1 2 . d) 1)) (l (ilist-tail ten 9))) => ((1 2) (9 10) (9 10) (1 2) (2 . d) (1) (10))

(itake (iq 1) 2) =>error slot-ref: bad type

(call-with-values (lambda () (isplit-at (iq 1 2 3) 1)) (lambda (a b) (list (l a) (l b)))) => ((1) (2 3))

(list (l (iappend (iq 1) (iq) (iq 2 3))) (l (iappend)) (l (iappend (iq 1) 'x)) (l (iconcatenate (iq (1) (2)))) (l (ireverse (iq 1 2))) (l (iappend-reverse (iq 2 1) (iq 3)))) => ((1 2 3) () (1 . x) (1 2) (2 1) (1 2 3))

(list (l (izip (iq 1 2) (iq a b))) (l (iunzip1 (iq (1) (2)))) (icount even? (iq 1 2 4))) => (((1 a) (2 b)) (1 2) 2)

(call-with-values (lambda () (iunzip2 (iq (1 one) (2 two)))) (lambda (a b) (list (l a) (l b)))) => ((1 2) (one two))

(list (l (imap + (iq 1 2) (iq 10 20 30))) (ifold cons '() (iq 1 2)) (ifold-right cons '() (iq 1 2)) (ireduce + 0 (iq 1 2 3)) (ireduce-right - 0 (iq 1 2 3)) (l (iappend-map ilist (iq 1 2) (iq a b))) (l (ifilter-map (lambda (x) (and (even? x) (- x))) (iq 1 2 4)))) => ((11 22) (2 1) (1 2) 6 2 (1 a 2 b) (-2 -4))

(let ((n '())) (ifor-each (lambda (x) (set! n (cons x n))) (iq 1 2)) (ipair-for-each (lambda (p) (set! n (cons (l p) n))) (iq 3 4)) n) => ((4) (3 4) 2 1)

(list (l (iunfold (lambda (x) (> x 3)) - (lambda (x) (+ x 1)) 1)) (l (iunfold (lambda (x) (> x 3)) - (lambda (x) (+ x 1)) 1 (lambda (s) (ilist s)))) (l (iunfold-right zero? - (lambda (x) (- x 1)) 3)) (ipair-fold (lambda (p acc) (cons (icar p) acc)) '() (iq 1 2))) => ((-1 -2 -3) (-1 -2 -3 4) (-1 -2 -3) (2 1))

(list (l (ifilter even? (iq 1 2 4))) (l (iremove even? (iq 1 2 4))) (ifind even? (iq 1 2)) (ifind even? (iq 1)) (l (ifind-tail even? (iq 1 2 3))) (l (imember 2.0 (iq 1 2) =)) (imemq 'x (iq a)) (l (imemv 2 (iq 1 2 3)))) => ((2 4) (1) 2 #f (2 3) (2) #f (2 3))

(call-with-values (lambda () (ipartition even? (iq 1 2 4))) (lambda (a b) (list (l a) (l b)))) => ((2 4) (1))

(list (iany even? (iq 1 2)) (ievery even? (iq 1 2)) (ilist-index even? (iq 1 3 4)) (l (itake-while odd? (iq 1 3 4 5))) (l (idrop-while odd? (iq 1 3 4 5)))) => (#t #f 2 (1 3) (4 5))

(call-with-values (lambda () (ibreak even? (iq 1 2 3))) (lambda (a b) (list (l a) (l b)))) => ((1) (2 3))

(list (l (idelete 2 (iq 1 2 3 2))) (l (idelete-duplicates (iq 1 2 1 3 2))) (l (iassoc 2 (iq (1 . a) (2 . b)))) (l (iassq 'b (iq (a 1) (b 2)))) (iassv 9 (iq (1 . a))) (l (ialist-cons 1 2 (iq (3 . 4)))) (l (ialist-delete 1 (iq (1 . 2) (3 . 4))))) => ((1 3) (1 2 3) (2 . b) (b 2) #f ((1 . 2) (3 . 4)) ((3 . 4)))

(list (l (replace-icar (iq 1 2) 9)) (l (replace-icdr (iq 1 2) 9)) (l (pair->ipair '(1 . 2))) (ipair->pair (ipair 1 2)) (l (list->ilist '(1 2 . 3))) (ilist->list (iq 1 2)) (l (gtree->itree (list 1 (iq 2)))) (gtree->tree (ilist 1 '(2))) (iapply + 1 (iq 2 3))) => ((9 2) (1 . 9) (1 . 2) (1 . 2) (1 2 . 3) (1 2) (1 (2)) (1 (2)) 6)

(list (=? ilist-comparator (iq 1 2) (iq 1 2)) (<? ilist-comparator (iq 1 2) (iq 1 3)) (<? ilist-comparator (iq) (iq 1)) (=? ipair-comparator (ipair 1 2) (ipair 1 2)) (<? (make-icar-comparator (make-default-comparator)) (iq 1 9) (iq 2 1)) (= (comparator-hash ilist-comparator (iq 1)) (comparator-hash ilist-comparator (iq 1)))) => (#t #t #t #t #t #t)

(let ((c (make-improper-ilist-comparator (make-default-comparator)))) (list (=? c (iq 1 . 2) (iq 1 . 2)) (<? c (iq 1 . 2) (iq 1 . 3)) (<? c '() (iq 1)))) => (#t #t #t)

; Every composition of icar and icdr up to four deep, against that of car and cdr.
(define tree '((((a . b) . (c . d)) . ((e . f) . (g . h))) . (((i . j) . (k . l)) . ((m . n) . (o . p)))))
(define itree (tree->itree tree))
(define (down path) (let loop ((ops (reverse path)) (t tree)) (if (null? ops) t (loop (cdr ops) (if (eq? (car ops) 'a) (car t) (cdr t))))))
(define (same f . path) (or (equal? (itree->tree (f itree)) (down path)) path))
(list (same icdar 'd 'a) (same icaaar 'a 'a 'a) (same icaadr 'a 'a 'd) (same icadar 'a 'd 'a) (same icaddr 'a 'd 'd) (same icdaar 'd 'a 'a) (same icdadr 'd 'a 'd) (same icddar 'd 'd 'a) (same icdddr 'd 'd 'd)
      (same icaaaar 'a 'a 'a 'a) (same icaaadr 'a 'a 'a 'd) (same icaadar 'a 'a 'd 'a) (same icaaddr 'a 'a 'd 'd) (same icadaar 'a 'd 'a 'a) (same icadadr 'a 'd 'a 'd) (same icaddar 'a 'd 'd 'a) (same icadddr 'a 'd 'd 'd)
      (same icdaaar 'd 'a 'a 'a) (same icdaadr 'd 'a 'a 'd) (same icdadar 'd 'a 'd 'a) (same icdaddr 'd 'a 'd 'd) (same icddaar 'd 'd 'a 'a) (same icddadr 'd 'd 'a 'd) (same icdddar 'd 'd 'd 'a) (same icddddr 'd 'd 'd 'd))
  => (#t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t)

(let ((ten (iq 1 2 3 4 5 6 7 8 9 10))) (map (lambda (f) (f ten)) (list ifirst isecond ithird ifourth ififth isixth iseventh ieighth ininth itenth))) => (1 2 3 4 5 6 7 8 9 10)

(itenth (iq 1 2)) =>error

(map (lambda (f) (map l (call-with-values (lambda () (f (iq (1 2 3 4 5) (6 7 8 9 10)))) list))) (list iunzip3 iunzip4 iunzip5))
  => (((1 6) (2 7) (3 8)) ((1 6) (2 7) (3 8) (4 9)) ((1 6) (2 7) (3 8) (4 9) (5 10)))

(list (l (ipair-fold-right ipair '() (iq 1 2 3))) (l (imap-in-order (lambda (x) (* x x)) (iq 1 2 3)))) => (((1 2 3) (2 3) (3)) (1 4 9))

(map l (call-with-values (lambda () (ispan even? (iq 2 4 5 6))) list)) => ((2 4) (5 6))

(define numbers (make-ilist-comparator (make-default-comparator)))
(list (comparator-test-type numbers 5) (=? numbers (iq 1 2) (iq 1 2)) (<? numbers (iq 1 2) (iq 1 3)) (<? numbers (iq 1) (iq 1 0))) => (#f #t #t #t)

(define by-cdr (make-icdr-comparator (make-default-comparator)))
(list (=? by-cdr (ipair 1 2) (ipair 9 2)) (<? by-cdr (ipair 9 1) (ipair 1 2))) => (#t #t)
