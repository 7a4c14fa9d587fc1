; R7RS 6.7 Strings

"The word \"recursion\" has many meanings." => "The word \"recursion\" has many meanings."

(string-length "\a\b\t\n\r\"\\\|") => 8

(map char->integer (string->list "\a\b\t\n\r\"\\")) => (7 8 9 10 13 34 92)

"\x41;bc" => "Abc"

"\x03B1; is named GREEK SMALL LETTER ALPHA." => "α is named GREEK SMALL LETTER ALPHA."

"Here's text \
    containing just one line" => "Here's text containing just one line"

"Here's text \   
    with blanks" => "Here's text with blanks"

(string-length "two
lines") => 9

(map string? (list "" "a" #\a 'a)) => (#t #t #f #f)

(string-length (make-string 5)) => 5

(make-string 3 #\x) => "xxx"

(make-string 2 #\λ) => "λλ"

(make-string 0 #\x) => ""

(make-string -1) =>error 

(make-string 2 "a") =>error invalid type, expected Char: ("a")

(string) => ""

(string #\a #\b) => "ab"

(string #\a "b") =>error invalid type, expected Char: ("b")

(string-length "") => 0

(string-length "aλ𝄞") => 3

(string-length 'a) =>error invalid type, expected String: (a)

(string-ref "abc" 0) => #\a

(string-ref "aλ𝄞" 2) => #\𝄞

(string-ref "abc" 3) =>error string-index->cursor: index out of range: (3)

(string-ref "abc" -1) =>error index out of range: (-1)

(string-ref "abc" 1.0) =>error invalid type, expected Integer: (1.0)

(string-ref 'a 0) =>error invalid type, expected String: (a)

(let ((s (make-string 3 #\*))) (string-set! s 0 #\?) s) => "?**"

(let ((s (make-string 3 #\*))) (string-set! s 1 #\λ) (string-set! s 2 #\a) s) => "*λa"

(string-set! (make-string 2) 2 #\a) =>error string-set!: index out of range

(string-set! (make-string 2) 0 "a") =>error invalid type, expected Char: ("a")

(string=? "abc" "abc" "abc") => #t

(string=? "abc" "abd") => #f

(string=? "" "") => #t

(string=? "abc" "ab") => #f

(string<? "a" "b" "c") => #t

(string<? "abc" "abd") => #t

(string<? "ab" "abc") => #t

(string<? "abc" "abc") => #f

(string<? "Z" "a") => #t

(string<? "z" "λ") => #t

(string>? "c" "b" "a") => #t

(string<=? "a" "a" "b") => #t

(string>=? "b" "b" "a") => #t

(string<=? "b" "a") => #f

(string=? "a" 'a) =>error invalid type, expected String: (a)

(string<? "b" "a" 5) =>error invalid type, expected String: (5)

(string-ci=? "aBc" "AbC") => #t

(string-ci=? "Straße" "STRASSE") => #t

(string-ci<? "a" "B" "c") => #t

(string-ci>? "C" "b" "A") => #t

(string-ci<=? "a" "A" "b") => #t

(string-ci>=? "b" "B" "a") => #t

(string-upcase "abc") => "ABC"

(string-upcase "straße") => "STRASSE"

(string-downcase "ABC") => "abc"

(string-downcase "ΧΑΟΣ") => "χαος"

(string-foldcase "ΧΑΟΣ") => "χαοσ"

(string-foldcase "AbC") => "abc"

(substring "hello" 1 3) => "el"

(substring "hello" 2) => "llo"

(substring "hello" 0 0) => ""

(substring "hello" 5 5) => ""

(substring "hello" 3 2) =>error index out of range

(substring "hello" 0 6) =>error index out of range

(substring "hello" -1 2) =>error 

(substring 'a 0 1) =>error invalid type, expected String: (a)

(string-append "foo" "bar") => "foobar"

(string-append) => ""

(string-append "a") => "a"

(string-append "a" "λ" "b") => "aλb"

(string-append "a" 5) =>error invalid type, expected String: (5)

(let ((a "x")) (eq? a (string-append a))) => #f

(string->list "apple") => (#\a #\p #\p #\l #\e)

(string->list "apple" 2) => (#\p #\l #\e)

(string->list "apple" 2 4) => (#\p #\l)

(string->list "") => ()

(string->list "abc" 4) =>error index out of range

(list->string '(#\a #\b)) => "ab"

(list->string '()) => ""

(list->string '(1 2)) =>error write-char: not a character: (1)

(list->string 5) =>error invalid type, expected List: (5)

(string-copy "hello") => "hello"

(string-copy "hello" 1 3) => "el"

(string-copy "hello" 3) => "lo"

(let* ((a "abc") (b (string-copy a))) (string-set! b 0 #\x) (list a b)) => ("abc" "xbc")

(let ((a "12345") (b (string-copy "abcde"))) (string-copy! b 1 a 0 2) b) => "a12de"

(let ((b (string-copy "abcde"))) (string-copy! b 0 b 2) b) => "cdede"

(let ((b (string-copy "abcde"))) (string-copy! b 2 b 0 3) b) => "ababc"

(let ((b (string-copy "abc"))) (string-copy! b 0 "λμ") b) => "λμc"

(let ((b (string-copy "abc"))) (string-copy! b 3 "") b) => "abc"

(string-copy! (make-string 2) 1 "abc") =>error string-copy!: index out of range

(string-copy! (make-string 2) 0 "abc" 2 1) =>error index out of range

(let ((s (make-string 3 #\a))) (string-fill! s #\z) s) => "zzz"

(let ((s (string-copy "abcde"))) (string-fill! s #\- 1 3) s) => "a--de"

(let ((s (string-copy "abcde"))) (string-fill! s #\λ 3) s) => "abcλλ"

(string-map char-foldcase "AbdEgH") => "abdegh"

(string-map (lambda (c) (integer->char (+ 1 (char->integer c)))) "HAL") => "IBM"

(string-map (lambda (c k) ((if (eqv? k #\u) char-upcase char-downcase) c)) "studlycaps xxx" "ululululul") => "StUdLyCaPs"

(string-map char-upcase "") => ""

(let ((v '())) (string-for-each (lambda (c) (set! v (cons (char->integer c) v))) "abcde") v) => (101 100 99 98 97)

(let ((v '())) (string-for-each (lambda (a b) (set! v (cons (list a b) v))) "ab" "xyz") v) => ((#\b #\y) (#\a #\x))

(string->vector "ABC") => #(#\A #\B #\C)

(string->vector "ABCDE" 1 3) => #(#\B #\C)

(vector->string #(#\1 #\2 #\3)) => "123"

(vector->string #(#\a #\b #\c) 1) => "bc"

(vector->string #(1 2)) =>error 

(string->utf8 "é") => #u8(195 169)

(utf8->string (bytevector 195 169)) => "é"

(write "a\"b\\c\nd\te\r\a") =>output "a\\"b\\\\c\\nd\\te\\r\\x7;"

(display "a\"b") =>output a"b

(write "λ") =>output "λ"

(string-length (string-append (make-string 100000 #\a) (make-string 100000 #\λ))) => 200000

; Cherokee folds to its upper case letters.
(string-foldcase "\xAB70;\x13A0;\x13F8;") => "\x13A0;\x13A0;\x13F0;"

(string-ci=? "\xAB70;" "\x13A0;") => #t
