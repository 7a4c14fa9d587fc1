;; Ephemerons and weak vectors. The collector of this engine keeps what they refer to, which their
;; contract allows: a reference may be broken when nothing else holds the object, and never is.
(define-library (chibi weak)
  (export
    make-ephemeron ephemeron? ephemeron-broken? ephemeron-key ephemeron-value
    make-weak-vector weak-vector? weak-vector-length weak-vector-ref weak-vector-set!)
  (import (scheme base))
  (begin
    (define-record-type ephemeron
      (make-ephemeron key value)
      ephemeron?
      (key ephemeron-key)
      (value ephemeron-value))

    (define (ephemeron-broken? e)
      (if (not (ephemeron? e)) (error "invalid type, expected Ephemeron" e))
      #f)

    (define-record-type weak-vector
      (new-weak-vector items)
      weak-vector?
      (items items))

    (define (make-weak-vector n) (new-weak-vector (make-vector n #f)))
    (define (weak-vector-length v) (vector-length (items v)))
    (define (weak-vector-ref v i) (vector-ref (items v) i))
    (define (weak-vector-set! v i x) (vector-set! (items v) i x))))
