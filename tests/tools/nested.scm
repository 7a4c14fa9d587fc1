;; Calls other tools.

(define-tool relay
  (description "Calls the tool it is told to")
  (parameters '((tool . ((type . "string")))))
  (execute
    (lambda (args)
      (call-tool (cdr (assoc "tool" args)) '(("tool" . "relay"))))))
