;; Says what the gate tells its hooks.
(register-hook 'pre_fetch_url
  (lambda (payload)
    (list (cons 'denied #t) (cons 'reason (json-stringify payload)))))

(define-tool witness
  (description "Here because a tool file defines a tool")
  (parameters '())
  (execute (lambda (args) #t)))
