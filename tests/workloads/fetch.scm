; Asks for a URL, if it is given one.
(import (tein http))

(define-tool t
  (description "Gets the text at a URL.")
  (parameters '((url string "where" optional)))
  (execute
    (lambda (args)
      (cond ((assoc "url" args)
             => (lambda (url)
                  (guard (refused (#t "refused"))
                    (cdr (assq 'body (http-get (cdr url) '()))))))
            (else "nothing")))))
