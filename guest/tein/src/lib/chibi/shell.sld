;; Commands of the operating system. There is no such thing in this sandbox: the names are here, and using one says so.
(define-library (chibi shell)
  (export
    shell shell-pipe shell-if shell-and shell-or shell-do shell-command shell->string
    shell->string-list shell->sexp shell->sexp-list shell&)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "chibi/shell"
      shell shell-pipe shell-if shell-and shell-or shell-do shell-command shell->string
      shell->string-list shell->sexp shell->sexp-list shell&)))
