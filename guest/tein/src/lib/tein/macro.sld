;; A hook that sees each expansion of a macro: a procedure of the macro's name, the form, what it
;; became, and the environment. What it gives is expanded in place of what the form became. The hook
;; does not see what is expanded while it runs, nor what the embedded libraries expand for themselves;
;; forms of the core, such as let and cond, are no macros here.
(define-library (tein macro)
  (export set-macro-expand-hook! unset-macro-expand-hook! macro-expand-hook)
  (import (only (tein core) set-macro-expand-hook! unset-macro-expand-hook! macro-expand-hook)))
