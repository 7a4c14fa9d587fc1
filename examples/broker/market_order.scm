;; Places a market order with a broker. The key comes from the environment, and the order
;; goes out as JSON.

(import (tein http) (tein process))

(define tool-http-allow '("https://demo.broker.example/api/v0/"))

(define (field args name)
  (cdr (assoc name args)))

(define-tool market_order
  (description "Place a market order")
  (category "network")
  (summary-params '("side" "quantity" "ticker" "broker"))
  (parameters
    '((ticker . ((type . "string") (description . "For example AAPL_US_EQ")))
      (side . ((type . "string")))
      (quantity . ((type . "number")))
      (broker . ((type . "string") (description . "Where the orders go")))
      (note . ((type . "string") (required . #f)))))
  (execute
    (lambda (args)
      (let* ((order (json-stringify
                      (list (cons "ticker" (field args "ticker"))
                            (cons "side" (field args "side"))
                            (cons "quantity" (field args "quantity")))))
             (response (http-post (field args "broker")
                                  (list (cons "Authorization" (get-environment-variable "BROKER_KEY"))
                                        (cons "Content-Type" "application/json"))
                                  order)))
        (display "status ")
        (display (cdr (assq 'status response)))
        (cdr (assoc "id" (json-parse (cdr (assq 'body response)))))))))
