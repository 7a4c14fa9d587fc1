;; Character sets.
(define-library (chibi char-set)
  (alias-for (chibi char-set base) (chibi char-set extras)))
