; (tein macro): a hook that sees each expansion
; import (tein macro)
; import (scheme eval)
; import (scheme repl)

(define-syntax add1 (syntax-rules () ((_ x) (+ x 1))))
(define-syntax my-if (syntax-rules () ((_ a b c) (cond (a b) (else c)))))
(macro-expand-hook) => #f

; It gets the name, the form, what it became and an environment; what it gives is what counts.
(define seen '())
(define (note name form expansion env)
  (set! seen (cons (list name form expansion (eval '(* 2 3) env)) seen))
  expansion)
(set-macro-expand-hook! note)
(add1 5) => 6

seen => ((add1 (add1 5) (+ 5 1) 6))

(eq? (macro-expand-hook) note) => #t

; Macros in what a macro became are seen in turn, those of a quotation are none.
(let () (set! seen '()) (my-if #f 1 (add1 1)) (map car seen)) => ()

; (that was expanded before it ran; forms of a top-level begin are expanded as they run)
(begin (set! seen '()) (my-if #f 1 (add1 (add1 1))) '(add1 5) (map car (reverse seen))) => (my-if add1 add1)

(set-macro-expand-hook! (lambda (name form expansion env) (if (eq? name 'add1) ''replaced expansion)))
(list (add1 5) (my-if #t 1 2)) => (replaced 1)

; The result is expanded again.
(set-macro-expand-hook! (lambda (name form expansion env) (if (eq? name 'my-if) '(add1 41) expansion)))
(my-if 1 2 3) => 42

; It does not see what is expanded while it runs.
(define depth 0)
(unset-macro-expand-hook!)
(set-macro-expand-hook! (lambda (name form expansion env) (set! depth (+ depth 1)) (eval '(add1 1) env) expansion))
(list (add1 1) depth) => (2 1)

; An error in it is the program's.
(define (try) (guard (e (#t e)) (eval '(add1 1) (interaction-environment))))
(set-macro-expand-hook! (lambda (name form expansion env) (raise (list 'hook name))))
(try) => (hook add1)

(set-macro-expand-hook! car)
(add1 1) =>error too many args

(begin (unset-macro-expand-hook!) (macro-expand-hook)) => #f

(list (add1 5) (macro-expand-hook)) => (6 #f)

(set-macro-expand-hook! 5) =>error invalid type, expected Procedure: (5)

(set-macro-expand-hook!) =>error not enough args
