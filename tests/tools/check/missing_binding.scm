(define tool-name "broken")
(define tool-description "Uses what is not there")

(define answer
  (+ 1 (not-defined-anywhere 2)))
