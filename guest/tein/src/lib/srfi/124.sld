;; Nothing is lost by keeping key and datum for as long as the ephemeron itself: an
;; ephemeron is never found broken.
(define-library (srfi 124)
  (export
    make-ephemeron ephemeron? ephemeron-broken? ephemeron-key ephemeron-datum reference-barrier)
  (import (scheme base))
  (begin
    (define-record-type ephemeron
      (make-ephemeron key datum)
      ephemeron?
      (key ephemeron-key)
      (datum ephemeron-datum))
    (define (ephemeron-broken? e) (ephemeron-key e) #f)
    (define (reference-barrier key) (if #f #f))))
