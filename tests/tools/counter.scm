(define counter 0)

(define-tool count
  (description "Counts its calls")
  (parameters '())
  (execute (lambda (args) (set! counter (+ counter 1)) counter)))

(define-tool count_twice
  (description "Counts its calls, too")
  (parameters '())
  (execute (lambda (args) (set! counter (+ counter 2)) counter)))
