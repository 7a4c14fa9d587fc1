; import (scheme comparator)
; import (scheme hash-table)
; import (scheme sort)
; import (scheme vector)
; The names that R7RS-large gives to SRFI 125, 128, 132 and 133

(hash-table->alist (hash-table default-comparator 'a 1)) => ((a . 1))

(hash-table-size (hash-table-union! (hash-table string-comparator "a" 1) (hash-table string-comparator "b" 2))) => 2

(hash-table-contains? (make-hash-table equal?) 'a) => #f

(<? real-comparator 1 2) => #t

(comparator-test-type string-comparator 5) => #f

(list-sort < '(2 1)) => (1 2)

(vector-sort > #(1 2)) => #(2 1)

(vector-index even? #(1 2)) => 1

(vector-cumulate + 0 #(1 2)) => #(1 3)

; They are the same objects.
(import (prefix (srfi 132) a:) (prefix (srfi 128) b:) (prefix (srfi 125) c:) (prefix (srfi 133) d:))
(list (eq? list-sort a:list-sort) (eq? =? b:=?) (eq? make-hash-table c:make-hash-table) (eq? vector-fold d:vector-fold)) => (#t #t #t #t)
