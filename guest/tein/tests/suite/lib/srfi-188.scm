; import (srfi 188)
; SRFI 188: splicing binding constructs for syntactic keywords

(splicing-let-syntax ((def (syntax-rules () ((_ n v) (define n v))))) (def x 1) (define y (list x x)))
(list x y) => (1 (1 1))

; The keyword itself is not visible outside.
(def z 1) =>error undefined variable

(splicing-let-syntax ((one (syntax-rules () ((_) 1)))) (define (f) (list (one) 'one '#(one))))
(f) => (1 one #(one))

(define (g) (splicing-let-syntax ((def (syntax-rules () ((_ n v) (define n v))))) (def a 1) (def b (+ a 1))) (list a b))
(g) => (1 2)

(splicing-letrec-syntax ((ev? (syntax-rules () ((_) #t) ((_ a . r) (od? . r)))) (od? (syntax-rules () ((_) #f) ((_ a . r) (ev? . r))))) (define p (list (ev? 1 2) (od? 1 2))))
p => (#t #f)

(define-syntax k (syntax-rules () ((_) 'outer)))
(splicing-let-syntax ((k (syntax-rules () ((_) 'inner))) (j (syntax-rules () ((_) (k))))) (define q (list (k) (j))))
(list q (k)) => ((inner outer) outer)

(list 1 (splicing-let-syntax ((m (syntax-rules () ((_ x) (* x 2))))) (m 4) (m 5))) => (1 10)

(splicing-let-syntax ((m (syntax-rules () ((_) 'macro)))) (let ((m (lambda () 'variable))) (m))) => variable

(splicing-let-syntax (m) 1) =>error bad let-syntax binding
