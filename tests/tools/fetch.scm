(import (tein http))

(define-tool fetch
  (description "Fetches what it is told to")
  (category "network")
  (summary-params '("target"))
  (parameters '((target . ((type . "string")))))
  (execute
    (lambda (args)
      (cdr (assq 'body (http-get (cdr (assoc "target" args)) '()))))))
