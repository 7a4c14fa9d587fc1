;; Libraries that a program gives as text, where the embedder allows it.
(define-library (tein modules)
  (export register-module module-registered?)
  (import (scheme base) (only (tein core) register-module %introspect))
  (begin
    (define (module-registered? name) (%introspect 'module-registered? name))))
