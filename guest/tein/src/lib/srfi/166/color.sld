;; ANSI control sequences. Each kind of attribute is a state variable, so that what is around comes
;; back when a formatter ends.
(define-library (srfi 166 color)
  (export
    as-red as-blue as-green as-cyan as-yellow as-magenta as-white as-black as-bold as-italic
    as-underline as-color as-true-color on-red on-blue on-green on-cyan on-yellow on-magenta
    on-white on-black on-color on-true-color)
  (import (scheme base) (srfi 166 base))
  (begin
    (define (sequence code) (string-append "\x1b;[" code "m"))
    (define foreground (make-state-variable "foreground" "39"))
    (define background (make-state-variable "background" "49"))
    (define bold (make-state-variable "bold" "22"))
    (define italic (make-state-variable "italic" "23"))
    (define underline (make-state-variable "underline" "24"))

    ;; Control sequences take no columns.
    (define (control code)
      (fn ((c col)) (each (sequence code) (with! (col c)))))
    (define (painted var code fmts)
      (fn ((outer var))
        (each (control code)
              (%with (list (cons var code)) fmts)
              (control outer))))
    (define-syntax define-attributes
      (syntax-rules ()
        ((_ (name var code) ...)
         (begin (define (name . fmts) (painted var code fmts)) ...))))
    (define-attributes
      (as-black foreground "30") (as-red foreground "31") (as-green foreground "32")
      (as-yellow foreground "33") (as-blue foreground "34") (as-magenta foreground "35")
      (as-cyan foreground "36") (as-white foreground "37") (on-black background "40")
      (on-red background "41") (on-green background "42") (on-yellow background "43")
      (on-blue background "44") (on-magenta background "45") (on-cyan background "46")
      (on-white background "47") (as-bold bold "1") (as-italic italic "3")
      (as-underline underline "4"))

    (define (check n most)
      (if (not (and (exact-integer? n) (<= 0 n most)))
          (error "color: component out of range" n most)))
    (define (color-code start r g b)
      (for-each (lambda (n) (check n 5)) (list r g b))
      (string-append start ";5;" (number->string (+ 16 (* 36 r) (* 6 g) b))))
    (define (true-color-code start r g b)
      (for-each (lambda (n) (check n 255)) (list r g b))
      (string-append start ";2;" (number->string r) ";" (number->string g) ";"
                     (number->string b)))
    (define (as-color r g b . fmts) (painted foreground (color-code "38" r g b) fmts))
    (define (on-color r g b . fmts) (painted background (color-code "48" r g b) fmts))
    (define (as-true-color r g b . fmts) (painted foreground (true-color-code "38" r g b) fmts))
    (define (on-true-color r g b . fmts)
      (painted background (true-color-code "48" r g b) fmts))))
