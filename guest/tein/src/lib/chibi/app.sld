;; Programs with a command line. There is no such thing in this sandbox: the names are here, and using one says so.
(define-library (chibi app)
  (export
    parse-option parse-options parse-app run-application app-help app-help-command)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "chibi/app"
      parse-option parse-options parse-app run-application app-help app-help-command)))
