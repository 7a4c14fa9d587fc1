; import (srfi 14)
; SRFI 14: character sets

(define (l cs) (char-set->list cs))
(list (char-set? (char-set #\a)) (char-set? "a") (char-set? char-set:digit)) => (#t #f #t)

(l (char-set #\c #\a #\b #\a)) => (#\a #\b #\c)

(list (char-set= (char-set #\a #\b) (string->char-set "ba") (list->char-set '(#\b #\a))) (char-set= (char-set #\a) (char-set #\b)) (char-set=)) => (#t #f #t)

(list (char-set<= (char-set #\a) (char-set #\a #\b) char-set:letter) (char-set<= char-set:letter char-set:digit) (char-set<= char-set:empty (char-set))) => (#t #f #t)

(list (= (char-set-hash (char-set #\a)) (char-set-hash (string->char-set "a"))) (< -1 (char-set-hash char-set:letter 100) 100)) => (#t #t)

(let loop ((cur (char-set-cursor (char-set #\G #\T #\E #\C #\H))) (ans '())) (if (end-of-char-set? cur) ans (loop (char-set-cursor-next (char-set #\G #\T #\E #\C #\H) cur) (cons (char-set-ref (char-set #\G #\T #\E #\C #\H) cur) ans)))) => (#\T #\H #\G #\E #\C)

(end-of-char-set? (char-set-cursor char-set:empty)) => #t

(char-set-fold cons '() (char-set #\x #\a)) => (#\x #\a)

(l (char-set-unfold values eof-object? (let ((p (open-input-string "bead"))) (lambda (x) (read-char p))) #\a)) => (#\a #\b #\d #\e)

(l (char-set-unfold car null? cdr '(#\a #\b) (char-set #\z))) => (#\a #\b #\z)

(let ((n 0)) (char-set-for-each (lambda (c) (set! n (+ n 1))) char-set:hex-digit) n) => 22

(l (char-set-map char-upcase (char-set #\a #\b #\A))) => (#\A #\B)

(l (list->char-set '(#\a) (char-set #\b))) => (#\a #\b)

(string->char-set 'a) =>error expected String

(l (char-set-filter char-upper-case? (string->char-set "aBcD") (char-set #\!))) => (#\! #\B #\D)

(list (l (ucs-range->char-set 97 100)) (l (ucs-range->char-set 97 97)) (char-set-size (ucs-range->char-set #xd700 #xe100))) => ((#\a #\b #\c) () 512)

(ucs-range->char-set #xd000 #xe000 #t) =>error surrogates are no characters

(ucs-range->char-set 5 3) =>error ucs-range->char-set: bad range

(list (l (->char-set "ba")) (l (->char-set #\a)) (eq? (->char-set char-set:digit) char-set:digit)) => ((#\a #\b) (#\a) #t)

(->char-set 1) =>error ->char-set: not a character, string or set

(list (char-set->string (char-set #\b #\a)) (char-set-size char-set:ascii) (char-set-size char-set:empty) (char-set-size char-set:full)) => ("ab" 128 0 1112064)

(list (char-set-count char-alphabetic? (string->char-set "a1b2")) (char-set-contains? char-set:letter #\a) (char-set-contains? (char-set #\a) #\b)) => (2 #t #f)

(list (char-set-every char-alphabetic? (char-set #\a #\b)) (char-set-any char-alphabetic? (char-set #\1 #\a)) (char-set-any char-alphabetic? char-set:empty) (char-set-every char-alphabetic? (char-set #\1))) => (#t #t #f #f)

(list (l (char-set-adjoin (char-set #\a) #\b #\c)) (l (char-set-delete (char-set #\a #\b) #\a #\z))) => ((#\a #\b #\c) (#\b))

(let ((c (char-set-complement (char-set #\a)))) (list (char-set-contains? c #\a) (char-set-contains? c #\b) (char-set-size c) (char-set= (char-set-complement c) (char-set #\a)))) => (#f #t 1112063 #t)

(list (l (char-set-union (char-set #\a) (char-set #\b) (char-set #\a #\c))) (l (char-set-union)) (l (char-set-intersection (string->char-set "abc") (string->char-set "bcd")))) => ((#\a #\b #\c) () (#\b #\c))

(char-set= (char-set-intersection) char-set:full) => #t

(list (l (char-set-difference (string->char-set "abcd") (char-set #\a) (char-set #\c))) (l (char-set-xor (string->char-set "ab") (string->char-set "bc")))) => ((#\b #\d) (#\a #\c))

(call-with-values (lambda () (char-set-diff+intersection (string->char-set "abc") (string->char-set "bx") (string->char-set "c"))) (lambda (a b) (list (l a) (l b)))) => ((#\a) (#\b #\c))

(list (char-set-contains? char-set:punctuation #\!) (char-set-contains? char-set:punctuation #\+) (char-set-contains? char-set:symbol #\+) (char-set-contains? char-set:symbol #\x20ac) (char-set-contains? char-set:whitespace #\xa0) (char-set-contains? char-set:blank #\newline)) => (#t #f #t #t #t #f)

(list (char-set-contains? char-set:title-case #\x1c5) (char-set-contains? char-set:graphic #\space) (char-set-contains? char-set:printing #\space) (char-set-contains? char-set:iso-control #\x7f) (char-set-contains? char-set:digit #\x664)) => (#t #f #t #t #t)

; The standard sets as predicates and as ranges agree.
(let ((sets (list char-set:lower-case char-set:upper-case char-set:title-case char-set:letter char-set:digit char-set:letter+digit char-set:graphic char-set:printing char-set:whitespace char-set:iso-control char-set:punctuation char-set:symbol char-set:hex-digit char-set:blank)))
  (define (bits c) (map (lambda (s) (char-set-contains? s c)) sets))
  (define chars (map integer->char '(9 32 48 65 97 127 160 170 171 192 769 453 8364 8544 12295 19968 57344 64256 119808 131072 917760)))
  (define before (map bits chars))
  (for-each char-set-size sets)
  (equal? before (map bits chars))) => #t

(list (char-set= char-set:graphic (char-set-union char-set:graphic char-set:letter+digit char-set:punctuation char-set:symbol)) (char-set= char-set:printing (char-set-union char-set:whitespace char-set:graphic)) (char-set<= char-set:digit char-set:letter+digit)) => (#t #t #t)

; The names that may change their argument give what the others give.
(list (l (char-set-unfold! car null? cdr '(#\a #\b) (char-set #\z))) (l (list->char-set! '(#\b) (char-set #\a))) (l (string->char-set! "ba" (char-set #\c))) (l (char-set-filter! char-alphabetic? (char-set #\a #\1) (char-set #\z))) (l (ucs-range->char-set! 97 100 #f (char-set #\z))))
  => ((#\a #\b #\z) (#\a #\b) (#\a #\b #\c) (#\a #\z) (#\a #\b #\c #\z))

(list (l (char-set-adjoin! (char-set #\a) #\b)) (l (char-set-delete! (char-set #\a #\b) #\a)) (l (char-set-union! (char-set #\a) (char-set #\b))) (l (char-set-intersection! (char-set #\a #\b) (char-set #\b))) (l (char-set-difference! (char-set #\a #\b) (char-set #\b))) (l (char-set-xor! (char-set #\a #\b) (char-set #\b #\c))))
  => ((#\a #\b) (#\b) (#\a #\b) (#\b) (#\a) (#\a #\c))

(map l (call-with-values (lambda () (char-set-diff+intersection! (char-set #\a #\b) (char-set #\b #\c))) list)) => ((#\a) (#\b))

(let ((inverse (char-set-complement! (char-set #\a)))) (list (char-set-contains? inverse #\a) (char-set-contains? inverse #\b))) => (#f #t)

(let ((a (char-set #\a))) (list (char-set= a (char-set-copy a)) (l (char-set-copy a)))) => (#t (#\a))
