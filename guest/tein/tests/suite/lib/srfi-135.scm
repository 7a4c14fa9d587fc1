; import (srfi 135)
; import (only (scheme char) char-upcase)
; SRFI 135: immutable texts

(define (s x) (textual->string x))
(define t (text #\a #\b #\c #\space #\x3bb))
(list (text? t) (text? "a") (textual? t) (textual? "a") (textual? 'a) (textual-null? (text)) (textual-null? "x") (s t)) => (#t #f #t #t #f #t #f "abc \x3bb;")


(list (textual-every char? "abc") (textual-any (lambda (c) (char=? c #\b)) "ab") (textual-any char? "") (textual-every (lambda (c) (char=? c #\b)) "abb" 1)) => (#t #t #f #t)

(map s (list (make-text 2 #\x) (text-tabulate (lambda (i) (string-ref "xyz" i)) 2) (text-unfold null? car cdr '(#\a "bc" #\d)) (text-unfold-right null? car cdr '(#\a #\b) "!" (lambda (x) "<")) (text-unfold null? car cdr '(#\a) "!" (lambda (x) ">")))) => ("xx" "xy" "abcd" "<ba!" "!a>")

(list (textual->vector "abc" 1) (textual->list t 0 2) (s (string->text "hello" 1 3)) (s (vector->text #(#\a #\b))) (s (list->text '(#\a #\b #\c) 1)) (s (reverse-list->text '(#\a #\b))) (eq? (textual->text t) t)) => (#(#\b #\c) (#\a #\b) "el" "ab" "bc" "ba" #t)

(string->text t) =>error expected String

(textual->text 5) =>error textual->text: not a textual

(list (textual->utf8 (text #\x3bb)) (textual->utf16be "a\x10000;") (textual->utf16le "a") (textual->utf16 "a")) => (#u8(206 187) #u8(0 97 216 0 220 0) #u8(97 0) #u8(254 255 0 97))

(map s (list (utf8->text (bytevector 97 98 99) 1) (utf16be->text (bytevector 0 97)) (utf16le->text (bytevector 97 0)) (utf16->text (bytevector 255 254 97 0)) (utf16->text (bytevector 254 255 0 97)) (utf16->text (bytevector 0 97)))) => ("bc" "a" "a" "a" "a" "a")

(utf16->text (bytevector 1)) =>error odd number of bytes

(list (text-length t) (textual-length "ab") (text-ref t 0) (textual-ref "ab" 1) (s (subtext t 1 3)) (s (subtextual "abc" 1 2))) => (5 2 #\a #\b "bc" "b")

(text-ref t 5) =>error text-ref: illegal arguments

(text-length "abc") =>error text-length: illegal arguments

(subtext t 2 9) =>error subtext: illegal arguments

(map s (list (textual-copy "abc") (textual-take "abc" 2) (textual-drop "abc" 2) (textual-take-right "abc" 2) (textual-drop-right "abc" 2) (textual-pad "325" 5) (textual-pad "8871325" 5) (textual-pad-right "325" 5 #\-) (textual-pad "abcdef" 2 #\x 1 3))) => ("abc" "ab" "c" "bc" "a" "  325" "71325" "325--" "bc")

(textual-take "abc" 4) =>error textual: index out of range

(map s (list (textual-trim "  a ") (textual-trim-right " a  ") (textual-trim-both " a ") (textual-trim "xxa" (lambda (c) (char=? c #\x))) (textual-replace "TCL hacker" "Scheme" 0 3) (textual-replace "abc" "xyz" 1 2 0 1))) => ("a " " a" "a" "a" "Scheme hacker" "axc")

(list (textual=? "a" (text #\a) "a") (textual<? "a" "b" "c") (textual<? "a" "c" "b") (textual>? "b" "a") (textual<=? "a" "a") (textual>=? "a" "b") (textual-ci=? "A" "a") (textual-ci<? "a" "B")) => (#t #t #f #t #t #f #t #t)

(list (textual-prefix-length "cancaNCAM" "cancancan") (textual-suffix-length "abc" "xbc") (textual-prefix? "ab" "abc") (textual-suffix? "bc" t) (textual-prefix? "bc" "abc" 0 2 1 3)) => (5 2 #t #f #t)

(list (textual-index "abc" (lambda (c) (char=? c #\b))) (textual-index "abc" (lambda (c) #f)) (textual-index-right "abab" (lambda (c) (char=? c #\a))) (textual-skip "aab" (lambda (c) (char=? c #\a))) (textual-skip-right "abb" (lambda (c) (char=? c #\b)) 0 3) (textual-index "abcb" (lambda (c) (char=? c #\b)) 2)) => (1 #f 2 2 0 3)

(list (textual-contains "eek -- what a geek." "ee" 12 18) (textual-contains "abc" "x") (textual-contains-right "abab" "ab") (textual-contains "" "")) => (15 #f 2 0)

(map s (list (textual-upcase "aB\xdf;") (textual-downcase "AB") (textual-foldcase "AB") (textual-titlecase "hello world") (textual-append "a" (text #\b) "c") (textual-append) (textual-concatenate (list "a" (text #\b))) (textual-concatenate-reverse '("c" "b") "aXX" 1))) => ("ABSS" "ab" "ab" "Hello World" "abc" "" "ab" "bca")

(textual-append "a" 5) =>error textual-concatenate: illegal arguments

(map s (list (textual-join '("a" "b")) (textual-join '("a" "b") ", ") (textual-join '("a" "b") "." 'suffix) (textual-join '("a" "b") "/" 'prefix) (textual-join '()))) => ("a b" "a, b" "a.b." "/a/b" "")

(list (textual-fold cons '() "abc") (textual-fold-right cons '() "abc") (textual-fold cons '() "abc" 1) (s (textual-map char-upcase "abc")) (s (textual-map (lambda (a b) (string a b)) "ab" "xyz")) (s (textual-map-index (lambda (i) (number->string i)) "abc")) (textual-count "banana" (lambda (c) (char=? c #\a)))) => ((#\c #\b #\a) (#\a #\b #\c) (#\c #\b) "ABC" "axby" "012" 3)

(let ((n '())) (textual-for-each (lambda (c) (set! n (cons c n))) "ab") (textual-for-each-index (lambda (i) (set! n (cons i n))) "abc" 1) n) => (2 1 #\b #\a)

(map s (list (textual-filter (lambda (c) (char<? c #\c)) "abcd") (textual-remove (lambda (c) (char<? c #\c)) "abcd") (textual-replicate "abcdef" -1 7) (textual-replicate "abc" 0 5))) => ("ab" "cd" "fabcdefa" "abcab")

(map (lambda (l) (map s l)) (list (textual-split "a,b,c" ",") (textual-split "a,b,c" "," 'infix 1) (textual-split "a,b," "," 'suffix) (textual-split "" ",") (textual-split ",a" "," 'prefix))) => (("a" "b" "c") ("a" "b,c") ("a" "b") () ("a"))

(let* ((str (string #\a)) (x (string->text str))) (string-set! str 0 #\z) (s x)) => "a"

(list (textual-ci>? "b" "A") (textual-ci>? "A" "b") (textual-ci<=? "a" "A" "b") (textual-ci>=? "B" "b" "A") (textual-ci>=? "a" "B")) => (#t #f #t #t #f)
