; import (srfi 98)
; import (srfi 111)
; import (srfi 145)
; import (only (scheme box) box)
; SRFI 98 environment, 111 boxes, 145 assumptions

(get-environment-variable "no such variable") => #f

(list? (get-environment-variables)) => #t

(define b (box 1))
(list (box? b) (box? 1) (unbox b)) => (#t #f 1)

(begin (set-box! b 'x) (unbox b)) => x

(eq? (box 1) (box 1)) => #f

(unbox 5) =>error slot-ref: bad type

(assume (+ 1 1)) => 2

(assume (= 1 2) "one is not two" 1 2) =>error invalid assumption: ((= 1 2) "one is not two" 1 2)
