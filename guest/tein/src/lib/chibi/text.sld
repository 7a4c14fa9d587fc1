;; Texts to edit, with marks, movement and search.
(define-library (chibi text)
  (alias-for (chibi text base) (chibi text search)))
