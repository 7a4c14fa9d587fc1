; import (tein toml)

(toml-parse "title = \"x\"\nn = 1\nf = 1.5\nyes = true\nlist = [1, 2]\n[b]\nc = \"d\"")
=> (("b" ("c" . "d")) ("f" . 1.5) ("list" 1 2) ("n" . 1) ("title" . "x") ("yes" . #t))

(toml-parse "") => ()

(toml-parse "a = []\n[t]") => (("a") ("t"))

(toml-parse "[[p]]\nn = 1\n[[p]]\nn = 2") => (("p" (("n" . 1)) (("n" . 2))))

(toml-parse "a = 0x10\nb = 1_000\nc = -0.5e3\nd = 0b11\ne = 0o17") => (("a" . 16) ("b" . 1000) ("c" . -500.0) ("d" . 3) ("e" . 15))

(toml-parse "a = inf\nb = -inf") => (("a" . +inf.0) ("b" . -inf.0))

; --- dates and times, in each of the four forms ---

(toml-parse "a = 1979-05-27T07:32:00Z\nb = 1979-05-27T07:32:00\nc = 1979-05-27\nd = 07:32:00")
=> (("a" toml-datetime "1979-05-27T07:32:00Z") ("b" toml-datetime "1979-05-27T07:32:00") ("c" toml-datetime "1979-05-27") ("d" toml-datetime "07:32:00"))

(toml-stringify '(("a" . (toml-datetime "1979-05-27")))) => "a = 1979-05-27\n"

(toml-stringify '(("a" . (toml-datetime "tomorrow")))) =>error toml-stringify: not a date or time

; --- errors ---

(toml-parse 5) =>error toml-parse: expected string argument

(toml-parse "a = ") =>error toml-parse: line 1, column 5:

(toml-parse "a = 1\na = 2") =>error toml-parse: line 2, column 1: duplicate key

(toml-parse "a = 99999999999999999999") =>error toml-parse: integer out of range: 99999999999999999999

(toml-parse (string-append "a = " (make-string 100000 #\[))) =>error toml-parse:

; --- writing ---

(toml-stringify '(("n" . 1) ("f" . 2.0) ("s" . "a\"b\\\n") ("yes" . #t) ("l" 1 "x") ("e" . ())))
=> "n = 1\nf = 2.0\ns = \"a\\\"b\\\\\\n\"\nyes = true\nl = [1, \"x\"]\ne = []\n"

(toml-stringify '(("t" ("k" . "v")) ("top" . 1))) => "top = 1\n\n[t]\nk = \"v\"\n"

(toml-stringify '(("a" ("b" ("c" . 1))))) => "[a]\n\n[a.b]\nc = 1\n"

(toml-stringify '(("odd key" . 1) ("" . 2))) => "\"odd key\" = 1\n\"\" = 2\n"

(define doc "list = [[1, 2], []]\nn = -7\n\n[a]\nx = \"λ\"\n\n[a.b]\ny = false\n")
(string=? doc (toml-stringify (toml-parse doc))) => #t

(toml-parse (toml-stringify '(("p" (("n" . 1) ("m" . 2)) (("n" . 3)))))) => (("p" (("m" . 2) ("n" . 1)) (("n" . 3))))

(toml-stringify '()) =>error toml-stringify: top-level value must be a table (alist)

(toml-stringify 5) =>error toml-stringify: top-level value must be a table (alist)

(toml-stringify '((a . 1))) =>error top-level value must be a table (alist)

(toml-stringify '(("a" . sym))) =>error toml-stringify: cannot convert scheme value to TOML: (sym)

(toml-stringify '(("a" . 1/2))) =>error toml-stringify: no TOML number: (1/2)

(toml-stringify '(("a" . 1) ("a" . 2))) =>error toml-stringify: the key a is there twice

(let loop ((i 0) (v 1)) (if (< i 300) (loop (+ i 1) (list v)) (toml-stringify (list (cons "a" v))))) =>error nested too deeply
