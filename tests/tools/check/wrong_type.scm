(define tool-name "broken")

(define tool-description
  (string-append "one" 2))
