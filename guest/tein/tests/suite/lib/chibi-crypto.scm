; import (chibi crypto md5)
; import (chibi crypto sha2)
; import (chibi crypto rsa)

; RFC 1321, A.5
(map md5 '("" "a" "abc" "message digest" "12345678901234567890123456789012345678901234567890123456789012345678901234567890"))
=> ("d41d8cd98f00b204e9800998ecf8427e" "0cc175b9c0f1b6a831c399e269772661" "900150983cd24fb0d6963f7d28e17f72" "f96b697d7cb7938d525a2f31aaf161d0" "57edf4a22be3c955ac49da2e2107b67a")

(list (md5 #u8(97 98 99)) (md5 (open-input-bytevector #u8(97 98 99))) (md5 (make-string 1000 #\a))) => ("900150983cd24fb0d6963f7d28e17f72" "900150983cd24fb0d6963f7d28e17f72" "cabe45dcc9ae5b66ba86600cca6b8ba8")

(md5 5) =>error invalid type

; FIPS 180-4
(map sha-256 '("" "abc" "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))
=> ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")

(map sha-224 (list "" "abc" #u8(97 98 99) (open-input-bytevector #u8(97 98 99))))
=> ("d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f" "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7" "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7" "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7")

(sha-256 (make-string 1000 #\a)) => "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"

; --- RSA: p = 61, q = 53 ---

(define key (make-rsa-key 8 3233 17 2753))
(list (rsa-encrypt key 65) (rsa-decrypt key 2790) (rsa-sign key 42) (rsa-verify? (rsa-pub-key key) 42 (rsa-sign key 42)) (rsa-verify? key 43 (rsa-sign key 42)))
=> (2790 65 3065 #t #f)

(define key1 (rsa-key-gen-from-primes 8 61 53))
(list (rsa-sign key1 42) (rsa-key? key1) (rsa-key-bits key1) (rsa-key-n key1) (rsa-decrypt key1 (rsa-encrypt (rsa-pub-key key1) 42)) (rsa-key-d (rsa-pub-key key1)))
=> (439 #t 8 3233 42 #f)

(define key2 (rsa-key-gen-from-primes 32 2936546443 3213384203))
(list (rsa-decrypt key2 (rsa-encrypt (rsa-pub-key key2) #u8(42))) (utf8->string (rsa-decrypt key2 (rsa-encrypt key2 "*"))) (rsa-verify? key2 "*" (rsa-sign key2 "*")))
=> (#u8(42) "*" #t)

(map (lambda (bits) (let ((k (rsa-key-gen bits))) (rsa-decrypt k (rsa-encrypt (rsa-pub-key k) 5)))) '(8 16 32)) => (5 5 5)

(rsa-decrypt (rsa-pub-key key) 5) =>error rsa: this takes a private key

(rsa-encrypt key 4000) =>error rsa: the message is not less than the modulus: (4000 3233)

(rsa-encrypt key 'a) =>error rsa: a message is an integer, a string or a bytevector: (a)

(rsa-key-gen-from-primes 8 7 7) =>error the primes and the exponent do not fit

; --- padding ---

(list (pkcs1-pad #u8()) (pkcs1-pad #u8(1 2 3 4 5 6)) (pkcs1-pad #u8(1 2 3 4 5 6 7 8))) => (#u8(8 8 8 8 8 8 8 8) #u8(1 2 3 4 5 6 2 2) #u8(1 2 3 4 5 6 7 8 8 8 8 8 8 8 8 8))

(map (lambda (b) (pkcs1-unpad (pkcs1-pad b))) '(#u8() #u8(1) #u8(1 2 3 4 5 6 7 8))) => (#u8() #u8(1) #u8(1 2 3 4 5 6 7 8))

(pkcs1-unpad #u8(1 2 3 4 5 6 7 9)) =>error pkcs1-unpad: not padded bytes

(pkcs1-unpad #u8(1 2 3 4 5 6 3 2)) =>error pkcs1-unpad: not padded bytes
