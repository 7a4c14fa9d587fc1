(export
  make-@vector @vector @? @vector? @vector-ref @vector-set! @vector-length @vector->list
  list->@vector)
(begin
  (define (make-@vector n . fill) (apply %make-uvector '@ n fill))
  (define (@vector . l) (%list->uvector '@ l))
  (define (@? x) (%uvector-element? '@ x))
  (define (@vector? x) (%uvector? '@ x))
  (define (@vector-ref v i) (%uvector-ref '@ v i))
  (define (@vector-set! v i x) (%uvector-set! '@ v i x))
  (define (@vector-length v) (%uvector-length '@ v))
  (define (@vector->list v . range) (apply %uvector->list '@ v range))
  (define (list->@vector l) (%list->uvector '@ l)))
