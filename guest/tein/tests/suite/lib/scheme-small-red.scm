; import (scheme small)
; import (scheme red)
; (scheme small) and (scheme red): all of R7RS-small, and of the Red Edition

(list (cadddr '(1 2 3 4)) (exact (floor 2.5)) (char-upcase #\a) (force (delay 1)) (real-part 1+2i) ((case-lambda ((a) a)) 5) (read (open-input-string "x"))) => (4 2 #\A 1 1 5 x)

(list (unbox (box 1)) (char-set? char-set:letter) (fold + 0 '(1 2)) (ilist? (iq 1)) (rlist? (rlist 1)) (generator->list (generator 1 2)) (ideque->list (ideque 1)) (list-queue-list (list-queue 1)) (stream->list (stream 1)) (textual->string (text #\a)) (vector-count even? #(1 2)) (list-sort < '(2 1))) => (1 #t 3 #t #t (1 2) (1) (1) (1) "a" 1 (1 2))

(list (hash-table-ref (hash-table (make-default-comparator) 'a 1) 'a) (set-size (set (make-default-comparator) 1 2 1)) (lseq? (generator->lseq (generator 1))) (ephemeron? (make-ephemeron 1 2))) => (1 2 #t #t)
