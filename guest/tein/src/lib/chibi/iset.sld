;; Sets of integers, small where they have long runs.
(define-library (chibi iset)
  (alias-for (chibi iset base) (chibi iset iterators) (chibi iset constructors)))
