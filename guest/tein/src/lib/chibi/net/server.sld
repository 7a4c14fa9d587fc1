;; Servers. There is no such thing in this sandbox: the names are here, and using one says so.
(define-library (chibi net server)
  (export
    run-net-server make-listener-thread)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "chibi/net/server"
      run-net-server make-listener-thread)))
