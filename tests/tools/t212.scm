;; The worked example of the tool format's description.
(import (tein http))

(define-tool t212_place
  (description "Places an order")
  (category "network")
  (summary-params '("ticker" "side"))
  (parameters '((ticker . ((type . "string") (description . "sym")))
                (side . ((type . "string")))
                (quantity . ((type . "number") (required . #f)))))
  (execute
    (lambda (args)
      (display "hi")
      (if (assoc "live" args)
          (http-get "https://live.trading212.com/x" '()))
      (list (cdr (assoc "ticker" args))
            (get-environment-variable "T212_KEY")
            (get-environment-variable "T212_ENV")))))
