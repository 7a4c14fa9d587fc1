; import (chibi char-set)
; import (prefix (chibi char-set full) full:)
; import (prefix (chibi char-set ascii) ascii:)
; import (chibi char-set boundary)
; import (chibi string)

(list (char-set? char-set:empty) (char-set? "a") (char-set-size (char-set #\a #\b #\a)) (char-set-contains? (immutable-char-set (char-set #\a)) #\a)) => (#t #f 2 #t)

(char-set->list (char-set-union (string->char-set "ca") (ucs-range->char-set 100 102))) => (#\a #\c #\d #\e)

(list (char-set->string (char-set-intersection (string->char-set "abc") (list->char-set '(#\b #\c #\d)))) (char-set->list (char-set-difference (string->char-set "abc") (char-set #\b))))
=> ("bc" (#\a #\c))

(list (char-set-contains? (char-set-complement char-set:ascii) #\λ) (char-set-contains? char-set:full #\λ) (char-set-size (char-set-adjoin (char-set #\a) #\b))) => (#t #t 2)

(char-set-size 5) =>error

; --- standard sets ---

(map (lambda (c) (list (char-set-contains? full:char-set:letter c) (char-set-contains? ascii:char-set:letter c))) '(#\a #\λ #\1)) => ((#t #t) (#t #f) (#f #f))

(list (char-set->string ascii:char-set:digit) (char-set-size ascii:char-set:letter+digit) (char-set->list ascii:char-set:blank) (char-set-size ascii:char-set:title-case) (char-set-size ascii:char-set:punctuation) (char-set-size ascii:char-set:symbol) (char-set-size ascii:char-set:graphic) (char-set-size ascii:char-set:iso-control))
=> ("0123456789" 62 (#\tab #\space) 0 23 9 94 33)

; --- boundaries ---

(map (lambda (c) (char-set-contains? char-set:extend-or-spacing-mark c)) '(#\x301 #\x903 #\x200c #\x1f3fd #\x102b #\a #\xe33)) => (#t #t #t #t #f #f #t)

(list (char-set-size char-set:regional-indicator) (char-set-contains? char-set:hangul-l #\x1100) (char-set-contains? char-set:hangul-v #\x1161) (char-set-contains? char-set:hangul-t #\x11a8)
      (char-set-size char-set:hangul-lv) (char-set-size char-set:hangul-lvt) (char-set-contains? char-set:hangul-lv #\xac00) (char-set-contains? char-set:hangul-lvt #\xac01))
=> (26 #t #t #t 399 10773 #t #t)

; --- checks of (chibi string) ---

(list (string-find "abc1" full:char-set:digit) (string-split "a,b;c" (string->char-set ",;")) (string-trim "--a-" (char-set #\-)) (string-any (char-set #\z) "abc")) => (3 ("a" "b" "c") "a" #f)
