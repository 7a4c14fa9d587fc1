;; The terminal. There is no such thing in this sandbox: the names are here, and using one says so.
(define-library (chibi stty)
  (export
    stty with-stty with-raw-io get-terminal-width get-terminal-dimensions)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "chibi/stty"
      stty with-stty with-raw-io get-terminal-width get-terminal-dimensions)))
