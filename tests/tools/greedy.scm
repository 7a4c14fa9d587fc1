;; Tools that never end by themselves, and one that does.

(define-tool spin
  (description "Loops")
  (parameters '())
  (execute (lambda (args) (let loop () (loop)))))

(define-tool dive
  (description "Recurses")
  (parameters '())
  (execute (lambda (args) (let dive ((n 0)) (+ 1 (dive (+ n 1)))))))

(define-tool hoard
  (description "Allocates")
  (parameters '())
  (execute
    (lambda (args)
      (let loop ((kept '()))
        (loop (cons (make-vector 1000 0) kept))))))

(define-tool modest
  (description "Ends")
  (parameters '())
  (execute (lambda (args) "fine")))
