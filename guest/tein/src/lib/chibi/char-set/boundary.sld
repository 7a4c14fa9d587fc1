;; What decides where a user sees a character end (Unicode Standard Annex 29).
(define-library (chibi char-set boundary)
  (export
    char-set:regional-indicator char-set:extend-or-spacing-mark
    char-set:hangul-l char-set:hangul-v char-set:hangul-t
    char-set:hangul-lv char-set:hangul-lvt)
  (import (scheme base) (only (tein core) %char-class-ranges %ranges->list) (srfi 14))
  (begin
    ;; (first last) pairs of code points.
    (define (ranges . pairs)
      (apply char-set-union
        (map (lambda (p) (ucs-range->char-set (car p) (+ 1 (cadr p)))) pairs)))

    (define char-set:regional-indicator (ranges '(#x1f1e6 #x1f1ff)))

    ;; All marks but those that the annex excepts, and what it adds to them.
    (define char-set:extend-or-spacing-mark
      (char-set-union
        (char-set-difference
          (list->char-set (%ranges->list (%char-class-ranges 'mark)))
          (ranges '(#x102b #x102c) '(#x1038 #x1038) '(#x1062 #x1064) '(#x1067 #x106d)
                  '(#x1083 #x1083) '(#x1087 #x108c) '(#x108f #x108f) '(#x109a #x109c)
                  '(#x1a61 #x1a61) '(#x1a63 #x1a64) '(#xaa7b #xaa7b) '(#xaa7d #xaa7d)
                  '(#x11720 #x11721)))
        (ranges '(#xe33 #xe33) '(#xeb3 #xeb3) '(#x200c #x200c) '(#xff9e #xff9f)
                '(#x1f3fb #x1f3ff) '(#xe0020 #xe007f))))

    (define char-set:hangul-l (ranges '(#x1100 #x115f) '(#xa960 #xa97c)))
    (define char-set:hangul-v (ranges '(#x1160 #x11a7) '(#xd7b0 #xd7c6)))
    (define char-set:hangul-t (ranges '(#x11a8 #x11ff) '(#xd7cb #xd7fb)))

    ;; A precomposed syllable has no final consonant every 28th time.
    (define char-set:hangul-lv
      (list->char-set
        (let loop ((n #xd788) (chars '()))
          (if (< n #xac00) chars (loop (- n 28) (cons (integer->char n) chars))))))
    (define char-set:hangul-lvt
      (char-set-difference (ranges '(#xac00 #xd7a3)) char-set:hangul-lv))))
