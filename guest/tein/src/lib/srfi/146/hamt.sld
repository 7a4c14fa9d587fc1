;; Hash array mapped tries. A node is a vector of a mask and its children in the order of the bits set:
;; five bits of the hash at each level say which. A child is a node or a bucket, the list of the
;; items of one hash. Nothing is written to: a mutable trie only holds another root afterwards.
(define-library (srfi 146 hamt)
  (export
    make-hamt hash-array-mapped-trie? hamt-null hamt-null? hamt-fetch hamt->list hamt/count
    hamt/empty? hamt/for-each hamt/immutable hamt/mutable hamt/mutable? hamt/payload? hamt/put
    hamt/put! hamt/replace hamt/replace! fragment->mask hamt-bucket-size hamt-hash-size)
  (import (scheme base) (only (srfi 151) arithmetic-shift bit-count bitwise-and bitwise-ior
                              bitwise-xor bit-set?)
          (srfi 146 vector-edit))
  (begin
    ;; Items are keys; with a payload, pairs of a key and what goes with it.
    (define-record-type hash-array-mapped-trie
      (new-trie same? hash mutable payload count root)
      hash-array-mapped-trie?
      (same? same-of) (hash hash-of) (mutable hamt/mutable?) (payload hamt/payload?)
      (count hamt/count set-count!) (root root-of set-root!))
    (define-record-type bucket
      (new-bucket hash items)
      bucket?
      (hash bucket-hash) (items items-of))
    (define-record-type null (make-null) hamt-null?)
    (define hamt-null (make-null))
    (define hamt-hash-size 60)
    (define hamt-bucket-size 5)
    (define (fragment->mask n) (- (arithmetic-shift 1 n) 1))

    (define (make-hamt same? hash payload)
      (new-trie same? hash #f payload 0 (vector 0)))
    (define (hamt/empty? t) (= 0 (hamt/count t)))
    (define (again t mutable)
      (new-trie (same-of t) (hash-of t) mutable (hamt/payload? t) (hamt/count t) (root-of t)))
    (define (hamt/mutable t) (again t #t))
    (define (hamt/immutable t) (if (hamt/mutable? t) (again t #f) t))

    (define (key-of t item) (if (hamt/payload? t) (car item) item))
    (define (hash-for t key)
      (bitwise-and ((hash-of t) key) (fragment->mask hamt-hash-size)))
    (define (slot hash level) (bitwise-and (arithmetic-shift hash (- level)) 31))
    ;; Where the child of a slot is in a node, or would be.
    (define (place node s)
      (+ 1 (bit-count (bitwise-and (vector-ref node 0) (fragment->mask s)))))
    (define (find-item t key items)
      (cond ((null? items) #f)
            (((same-of t) key (key-of t (car items))) (car items))
            (else (find-item t key (cdr items)))))
    (define (without t key items)
      (cond ((null? items) '())
            (((same-of t) key (key-of t (car items))) (cdr items))
            (else (cons (car items) (without t key (cdr items))))))

    ;; The item of a key, or with a payload what goes with it, or `hamt-null`.
    (define (hamt-fetch t key)
      (let ((hash (hash-for t key)))
        (let loop ((node (root-of t)) (level 0))
          (let ((s (slot hash level)))
            (if (not (bit-set? s (vector-ref node 0)))
                hamt-null
                (let ((child (vector-ref node (place node s))))
                  (if (bucket? child)
                      (let ((item (and (= hash (bucket-hash child))
                                       (find-item t key (items-of child)))))
                        (cond ((not item) hamt-null)
                              ((hamt/payload? t) (cdr item))
                              (else item)))
                      (loop child (+ level 5)))))))))

    ;; A node that holds two children whose hashes differ from a level on.
    (define (fork level a a-hash b b-hash)
      (let ((s (slot a-hash level)) (r (slot b-hash level)))
        (cond ((= s r)
               (vector (arithmetic-shift 1 s) (fork (+ level 5) a a-hash b b-hash)))
              ((< s r) (vector (both s r) a b))
              (else (vector (both s r) b a)))))
    (define (both s r) (bitwise-ior (arithmetic-shift 1 s) (arithmetic-shift 1 r)))

    ;; CHANGE gets the items of a hash and gives what they are then. RECEIVER gets the new node and
    ;; by how many items it has more.
    (define (update node level hash change receiver)
      (let* ((s (slot hash level)) (i (place node s)) (bit (arithmetic-shift 1 s)))
        (define (with-items old-count items)
          (let ((more (- (length items) old-count)))
            (if (null? items)
                (let ((new (vector-without node i (+ i 1))))
                  (vector-set! new 0 (bitwise-xor (vector-ref node 0) bit))
                  (receiver new more))
                (receiver (vector-replace-one node i (new-bucket hash items)) more))))
        (if (not (bit-set? s (vector-ref node 0)))
            (let ((items (change '())))
              (if (null? items)
                  (receiver node 0)
                  (let ((new (vector-edit node (add i (new-bucket hash items)))))
                    (vector-set! new 0 (bitwise-ior (vector-ref node 0) bit))
                    (receiver new (length items)))))
            (let ((child (vector-ref node i)))
              (cond ((not (bucket? child))
                     (update child (+ level 5) hash change
                       (lambda (new more)
                         (if (= 1 (vector-length new))
                             (let ((less (vector-without node i (+ i 1))))
                               (vector-set! less 0 (bitwise-xor (vector-ref node 0) bit))
                               (receiver less more))
                             (receiver (vector-replace-one node i new) more)))))
                    ((= hash (bucket-hash child))
                     (with-items (length (items-of child)) (change (items-of child))))
                    (else
                     (let ((items (change '())))
                       (if (null? items)
                           (receiver node 0)
                           (receiver
                             (vector-replace-one node i
                               (fork (+ level 5) child (bucket-hash child)
                                     (new-bucket hash items) hash))
                             (length items))))))))))
    (define (changed t key change receiver)
      (update (root-of t) 0 (hash-for t key) change receiver))
    (define (persistent who t)
      (if (hamt/mutable? t) (error (string-append who ": a mutable trie") t)))
    (define (mutable who t)
      (if (not (hamt/mutable? t)) (error (string-append who ": an immutable trie") t)))
    (define (with t root more)
      (new-trie (same-of t) (hash-of t) #f (hamt/payload? t) (+ (hamt/count t) more) root))
    (define (write! t root more)
      (set-root! t root)
      (set-count! t (+ (hamt/count t) more))
      t)
    ;; The item is the key, or the key and a payload.
    (define (putting t key payload)
      (lambda (items)
        (cons (if (hamt/payload? t) (cons key (if (pair? payload) (car payload) #f)) key)
              (without t key items))))
    (define (hamt/put t key . payload)
      (persistent "hamt/put" t)
      (changed t key (putting t key payload) (lambda (root more) (with t root more))))
    (define (hamt/put! t key . payload)
      (mutable "hamt/put!" t)
      (changed t key (putting t key payload) (lambda (root more) (write! t root more))))
    ;; REPLACE gets what the key has, or `hamt-null`, and gives what it should have.
    (define (replacing t key replace)
      (lambda (items)
        (let* ((item (find-item t key items))
               (new (replace (cond ((not item) hamt-null)
                                   ((hamt/payload? t) (cdr item))
                                   (else item)))))
          (cond ((hamt-null? new) (without t key items))
                ((hamt/payload? t) (cons (cons key new) (without t key items)))
                (else (cons new (without t key items)))))))
    (define (hamt/replace t key replace)
      (persistent "hamt/replace" t)
      (changed t key (replacing t key replace) (lambda (root more) (with t root more))))
    (define (hamt/replace! t key replace)
      (mutable "hamt/replace!" t)
      (changed t key (replacing t key replace) (lambda (root more) (write! t root more))))

    (define (hamt/for-each proc t)
      (let walk ((x (root-of t)))
        (if (bucket? x)
            (for-each
              (lambda (item) (if (hamt/payload? t) (proc (car item) (cdr item)) (proc item #f)))
              (items-of x))
            (let loop ((i 1))
              (if (< i (vector-length x))
                  (begin (walk (vector-ref x i)) (loop (+ i 1))))))))
    ;; What PROC makes of each key and payload.
    (define (hamt->list t proc)
      (let ((out '()))
        (hamt/for-each (lambda (k v) (set! out (cons (proc k v) out))) t)
        (reverse out)))))
