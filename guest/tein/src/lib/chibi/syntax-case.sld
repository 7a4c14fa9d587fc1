;; syntax-case as R6RS has it (libraries, chapter 12), on forms whose identifiers are symbols and
;; renamed symbols: a form that is no identifier is its own datum, with identifiers in it.
(define-library (chibi syntax-case)
  (export
    ... _ bound-identifier=? datum->syntax free-identifier=? generate-temporaries identifier? quasisyntax
    syntax syntax->datum syntax-case syntax-violation unsyntax unsyntax-splicing with-syntax)
  (import
    (scheme base)
    (only (tein core)
      bound-identifier=? datum->syntax free-identifier=? generate-temporaries identifier? quasisyntax
      syntax syntax->datum syntax-case unsyntax unsyntax-splicing with-syntax))
  (begin
    ;; Who may be #f, and is a string or a symbol otherwise.
    (define (syntax-violation who message form . subform)
      (let ((who (if (identifier? who) (symbol->string (syntax->datum who)) who)))
        (apply error (if (string? who) (string-append who ": " message) message)
               (map syntax->datum (cons form subform)))))))
