(define-library (srfi 159 color)
  (export
    as-red as-blue as-green as-cyan as-yellow as-magenta as-white as-black as-bold as-underline)
  (import (srfi 166 color)))
