; import (srfi 130)
; import (scheme char)

; --- cursors ---

(list (string-cursor? 0) (string-cursor? 3) (string-cursor? -1) (string-cursor? 1.0) (string-cursor? "a"))
=> (#t #t #f #f #f)

(let ((s "aλb")) (list (string-cursor-start s) (string-cursor-end s))) => (0 3)

(string-cursor-next "abc" 2) => 3

(string-cursor-next "abc" 3) =>error string-cursor-next: index out of range

(string-cursor-prev "abc" 0) =>error string-cursor-prev: index out of range

(list (string-cursor-prev "abc" 3) (string-cursor-forward "abcdef" 1 3) (string-cursor-back "abcdef" 4 2))
=> (2 4 2)

(string-cursor-forward "abc" 1 3) =>error index out of range

(list (string-cursor=? 1 1) (string-cursor<? 1 2) (string-cursor>? 1 2) (string-cursor<=? 2 2) (string-cursor>=? 1 2))
=> (#t #t #f #t #f)

(list (string-cursor-diff "abcdef" 1 4) (string-cursor->index "abc" 2) (string-index->cursor "abc" 2))
=> (3 2 2)

(string-index->cursor "abc" 4) =>error index out of range

; --- predicates ---

(list (string-null? "") (string-null? "x")) => (#t #f)

(string-null? 'a) =>error invalid type, expected String

(list (string-every char-alphabetic? "abc") (string-every char-alphabetic? "a1c") (string-every char-alphabetic? ""))
=> (#t #f #t)

(string-every (lambda (c) (and (char-alphabetic? c) (char->integer c))) "aB") => 66

(string-any (lambda (c) (and (char-numeric? c) (digit-value c))) "ab7c8") => 7

(list (string-any char-numeric? "abc") (string-any char-numeric? "") (string-every #\a "aaa") (string-any #\b "aba"))
=> (#f #f #t #t)

(list (string-every char-numeric? "a12b" 1 3) (string-any char-alphabetic? "a12b" 1 3)) => (#t #f)

(string-any char-numeric? "abc" 2 5) =>error string-any: index out of range

; --- constructors ---

(string-tabulate (lambda (i) (integer->char (+ i 97))) 5) => "abcde"

(string-tabulate (lambda (i) #\x) 0) => ""

(string-unfold null? car cdr '(#\h #\i)) => "hi"

(string-unfold null? car cdr '(#\h #\i) "<" (lambda (seed) ">")) => "<hi>"

(string-unfold-right null? car cdr '(#\h #\i) ">" (lambda (seed) "<")) => "<ih>"

(let ((p (open-input-string "from a port")))
  (string-unfold eof-object? values (lambda (c) (read-char p)) (read-char p)))
=> "from a port"

(string-length (string-unfold (lambda (i) (= i 20000)) (lambda (i) #\z) (lambda (i) (+ i 1)) 0)) => 20000

(reverse-list->string '(#\a #\B #\c)) => "cBa"

; --- conversion ---

(list (string->list/cursors "abcd" 1 3) (string->vector/cursors "abcd" 2)) => ((#\b #\c) #(#\c #\d))

(list (string-ref/cursor "abc" 1) (substring/cursors "abcde" 1 3) (string-copy/cursors "abcde" 3))
=> (#\b "bc" "de")

(string-join '("foo" "bar" "baz") ":") => "foo:bar:baz"

(list (string-join '("a" "b")) (string-join '("a" "b") ":" 'suffix) (string-join '("a" "b") ":" 'prefix))
=> ("a b" "a:b:" ":a:b")

(list (string-join '() ":") (string-join '("") ":") (string-join '() ":" 'suffix) (string-join '("") ":" 'suffix))
=> ("" "" "" ":")

(string-join '() ":" 'strict-infix) =>error strict-infix

(string-join '("a") ":" 'wrong) =>error string-join: the grammar is one of

(string-join '("a" b) ":") =>error invalid type, expected String: (b)

; --- selection ---

(list (string-take "Pete Szilagyi" 6) (string-drop "Pete Szilagyi" 6) (string-take-right "Beta rules" 5) (string-drop-right "Beta rules" 5))
=> ("Pete S" "zilagyi" "rules" "Beta ")

(list (string-take "abc" 0) (string-drop "abc" 3) (string-take-right "abc" 3) (string-drop-right "abc" 0))
=> ("" "" "abc" "abc")

(string-take "foo" 37) =>error string-take: index out of range

(string-drop-right "foo" -1) =>error invalid type, expected Integer

(list (string-pad "325" 5) (string-pad "71325" 5) (string-pad "8871325" 5) (string-pad-right "325" 5) (string-pad-right "8871325" 5))
=> ("  325" "71325" "71325" "325  " "88713")

(list (string-pad "7" 3 #\0) (string-pad "325" 5 #\~ 1) (string-pad-right "325" 5 #\λ 1 2))
=> ("007" "~~~25" "2λλλλ")

(list (string-trim "  x ") (string-trim-right "  x ") (string-trim-both "  x \n")) => ("x " "  x" "x")

(list (string-trim "--a-" #\-) (string-trim-both "12ab34" char-numeric?) (string-trim-right "xx" #\x))
=> ("a-" "ab" "")

(list (string-trim-both "   ") (string-trim "ab  cd" char-alphabetic? 1 5)) => ("" "  c")

; --- prefixes and suffixes ---

(list (string-prefix-length "cancaNCAM" "cancancan") (string-suffix-length "CanCan" "cankancan")) => (5 2)

(list (string-prefix? "abcd" "abcdefg") (string-prefix? "abcf" "abcdefg") (string-prefix? "" "x") (string-prefix? "xy" "x"))
=> (#t #f #t #f)

(list (string-suffix? "defg" "abcdefg") (string-suffix? "aefg" "abcdefg") (string-suffix? "λ" "aλ")) => (#t #f #t)

(string-prefix? "zabz" "xabx" 1 3 1 4) => #t

; --- searching ---

(list (string-index "hello" #\l) (string-index "hello" #\z) (string-index "a1b2" char-numeric? 2)) => (2 5 3)

; The position after the match, or the start when there is none.
(list (string-index-right "hello" #\l) (string-index-right "hello" #\z) (string-index-right "a1b2c" char-numeric?))
=> (4 0 4)

(list (string-skip "  ab " #\space) (string-skip "   " char-whitespace?) (string-skip-right "ab  " #\space) (string-skip-right "   " #\space))
=> (2 3 2 0)

(list (string-index "λμλ" #\μ) (string-index-right "λμλ" #\λ 0 2)) => (1 1)

(string-contains "hello world" "world") => 6

(list (string-contains "abc" "x") (string-contains "abc" "") (string-contains "xabc" "ab") (string-contains "" "")) => (#f 0 1 0)

(list (string-contains "eek -- what a geek." "ee" 12 18) (string-contains "eek" "xeey" 0 3 1 3)) => (15 0)

(list (string-contains-right "eek -- it's a geek." "ee") (string-contains-right "abc" "") (string-contains-right "λλa" "λ") (string-contains-right "abc" "d"))
=> (15 3 1 #f)

(string-contains "ab" "b" 3) =>error string-contains: index out of range

; --- the whole string ---

(list (string-reverse "no melon") (string-reverse "Who stole the spoons?" 14 20)) => ("nolem on" "snoops")

(string-concatenate '("a" "bc" "" "λ")) => "abcλ"

(list (string-concatenate-reverse '("c" "b" "a")) (string-concatenate-reverse '(" must be" "Hello, I") " going.XXXX" 7))
=> ("abc" "Hello, I must be going.")

(list (string-fold cons '() "abc") (string-fold-right cons '() "abc") (string-fold cons '() "abcd" 1 3))
=> ((#\c #\b #\a) (#\a #\b #\c) (#\c #\b))

(let ((seen '())) (string-for-each-cursor (lambda (i) (set! seen (cons i seen))) "hello" 1 4) seen) => (3 2 1)

(list (string-replicate "abcdef" 2 8) (string-replicate "abcdef" -2 4) (string-replicate "abc" 0 7) (string-replicate "abcdefg" 0 7 3 6) (string-replicate "abc" 9 9 1 1))
=> ("cdefab" "efabcd" "abcabca" "defdefd" "")

(string-replicate "abc" 2 1) =>error string-replicate: index out of range

(string-replicate "" 0 1) =>error string-replicate: nothing to repeat

(list (string-count "banana" #\a) (string-count "abc def\tghi" char-whitespace?) (string-count "aaaa" #\a 1 3)) => (3 2 2)

(list (string-replace "It's easy to code" "lots of fun" 5 9) (string-replace "abcd" "XYZ" 2 2 1 2))
=> ("It's lots of fun to code" "abYcd")

(string-split "a,b" ",") => ("a" "b")

(list (string-split "a,,b," ",") (string-split "" ",") (string-split "abc" "") (string-split "a--b--c" "--"))
=> (("a" "" "b" "") () ("a" "b" "c") ("a" "b" "c"))

(list (string-split ",a,b" "," 'prefix) (string-split "a,b," "," 'suffix) (string-split "a b c d" " " 'infix 2))
=> (("a" "b") ("a" "b") ("a" "b" "c d"))

(list (string-split "abcd" "" 'infix 2) (string-split "a b" " " 'infix #f) (string-split "a b" " " 'infix 0) (string-split "xa,bx" "," 'infix #f 1 4))
=> (("a" "b" "cd") ("a" "b") ("a b") ("a" "b"))

(string-split "" "," 'strict-infix) =>error strict-infix

(list (string-split "λ,μ" #\,) (string-split "αλβ" "λ")) => (("λ" "μ") ("α" "β"))

(length (string-split (make-string 5000 #\,) ",")) => 5001

(list (string-filter char-alphabetic? "a1b2") (string-remove char-alphabetic? "a1b2") (string-filter #\a "banana" 2) (string-remove #\a "banana"))
=> ("ab" "12" "aa" "bnn")

; A string made wide by mutation and narrow again still compares by its characters.
(let ((s (string #\λ #\b))) (string-set! s 0 #\a) (list (string-contains s "ab") (string-split s "b") (string-prefix? "ab" s)))
=> (0 ("a" "") #t)
