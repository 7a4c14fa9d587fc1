; import (chibi show base)
; import (only (chibi show column) columnar)
; import (only (chibi show color) as-red)
; import (only (chibi show pretty) pretty)
; import (only (chibi show unicode) string-terminal-width)

(show #f "a" nl (written "b") (padded 5 "c") (numeric 3.14159 10 2)) => "a\n\"b\"    c3.14"

(show #f (with ((radix 2)) (numeric 5))) => "101"

(show #t (joined displayed '(1 2 3) ", ")) =>output 1, 2, 3

(list (procedure? columnar) (procedure? pretty) (string? (show #f (as-red "x"))) (string-terminal-width "日本")) => (#t #t #t 4)
