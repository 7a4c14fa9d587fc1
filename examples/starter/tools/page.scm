;; A tool that reaches the network. It needs a grant in holm.toml:
;;
;;   [tools.http.allow]
;;   "/tools/shared/page.scm" = ["https://example.com/"]

(import (tein http))

(define-tool page
  (description "Fetches a page and says how it went")
  (category "network")
  (summary-params '("url"))
  (parameters
    '((url . ((type . "string")
              (description . "The address of the page")))))
  (execute
    (lambda (args)
      (let* ((url (cdr (assoc "url" args)))
             (response (http-get url '())))
        (list (cdr (assq 'status response))
              (string-length (cdr (assq 'body response))))))))
