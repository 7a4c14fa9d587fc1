(define-library (scheme time)
  (export current-jiffy current-second jiffies-per-second)
  (import (tein core) (only (scheme base) define))
  (begin
    (define (jiffies-per-second) 1000000000)))
