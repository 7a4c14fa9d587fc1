;; Configuration files. There is no such thing in this sandbox: the names are here, and using one says so.
(define-library (chibi config)
  (export
    make-conf conf? conf-load conf-load-in-path conf-load-cascaded conf-verify conf-extend
    conf-append conf-set conf-unfold-key conf-get conf-get-list conf-get-cdr conf-get-multi
    conf-specialize read-from-file alist? conf->alist)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "chibi/config"
      make-conf conf? conf-load conf-load-in-path conf-load-cascaded conf-verify conf-extend
      conf-append conf-set conf-unfold-key conf-get conf-get-list conf-get-cdr conf-get-multi
      conf-specialize read-from-file alist? conf->alist)))
