(define-library (srfi 159 unicode)
  (export (rename terminal-aware as-unicode) (rename string-terminal-width unicode-terminal-width))
  (import (srfi 166 unicode)))
