;; Declares what it wants to reach; the test replaces the marker.

(import (tein http))

(define tool-http-allow '("PREFIX"))

(define-tool declared
  (description "Fetches what it is told to")
  (parameters '((target . ((type . "string")))))
  (execute
    (lambda (args)
      (cdr (assq 'body (http-get (cdr (assoc "target" args)) '()))))))
