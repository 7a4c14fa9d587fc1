;; Servers. There is no such thing in this sandbox: the names are here, and using one says so.
(define-library (chibi net server-util)
  (export
    line-handler command-handler parse-command get-host file-mime-type call-with-temp-file
    uri-decode)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "chibi/net/server-util"
      line-handler command-handler parse-command get-host file-mime-type call-with-temp-file
      uri-decode)))
