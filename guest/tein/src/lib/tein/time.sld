(define-library (tein time)
  (export current-second current-jiffy jiffies-per-second timezone-offset-seconds)
  (import (tein core) (only (scheme base) define))
  (begin
    ;; A variable here and a procedure in (scheme time), as tools use both.
    (define jiffies-per-second 1000000000)
    (define (timezone-offset-seconds) 0)))
