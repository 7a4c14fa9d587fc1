;; Files under a name of their own. There is no such thing in this sandbox: the names are here, and using one says so.
(define-library (chibi temp-file)
  (export
    temp-file-name call-with-temp-file call-with-temp-dir)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "chibi/temp-file"
      temp-file-name call-with-temp-file call-with-temp-dir)))
