; import (tein crypto)
; Vectors: FIPS 180-4 and the BLAKE3 reference.

(sha256 "") => "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

(sha256 "abc") => "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

(sha512 "abc") => "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"

(blake3 "") => "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"

(blake3 "abc") => "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"

; A string is hashed as its UTF-8 bytes.
(string=? (sha256 "é") (sha256 (bytevector #xc3 #xa9))) => #t

(map bytevector-length (list (sha256-bytes "x") (sha512-bytes "x") (blake3-bytes "x"))) => (32 64 32)

(sha256-bytes "abc") => #u8(186 120 22 191 143 1 207 234 65 65 64 222 93 174 34 35 176 3 97 163 150 23 122 156 180 16 255 97 242 0 21 173)

(sha256 (make-string 100000 #\a)) => "6d1cf22d7cc09b085dfc25ee1a1f3ae0265804c607bc2074ad253bcc82fd81ee"

(sha256 5) =>error scheme evaluation error: hash input must be a string or bytevector: (5)

(blake3-bytes 'x) =>error hash input must be a string or bytevector: (x)

; --- random ---

(bytevector-length (random-bytes 16)) => 16

(random-bytes 0) => #u8()

(random-bytes -1) =>error random-bytes: n must be non-negative: (-1)

(random-integer 0) =>error random-integer: n must be positive: (0)

(random-integer 1.5) =>error random-integer: n must be positive: (1.5)

(random-integer 1) => 0

(let ((n (random-integer 1000000000000000000000000))) (and (exact-integer? n) (<= 0 n) (< n 1000000000000000000000000))) => #t

(let ((x (random-float))) (and (inexact? x) (<= 0 x) (< x 1))) => #t
