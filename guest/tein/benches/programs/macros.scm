(import (scheme base) (scheme eval))
(define program
  '(let ()
     (define-syntax my-or
       (syntax-rules ()
         ((_) #f) ((_ e) e) ((_ e r ...) (let ((t e)) (if t t (my-or r ...))))))
     (define-syntax my-let*
       (syntax-rules ()
         ((_ () b ...) (let () b ...))
         ((_ ((n v) rest ...) b ...) (let ((n v)) (my-let* (rest ...) b ...)))))
     (define-syntax while
       (syntax-rules () ((_ c b ...) (let loop () (if c (begin b ... (loop)) #f)))))
     (my-let* ((a 1) (b (+ a 1)) (c (+ a b)) (d (+ b c)) (e (+ c d)))
       (while (< a 3) (set! a (+ a 1)))
       (my-or #f #f #f #f #f #f #f #f (+ a b c d e)))))
(define (run)
  (let ((env (environment '(scheme base))))
    (let loop ((i 0) (sum 0))
      (if (< i 500) (loop (+ i 1) (+ sum (eval program env))) sum))))
(define expected 10500)
