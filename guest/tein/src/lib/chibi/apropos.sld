;; Names by a part of theirs, in every library that is there. There is no such thing in this sandbox: the names are here, and using one says so.
(define-library (chibi apropos)
  (export
    apropos apropos-list apropos-prefix apropos-prefix-list)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "chibi/apropos"
      apropos apropos-list apropos-prefix apropos-prefix-list)))
