;; Hooks that narrow what other tools may do.
(define (field payload name) (cdr (assoc name payload)))

(register-hook 'pre_tool
  (lambda (payload)
    (let ((tool (field payload "tool_name"))
          (arguments (field payload "arguments")))
      (cond ((assoc "forbidden" arguments)
             '((block . #t) (message . "not with that argument")))
            ((assoc "rewrite" arguments)
             '((arguments . ((rewritten . #t)))))
            ((assoc "swap" arguments)
             '((arguments . ((q . "swapped")))))
            ((assoc "crash" arguments) (car '()))
            ((assoc "endless" arguments) (let loop () (loop)))
            ((assoc "typo" arguments) '((blok . #t)))
            ((assoc "number" arguments) 42)
            ((assoc "call" arguments) (call-tool "echo" '()))
            (else '())))))

(register-hook 'pre_tool_output
  (lambda (payload)
    (let ((arguments (field payload "arguments")))
      (cond ((assoc "hide" arguments) '((output . "hidden")))
            ((assoc "withhold" arguments) '((block . #t)))
            ((assoc "break" arguments) (error "no"))))))

(register-hook 'post_tool
  (lambda (payload)
    (if (assoc "observe" (field payload "arguments")) (error "seen" (field payload "result")))))

(register-hook 'pre_fetch_url
  (lambda (payload)
    (and (string=? (field payload "summary") "evil") '((denied . #t) (reason . "no evil")))))

(register-hook 'pre_api_tools
  (lambda (payload)
    (list (cons 'exclude (list "secret")))))

(register-hook 'on_start (lambda (payload) '()))

(define-tool network_tool
  (description "Asks")
  (category "network")
  (summary-params '("q"))
  (parameters '((q . ((type . "string")))))
  (execute (lambda (args) "ran")))

(define-tool secret
  (description "Not for everyone")
  (parameters '())
  (execute (lambda (args) 1)))
