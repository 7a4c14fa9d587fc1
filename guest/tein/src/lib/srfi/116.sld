;; Immutable lists: pairs of a type of their own.
(define-library (srfi 116)
  (export
    iq ipair ilist xipair ipair* make-ilist ilist-tabulate ilist-copy iiota ipair? proper-ilist?
    ilist? dotted-ilist? not-ipair? null-ilist? ilist= icar icdr icaar icadr icdar icddr icaaaar
    icaaadr icaadar icaaddr icadaar icadadr icaddar icadddr icdaaar icdaadr icdadar icdaddr
    icddaar icddadr icdddar icddddr icaaar icaadr icadar icaddr icdaar icdadr icddar icdddr
    ilist-ref ifirst isecond ithird ifourth ififth isixth iseventh ieighth ininth itenth
    icar+icdr itake idrop ilist-tail itake-right idrop-right isplit-at ilast last-ipair ilength
    iappend iconcatenate ireverse iappend-reverse izip iunzip1 iunzip2 iunzip3 iunzip4 iunzip5
    icount imap ifor-each ifold iunfold ipair-fold ireduce ifold-right iunfold-right
    ipair-fold-right ireduce-right iappend-map ipair-for-each ifilter-map imap-in-order ifilter
    ipartition iremove imember imemq imemv ifind ifind-tail iany ievery ilist-index itake-while
    idrop-while ispan ibreak idelete idelete-duplicates iassoc iassq iassv ialist-cons
    ialist-delete replace-icar replace-icdr pair->ipair ipair->pair list->ilist ilist->list
    tree->itree itree->tree gtree->itree gtree->tree iapply ipair-comparator ilist-comparator
    make-ilist-comparator make-improper-ilist-comparator make-icar-comparator
    make-icdr-comparator)
  (import (scheme base) (srfi 1) (srfi 128))
  (begin
    (define-record-type <ipair>
      (ipair icar icdr)
      ipair?
      (icar icar)
      (icdr icdr))
    (define-syntax iq
      (syntax-rules () ((_ . datum) (tree->itree 'datum))))

    (define-syntax define-selectors
      (syntax-rules ()
        ((_ (name part ...) ...) (begin (define name (chain part ...)) ...))))
    (define (chain . parts)
      (lambda (x) (fold-right (lambda (part x) (part x)) x parts)))
    (define-selectors
      (icaar icar icar) (icadr icar icdr) (icdar icdr icar) (icddr icdr icdr)
      (icaaar icar icar icar) (icaadr icar icar icdr) (icadar icar icdr icar)
      (icaddr icar icdr icdr) (icdaar icdr icar icar) (icdadr icdr icar icdr)
      (icddar icdr icdr icar) (icdddr icdr icdr icdr) (icaaaar icar icar icar icar)
      (icaaadr icar icar icar icdr) (icaadar icar icar icdr icar) (icaaddr icar icar icdr icdr)
      (icadaar icar icdr icar icar) (icadadr icar icdr icar icdr) (icaddar icar icdr icdr icar)
      (icadddr icar icdr icdr icdr) (icdaaar icdr icar icar icar) (icdaadr icdr icar icar icdr)
      (icdadar icdr icar icdr icar) (icdaddr icdr icar icdr icdr) (icddaar icdr icdr icar icar)
      (icddadr icdr icdr icar icdr) (icdddar icdr icdr icdr icar) (icddddr icdr icdr icdr icdr))

    ;; --- to and from lists; a dotted tail stays ---

    (define (list->ilist l)
      (let loop ((l l) (out '()))
        (if (pair? l)
            (loop (cdr l) (cons (car l) out))
            (fold ipair l out))))
    (define (ilist->list l)
      (let loop ((l l) (out '()))
        (if (ipair? l) (loop (icdr l) (cons (icar l) out)) (append-reverse out l))))
    (define (pair->ipair p) (ipair (car p) (cdr p)))
    (define (ipair->pair p) (cons (icar p) (icdr p)))
    (define (tree->itree x)
      (if (pair? x)
          (let loop ((x x) (out '()))
            (if (pair? x)
                (loop (cdr x) (cons (tree->itree (car x)) out))
                (fold ipair (tree->itree x) out)))
          x))
    (define (itree->tree x)
      (if (ipair? x)
          (let loop ((x x) (out '()))
            (if (ipair? x)
                (loop (icdr x) (cons (itree->tree (icar x)) out))
                (append-reverse out (itree->tree x))))
          x))
    ;; Of both kinds of pairs.
    (define (gtree->itree x)
      (cond ((pair? x) (ipair (gtree->itree (car x)) (gtree->itree (cdr x))))
            ((ipair? x) (ipair (gtree->itree (icar x)) (gtree->itree (icdr x))))
            (else x)))
    (define (gtree->tree x)
      (cond ((pair? x) (cons (gtree->tree (car x)) (gtree->tree (cdr x))))
            ((ipair? x) (cons (gtree->tree (icar x)) (gtree->tree (icdr x))))
            (else x)))

    (define (checked l)
      (let ((out (ilist->list l)))
        (if (not (list? out)) (error "not a proper ilist" l))
        out))
    (define (lists ls) (map checked ls))
    (define (both split)
      (call-with-values split (lambda (a b) (values (list->ilist a) (list->ilist b)))))

    ;; --- making ---

    (define (ilist . l) (list->ilist l))
    (define (xipair d a) (ipair a d))
    (define (ipair* . l) (list->ilist (apply cons* l)))
    (define (make-ilist n . fill) (list->ilist (apply make-list n fill)))
    (define (ilist-tabulate n proc) (list->ilist (list-tabulate n proc)))
    (define (ilist-copy l) (list->ilist (ilist->list l)))
    (define (iiota n . opt) (list->ilist (apply iota n opt)))

    ;; --- predicates ---

    (define (end-of l) (if (ipair? l) (end-of (icdr l)) l))
    (define (proper-ilist? x) (null? (end-of x)))
    (define ilist? proper-ilist?)
    (define (dotted-ilist? x) (not (proper-ilist? x)))
    (define (not-ipair? x) (not (ipair? x)))
    (define (null-ilist? x)
      (cond ((ipair? x) #f) ((null? x) #t) (else (error "null-ilist?: not an ilist" x))))
    (define (ilist= same? . ls) (apply list= same? (lists ls)))

    ;; --- selecting ---

    (define (idrop l n) (if (= n 0) l (idrop (icdr l) (- n 1))))
    (define (ilist-tail l n) (idrop l n))
    (define (ilist-ref l n) (icar (idrop l n)))
    (define-syntax define-places
      (syntax-rules ()
        ((_ (name n) ...) (begin (define (name l) (ilist-ref l n)) ...))))
    (define-places
      (ifirst 0) (isecond 1) (ithird 2) (ifourth 3) (ififth 4) (isixth 5) (iseventh 6)
      (ieighth 7) (ininth 8) (itenth 9))
    (define (icar+icdr p) (values (icar p) (icdr p)))
    (define (itake l n)
      (let loop ((l l) (n n) (out '()))
        (if (= n 0)
            (fold ipair '() out)
            (loop (icdr l) (- n 1) (cons (icar l) out)))))
    (define (isplit-at l n) (values (itake l n) (idrop l n)))
    (define (pairs l) (if (ipair? l) (+ 1 (pairs (icdr l))) 0))
    (define (itake-right l n) (idrop l (- (pairs l) n)))
    (define (idrop-right l n) (itake l (- (pairs l) n)))
    (define (last-ipair l) (if (ipair? (icdr l)) (last-ipair (icdr l)) l))
    (define (ilast l) (icar (last-ipair l)))

    ;; --- the whole ---

    (define (ilength l) (length (checked l)))
    (define (iappend . ls) (iconcatenate (list->ilist ls)))
    (define (iconcatenate ls)
      (let loop ((l (reverse (checked ls))) (out #f))
        (cond ((null? l) (or out '()))
              ((not out) (loop (cdr l) (car l)))
              (else (loop (cdr l) (fold-right ipair out (checked (car l))))))))
    (define (ireverse l) (fold ipair '() (checked l)))
    (define (iappend-reverse l tail) (fold ipair tail (checked l)))
    (define (izip . ls) (apply imap ilist ls))
    (define (iunzip1 l) (imap ifirst l))
    (define (iunzip2 l) (values (imap ifirst l) (imap isecond l)))
    (define (iunzip3 l) (values (imap ifirst l) (imap isecond l) (imap ithird l)))
    (define (iunzip4 l)
      (values (imap ifirst l) (imap isecond l) (imap ithird l) (imap ifourth l)))
    (define (iunzip5 l)
      (values (imap ifirst l) (imap isecond l) (imap ithird l) (imap ifourth l)
              (imap ififth l)))
    (define (icount pred . ls) (apply count pred (lists ls)))
    (define (imap f . ls) (list->ilist (apply map f (lists ls))))
    (define imap-in-order imap)
    (define (ifor-each f . ls) (apply for-each f (lists ls)))
    (define (ifilter-map f . ls) (list->ilist (apply filter-map f (lists ls))))
    (define (iappend-map f . ls) (iconcatenate (apply imap f ls)))
    (define (ifold f nil . ls) (apply fold f nil (lists ls)))
    (define (ifold-right f nil . ls) (apply fold-right f nil (lists ls)))
    (define (ireduce f nil l) (reduce f nil (checked l)))
    (define (ireduce-right f nil l) (reduce-right f nil (checked l)))
    (define (iunfold stop? mapper successor seed . tail)
      (fold-right ipair
                  (if (pair? tail) ((car tail) (last-seed stop? successor seed)) '())
                  (unfold stop? mapper successor seed)))
    (define (last-seed stop? successor seed)
      (if (stop? seed) seed (last-seed stop? successor (successor seed))))
    (define (iunfold-right stop? mapper successor seed . tail)
      (let loop ((seed seed) (out (if (pair? tail) (car tail) '())))
        (if (stop? seed) out (loop (successor seed) (ipair (mapper seed) out)))))
    ;; Every tail of the lists that is a pair, first to last.
    (define (tails l) (if (ipair? l) (cons l (tails (icdr l))) '()))
    (define (ipair-fold f nil . ls) (apply fold f nil (map tails ls)))
    (define (ipair-fold-right f nil . ls) (apply fold-right f nil (map tails ls)))
    (define (ipair-for-each f . ls) (apply for-each f (map tails ls)))

    ;; --- searching ---

    (define (ifilter pred l) (list->ilist (filter pred (checked l))))
    (define (iremove pred l) (list->ilist (remove pred (checked l))))
    (define (ipartition pred l) (both (lambda () (partition pred (checked l)))))
    (define (ifind-tail pred l)
      (cond ((not (ipair? l)) #f) ((pred (icar l)) l) (else (ifind-tail pred (icdr l)))))
    (define (ifind pred l)
      (let ((tail (ifind-tail pred l))) (and tail (icar tail))))
    (define (same opt) (if (pair? opt) (car opt) equal?))
    (define (imember x l . opt) (ifind-tail (lambda (y) ((same opt) x y)) l))
    (define (imemq x l) (imember x l eq?))
    (define (imemv x l) (imember x l eqv?))
    (define (iany pred . ls) (apply any pred (lists ls)))
    (define (ievery pred . ls) (apply every pred (lists ls)))
    (define (ilist-index pred . ls) (apply list-index pred (lists ls)))
    (define (itake-while pred l) (list->ilist (take-while pred (checked l))))
    (define (idrop-while pred l)
      (if (and (ipair? l) (pred (icar l))) (idrop-while pred (icdr l)) l))
    (define (ispan pred l) (values (itake-while pred l) (idrop-while pred l)))
    (define (ibreak pred l) (ispan (lambda (x) (not (pred x))) l))
    (define (idelete x l . opt) (list->ilist (apply delete x (checked l) opt)))
    (define (idelete-duplicates l . opt)
      (list->ilist (apply delete-duplicates (checked l) opt)))
    (define (iassoc key l . opt) (ifind (lambda (e) ((same opt) key (icar e))) l))
    (define (iassq key l) (iassoc key l eq?))
    (define (iassv key l) (iassoc key l eqv?))
    (define (ialist-cons k v l) (ipair (ipair k v) l))
    (define (ialist-delete key l . opt) (iremove (lambda (e) ((same opt) key (icar e))) l))
    (define (replace-icar p x) (ipair x (icdr p)))
    (define (replace-icdr p x) (ipair (icar p) x))
    (define (iapply f . args)
      (let ((l (reverse args)))
        (apply f (append-reverse (cdr l) (checked (car l))))))

    ;; --- comparators ---

    (define (make-ilist-comparator c) (make-list-comparator c ilist? null? icar icdr))
    (define (make-icar-comparator c) (make-part-comparator c icar))
    (define (make-icdr-comparator c) (make-part-comparator c icdr))
    (define (make-part-comparator c part)
      (make-comparator
        (lambda (x) (and (ipair? x) (comparator-test-type c (part x))))
        (lambda (a b) (=? c (part a) (part b)))
        (and (comparator-ordered? c) (lambda (a b) (<? c (part a) (part b))))
        (and (comparator-hashable? c) (lambda (x) (comparator-hash c (part x))))))
    ;; The empty list, then pairs, by their parts, then anything else.
    (define (make-improper-ilist-comparator c)
      (define (rank x) (cond ((null? x) 0) ((ipair? x) 1) (else 2)))
      (define (equal a b)
        (cond ((and (ipair? a) (ipair? b))
               (and (equal (icar a) (icar b)) (equal (icdr a) (icdr b))))
              ((= (rank a) (rank b) 2) (=? c a b))
              (else (= (rank a) (rank b)))))
      (define (less a b)
        (cond ((and (ipair? a) (ipair? b))
               (or (less (icar a) (icar b))
                   (and (equal (icar a) (icar b)) (less (icdr a) (icdr b)))))
              ((= (rank a) (rank b) 2) (<? c a b))
              (else (< (rank a) (rank b)))))
      (define (hash x)
        (cond ((null? x) 17)
              ((ipair? x) (modulo (+ (* 31 (hash (icar x))) (hash (icdr x))) 33554393))
              (else (comparator-hash c x))))
      (make-comparator (lambda (x) #t) equal less hash))
    (define ipair-comparator
      (make-comparator
        ipair?
        (lambda (a b) (=? ilist-default a b))
        (lambda (a b) (<? ilist-default a b))
        (lambda (x) (comparator-hash ilist-default x))))
    (define ilist-default (make-improper-ilist-comparator (make-default-comparator)))
    (define ilist-comparator (make-ilist-comparator (make-default-comparator)))))
