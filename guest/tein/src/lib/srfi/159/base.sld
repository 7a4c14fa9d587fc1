;; As SRFI 166, but state variables are known by their names.
(define-library (srfi 159 base)
  (export
    show fn (rename forked fn-fork) with with! each each-in-list call-with-output displayed
    written written-shared written-simply numeric numeric/comma numeric/si numeric/fitted
    nothing nl fl space-to tab-to escaped maybe-escaped padded padded/right padded/both trimmed
    trimmed/right trimmed/both trimmed/lazy fitted fitted/right fitted/both joined
    joined/prefix joined/suffix joined/last joined/dot joined/range upcased downcased)
  (import
    (scheme base) (except (srfi 166 base) fn with with!) (only (srfi 166 unicode) upcased downcased))
  (begin
    (define variables
      (map (lambda (v) (cons (string->symbol (state-variable-name v)) v))
           (list port row col width output writer pad-char ellipsis string-width
                 substring/width substring/preserve radix precision decimal-sep decimal-align
                 sign-rule comma-sep comma-rule word-separator? ambiguous-is-wide?
                 pretty-environment)))
    ;; The variable of a name, made when it is first heard.
    (define (named name)
      (let ((v (assq name variables)))
        (if v
            (cdr v)
            (let ((new (make-state-variable (symbol->string name) #f)))
              (set! variables (cons (cons name new) variables))
              new))))
    (define-syntax fn
      (syntax-rules ()
        ((_ (binding ...) body ...) (%bindings (binding ...) () body ...))))
    (define-syntax %bindings
      (syntax-rules ()
        ((_ () ((id name) ...) body ...)
         (%fn (list (named 'name) ...) (lambda (id ...) body ...)))
        ((_ ((id name) . more) (done ...) body ...)
         (%bindings more (done ... (id name)) body ...))
        ((_ (id . more) (done ...) body ...)
         (%bindings more (done ... (id id)) body ...))))
    (define-syntax with
      (syntax-rules ()
        ((_ ((name value) ...) fmt ...)
         (%with (list (cons (named 'name) value) ...) (list fmt ...)))))
    (define-syntax with!
      (syntax-rules ()
        ((_ (name value) ...) (%with! (list (cons (named 'name) value) ...)))))))
