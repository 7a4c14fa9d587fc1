;; Every name of R7RS-small and of the Red Edition of R7RS-large. Of a name that several libraries
;; have, such as string-hash, the last one's counts.
(define-library (scheme red)
  (alias-for
    (scheme small) (scheme box) (scheme charset) (scheme comparator) (scheme ephemeron)
    (scheme generator) (scheme hash-table) (scheme ideque) (scheme ilist) (scheme list)
    (scheme list-queue) (scheme lseq) (scheme rlist) (scheme set) (scheme sort) (scheme stream)
    (scheme text) (scheme vector)))
