;; Colours and styles of terminals that understand ECMA-48 escapes.
(define-library (chibi term ansi)
  (export
    black-escape red-escape yellow-escape green-escape blue-escape cyan-escape magenta-escape
    white-escape rgb-escape gray-escape reset-color-escape
    black-background-escape red-background-escape yellow-background-escape
    green-background-escape blue-background-escape cyan-background-escape
    magenta-background-escape white-background-escape rgb-background-escape
    gray-background-escape reset-background-color-escape
    black red yellow green blue cyan magenta white
    black-background red-background yellow-background green-background
    blue-background cyan-background magenta-background white-background
    bold underline negative rgb rgb-background gray gray-background
    bold-escape reset-bold-escape underline-escape reset-underline-escape
    negative-escape reset-negative-escape
    ansi-escapes-enabled?)
  (import (scheme base) (scheme process-context))
  (begin
    ;; On by default on terminals whose TERM is known to understand escapes, or where
    ;; ANSI_ESCAPES_ENABLED is set to anything but 0.
    (define ansi-escapes-enabled?
      (make-parameter
        (let ((asked (get-environment-variable "ANSI_ESCAPES_ENABLED"))
              (term (get-environment-variable "TERM")))
          (cond (asked (not (equal? asked "0")))
                ((member term '("xterm" "xterm-color" "xterm-256color" "rxvt" "kterm" "linux" "screen" "screen-256color" "vt100")) #t)
                (else #f)))))

    (define (escape code) (string-append "\x1b;[" code "m"))

    ;; A thunk for an escape, and one that puts text between it and what resets it.
    (define-syntax define-styles
      (syntax-rules ()
        ((_ reset (name name-escape code) ...)
         (begin
           (define (name-escape) (escape code)) ...
           (define (name text) (wrap (name-escape) text (reset))) ...))))

    (define (wrap start text end)
      (if (not (string? text)) (error "not a string" text))
      (if (ansi-escapes-enabled?) (string-append start text end) text))

    (define (reset-color-escape) (escape "39"))
    (define (reset-background-color-escape) (escape "49"))
    (define (reset-bold-escape) (escape "22"))
    (define (reset-underline-escape) (escape "24"))
    (define (reset-negative-escape) (escape "27"))

    (define-styles reset-color-escape
      (black black-escape "30")
      (red red-escape "31")
      (green green-escape "32")
      (yellow yellow-escape "33")
      (blue blue-escape "34")
      (magenta magenta-escape "35")
      (cyan cyan-escape "36")
      (white white-escape "37"))

    (define-styles reset-background-color-escape
      (black-background black-background-escape "40")
      (red-background red-background-escape "41")
      (green-background green-background-escape "42")
      (yellow-background yellow-background-escape "43")
      (blue-background blue-background-escape "44")
      (magenta-background magenta-background-escape "45")
      (cyan-background cyan-background-escape "46")
      (white-background white-background-escape "47"))

    (define-styles reset-bold-escape (bold bold-escape "1"))
    (define-styles reset-underline-escape (underline underline-escape "4"))
    (define-styles reset-negative-escape (negative negative-escape "7"))

    ;; --- 256 colours: a cube of six levels a channel, and 24 levels of gray ---

    (define (check-level x limit)
      (if (not (and (exact-integer? x) (<= 0 x limit)))
          (error "level of a colour out of range" x limit)))

    (define (cube r g b)
      (for-each (lambda (x) (check-level x 5)) (list r g b))
      (number->string (+ 16 (* 36 r) (* 6 g) b)))

    (define (gray-code level)
      (check-level level 23)
      (number->string (+ 232 level)))

    (define (rgb-escape r g b) (escape (string-append "38;5;" (cube r g b))))
    (define (rgb-background-escape r g b) (escape (string-append "48;5;" (cube r g b))))
    (define (gray-escape level) (escape (string-append "38;5;" (gray-code level))))
    (define (gray-background-escape level) (escape (string-append "48;5;" (gray-code level))))

    ;; Procedures that colour a string.
    (define (styler start end) (lambda (text) (wrap start text end)))
    (define (rgb r g b) (styler (rgb-escape r g b) (reset-color-escape)))
    (define (gray level) (styler (gray-escape level) (reset-color-escape)))
    (define (rgb-background r g b)
      (styler (rgb-background-escape r g b) (reset-background-color-escape)))
    (define (gray-background level)
      (styler (gray-background-escape level) (reset-background-color-escape)))))
