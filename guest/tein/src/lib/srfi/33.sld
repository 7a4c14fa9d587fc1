(define-library (srfi 33)
  (export
    bitwise-not bitwise-and bitwise-ior bitwise-xor bitwise-eqv bitwise-nand bitwise-nor
    bitwise-andc1 bitwise-andc2 bitwise-orc1 bitwise-orc2 arithmetic-shift bit-count
    integer-length bitwise-merge bit-set? any-bits-set? all-bits-set? first-set-bit
    extract-bit-field test-bit-field? clear-bit-field replace-bit-field copy-bit-field)
  (import (scheme base) (srfi 151))
  (begin
    ;; Bits of A where the mask is zero, of B where it is one.
    (define (bitwise-merge mask a b) (bitwise-if mask b a))
    (define (any-bits-set? test i) (any-bit-set? test i))
    (define (all-bits-set? test i) (every-bit-set? test i))
    ;; Fields are given by size and position of the lowest bit.
    (define (extract-bit-field size at i) (bit-field i at (+ at size)))
    (define (test-bit-field? size at i) (bit-field-any? i at (+ at size)))
    (define (clear-bit-field size at i) (bit-field-clear i at (+ at size)))
    (define (replace-bit-field size at new i) (bit-field-replace i new at (+ at size)))
    (define (copy-bit-field size at from to) (bit-field-replace-same to from at (+ at size)))))
