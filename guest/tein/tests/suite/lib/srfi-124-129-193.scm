; import (srfi 124)
; import (srfi 129)
; import (prefix (srfi 193) c:)
; import (prefix (srfi 141) d:)
; import (only (scheme division) round/ balanced/)
; import (scheme char normalization)
; SRFI 124 ephemerons, 129 title case, 141 division, 193 command line

(define e (make-ephemeron 'k 'v))
(list (ephemeron? e) (ephemeron-key e) (ephemeron-datum e) (ephemeron-broken? e) (ephemeron? 1)) => (#t k v #f #f)

(ephemeron-broken? 1) =>error slot-ref: bad type

(list (char-title-case? #\x1c5) (char-title-case? #\A) (char-title-case? #\x1f88)) => (#t #f #t)

(map char-titlecase '(#\a #\A #\x1c4 #\x1c5 #\x1c6 #\x1f3 #\x1f80 #\x10d0 #\1)) => (#\A #\A #\x1c5 #\x1c5 #\x1c5 #\x1f2 #\x1f88 #\x10d0 #\1)

(list (string-titlecase "hello, wORLD") (string-titlecase "it's 2fast") (string-titlecase "") (string-titlecase "\x1c4;ungla")) => ("Hello, World" "It's 2Fast" "" "\x1c5;ungla")

(list (string-titlecase "\xdf;a") (string-titlecase "\xfb01;n") (string-titlecase "\x3a7;\x3b1;\x3bf;\x3a3;")) => ("Ssa" "Fin" "\x3a7;\x3b1;\x3bf;\x3c2;")

(call-with-values (lambda () (d:floor/ -7 2)) list) => (-4 1)

(list (d:euclidean-remainder -7 -2) (d:ceiling-quotient 7 2) (d:truncate-remainder -7 2)) => (1 4 -1)

(call-with-values (lambda () (round/ 7 2)) list) => (4 -1)

(call-with-values (lambda () (balanced/ 13 4)) list) => (3 1)

(d:floor-quotient 1 0) =>error divide by zero

(list (c:script-file) (c:script-directory) (list? (c:command-args))) => (#f #f #t)

(list (string-ni=? "a" "a") (string-ni<? "b" "a")) => (#t #f)
