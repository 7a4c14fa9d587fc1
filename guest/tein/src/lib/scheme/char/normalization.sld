;; Comparison by code points: the engine leaves text as it is written.
(define-library (scheme char normalization)
  (export
    (rename string=? string-ni=?) (rename string<? string-ni<?) (rename string>? string-ni>?)
    (rename string<=? string-ni<=?) (rename string>=? string-ni>=?))
  (import (scheme base)))
