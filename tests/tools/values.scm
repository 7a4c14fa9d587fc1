;; What call-tool and call-tool/value make of other tools.
(define-tool data
  (description "A value of many kinds")
  (parameters '())
  (execute (lambda (args) '(1 "two" three #\4 (5.5 . 1/2) #(6)))))

(define-tool fails
  (description "Ends in an error")
  (parameters '())
  (execute (lambda (args) (error "boom" 1))))

(define-tool opaque
  (description "A value that has no external representation")
  (parameters '())
  (execute (lambda (args) car)))

(define-tool first_of
  (description "The first item of another tool's value")
  (parameters '((tool . ((type . "string")))))
  (execute (lambda (args) (car (call-tool/value (cdr (assoc "tool" args)) '())))))

(define-tool value_of
  (description "Another tool's value, or why there is none")
  (parameters '((tool . ((type . "string")))))
  (execute
    (lambda (args)
      (guard (e (#t (list 'caught (error-object-message e))))
        (call-tool/value (cdr (assoc "tool" args)) '())))))

(define-tool deep
  (description "Calls itself until it may not")
  (parameters '((n . ((type . "integer")))))
  (execute
    (lambda (args)
      (let ((n (cdr (assoc "n" args))))
        (guard (e (#t (list n (error-object-message e))))
          (call-tool/value "deep" (list (cons 'n (+ n 1)))))))))

(define-tool spends
  (description "Uses many steps, and calls itself to use more")
  (parameters '((times . ((type . "integer")))))
  (execute
    (lambda (args)
      (let ((times (cdr (assoc "times" args))))
        (let loop ((i 0)) (if (< i 300000) (loop (+ i 1))))
        (if (> times 0)
            (call-tool/value "spends" (list (cons 'times (- times 1))))
            'done)))))
