;; The program's own environment: what is defined in it stays.
(define-library (scheme repl)
  (export interaction-environment)
  (import (scheme base) (only (tein core) %introspect))
  (begin
    (define (interaction-environment) (%introspect 'interaction-environment #f))))
