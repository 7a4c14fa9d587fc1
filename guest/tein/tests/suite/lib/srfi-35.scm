; import (srfi 35)
; SRFI 35: conditions

(define-condition-type &c &condition c? (x c-x))
(define-condition-type &c1 &c c1? (a c1-a))
(define-condition-type &c2 &c c2? (b c2-b))
(define v1 (make-condition &c1 'x "V1" 'a "a1"))
(list (c? v1) (c1? v1) (c2? v1) (c-x v1) (c1-a v1) (condition? v1) (condition? 5)) => (#t #t #f "V1" "a1" #t #f)

(define v2 (condition (&c2 (x "V2") (b "b2"))))
(list (c? v2) (c1? v2) (c2? v2) (c-x v2) (c2-b v2)) => (#t #f #t "V2" "b2")

(define v3 (condition (&c1 (x "V3/1") (a "a3")) (&c2 (b "b3"))))
(list (c1? v3) (c2? v3) (c-x v3) (c1-a v3) (c2-b v3)) => (#t #t "V3/1" "a3" "b3")

(define v4 (make-compound-condition v1 v2))
(list (c? v4) (c1? v4) (c2? v4) (c-x v4) (c1-a v4) (c2-b v4)) => (#t #t #t "V1" "a1" "b2")

(define v5 (make-compound-condition v2 v3))
(list (c-x v5) (c1-a v5) (c2-b v5) (condition-ref v5 'b)) => ("V2" "a3" "b2" "b2")

(let ((e (extract-condition v4 &c))) (list (c? e) (c1? e) (c-x e))) => (#t #f "V1")

(extract-condition v1 &c2) =>error extract-condition: not of this type

(condition-ref v1 'zz) =>error condition-ref: no such field

(list (condition-type? &c) (condition-type? 'c) (condition-has-type? v1 &c) (condition-has-type? v1 &c2)) => (#t #f #t #f)

(make-condition &c1 'x 1) =>error make-condition: the fields are not those of the type

(make-condition &c 'x 1 'y 2) =>error make-condition: the fields are not those of the type

(make-condition-type '&d &c '(x)) =>error make-condition-type: the parent has this field

(let ((m (condition (&message (message "hi")) (&error)))) (list (message-condition? m) (condition-message m) (error? m) (serious-condition? m) (error? v1))) => (#t "hi" #t #t #f)

(c2-b v1) =>error condition: not of this type

(guard (e ((message-condition? e) (condition-message e))) (raise (condition (&message (message "caught"))))) => "caught"

(let ((t (make-condition-type '&new &message '(extra)))) (let ((c (make-condition t 'extra 1 'message "m"))) (list (condition-message c) (condition-ref c 'extra)))) => ("m" 1)
