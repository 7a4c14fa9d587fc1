; import (tein json)
; (tein json): JSON text and data

(json-parse "null") => null

(json-parse "true") => #t

(json-parse "false") => #f

(json-parse "42") => 42

(json-parse "-7") => -7

(json-parse "1.5") => 1.5

(json-parse "1.0") => 1.0

(json-parse "1e3") => 1000.0

(json-parse "9007199254740993") => 9007199254740993

(json-parse "9223372036854775807") => 9223372036854775807

(json-parse "-9223372036854775808") => -9223372036854775808

(json-parse "9223372036854775808") => 9.223372036854775808e18

(json-parse "\"text\"") => "text"

(json-parse "\"\\u03bb\\n\\\"\\\\\"") => "λ\n\"\\"

(json-parse "\"\\ud834\\udd1e\"") => "𝄞"

(json-parse "\"a\\u0000b\"") => "a\x0;b"

(json-parse "[]") => ()

(json-parse "{}") => ()

(json-parse "[1, \"two\", [3]]") => (1 "two" (3))

(json-parse "{\"b\": 1, \"a\": {\"c\": [true, null]}}") => (("a" ("c" #t null)) ("b" . 1))

; Keys are sorted, and the last of equal ones wins.
(json-parse "{\"z\":1,\"a\":2,\"z\":3}") => (("a" . 2) ("z" . 3))

(json-parse "  [ 1 , 2 ]  ") => (1 2)

(cdr (assoc "name" (json-parse "{\"name\":\"x\"}"))) => "x"

(json-parse "") =>error json-parse: 

(json-parse "[1,]") =>error json-parse: 

(json-parse "{a:1}") =>error json-parse: 

(json-parse "[1] 2") =>error json-parse: 

(json-parse "'x'") =>error json-parse: 

(json-parse "01") =>error json-parse: 

(json-parse "\"\t\"") =>error json-parse: 

(json-parse "\"\\ud834\"") =>error json-parse: 

(json-parse 5) =>error json-parse: expected string argument

(json-parse (make-string 1000 #\[)) =>error json-parse: 

(guard (e (#t (error-object? e))) (json-parse "nope")) => #t

; Writing
(json-stringify 42) => "42"

(json-stringify 1.5) => "1.5"

(json-stringify "text") => "\"text\""

(json-stringify "a\"b\\c\nλ") => "\"a\\\"b\\\\c\\nλ\""

(json-stringify #t) => "true"

(json-stringify #f) => "false"

(json-stringify 'null) => "null"

(json-stringify '()) => "[]"

(json-stringify '(1 2 3)) => "[1,2,3]"

(json-stringify '(("a" . 1) ("b" . "x"))) => "{\"a\":1,\"b\":\"x\"}"

(json-stringify '((a . 1))) => "{\"a\":1}"

(json-stringify '(("list" 1 2))) => "{\"list\":[1,2]}"

(json-stringify '(("empty"))) => "{\"empty\":[]}"

(json-stringify '(("nested" . (("x" . 1))))) => "{\"nested\":{\"x\":1}}"

(json-stringify '(((("a" . 1)) (("b" . 2))))) => "[[{\"a\":1},{\"b\":2}]]"

(json-stringify +inf.0) => "null"

(json-stringify 100000000000000000000) => "100000000000000000000"

(json-stringify 'other) =>error cannot convert symbol 'other'

(json-stringify car) =>error json-stringify: cannot convert scheme value to JSON

(json-stringify #\a) =>error json-stringify: cannot convert scheme value to JSON

(json-stringify '(1 . 2)) =>error json-stringify: cannot convert an improper or circular list

(json-stringify '#0=(1 . #0#)) =>error json-stringify: cannot convert an improper or circular list

(json-stringify '#0=(#0#)) =>error json-stringify: nested too deeply

; Both ways
(json-parse (json-stringify '(("k" . (1 2.5 "s" #t #f null))))) => (("k" 1 2.5 "s" #t #f null))

(json-stringify (json-parse "{\"a\":[1,{\"b\":null}],\"c\":\"d\"}")) => "{\"a\":[1,{\"b\":null}],\"c\":\"d\"}"
