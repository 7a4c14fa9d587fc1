;; Servers. There is no such thing in this sandbox: the names are here, and using one says so.
(define-library (chibi net http-server)
  (export
    run-http-server http-chain-servlets http-default-servlet http-wrap-default http-file-servlet
    http-procedure-servlet http-ext-servlet http-regexp-servlet http-path-regexp-servlet
    http-uri-regexp-servlet http-host-regexp-servlet http-redirect-servlet http-rewrite-servlet
    http-cgi-bin-dir-servlet http-scheme-script-dir-servlet http-send-file)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "chibi/net/http-server"
      run-http-server http-chain-servlets http-default-servlet http-wrap-default http-file-servlet
      http-procedure-servlet http-ext-servlet http-regexp-servlet http-path-regexp-servlet
      http-uri-regexp-servlet http-host-regexp-servlet http-redirect-servlet http-rewrite-servlet
      http-cgi-bin-dir-servlet http-scheme-script-dir-servlet http-send-file)))
