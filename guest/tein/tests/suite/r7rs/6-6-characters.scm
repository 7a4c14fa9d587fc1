; R7RS 6.6 Characters

(map char? (list #\a #\space #\x41 "a" 97 'a)) => (#t #t #t #f #f #f)

(list #\alarm #\backspace #\delete #\escape #\newline #\null #\return #\space #\tab)
=> (#\x7 #\x8 #\x7f #\x1b #\xa #\x0 #\xd #\x20 #\x9)

(map char->integer '(#\alarm #\backspace #\delete #\escape #\newline #\null #\return #\space #\tab)) => (7 8 127 27 10 0 13 32 9)

#\x => #\x

(char->integer #\x41) => 65

(char->integer #\x03BB) => 955

(eqv? #\x03BB #\λ) => #t

(list #\( #\) #\; #\" #\# #\') => (#\x28 #\x29 #\x3b #\x22 #\x23 #\x27)

(write '(#\a #\A #\( #\space #\newline #\tab #\null #\delete #\escape #\alarm #\backspace #\return #\λ)) =>output (#\a #\A #\( #\space #\\newline #\tab #\\null #\delete #\escape #\alarm #\backspace #\return #\λ)

(display #\a) =>output a

(char->integer #\A) => 65

(integer->char 955) => #\λ

(integer->char 0) => #\null

(char->integer (integer->char #x10FFFF)) => 1114111

(integer->char #xD800) =>error 

(integer->char #x110000) =>error 

(integer->char -1) =>error 

(integer->char 'a) =>error invalid type, expected Integer: (a)

(char->integer "a") =>error invalid type, expected Char: ("a")

(char=? #\a #\a #\a) => #t

(char=? #\a #\b) => #f

(char<? #\a #\b #\c) => #t

(char<? #\a #\c #\b) => #f

(char<? #\Z #\a) => #t

(char>? #\c #\b #\a) => #t

(char<=? #\a #\a #\b) => #t

(char>=? #\b #\b #\a) => #t

(char>=? #\a #\b) => #f

(char<? #\a 1) =>error invalid type, expected Char: (1)

(char-ci=? #\a #\A) => #t

(char-ci=? #\a #\B) => #f

(char-ci<? #\a #\B #\c) => #t

(char-ci>? #\C #\b #\A) => #t

(char-ci<=? #\a #\A #\b) => #t

(char-ci>=? #\b #\B #\a) => #t

(char-ci=? #\ς #\Σ #\σ) => #t

(map char-alphabetic? '(#\a #\Z #\λ #\1 #\space #\_)) => (#t #t #t #f #f #f)

(map char-numeric? '(#\0 #\9 #\a #\x0664)) => (#t #t #f #t)

(map char-whitespace? '(#\space #\tab #\newline #\return #\a #\x00A0 #\x3000)) => (#t #t #t #t #f #t #t)

(map char-upper-case? '(#\A #\a #\1 #\Σ)) => (#t #f #f #t)

(map char-lower-case? '(#\A #\a #\1 #\σ)) => (#f #t #f #t)

(map digit-value '(#\0 #\3 #\9 #\x0664 #\x0AE6 #\x0EA6 #\a)) => (0 3 9 4 0 #f #f)

(map char-upcase '(#\a #\A #\i #\λ #\ß #\1)) => (#\A #\A #\I #\Λ #\ß #\1)

(map char-downcase '(#\A #\a #\Σ #\1)) => (#\a #\a #\σ #\1)

(map char-foldcase '(#\A #\Σ #\ς #\1)) => (#\a #\σ #\σ #\1)

(char-upcase "a") =>error invalid type, expected Char: ("a")

(digit-value 5) =>error invalid type, expected Char: (5)

(map char-foldcase '(#\x13A0 #\xAB70 #\x13F8 #\x1FD3 #\ſ #\x212A #\x1E9E #\İ))
  => (#\x13A0 #\x13A0 #\x13F0 #\x0390 #\s #\k #\ß #\İ)

; SpecialCasing.txt: lower, title and upper case.
(map (lambda (which) (char-get-special-case #\ß which)) '(0 1 2 3)) => (223 "ß" "Ss" "SS")

(map (lambda (which) (char-get-special-case #\ﬃ which)) '(1 2 3)) => ("ﬃ" "Ffi" "FFI")

(map (lambda (which) (char-get-special-case #\İ which)) '(1 2 3)) => ("i̇" "İ" "İ")

(map (lambda (which) (char-get-special-case #\և which)) '(1 2 3)) => ("և" "Եւ" "ԵՒ")

(map (lambda (which) (char-get-special-case #\ᾳ which)) '(1 2 3)) => ("ᾳ" "ᾼ" "ΑΙ")

(map (lambda (which) (char-get-special-case #\x1F88 which)) '(1 2 3)) => ("\x1F80;" "\x1F88;" "\x1F08;\x0399;")

(map (lambda (which) (char-get-special-case #\x1FB7 which)) '(1 2 3))
  => ("\x1FB7;" "\x1FBC;\x0342;" "\x0391;\x0342;\x0399;")

(map (lambda (which) (char-get-special-case #\x1FB2 which)) '(1 2 3))
  => ("\x1FB2;" "\x1FBA;\x0345;" "\x1FBA;\x0399;")

(map (lambda (which) (char-get-special-case #\x0149 which)) '(1 2 3)) => ("ŉ" "\x02BC;N" "\x02BC;N")

(map (lambda (c) (char-get-special-case c 3)) '(#\a #\λ #\space #\ǆ)) => (#f #f #f #f)

(char-get-special-case #\ß 4) =>error char-get-special-case: index out of range

(char-get-special-case "ß" 1) =>error invalid type, expected Char
