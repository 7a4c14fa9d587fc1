;; Keeps count, when its operator lets it keep state.
(define count 0)

(define-tool counted
  (description "How often it was called")
  (parameters '())
  (execute (lambda (args) (set! count (+ count 1)) count)))

(define-tool forever
  (description "Never ends")
  (parameters '())
  (execute (lambda (args) (let loop () (loop)))))

(define-tool again
  (description "Calls its own file")
  (parameters '())
  (execute
    (lambda (args)
      (guard (e (#t (error-object-message e))) (call-tool "counted" '())))))

(define-tool failing
  (description "Ends in an error after it changed something")
  (parameters '())
  (execute (lambda (args) (set! count (+ count 10)) (car '()))))
