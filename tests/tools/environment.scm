(import (tein process))

(define tool-name "environment")
(define tool-description "Says which variables it can see")
(define tool-parameters '())
(define (tool-execute args)
  (map get-environment-variable
       '("GRANTED" "GRANTED_BUT_UNSET" "UNGRANTED" "HOME" "TEIN_SANDBOX")))
