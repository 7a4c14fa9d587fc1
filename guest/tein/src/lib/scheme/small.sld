;; Every name of R7RS-small.
(define-library (scheme small)
  (alias-for
    (scheme base) (scheme case-lambda) (scheme char) (scheme complex) (scheme cxr) (scheme eval)
    (scheme inexact) (scheme lazy) (scheme process-context) (scheme read) (scheme time)
    (scheme write))
  (cond-expand ((library (scheme file)) (alias-for (scheme file))) (else))
  (cond-expand ((library (scheme load)) (alias-for (scheme load))) (else))
  (cond-expand ((library (scheme repl)) (alias-for (scheme repl))) (else)))
