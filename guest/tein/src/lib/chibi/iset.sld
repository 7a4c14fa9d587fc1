;; Sets of integers, small where they have long runs.
(define-library (chibi iset)
  (export
    %make-iset make-iset iset? iset-contains? Integer-Set
    iset iset-copy list->iset list->iset! iset-map
    iset-adjoin iset-adjoin! iset-delete iset-delete!
    iset-union iset-union! iset-intersection iset-intersection!
    iset-difference iset-difference!
    iset-empty? iset-fold iset-fold-node iset-for-each iset-for-each-node
    iset->list iset-size iset= iset<= iset>=
    iset-cursor iset-cursor? iset-cursor-next iset-ref end-of-iset?)
  (import (chibi iset base) (chibi iset iterators) (chibi iset constructors)))
