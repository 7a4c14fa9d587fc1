(define-library (srfi 141)
  (export
    floor-quotient floor-remainder floor/ truncate-quotient truncate-remainder truncate/)
  (import (scheme base))
  (alias-for (scheme division)))
