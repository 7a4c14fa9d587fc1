; import (scheme bytevector)
; (scheme bytevector): numbers and text in bytevectors, as in R6RS

(define b (u8-list->bytevector '(#x01 #x02 #xff #xfe #x80 0 0 0)))
(list (endianness big) (endianness little) (native-endianness)) => (big little little)

(endianness middle) =>error no expansion for

(list (bytevector=? (bytevector 1 2) (bytevector 1 2)) (bytevector=? (bytevector 1) (bytevector 2)) (bytevector->u8-list b)) => (#t #f (1 2 255 254 128 0 0 0))

(bytevector=? b 5) =>error expected Bytevector

(let ((v (make-bytevector 3 1))) (bytevector-fill! v 9) v) => #u8(9 9 9)

(list (bytevector-u8-ref b 2) (bytevector-s8-ref b 2) (let ((v (bytevector 0))) (bytevector-s8-set! v 0 -2) v)) => (255 -1 #u8(254))

(list (bytevector-uint-ref b 0 'big 3) (bytevector-uint-ref b 0 'little 3) (bytevector-sint-ref b 2 'big 2) (bytevector-sint-ref b 2 'little 2)) => (66303 16712193 -2 -257)

(bytevector-uint-ref (make-bytevector 16 255) 0 'big 16) => 340282366920938463463374607431768211455

(let ((v (make-bytevector 4 0))) (bytevector-uint-set! v 0 #x010203 'big 3) (bytevector-sint-set! v 3 -1 'little 1) v) => #u8(1 2 3 255)

(bytevector-uint-set! (make-bytevector 2) 0 65536 'big 2) =>error number out of range

(bytevector-uint-set! (make-bytevector 2) 0 -1 'big 2) =>error number out of range

(bytevector-sint-set! (make-bytevector 1) 0 128 'big 1) =>error number out of range

(bytevector-uint-ref b 6 'big 3) =>error index out of range

(bytevector-uint-ref b 0 'middle 1) =>error not an endianness

(list (bytevector->uint-list (bytevector 2 0 0 1) 'big 2) (bytevector->sint-list (bytevector 2 0 255 255) 'little 2) (uint-list->bytevector '(1 512) 'big 2) (sint-list->bytevector '(-1 5) 'little 2)) => ((512 1) (2 -1) #u8(0 1 2 0) #u8(255 255 5 0))

(bytevector->uint-list (bytevector 1 2 3) 'big 2) =>error not a multiple

(list (bytevector-u16-ref b 0 'big) (bytevector-s16-ref b 2 'big) (bytevector-u16-native-ref b 0) (bytevector-u32-ref b 0 'little) (bytevector-s32-ref b 2 'big) (bytevector-u64-ref b 0 'big) (bytevector-s64-native-ref b 0)) => (258 -2 513 4278125057 -98304 72902012525608960 554033938945)

(bytevector-u16-native-ref b 1) =>error index not aligned

(let ((v (make-bytevector 16 0))) (bytevector-u16-set! v 0 258 'big) (bytevector-s16-native-set! v 2 -2) (bytevector-u32-set! v 4 1 'big) (bytevector-s64-set! v 8 -2 'little) v) => #u8(1 2 254 255 0 0 0 1 254 255 255 255 255 255 255 255)

(let ((v (make-bytevector 8 0))) (bytevector-ieee-double-set! v 0 1.5 'big) (list v (bytevector-ieee-double-ref v 0 'big))) => (#u8(63 248 0 0 0 0 0 0) 1.5)

(let ((v (make-bytevector 8 0))) (bytevector-ieee-single-native-set! v 4 0.5) (bytevector-ieee-single-set! v 0 1 'big) (list (bytevector-ieee-single-native-ref v 4) (bytevector-ieee-single-ref v 0 'big) v)) => (0.5 1.0 #u8(63 128 0 0 0 0 0 63))

(bytevector-ieee-double-native-ref (make-bytevector 16) 4) =>error index not aligned

(list (string->utf16 "a\x10000;") (string->utf16 "a" 'little) (string->utf32 "\x3bb;") (string->utf32 "a" 'little) (string->utf8 "\x3bb;")) => (#u8(0 97 216 0 220 0) #u8(97 0) #u8(0 0 3 187) #u8(97 0 0 0) #u8(206 187))

(list (utf16->string (bytevector 0 97 216 0 220 0) 'big) (utf16->string (bytevector #xff #xfe 97 0) 'big) (utf16->string (bytevector #xfe #xff 0 97) 'big #t) (utf16->string (bytevector 216 0 0 97) 'big)) => ("a\x10000;" "a" "\xfeff;a" "\xfffd;a")

(list (utf32->string (bytevector 0 0 3 187) 'big) (utf32->string (bytevector #xff #xfe 0 0 97 0 0 0) 'big) (utf32->string (bytevector 0 17 0 0) 'big)) => ("\x3bb;" "a" "\xfffd;")

; Each accessor against what was stored, in both orders of bytes.
(define scratch (make-bytevector 16 0))
(define (stored set ref value order) (set scratch 8 value order) (ref scratch 8 order))
(list (stored bytevector-s16-set! bytevector-s16-ref -2 'big) (stored bytevector-s16-set! bytevector-u16-ref -2 'little) (stored bytevector-s32-set! bytevector-s32-ref -3 'little) (stored bytevector-s32-set! bytevector-u32-ref -1 'big)
      (stored bytevector-u64-set! bytevector-u64-ref 18446744073709551615 'big) (stored bytevector-u64-set! bytevector-s64-ref 18446744073709551615 'little) (stored bytevector-s64-set! bytevector-s64-ref -9223372036854775808 'big))
  => (-2 65534 -3 4294967295 18446744073709551615 -1 -9223372036854775808)

(define (native set ref value) (set scratch 8 value) (ref scratch 8))
(list (native bytevector-u16-native-set! bytevector-u16-native-ref 65535) (native bytevector-u16-native-set! bytevector-s16-native-ref 65535) (native bytevector-u32-native-set! bytevector-u32-native-ref 4000000000) (native bytevector-s32-native-set! bytevector-s32-native-ref -5)
      (native bytevector-u64-native-set! bytevector-u64-native-ref 12345678901234567890) (native bytevector-s64-native-set! bytevector-s64-native-ref -6))
  => (65535 -1 4000000000 -5 12345678901234567890 -6)

(begin (bytevector-u64-set! scratch 0 1 'big) (bytevector-u64-set! scratch 8 1 'little) scratch) => #u8(0 0 0 0 0 0 0 1 1 0 0 0 0 0 0 0)

(bytevector-s16-set! scratch 0 32768 'big) =>error

(bytevector-u64-set! scratch 0 -1 'big) =>error

(bytevector-u64-ref scratch 9 'big) =>error

(bytevector-s32-native-ref scratch 13) =>error
