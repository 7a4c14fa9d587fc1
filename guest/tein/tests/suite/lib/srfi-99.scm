; import (srfi 99)
; SRFI 99: records

(define-record-type point (make-point x y) point? (x px set-px!) (y py))
(let ((p (make-point 1 2))) (set-px! p 7) (list (point? p) (point? 1) (px p) (py p))) => (#t #f 7 2)

(define-record-type (cpoint point) (make-cpoint x y color) cpoint? (color cpoint-color))
(define c (make-cpoint 3 4 'red))
(list (point? c) (cpoint? c) (px c) (py c) (cpoint-color c) (cpoint? (make-point 1 2))) => (#t #t 3 4 red #f)

(cpoint-color (make-point 1 2)) =>error slot-ref: bad type

(px 5) =>error slot-ref: bad type

(list (begin (set-px! c 30) (px c)) (record? c) (record? 'c) (rtd? point) (rtd? c) (eq? (record-rtd c) cpoint)) => (30 #t #f #t #f #t)

(list (rtd-name cpoint) (eq? (rtd-parent cpoint) point) (rtd-parent point) (rtd-field-names cpoint) (rtd-all-field-names cpoint)) => (cpoint #t #f #(color) #(x y color))

(list (rtd-field-mutable? point 'x) (rtd-field-mutable? point 'y) (rtd-field-mutable? cpoint 'x)) => (#t #f #t)

(rtd-field-mutable? point 'q) =>error record: no such field

; Default names.
(define-record-type box3 #t #t w (h))
(let ((b (make-box3 1 2))) (box3-h-set! b 20) (list (box3? b) (box3-w b) (box3-h b) (box3? 1))) => (#t 1 20 #f)

(let () (define-record-type pare #t pare? car (cdr kdr)) (let ((p (make-pare 1 2))) (list (pare? p) (pare-car p) (kdr p)))) => (#t 1 2)

(define-record-type only #f only? (v only-v))
(only? 1) => #f

(define rtd (make-rtd 'thing '#((immutable a) (mutable b) c)))
(define make (rtd-constructor rtd))
(define make-b (rtd-constructor rtd '#(b)))
(list ((rtd-accessor rtd 'a) (make 1 2 3)) ((rtd-accessor rtd 'b) (make-b 9)) ((rtd-predicate rtd) (make 1 2 3)) ((rtd-predicate rtd) c)) => (1 9 #t #f)

(let ((t (make 1 2 3))) ((rtd-mutator rtd 'c) t 'new) ((rtd-accessor rtd 'c) t)) => new

(rtd-mutator rtd 'a) =>error rtd-mutator: the field is immutable

(make 1 2) =>error record constructor: wrong number of arguments

(make-rtd "thing" '#(a)) =>error make-rtd: not a symbol

(make-rtd 'thing '#((volatile a))) =>error make-rtd: bad field

(let* ((child (make-rtd 'child '#(a d) rtd)) (x ((rtd-constructor child) 1 2 3 4 5))) (list ((rtd-accessor child 'a) x) ((rtd-accessor rtd 'a) x) (rtd-all-field-names child))) => (4 1 #(a b c a d))
