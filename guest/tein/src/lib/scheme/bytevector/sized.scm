(export
  bytevector-u@-ref bytevector-s@-ref bytevector-u@-set! bytevector-s@-set!
  bytevector-u@-native-ref bytevector-s@-native-ref bytevector-u@-native-set!
  bytevector-s@-native-set!)
(begin
  (define (bytevector-u@-ref v k order) (bytevector-uint-ref v k order (quotient @ 8)))
  (define (bytevector-s@-ref v k order) (bytevector-sint-ref v k order (quotient @ 8)))
  (define (bytevector-u@-set! v k n order) (bytevector-uint-set! v k n order (quotient @ 8)))
  (define (bytevector-s@-set! v k n order) (bytevector-sint-set! v k n order (quotient @ 8)))
  (define (bytevector-u@-native-ref v k)
    (bytevector-u@-ref v (aligned k (quotient @ 8)) 'little))
  (define (bytevector-s@-native-ref v k)
    (bytevector-s@-ref v (aligned k (quotient @ 8)) 'little))
  (define (bytevector-u@-native-set! v k n)
    (bytevector-u@-set! v (aligned k (quotient @ 8)) n 'little))
  (define (bytevector-s@-native-set! v k n)
    (bytevector-s@-set! v (aligned k (quotient @ 8)) n 'little)))
