(define-library (srfi 166)
  (export
    show displayed written written-shared written-simply escaped maybe-escaped numeric
    numeric/comma numeric/si numeric/fitted nl fl space-to tab-to nothing each each-in-list
    joined joined/prefix joined/suffix joined/last joined/dot joined/range padded padded/right
    padded/both trimmed trimmed/right trimmed/both trimmed/lazy fitted fitted/right
    fitted/both output-default fn with with! forked call-with-output make-state-variable port
    row col width output writer pad-char ellipsis string-width substring/width
    substring/preserve radix precision decimal-sep decimal-align sign-rule comma-sep
    comma-rule word-separator? ambiguous-is-wide? pretty-environment)
  (import (srfi 166 base))
  (alias-for (srfi 166 pretty) (srfi 166 columnar) (srfi 166 color) (srfi 166 unicode)))
