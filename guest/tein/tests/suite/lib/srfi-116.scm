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
