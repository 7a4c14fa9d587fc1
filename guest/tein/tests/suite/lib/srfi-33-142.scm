; import (prefix (srfi 33) s33:)
; import (prefix (srfi 142) s142:)
; import (prefix (scheme bitwise) b:)
; SRFI 33 and 142: bitwise operations by other names

(list (s33:bitwise-merge 1 1 2) (s33:bitwise-merge #b1010 #b1100 #b0011)) => (0 #b0110)

(list (s33:any-bits-set? 3 6) (s33:all-bits-set? 3 6)) => (#t #f)

(list (s33:extract-bit-field 3 1 #b10110) (s33:test-bit-field? 2 3 #b00111) (s33:clear-bit-field 2 1 #b1111)) => (#b011 #f #b1001)

(list (s33:replace-bit-field 2 1 #b01 #b1111) (s33:copy-bit-field 2 1 #b0000 #b1111)) => (#b1011 #b1001)

(list (s142:integer->list 6) (s142:list->integer '(#f #t #t)) (s142:integer->vector 2) (s142:vector->integer '#(#t))) => ((#f #t #t) 6 #(#f #t) 1)

(list (b:bitwise-if 3 1 8) (s142:bitwise-if 3 8 1)) => (9 9)
