; import (except (chibi string) string-map string-for-each)
; import (scheme char)

; --- cursors ---

(let ((s "aλb")) (list (string-cursor-start s) (string-cursor-end s) (string-cursor-ref s 1) (string-cursor-next s 0) (string-cursor-prev s 3)))
=> (0 3 #\λ 1 2)

(list (string-cursor? 1) (string-cursor<? 1 2) (string-cursor<=? 2 2) (string-cursor>? 1 2) (string-cursor>=? 1 2) (string-cursor=? 3 3)
      (string-cursor->index "abc" 2) (string-index->cursor "abc" 2) (string-cursor-forward "abc" 0 2) (string-cursor-back "abc" 3 2))
=> (#t #t #t #f #f #t 2 2 2 1)

(list (substring-cursor "hello" 1) (substring-cursor "hello" 1 3)) => ("ello" "el")

(string-cursor-ref "abc" 3) =>error index out of range

; --- predicates ---

(list (string-null? "") (string-null? " ")) => (#t #f)

(list (string-every char-alphabetic? "abc") (string-every char-alphabetic? "abc0") (string-every char-alphabetic? "")) => (#t #f #t)

(list (string-any digit-value "a3c") (string-any digit-value "abc") (string-any #\c "abc") (string-every #\a "aab")) => (3 #f #t #f)

(list (string-any #\a "abc" 1) (string-every #\b "abbc" 1 3)) => (#f #t)

(string-any 5 "abc") =>error not a character, char-set or predicate: (5)

(string-any #\a "abc" 4) =>error cursor out of range: ("abc" 4 3)

; --- searching ---

(list (string-find "abc" char-alphabetic?) (string-find "abc0" char-numeric?) (string-find "abc" char-numeric?) (string-find "a-b-c" #\- 2))
=> (0 3 3 3)

(list (string-find-right "abc" char-alphabetic?) (string-find-right "abc0" char-numeric?) (string-find-right "abc" char-numeric?) (string-find-right "a/b/c" #\/))
=> (3 4 0 4)

(list (string-find? "abc" #\b) (string-find? "abc" #\z) (string-find? "abc" #\a 1)) => (#t #f #f)

(list (string-skip "abc" char-numeric?) (string-skip "abc0" char-alphabetic?) (string-skip "abc" char-alphabetic?)) => (0 3 3)

(list (string-skip-right "abc" char-numeric?) (string-skip-right "abc0" char-alphabetic?) (string-skip-right "abc" char-alphabetic?)) => (3 4 0)

(list (string-contains "banana" "nan") (string-contains "banana" "na" 3) (string-contains "banana" "x") (string-contains "abc" "")) => (2 4 #f 0)

((make-string-searcher "lo") "hello") => 3

(list (string-count "!a0 bc /.," char-alphabetic?) (string-count "banana" #\a) (string-count "banana" #\a 2 4)) => (3 3 1)

; --- pieces ---

(list (string-join '("foo" "bar" "baz")) (string-join '("foo" "bar" "baz") " ") (string-join '())) => ("foobarbaz" "foo bar baz" "")

(list (string-split "") (string-split " ") (string-split "foo bar baz") (string-split "foo bar baz ")) => (() ("" "") ("foo" "bar" "baz") ("foo" "bar" "baz" ""))

(list (string-split "foo:bar:baz" #\:) (string-split ":foo:bar:baz" #\:) (string-split "foo:bar:baz:" #\:) (string-split "foo:bar:baz" #\: 2))
=> (("foo" "bar" "baz") ("" "foo" "bar" "baz") ("foo" "bar" "baz" "") ("foo" "bar:baz"))

(string-split "a1b2c" char-numeric?) => ("a" "b" "c")

(string-split "a,b" "x") =>error not a character, char-set or predicate: ("x")

(list (string-trim "  a b ") (string-trim-left "  a b ") (string-trim-right "  a b ") (string-trim "   ") (string-trim "") (string-trim "xxaxx" #\x))
=> ("a b" "a b " "  a b" "" "" "a")

(list (string-prefix? "abc" "abcde") (string-prefix? "abcde" "abc") (string-prefix? "" "a") (string-suffix? "cde" "abcde") (string-suffix? "abcde" "cde"))
=> (#t #f #t #t #f)

(list (string-mismatch "abx" "abcd") (string-mismatch "ab" "abcd") (string-mismatch-right "xcd" "abcd") (string-mismatch-right "cd" "abcd"))
=> (2 2 2 2)

; --- the whole string ---

(list (string-fold cons '() "abc") (string-fold-right cons '() "abc") (string-fold (lambda (a b acc) (cons (list a b) acc)) '() "abc" "xy"))
=> ((#\c #\b #\a) (#\a #\b #\c) ((#\b #\y) (#\a #\x)))

(list (string-upcase-ascii "héllo Z") (string-downcase-ascii "HÉLLO z")) => ("HéLLO Z" "hÉllo z")

(list (call-with-output-string (lambda (out) (write "a" out))) (call-with-input-string "(1 2) x" (lambda (in) (read in)))) => ("\"a\"" (1 2))
