;; Assertions that raise at the first failure. Success gives no values.
(define-library (tein test)
  (export test-equal test-true test-false test-error)
  (import (scheme base) (scheme write))
  (begin
    (define (label name)
      (let ((port (open-output-string)))
        (display "FAIL " port)
        (display name port)
        (get-output-string port)))

    (define (test-equal name expected actual)
      (if (equal? expected actual)
          (values)
          (error (string-append (label name) ": expected ") expected " got " actual)))

    (define (test-true name x)
      (if x (values) (error (string-append (label name) ": expected true, got false"))))

    (define (test-false name x)
      (if x (error (string-append (label name) ": expected false, got true")) (values)))

    (define (test-error name thunk)
      (if (guard (e (#t #t)) (thunk) #f)
          (values)
          (error (string-append (label name) ": expected error, but none raised"))))))
