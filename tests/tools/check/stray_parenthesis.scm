(define tool-name "broken")
(define tool-description "Has one too many"))
