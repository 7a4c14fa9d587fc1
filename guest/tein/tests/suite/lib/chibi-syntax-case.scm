; import (chibi syntax-case)
; import (srfi 211 variable-transformer)
; import (scheme eval)
; import (scheme repl)
; (chibi syntax-case) and (srfi 211 variable-transformer): macros that are procedures

; --- patterns ---

(define-syntax swap!
  (lambda (form)
    (syntax-case form ()
      ((_ a b) #'(let ((tmp a)) (set! a b) (set! b tmp))))))
(let ((tmp 1) (other 2)) (swap! tmp other) (list tmp other)) => (2 1)

(define-syntax shape
  (lambda (form)
    (syntax-case form (=>)
      ((_ => x) #''(arrow x))
      ((_ #(a b ...)) #''(vector a (b ...)))
      ((_ (a b ...) ...) #''(lists (a ...) ((b ...) ...)))
      ((_ a ... z) (number? (syntax->datum #'z)) #''(last z before (a ...)))
      ((_ a . b) #''(rest b of a))
      (_ #''nothing))))
(list (shape => 5) (shape #(1 2 3)) (shape (1 2) (3)) (shape x y 9) (shape x y) (shape)) => ((arrow 5) (vector 1 (2 3)) (lists (1 3) ((2) ())) (last 9 before (x y)) (rest (y) of x) (lists () ()))

; A literal matches by what it means.
(let ((=> 1)) (shape => 5)) => (last 5 before (=>))

; A clause without output that matches, and a form that nothing matches.
(define-syntax only-two (lambda (form) (syntax-case form () ((_ a b) #'(list a b)))))
(only-two 1) =>error no expansion for: ((only-two 1))

; Fenders are tried in order, each once.
(define-syntax kind
  (lambda (form)
    (syntax-case form ()
      ((_ x) (identifier? #'x) #''identifier)
      ((_ x) (string? (syntax->datum #'x)) #''string)
      ((_ x) #''other))))
(list (kind a) (kind "a") (kind 5) (kind (a))) => (identifier string other other)

; Nested ellipses, two after one template, and an escaped one.
(define-syntax nest (lambda (form) (syntax-case form () ((_ ((k v ...) ...)) #''((k ...) (v ... ...) ((v ... k) ...))))))
(nest ((a 1 2) (b) (c 3))) => ((a b c) (1 2 3) ((1 2 a) (b) (3 c)))

(define-syntax dots (lambda (form) (syntax-case form () ((_ x) #''(x (... ...))))))
(dots 1) => (1 ...)

(define-syntax tail (lambda (form) (syntax-case form () ((_ a ... y z . r) #''((a ...) y z r)))))
(list (tail 1 2) (tail 1 2 3 4 . 5)) => ((() 1 2 ()) ((1 2) 3 4 5))

; --- hygiene ---

(define-syntax my-or
  (lambda (form)
    (syntax-case form ()
      ((_) #'#f)
      ((_ e) #'e)
      ((_ e r ...) #'(let ((t e)) (if t t (my-or r ...)))))))
(let ((t 5) (if list)) (my-or #f t)) => 5

; Two templates of one use rename alike, two uses do not.
(define-syntax bind-and-use
  (lambda (form)
    (syntax-case form ()
      ((_ value) (let ((name #'hidden)) #`(let ((#,name value)) #,#'hidden))))))
(let ((hidden 1)) (list (bind-and-use 2) hidden)) => (2 1)

(define-syntax def-pair (lambda (form) (syntax-case form () ((_ get value) #'(begin (define hidden value) (define (get) hidden))))))
(let () (def-pair one 1) (def-pair two 2) (list (one) (two))) => (1 2)

; A local macro sees the scope around it.
(let ((x 'outer)) (let-syntax ((m (lambda (form) #'x))) (let ((x 'inner)) (m)))) => outer

(let ((x 'outer)) (let-syntax ((m (lambda (form) (syntax-case form () ((_ y) #'(list x y)))))) (let ((x 'inner)) (m x)))) => (outer inner)

(letrec-syntax ((ev? (lambda (f) (syntax-case f () ((_) #'#t) ((_ x . r) #'(od? . r))))) (od? (lambda (f) (syntax-case f () ((_) #'#f) ((_ x . r) #'(ev? . r)))))) (list (ev? 1 2) (ev? 1 2 3))) => (#t #f)

; The program's own variables have no values yet.
(let ((x 1)) (let-syntax ((m (lambda (form) x))) (m))) =>error a local variable of the program in a transformer: (x)

(let ((x 1)) (let-syntax ((m (lambda (form) (set! x 2) #'x))) (m))) =>error a local variable of the program in a transformer: (x)

; Procedures that are defined already may help.
(define (double-all forms) (if (null? forms) '() (cons (list #'* 2 (car forms)) (double-all (cdr forms)))))
(define-syntax doubled (lambda (form) (syntax-case form () ((_ e ...) #`(list #,@(double-all #'(e ...)))))))
(let ((* +)) (doubled 1 (* 1 1))) => (2 4)

; --- datum->syntax: what is meant to be captured ---

(define-syntax loop-with-break
  (lambda (form)
    (syntax-case form ()
      ((k e ...)
       (with-syntax ((break (datum->syntax #'k 'break)))
         #'(call-with-current-continuation (lambda (break) (let loop () e ... (loop)))))))))
(let ((n 0)) (loop-with-break (set! n (+ n 1)) (if (= n 5) (break (list 'stopped n))))) => (stopped 5)

; It captures where the macro is used, not where another macro uses it.
(define-syntax use-loop (syntax-rules () ((_ n e) (loop-with-break (set! n (+ n 1)) (if (= n 3) (break 'inner)) e))))
(let ((n 0) (break (lambda (x) 'outer))) (use-loop n 1)) => inner

(define-syntax define-getter
  (lambda (form)
    (syntax-case form ()
      ((_ name value)
       (with-syntax ((get (datum->syntax #'name (string->symbol (string-append "get-" (symbol->string (syntax->datum #'name)))))))
         #'(define (get) value))))))
(define-getter size 42)
(get-size) => 42

(let () (define-getter width 7) (get-width)) => 7

; --- identifiers ---

(define-syntax same? (lambda (form) (syntax-case form () ((_ a b) #`'(#,(free-identifier=? #'a #'b) #,(bound-identifier=? #'a #'b))))))
(list (same? x x) (same? x y) (let ((x 1)) (same? x x)) (same? car car)) => ((#t #t) (#f #f) (#t #t) (#t #t))

(define-syntax is-car? (lambda (form) (syntax-case form () ((_ a) #`#,(free-identifier=? #'a #'car)))))
(list (is-car? car) (is-car? cdr) (let ((car 1)) (is-car? car))) => (#t #f #f)

(define-syntax inserted (lambda (form) (syntax-case form () ((_ a) #`'(#,(free-identifier=? #'a #'x) #,(bound-identifier=? #'a #'x))))))
(inserted x) => (#t #f)

(free-identifier=? 5 'a) =>error invalid type, expected Identifier: (5)

(bound-identifier=? 'a "a") =>error invalid type, expected Identifier: ("a")

(list (identifier? 'a) (identifier? #'a) (identifier? 5) (identifier? #'(a))) => (#t #t #f #f)

(define-syntax my-let*
  (lambda (form)
    (syntax-case form ()
      ((_ () body ...) #'(let () body ...))
      ((_ ((x e) more ...) body ...) #'(let ((x e)) (my-let* (more ...) body ...))))))
(my-let* ((a 1) (b (+ a 1)) (a (* b 10))) (list a b)) => (20 2)

(define-syntax my-letrec
  (lambda (form)
    (syntax-case form ()
      ((_ ((i v) ...) e1 e2 ...)
       (with-syntax (((t ...) (generate-temporaries #'(i ...))))
         #'(let ((i #f) ...) (let ((t v) ...) (set! i t) ... (let () e1 e2 ...))))))))
(my-letrec ((ev? (lambda (n) (or (= n 0) (od? (- n 1))))) (od? (lambda (n) (and (> n 0) (ev? (- n 1)))))) (list (ev? 10) (od? 10))) => (#t #f)

(length (generate-temporaries '(a b c))) => 3

(generate-temporaries 5) =>error invalid type, expected List: (5)

; --- syntax->datum and templates outside of a macro ---

(list (syntax->datum #'(a (b #(c)) "d" 5)) (syntax->datum #'a) (syntax->datum 5)) => ((a (b #(c)) "d" 5) a 5)

(syntax-case '(1 2 3) () ((a b ...) (list #'a #'(b ...)))) => (1 (2 3))

(syntax-case '(1 (2 3)) () ((a (b c)) (> #'a 5) 'no) ((a (b c)) (list #'c #'b #'a))) => (3 2 1)

(syntax-case 5 () ((a) 1)) =>error no expansion for: (5)

(with-syntax ((a 1) ((b ...) '(2 3))) (syntax->datum #'(a b ... a))) => (1 2 3 1)

(with-syntax ((a 1) ((b) '(2 3))) #'a) =>error no expansion for

(syntax->datum #`(1 #,(+ 1 1) #,@(list 3 4) . #,(+ 4 1))) => (1 2 3 4 . 5)

(syntax->datum #`#(1 #,(+ 1 1) #,@(list 3 4))) => #(1 2 3 4)

(syntax->datum #`(a (unsyntax 1 2) (unsyntax-splicing '(3) '(4 5)) b)) => (a 1 2 3 4 5 b)

(syntax->datum #`(a #`(b #,(c #,(+ 1 2))))) => (a (quasisyntax (b (unsyntax (c 3)))))

(syntax->datum #`(a #`(b #,(c #,#,(+ 1 2))))) =>error unsyntax outside quasisyntax

'(#'a #`b #,c #,@d) => ((syntax a) (quasisyntax b) (unsyntax c) (unsyntax-splicing d))

(syntax a b) =>error bad syntax

(unsyntax 5) =>error unsyntax outside quasisyntax

(syntax-case '(1) () ((a) a)) =>error a pattern variable outside of syntax: (a)

(syntax-case '(1) () ((a a) 1)) =>error syntax-case: a pattern variable occurs twice

(syntax-case '(1) () ((a ...) #'a)) =>error syntax-case: a variable lacks its ellipsis

(syntax-case '(1) () ((a) #'(a ...))) =>error syntax-case: nothing under the ellipsis repeats

(syntax-case '(1) (5) ((a) 1)) =>error syntax-case: a literal is not an identifier

(syntax-case '(1)) =>error bad syntax-case

(syntax-case '(1) () ((a))) =>error syntax-case: bad clause

(with-syntax (a) 1) =>error

; --- syntax-violation ---

(syntax-violation 'me "went wrong" '(form)) =>error me: went wrong: ((form))

(syntax-violation #f "went wrong" '(form) 'sub) =>error went wrong: ((form) sub)

(define-syntax strict (lambda (form) (syntax-case form () ((_ n) (number? (syntax->datum #'n)) #'n) ((_ x) (syntax-violation 'strict "not a number" form #'x)))))
(list (strict 5) (guard (e ((error-object? e) (error-object-message e))) (eval '(strict a) (interaction-environment)))) => (5 "strict: not a number")

(strict a) =>error strict: not a number: ((strict a) a)

; --- identifiers that are macros ---

(define-syntax here (lambda (form) (syntax-case form () (id (identifier? #'id) #'(list 'here)) ((_ x) #'(list 'called x)))))
(list here (here 5)) => ((here) (called 5))

(set! here 5) =>error set!: not a variable

(define store (vector 1 2))
(define-syntax first
  (make-variable-transformer
    (lambda (form)
      (syntax-case form (set!)
        ((set! _ value) #'(vector-set! store 0 value))
        ((_ arg ...) #'(list 'call arg ...))
        (id (identifier? #'id) #'(vector-ref store 0))))))
(begin (set! first 10) (list first (first 1 2) store)) => (10 (call 1 2) #(10 2))

(let ((store 5)) (set! first 20) (list first store)) => (20 5)

(make-variable-transformer 5) =>error invalid type, expected Procedure: (5)

; --- what is no transformer, and transformers that fail ---

(define-syntax bad 5) =>error not a syntax transformer: (5)

(define-syntax bad (list 1)) =>error not a syntax transformer

(define-syntax bad no-such-name) =>error not a syntax transformer

(define-syntax raises (lambda (form) (raise 'oops)))
(define-syntax fails (lambda (form) (car form 5)))
(raises) =>error

(fails) =>error too many args

; An error of a transformer is the program's own where it expands by itself.
(define-syntax complains (lambda (form) (error "transformer says" (syntax->datum form))))
(complains 1) =>error transformer says: ((complains 1))

; A transformer made by another macro, and one that makes macros.
(define-syntax define-constant (syntax-rules () ((_ name value) (define-syntax name (lambda (form) (syntax-case form () (_ #'value)))))))
(define-constant seven (+ 3 4))
(list seven (let ((+ *)) seven)) => (7 7)

(define-syntax define-adder (lambda (form) (syntax-case form () ((_ name n) #'(define-syntax name (lambda (f) (syntax-case f () ((_ x) #'(+ x n)))))))))
(define-adder add5 5)
(add5 1) => 6

; --- libraries ---

(define-library (macros here)
  (export while (rename my-if if2) counter)
  (import (scheme base) (chibi syntax-case))
  (begin
    (define count 0)
    (define (helper forms) (reverse forms))
    (define-syntax while
      (lambda (form)
        (syntax-case form ()
          ((_ test e ...) #'(let loop () (if test (begin e ... (set! count (+ count 1)) (loop)) count))))))
    (define-syntax my-if (lambda (form) (syntax-case form () ((_ a b c) #`(cond #,(helper #'(b a)) (else c))))))
    (define-syntax counter (lambda (form) #'count))))
(import (prefix (macros here) m:))
(let ((n 0) (loop 5) (count 'mine) (cond #f)) (list (m:while (< n 3) (set! n (+ n 1))) (m:if2 #t 1 2) count)) => (3 1 mine)

(import (rename (only (macros here) while) (while dowhile)))
(let ((n 0)) (dowhile (< n 2) (set! n (+ n 1)))) => 5
