;; An assertion whose error shows the expression and the variables in it.
(define-library (chibi assert)
  (export assert)
  (import (scheme base))
  (begin
    (define-syntax assert
      (syntax-rules ()
        ((_) #t)
        ((_ test) (or test (collect test () (fail test))))
        ((_ test message ...) (or test (error "assertion failed" 'test message ...)))))

    (define-syntax fail
      (syntax-rules ()
        ((_ (name ...) test) (error "assertion failed" 'test (list 'name name) ...))))

    ;; (collect form (name ...) (macro argument ...)) expands (macro (name' ...) argument ...) with
    ;; the variables of the form in positions other than the operator's. Forms that bind are not
    ;; looked into: what they mention need not be a variable outside.
    (define-syntax collect
      (syntax-rules (quote quasiquote lambda case-lambda let let* letrec letrec* let-values
                     let*-values let-syntax letrec-syntax do case guard parameterize define)
        ((_ (quote . x) names k) (resume names k))
        ((_ (quasiquote . x) names k) (resume names k))
        ((_ (lambda . x) names k) (resume names k))
        ((_ (case-lambda . x) names k) (resume names k))
        ((_ (let . x) names k) (resume names k))
        ((_ (let* . x) names k) (resume names k))
        ((_ (letrec . x) names k) (resume names k))
        ((_ (letrec* . x) names k) (resume names k))
        ((_ (let-values . x) names k) (resume names k))
        ((_ (let*-values . x) names k) (resume names k))
        ((_ (let-syntax . x) names k) (resume names k))
        ((_ (letrec-syntax . x) names k) (resume names k))
        ((_ (do . x) names k) (resume names k))
        ((_ (case . x) names k) (resume names k))
        ((_ (guard . x) names k) (resume names k))
        ((_ (parameterize . x) names k) (resume names k))
        ((_ (define . x) names k) (resume names k))
        ((_ (operator arg0 arg ...) names k)
         (collect arg0 names (collect-more (operator arg ...) k)))
        ((_ (x . y) names k) (resume names k))
        ((_ #(x ...) names k) (resume names k))
        ((_ x names k)
         ;; A name in a pattern of syntax-rules matches anything, a constant only itself.
         (let-syntax ((probe (syntax-rules ()
                               ((_ x yes no) yes)
                               ((_ other yes no) no))))
           (probe (not a constant) (add x names k) (resume names k))))))

    (define-syntax collect-more
      (syntax-rules ()
        ((_ names form k) (collect form names k))))

    (define-syntax resume
      (syntax-rules ()
        ((_ names (macro . arguments)) (macro names . arguments))))

    (define-syntax add
      (syntax-rules ()
        ((_ x names k) (add-unless-in names x names k))))

    (define-syntax add-unless-in
      (syntax-rules ()
        ((_ () x (name ...) k) (resume (name ... x) k))
        ((_ (first . more) x names k)
         (let-syntax ((same? (syntax-rules (x)
                               ((_ x yes no) yes)
                               ((_ other yes no) no))))
           (same? first (resume names k) (add-unless-in more x names k))))))))
