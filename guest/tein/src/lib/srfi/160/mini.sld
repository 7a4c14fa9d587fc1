(define-library (srfi 160 mini)
  (import
    (scheme base)
    (only (tein core) %make-uvector %list->uvector %uvector-element? %uvector? %uvector-ref
          %uvector-set! %uvector-length %uvector->list))
  (instantiate "base.scm" "f8" "f16"))
