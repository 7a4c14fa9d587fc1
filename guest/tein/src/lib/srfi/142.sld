(define-library (srfi 142)
  (export
    bitwise-not bitwise-and bitwise-ior bitwise-xor bitwise-eqv bitwise-nand bitwise-nor
    bitwise-andc1 bitwise-andc2 bitwise-orc1 bitwise-orc2 arithmetic-shift bit-count
    integer-length (rename if-clear-first bitwise-if) bit-set? any-bit-set? every-bit-set?
    first-set-bit bit-field bit-field-any? bit-field-every? bit-field-clear bit-field-set
    bit-field-replace bit-field-replace-same bit-field-rotate bit-field-reverse copy-bit
    (rename bits->list integer->list) (rename list->bits list->integer)
    (rename bits->vector integer->vector) (rename vector->bits vector->integer)
    bits bit-swap bitwise-fold bitwise-for-each bitwise-unfold make-bitwise-generator)
  (import (scheme base) (srfi 151))
  (begin
    ;; SRFI 142 merges from its last argument where the mask is one; SRFI 151 has them the other way.
    (define (if-clear-first mask a b) (bitwise-if mask b a))))
