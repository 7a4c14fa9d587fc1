; R7RS 6.9 Bytevectors

(map bytevector? (list #u8(1) #u8() #(1) "a")) => (#t #t #f #f)

(make-bytevector 2 12) => #u8(12 12)

(bytevector-length (make-bytevector 5)) => 5

(make-bytevector 0) => #u8()

(make-bytevector 1 256) =>error 

(make-bytevector -1) =>error 

(bytevector 1 3 5 1 3 5) => #u8(1 3 5 1 3 5)

(bytevector) => #u8()

(bytevector 256) =>error 

(bytevector -1) =>error 

(bytevector 1.0) =>error 

(bytevector-u8-ref #u8(1 1 2 3 5 8 13 21) 5) => 8

(bytevector-u8-ref #u8(1) 1) =>error bytevector-u8-ref: index out of range

(bytevector-u8-ref #(1) 0) =>error invalid type, expected Bytevector: (#(1))

(let ((bv (bytevector 1 2 3 4))) (bytevector-u8-set! bv 1 3) bv) => #u8(1 3 3 4)

(bytevector-u8-set! (bytevector 1) 0 256) =>error 

(bytevector-u8-set! (bytevector 1) 1 0) =>error bytevector-u8-set!: index out of range

(bytevector-length #u8(1 2 3)) => 3

(bytevector-length "a") =>error invalid type, expected Bytevector: ("a")

(bytevector-copy #u8(1 2 3 4 5) 2 4) => #u8(3 4)

(bytevector-copy #u8(1 2 3) 1) => #u8(2 3)

(bytevector-copy #u8(1 2 3)) => #u8(1 2 3)

(bytevector-copy #u8(1 2) 3) =>error index out of range

(let ((b (bytevector 10 20 30 40 50))) (bytevector-copy! b 1 #u8(1 2 3 4 5) 0 2) b) => #u8(10 1 2 40 50)

(let ((b (bytevector 1 2 3 4 5))) (bytevector-copy! b 1 b 0 4) b) => #u8(1 1 2 3 4)

(bytevector-copy! (bytevector 1) 1 #u8(1)) =>error bytevector-copy!: index out of range

(bytevector-append #u8(0 1 2) #u8(3 4 5)) => #u8(0 1 2 3 4 5)

(bytevector-append) => #u8()

(bytevector-append #u8(1) 'a) =>error invalid type, expected Bytevector: (a)

(utf8->string #u8(#x41)) => "A"

(string->utf8 "λ") => #u8(#xCE #xBB)

(utf8->string #u8(65 66 67 68) 1 3) => "BC"

(string->utf8 "abcd" 1 3) => #u8(98 99)

(string->utf8 "aλb" 1) => #u8(206 187 98)

(utf8->string (string->utf8 "aλ𝄞")) => "aλ𝄞"

(utf8->string #u8(255)) =>error utf8->string: not valid UTF-8

(utf8->string #u8(206)) =>error utf8->string

(string->utf8 "abc" 4) =>error index out of range

(write #u8(1 2 255)) =>output #u8(1 2 255)

(equal? (bytevector 1 2) #u8(1 2)) => #t
