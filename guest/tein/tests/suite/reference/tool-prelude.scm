; import (srfi 1)
; import (srfi 95)
; What tool files get from their prelude, as they use it.

(sort '(3 1 2) <) => (1 2 3)

(sort (vector 3 1 2) <) => #(1 2 3)

(filter odd? '(1 2 3)) => (1 3)

(delete 1 '(1 2 1)) => (2)

(reduce + 0 '(1 2 3)) => 6

(define (filter p l) 'mine)
(filter 1 2) => mine
