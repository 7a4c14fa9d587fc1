;; What a tool file finds at top level without importing anything.
(define-library (harness tool-file)
  (export %tool-registry% %hook-registry% %context-name% %register-tool! register-hook define-tool
          harness-tools-docs hooks-docs generate-id current-timestamp call-tool
          call-tool/value)
  (import (scheme base)
          (only (tein core) define-tool generate-id current-timestamp call-tool call-tool/value)
          (harness docs))
  (begin
    (define %tool-registry% '())
    (define %hook-registry% '())
    (define %context-name% "")
    (define (%register-tool! name description parameters execute category summary)
      (set! %tool-registry%
            (cons (list name description parameters execute category summary) %tool-registry%)))
    (define (register-hook name handler)
      (set! %hook-registry% (cons (list (symbol->string name) handler) %hook-registry%)))))
