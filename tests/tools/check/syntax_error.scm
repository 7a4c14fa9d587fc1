(define tool-name "broken")

(define (tool-execute args)
  (let ((x 1))
    (+ x 2))
