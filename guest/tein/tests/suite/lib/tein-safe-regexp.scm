; import (tein safe-regexp)

; --- compiled regexps ---

(define digits (regexp "[0-9]+"))
(list (regexp? digits) (regexp? "[0-9]+") (regexp? 5) (list? digits) (regexp? (regexp digits)))
=> (#t #f #f #f #t)

(regexp "(") =>error regexp: unclosed group: ("(")

(regexp "a(?=b)") =>error regexp: look-around

(regexp "(a)\\1") =>error regexp: backreferences are not supported

(regexp 5) =>error invalid type, expected String: (5)

(regexp "((a{100}){100}){100}") =>error regexp: the compiled pattern is larger than 1048576 bytes

(regexp (make-string 10001 #\a)) =>error regexp: the pattern is longer than 10000 bytes

(regexp (string-append (make-string 150 #\() "a" (make-string 150 #\)))) =>error regexp: exceed the maximum number of nested

; --- searching ---

(regexp-search digits "abc 123 def 45") => #(#("123" 4 7))

(regexp-search "[0-9]+" "no digits") => #f

(regexp-search "(a)(b)?(c)" "xacx") => #(#("ac" 1 3) #("a" 1 2) #f #("c" 2 3))

(regexp-search "(?P<year>\\d{4})-(\\d{2})" "on 2024-05-01") => #(#("2024-05" 3 10) #("2024" 3 7) #("05" 8 10))

; Positions count characters.
(regexp-search "b(λ+)" "λμb λλ bλλ") => #(#("bλλ" 7 10) #("λλ" 8 10))

(regexp-search "(?i)ΣΤ" "στ") => #(#("στ" 0 2))

(regexp-search "\\w+" "«été»") => #(#("été" 1 4))

(regexp-search "" "abc") => #(#("" 0 0))

(list (regexp-search-from digits "1 22 333" 1) (regexp-search-from digits "1 22 333" -5) (regexp-search-from digits "1 22" 4) (regexp-search-from digits "1 22" 9))
=> (#(#("22" 2 4)) #(#("1" 0 1)) #f #f)

(list (regexp-search-from "a" "λaλa" 2) (regexp-search-from "^a" "aa" 1) (regexp-search-from "\\ba" "aa" 1)) => (#(#("a" 3 4)) #f #f)

(regexp-search-from digits "1" 'x) =>error invalid type, expected Integer: (x)

(regexp-search digits 5) =>error invalid type, expected String: (5)

(regexp-search 'x "a") =>error invalid type, expected Regexp: (x)

; --- the whole string ---

(list (regexp-matches? "[0-9]+" "123") (regexp-matches? "[0-9]+" "123a") (regexp-matches? "[0-9]+" "a123") (regexp-matches? "" ""))
=> (#t #f #f #t)

; An alternative that matches less does not hide one that matches all.
(list (regexp-matches? "a|ab" "ab") (regexp-matches "a|ab" "ab") (regexp-matches? "a|b" "ab")) => (#t #(#("ab" 0 2)) #f)

(list (regexp-matches? "a" "a\n") (regexp-matches? "(?m)a$" "a\nb") (regexp-matches? "^a$" "a")) => (#f #f #t)

(regexp-matches "(\\w+)@(\\w+)" "me@home") => #(#("me@home" 0 7) #("me" 0 2) #("home" 3 7))

(list (regexp-matches "x" "y") (regexp-matches? "(?x) a b # a comment" "ab") (regexp-matches? "(?x) a \\# # b" "a#")) => (#f #t #t)

(regexp-matches? "a)(b" "ab") =>error regexp: unopened group

; --- replacing ---

(regexp-replace "o" "foo boo" "0") => "f0o boo"

(regexp-replace-all "o" "foo boo" "0") => "f00 b00"

(regexp-replace-all "(\\w+) (\\w+)" "hello world" "$2 $1") => "world hello"

(regexp-replace-all "(?P<first>\\w)(\\w*)" "ab cd" "${2}${first}") => "ba dc"

(list (regexp-replace-all "x" "abc" "y") (regexp-replace-all "a" "banana" "") (regexp-replace "a" "a" "$$")) => ("abc" "bnn" "$")

(list (regexp-replace-all "" "ab" "-") (regexp-replace-all "a*" "baac" "x") (regexp-replace-all "λ" "aλb" "é")) => ("-a-b-" "xbxcx" "aéb")

(regexp-replace "a" "a" 'b) =>error invalid type, expected String: (b)

; --- splitting and extracting ---

(regexp-split "," "a,b,,c,") => ("a" "b" "" "c" "")

(list (regexp-split "\\s+" "one  two three") (regexp-split "," "") (regexp-split "x" "abc") (regexp-split "λ" "aλb")) => (("one" "two" "three") ("") ("abc") ("a" "b"))

(regexp-extract digits "1 a 22") => (#(#("1" 0 1)) #(#("22" 4 6)))

(list (regexp-extract "z" "abc") (map (lambda (m) (vector-ref m 0)) (regexp-extract "a*" "aab"))) => (() (#("aa" 0 2) #("" 3 3)))

(map regexp-match->list (regexp-extract "(\\w)=(\\d)?" "a=1 b= c=3")) => (("a=1" "a" "1") ("b=" "b" #f) ("c=3" "c" "3"))

; Empty matches advance by characters.
(map (lambda (m) (vector-ref (vector-ref m 0) 1)) (regexp-extract "" "λμ")) => (0 1 2)

; --- matches ---

(define m (regexp-search "(a)(b)?" "za"))
(list (regexp-match-count m) (regexp-match-submatch m 0) (regexp-match-submatch m 1) (regexp-match-submatch m 2) (regexp-match->list m))
=> (3 "a" "a" #f ("a" "a" #f))

(regexp-match-submatch m 3) =>error regexp-match-submatch: no such group: (3)

(regexp-match-submatch m -1) =>error no such group

; --- folding ---

(regexp-fold digits (lambda (i m s acc) (cons (list i (regexp-match-submatch m 0)) acc)) '() "a1b22c")
=> ((2 "22") (0 "1"))

(regexp-fold digits (lambda (i m s acc) (+ acc (string->number (regexp-match-submatch m 0)))) 0 "1 2 3") => 6

(regexp-fold digits (lambda (i m s acc) (cons (substring s i (vector-ref (vector-ref m 0) 1)) acc)) '() "a1b2c"
  (lambda (i m s acc) (list m (reverse (cons (substring s i (string-length s)) acc)))))
=> (#f ("a" "b" "c"))

(regexp-fold digits (lambda (i m s acc) (cons (regexp-match-submatch m 0) acc)) '() "123456" (lambda (i m s acc) (list i acc)) 1 4)
=> (4 ("234"))

(regexp-fold digits (lambda (i m s acc) acc) '() "123" (lambda (i m s acc) acc) 2 9) =>error regexp-fold: index out of range

(regexp-fold digits (lambda (i m s acc) acc) '() "123" (lambda (i m s acc) acc) 3 2) =>error index out of range

(regexp-fold digits 5 '() "123") =>error regexp-fold: not a procedure: (5)

(regexp-fold 'x (lambda (i m s acc) acc) '() "123") =>error invalid type, expected Regexp

; --- time ---

; What takes exponential time elsewhere.
(regexp-matches? "(a*)*b" (make-string 20000 #\a)) => #f

(length (regexp-extract "a" (make-string 5000 #\a))) => 5000

; More patterns than are kept compiled.
(let loop ((i 0) (n 0))
  (if (= i 30) n (loop (+ i 1) (+ n (if (regexp-matches? (number->string (modulo i 11)) (number->string (modulo i 11))) 1 0)))))
=> 30

; A search costs steps by the length of the text and the size of the compiled pattern.
(regexp-search "(a?){1000}b{1000}" (make-string 1000000 #\a)) =>error step limit exceeded

; A large pattern on a short text is fine.
(let ((m (regexp-search "(\\w+\\s*){3}" "one two three four"))) (regexp-match-submatch m 0)) => "one two three "
