(define-library (tein json)
  (export json-parse json-stringify)
  (import (tein core)))
