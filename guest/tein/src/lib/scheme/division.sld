(define-library (scheme division)
  (export
    ceiling-quotient ceiling-remainder ceiling/ euclidean-quotient euclidean-remainder euclidean/
    round-quotient round-remainder round/ balanced-quotient balanced-remainder balanced/)
  (import (tein core)))
