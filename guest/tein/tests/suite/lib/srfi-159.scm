; import (srfi 159)
; SRFI 159: formatting, with state variables by name

(show #f "a" (with ((precision 2)) 3.14159) nl) => "a3.14\n"

(show #f "ab" (fn (col) col) (fn ((c col)) (each " " c))) => "ab2 3"

(show #f (with! (mine 5)) (fn (mine) mine) (with ((mine 6)) (fn ((m mine)) m)) (fn (other) (if other "yes" "no"))) => "56no"

(show #f (padded 5 "abc") (upcased "x") (as-red "r") (numeric/comma 1234) (fn-fork "y" nothing)) => "  abcX\x1b;[31mr\x1b;[39m1,234y"

(show #f (with ((width 8)) (columnar (displayed "a") (displayed "b"))) (tabular "|" (each "x") "|")) => "a   b\n|x|\n"

(list (show #f (as-unicode (padded/both 4 "日"))) (unicode-terminal-width "日本")) => (" 日 " 4)
