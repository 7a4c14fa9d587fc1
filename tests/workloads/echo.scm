(define-tool t
  (description "Gives back what it is given, read and written")
  (parameters '())
  (execute json-stringify))
