; import (tein docs) (tein introspect docs) (harness docs)

(define docs '((__module__ . "my lib") (f . "does f") (g . "")))

(module-doc docs 'f) => "does f"

(list (module-doc docs 'nothing) (module-doc docs 'g) (module-doc '() 'f)) => (#f "" #f)

(module-docs docs) => ((f . "does f") (g . ""))

(describe docs) => "(my lib)\n  f — does f\n  g\n"

(describe '()) => ""

(describe '((f . "x"))) => "  f — x\n"

; What is no such list is answered, not refused.
(map (lambda (x) (substring (describe x) 0 55)) (list 'x 5 "text" '(1 2)))
=> ("describe expects a docs alist (list of pairs), got: x\nl" "describe expects a docs alist (list of pairs), got: 5\nl" "describe expects a docs alist (list of pairs), got: \"te" "describe expects a docs alist (list of pairs), got: (1 ")

(string? (describe introspect-docs)) => #t

(cdar introspect-docs) => "tein introspect"

(list (cdar hooks-docs) (length hooks-docs) (cdar harness-tools-docs)) => ("harness hooks" 34 "harness tools")

(map car (module-docs harness-tools-docs)) => (define-tool call-tool call-tool/value register-hook generate-id current-timestamp)

(module-doc hooks-docs 'on_end) => "category: context | can modify: no\n  payload: (none)\n  returns: (observe only)"
