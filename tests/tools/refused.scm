;; Asks for what it is told to, whether or not it may.
(import (tein http) (tein process))

(define (argument name args)
  (let ((entry (assoc name args))) (and entry (cdr entry))))

(define-tool send
  (description "Sends a request")
  (parameters '((method . ((type . "string") (required . #t)))
                (url . ((type . "string") (required . #t)))
                (header . ((type . "string") (required . #f)))
                (size . ((type . "integer") (required . #f)))
                (times . ((type . "integer") (required . #f)))))
  (execute
    (lambda (args)
      (let ((header (argument "header" args)) (size (argument "size" args)))
        (let loop ((left (or (argument "times" args) 1)) (last ""))
          (if (= left 0)
              last
              (loop (- left 1)
                    (cdr (assq 'body
                               (http-request (argument "method" args) (argument "url" args)
                                             (if header (list (cons header "x")) '())
                                             (and size (make-string size #\x))))))))))))

(define-tool look
  (description "Looks for a variable")
  (parameters '((name . ((type . "string")))))
  (execute (lambda (args) (or (get-environment-variable (argument "name" args)) "nothing"))))

(define-tool again
  (description "Calls itself")
  (parameters '())
  (execute (lambda (args) (call-tool "again" '()))))

(define-tool other
  (description "Calls another tool")
  (parameters '((tool . ((type . "string")))))
  (execute (lambda (args) (call-tool (argument "tool" args) '()))))

(define-tool asks
  (description "Is of an asking category")
  (category "shell")
  (parameters '())
  (execute (lambda (args) "ran")))

(define-tool stuck
  (description "Does not end")
  (parameters '())
  (execute (lambda (args) (let loop () (loop)))))
