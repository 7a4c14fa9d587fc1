(define-tool half
  (description "No parameters and nothing to execute"))
