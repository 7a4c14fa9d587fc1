; import (chibi base64)
; import (chibi quoted-printable)
; import (chibi bytevector)

; --- base 64: RFC 4648, section 10 ---

(map base64-encode-string '("" "f" "fo" "foo" "foob" "fooba" "foobar")) => ("" "Zg==" "Zm8=" "Zm9v" "Zm9vYg==" "Zm9vYmE=" "Zm9vYmFy")

(map base64-decode-string '("" "Zg==" "Zm8=" "Zm9v" "Zm9vYg==" "Zm9vYmE=" "Zm9vYmFy" "Zm9vYg" "Zm 9v\r\nYg==")) => ("" "f" "fo" "foo" "foob" "fooba" "foobar" "foob" "foob")

(list (base64-encode-string "λ日") (base64-decode-string "zrvml6U=")) => ("zrvml6U=" "λ日")

(list (base64-encode-bytevector #u8(255 254 253 0)) (base64-decode-bytevector (string->utf8 "//79AA==")) (base64-decode-bytevector (string->utf8 "__79AA")))
=> (#u8(47 47 55 57 65 65 61 61) #u8(255 254 253 0) #u8(255 254 253 0))

(let ((bytes (make-bytevector 256)))
  (do ((i 0 (+ i 1))) ((= i 256)) (bytevector-u8-set! bytes i i))
  (equal? bytes (base64-decode-bytevector (base64-encode-bytevector bytes))))
=> #t

(let ((out (open-output-string))) (base64-encode (open-input-string "any carnal pleasure.") out) (get-output-string out)) => "YW55IGNhcm5hbCBwbGVhc3VyZS4="

(let ((out (open-output-bytevector))) (base64-decode (open-input-bytevector (string->utf8 "AAEC")) out) (get-output-bytevector out)) => #u8(0 1 2)

(base64-encode-string 5) =>error invalid type, expected String

(base64-encode-header "UTF-8" "λ") => "=?UTF-8?B?zrs=?="

(base64-encode-header 'utf-8 "hello world, hello world, hello" 0 40 "\n") => "=?utf-8?B?aGVsbG8gd29ybGQsIGhlbGxvIHdv?=\n\t=?utf-8?B?cmxkLCBoZWxsbw==?="

; --- quoted-printable: RFC 2045, 6.7 ---

(quoted-printable-encode-string "a=b ? caf\xe9;_") => "a=3Db =3F caf=C3=A9=5F"

(list (quoted-printable-encode-string "a \nb\t") (quoted-printable-encode-string "x\r\ny")) => ("a=20\nb=09" "x\r\ny")

(quoted-printable-encode-string "abcdefghij" 0 5) => "abcd=\nefgh=\nij"

(quoted-printable-encode-string "abcde" 0 5) => "abcde"

(let ((s (quoted-printable-encode-string (make-string 200 #\é))))
  (list (equal? (make-string 200 #\é) (quoted-printable-decode-string s))
        (let loop ((i 0) (n 0) (most 0))
          (cond ((= i (string-length s)) (max n most))
                ((char=? #\newline (string-ref s i)) (loop (+ i 1) 0 (max n most)))
                (else (loop (+ i 1) (+ n 1) most))))))
=> (#t 76)

(quoted-printable-decode-string "vite p=C3=A9dagogues qu'=\nun =  \r\nmoyen") => "vite pédagogues qu'un moyen"

(list (quoted-printable-decode-string "a_b") (quoted-printable-decode-string "a_b" #t) (quoted-printable-decode-string "100=% =zz =4") (quoted-printable-decode-string "=3d="))
=> ("a_b" "a b" "100=% =zz =4" "=")

(quoted-printable-encode-header "UTF-8" "a b\xe9;") => "=?UTF-8?Q?a_b=C3=A9?="

(list (quoted-printable-encode-bytevector #u8(0 61 65)) (quoted-printable-decode-bytevector (string->utf8 "=00=3DA"))) => (#u8(61 48 48 61 51 68 65) #u8(0 61 65))

(parameterize ((current-input-port (open-input-string "é="))) (quoted-printable-encode)) =>output =C3=A9=3D

(parameterize ((current-input-port (open-input-string "=C3=A9"))) (quoted-printable-decode)) =>output é

; --- numbers in bytevectors ---

(let ((b #u8(1 2 3 4 5))) (list (bytevector-u16-ref-le b 1) (bytevector-u16-ref-be b 1) (bytevector-u32-ref-le b 0) (bytevector-u32-ref-be b 1)))
=> (770 515 67305985 33752069)

(bytevector-u16-ref-le #u8(1) 0) =>error index out of range

(map integer->bytevector '(0 1 255 256 65537)) => (#u8(0) #u8(1) #u8(255) #u8(1 0) #u8(1 0 1))

(list (bytevector->integer #u8(1 0 1)) (bytevector->integer #u8()) (bytevector-pad-left #u8(1 2) 4) (bytevector-pad-left #u8(1 2) 1)) => (65537 0 #u8(0 0 1 2) #u8(1 2))

(integer->bytevector -1) =>error integer->bytevector: not a natural number: (-1)

(list (integer->hex-string 0) (integer->hex-string 255) (integer->hex-string 4096) (hex-string->integer "1000") (hex-string->integer "fF") (hex-string->integer "abc"))
=> ("00" "ff" "1000" 4096 255 2748)

(list (bytevector->hex-string #u8(0 10 255)) (hex-string->bytevector "000aFF") (hex-string->bytevector "a")) => ("000aff" #u8(0 10 255) #u8(10))

(hex-string->bytevector "0g") =>error not a hexadecimal digit: (#\g)

(map (lambda (n) (let ((b (make-bytevector 40 7))) (bytevector-ber-set! b n 3) (list (bytevector-ber-ref b 3) (bytevector-u8-ref b 2))))
     '(0 1 127 128 16383 32767 18446744073709551615 340282366920938463463374607431768211456))
=> ((0 7) (1 7) (127 7) (128 7) (16383 7) (32767 7) (18446744073709551615 7) (340282366920938463463374607431768211456 7))

(let ((b (make-bytevector 3 0))) (bytevector-ber-set! b 300) b) => #u8(130 44 0)

(bytevector-ber-ref #u8(128 129)) =>error bytevector-ber-ref: the integer does not end

; --- IEEE 754 ---

(define (single x) (let ((b (make-bytevector 4))) (bytevector-ieee-single-native-set! b 0 x) b))
(define (double x) (let ((b (make-bytevector 8))) (bytevector-ieee-double-native-set! b 0 x) b))
(list (single 0.0) (single -1.0) (single (/ 1. 3)) (single 3.40282346638528860e+38) (single 1.40129846432481707e-45) (single 3.14159265358979323846) (single -0.0))
=> (#u8(0 0 0 0) #u8(0 0 128 191) #u8(171 170 170 62) #u8(255 255 127 127) #u8(1 0 0 0) #u8(219 15 73 64) #u8(0 0 0 128))

(list (double -1.0) (double (/ 1. 3)) (double 3.14159265358979323846) (double 1e-23) (double +inf.0) (double -inf.0))
=> (#u8(0 0 0 0 0 0 240 191) #u8(85 85 85 85 85 85 213 63) #u8(24 45 68 84 251 33 9 64) #u8(81 178 18 64 179 45 40 59) #u8(0 0 0 0 0 0 240 127) #u8(0 0 0 0 0 0 240 255))

(map (lambda (x) (bytevector-ieee-double-native-ref (double x) 0)) '(0.0 -0.0 1.5 -2.25e-300 1e308 5e-324 1.7976931348623157e308 +inf.0 -inf.0 2.2250738585072014e-308))
=> (0.0 -0.0 1.5 -2.25e-300 1e308 5e-324 1.7976931348623157e308 +inf.0 -inf.0 2.2250738585072014e-308)

(map (lambda (x) (bytevector-ieee-single-native-ref (single x) 0)) '(0.5 -1.75 1e40 -1e40 1e-50 1.0e-45)) => (0.5 -1.75 +inf.0 -inf.0 0.0 1.401298464324817e-45)

(let ((x (bytevector-ieee-single-native-ref (single +nan.0) 0))) (= x x)) => #f

(let ((b (make-bytevector 6 0))) (bytevector-ieee-single-set! b 1 1.0 'big) (list b (bytevector-ieee-single-ref b 1 'big))) => (#u8(0 63 128 0 0 0) 1.0)

(bytevector-ieee-double-ref (make-bytevector 8 0) 0 'middle) =>error an endianness is big or little: (middle)
