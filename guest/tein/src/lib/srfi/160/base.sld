(define-library (srfi 160 base)
  (import
    (scheme base)
    (only (tein core) %make-uvector %list->uvector %uvector-element? %uvector? %uvector-ref
          %uvector-set! %uvector-length %uvector->list))
  (instantiate "base.scm" "u1" "u8" "s8" "u16" "s16" "u32" "s32" "u64" "s64" "f32" "f64" "c64" "c128"))
