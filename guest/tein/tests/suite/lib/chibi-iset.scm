; import (chibi iset)
; import (chibi iset optimize)

(iset->list (iset 3 1 2 1 1000 -5)) => (-5 1 2 3 1000)

(list (iset->list (make-iset)) (iset->list (make-iset 5)) (iset->list (make-iset 5 8)) (iset->list (make-iset 8 5))) => (() (5) (5 6 7 8) ())

(make-iset 1.5) =>error not an integer of a set: (1.5)

(list (iset? (iset)) (iset? '()) (iset-empty? (iset)) (iset-empty? (iset 0))) => (#t #f #t #f)

(let ((s (list->iset '(1 3 5 6)))) (map (lambda (n) (iset-contains? s n)) '(0 1 2 3 4 5 6 7))) => (#f #t #f #t #f #t #t #f)

; Nodes may be made by hand, with bits.
(let ((s (%make-iset 65 90 #f #f (%make-iset 97 122 #f #f #f))))
  (list (iset-contains? s 70) (iset-contains? s 93) (iset-contains? s 122) (iset-size s)))
=> (#t #f #t 52)

(let ((s (%make-iset 10 14 21 #f #f))) (list (iset->list s) (iset-size s) (iset-contains? s 11) (iset-contains? s 12))) => ((10 12 14) 3 #f #t)

; --- single integers ---

(iset->list (iset-adjoin (iset) 99 1 1000 -1000 3 -1 2)) => (-1000 -1 1 2 3 99 1000)

(let* ((a (iset 1 2)) (b (iset-adjoin a 7))) (list (iset->list a) (iset->list b) (begin (iset-adjoin! a 9) (iset->list a)))) => ((1 2) (1 2 7) (1 2 9))

(map (lambda (n) (iset->list (iset-delete (make-iset 1 5) n))) '(1 3 5 9)) => ((2 3 4 5) (1 2 4 5) (1 2 3 4) (1 2 3 4 5))

(let ((s (iset 0))) (iset-delete! s 0) (list (iset-empty? s) (iset->list (iset-adjoin! s 4)))) => (#t (4))

(iset->list (iset-delete! (iset-adjoin! (iset-optimize (iset 1 3 5 100)) 2) 3 100)) => (1 2 5)

(iset-adjoin (iset) 'a) =>error not an integer of a set: (a)

; --- whole sets ---

(iset->list (iset-union (iset 1 3) (iset 1 4) (iset -1))) => (-1 1 3 4)

(iset->list (iset-union (make-iset 716 720) (make-iset 721 723))) => (716 717 718 719 720 721 722 723)

(list (iset->list (iset-intersection (make-iset 1 5) (iset 0 1 5 6))) (iset->list (iset-intersection (make-iset 1 5) (iset 9)))
      (iset->list (iset-difference (make-iset 1 5) (iset 2 4 9))) (iset->list (iset-difference (make-iset 1 5) (make-iset 0 9))))
=> ((1 5) () (1 3 5) ())

(let ((s (iset 1 2))) (iset-union! s (iset 5)) (iset-intersection! s (make-iset 2 9)) (iset-difference! s (iset 5)) (iset->list s)) => (2)

(list (iset->list (iset-map (lambda (n) (* n n)) (iset -2 1 2))) (iset->list (list->iset '(1 2) (iset 7))) (iset->list (list->iset! '(1) (iset 7)))) => ((1 4) (1 2 7) (1 7))

(list (iset-fold cons '() (make-iset 1 4)) (iset-fold-node (lambda (node n) (+ n 1)) 0 (make-iset 1 100)))
=> ((4 3 2 1) 1)

(let ((out '())) (iset-for-each (lambda (n) (set! out (cons n out))) (iset 3 1)) out) => (3 1)

; --- comparing ---

(list (iset= (iset 1 2) (iset 2 1)) (iset= (iset 1) (iset 2)) (iset=) (iset<= (iset 1) (iset 1 2) (make-iset 0 9)) (iset<= (iset 1 3) (make-iset 1 2)) (iset>= (make-iset 0 9) (iset 1)) (iset>= (iset 1) (iset 1 2)) (iset<= (iset) (iset)))
=> (#t #f #t #t #f #t #f #t)

; --- cursors ---

(let ((s (iset 1 2 7)))
  (let loop ((c (iset-cursor s)) (out '()))
    (if (end-of-iset? c) (reverse out) (loop (iset-cursor-next s c) (cons (iset-ref s c) out)))))
=> (1 2 7)

(list (iset-cursor? (iset-cursor (iset))) (end-of-iset? (iset-cursor (iset))) (iset-cursor? 1)) => (#t #t #f)

(let ((s (iset))) (iset-ref s (iset-cursor s))) =>error the cursor is at the end of the set

; --- against lists: thousands of operations in an order that is the same every time ---

(define (next n) (modulo (+ (* n 1103515245) 12345) 2147483648))
(define (check seed turns)
  (let loop ((i 0) (r seed) (s (iset)) (l '()))
    (if (= i turns)
        (and (= (iset-size s) (length l))
             (iset= s (list->iset l) (iset-optimize s) (iset-balance s) (iset-balance (iset-optimize s)))
             (equal? (iset->list s) (iset->list (iset-optimize s))))
        (let* ((n (- (modulo (quotient r 65536) 60) 30)) (r (next r)) (op (modulo (quotient r 65536) 3)))
          (if (not (eq? (and (memv n l) #t) (iset-contains? s n)))
              (list 'wrong i n)
              (if (= op 0)
                  (loop (+ i 1) (next r) (iset-delete! s n) (let remove ((l l)) (cond ((null? l) l) ((= n (car l)) (cdr l)) (else (cons (car l) (remove (cdr l)))))))
                  (loop (+ i 1) (next r) (iset-adjoin! s n) (if (memv n l) l (cons n l)))))))))
(map (lambda (seed) (check seed 300)) '(1 2 3 4))
=> (#t #t #t #t)

(let* ((a (iset 1 5 6 7 20)) (b (make-iset 6 25)))
  (equal? (iset->list a) (iset->list (iset-union (iset-intersection a b) (iset-difference a b)))))
=> #t

; --- optimizing ---

(iset-fold-node (lambda (node n) (+ n 1)) 0 (iset-optimize (iset 1 3 5 7 9 500))) => 2

(iset->code (iset-optimize (iset 1 3 5))) => (%make-iset 1 5 21 #f #f)

(let ((s (iset 1 3))) (iset-optimize! s) (iset-balance! s) (iset->list s)) => (1 3)
