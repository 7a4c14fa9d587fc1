;; Uses steps, and lets others use more.

(define (burn n) (if (> n 0) (burn (- n 1)) #t))

(define (argument name args)
  (let ((entry (assoc name args))) (and entry (cdr entry))))

(define-tool deep
  (description "Burns, then calls itself")
  (parameters '())
  (execute (lambda (args) (burn 10000) (call-tool "deep" '()))))

(define-tool once
  (description "Burns")
  (parameters '())
  (execute (lambda (args) (burn 10000) "burnt")))

(define-tool wide
  (description "Calls another tool again and again, whatever becomes of it")
  (parameters '())
  (execute
    (lambda (args)
      (let loop ()
        (guard (e (#t #f)) (call-tool "once" '()))
        (loop)))))

(define-tool after
  (description "Burns without end after another tool did")
  (parameters '())
  (execute (lambda (args) (call-tool "once" '()) (let loop () (loop)))))
