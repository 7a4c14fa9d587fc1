(define-library (srfi 160 prims)
  (export
    uvector-length SEXP_U1 SEXP_S8 SEXP_U8 SEXP_S16 SEXP_U16 SEXP_S32 SEXP_U32 SEXP_S64 SEXP_U64
    SEXP_F8 SEXP_F16 SEXP_F32 SEXP_F64 SEXP_C64 SEXP_C128 u1vector? u1vector-ref u1vector-set!
    s8vector? s8vector-ref s8vector-set! u16vector? u16vector-ref u16vector-set! s16vector?
    s16vector-ref s16vector-set! u32vector? u32vector-ref u32vector-set! s32vector?
    s32vector-ref s32vector-set! u64vector? u64vector-ref u64vector-set! s64vector?
    s64vector-ref s64vector-set! f8vector? f8vector-ref f8vector-set! f16vector? f16vector-ref
    f16vector-set! f32vector? f32vector-ref f32vector-set! f64vector? f64vector-ref
    f64vector-set! c64vector? c64vector-ref c64vector-set! c128vector? c128vector-ref
    c128vector-set!)
  (import
    (scheme base) (srfi 160 base) (srfi 160 mini)
    (only (tein core) %uvector? %uvector-length))
  (begin
    (define-syntax define-types
      (syntax-rules () ((_ (name type) ...) (begin (define name 'type) ...))))
    (define-types
      (SEXP_U1 u1) (SEXP_U8 u8) (SEXP_S8 s8) (SEXP_U16 u16) (SEXP_S16 s16) (SEXP_U32 u32)
      (SEXP_S32 s32) (SEXP_U64 u64) (SEXP_S64 s64) (SEXP_F8 f8) (SEXP_F16 f16) (SEXP_F32 f32)
      (SEXP_F64 f64) (SEXP_C64 c64) (SEXP_C128 c128))
    (define (uvector-length v)
      (let loop ((l '(u8 u1 s8 u16 s16 u32 s32 u64 s64 f8 f16 f32 f64 c64 c128)))
        (cond ((null? l) (error "uvector-length: not a uniform vector" v))
              ((%uvector? (car l) v) (%uvector-length (car l) v))
              (else (loop (cdr l))))))))
