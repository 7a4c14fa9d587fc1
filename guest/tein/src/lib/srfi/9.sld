(define-library (srfi 9)
  (export define-record-type)
  (import (scheme base)))
