;; The type of character sets, which are those of SRFI 14.
(define-library (chibi char-set base)
  (export Char-Set char-set? immutable-char-set char-set-contains?)
  (import
    (scheme base) (only (tein core) %record-type)
    (only (srfi 14) char-set? char-set-contains? char-set:empty))
  (begin
    (define Char-Set (%record-type char-set:empty))

    ;; Character sets never change here.
    (define-syntax immutable-char-set
      (syntax-rules () ((_ cs) cs)))))
