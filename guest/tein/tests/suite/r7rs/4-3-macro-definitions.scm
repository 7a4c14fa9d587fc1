; Definitions that macros of a library bring into a program.

(define-library (kit)
  (export define-cell define-counter define-pair define-local define-alias)
  (import (scheme base))
  (begin
    (define-syntax define-cell
      (syntax-rules () ((_ name value) (begin (define cell value) (define (name) cell)))))
    (define-syntax define-counter
      (syntax-rules () ((_ next) (begin (define (next) (set! n (+ n 1)) n) (define n 0)))))
    (define-syntax define-pair
      (syntax-rules () ((_ make first) (begin (define-record-type <pair> (construct a b) pair? (a get) (b other)) (define (make a b) (construct a b)) (define (first p) (and (pair? p) (get p)))))))
    (define-syntax define-local
      (syntax-rules () ((_ name) (begin (define-syntax twice (syntax-rules () ((_ x) (* 2 x)))) (define (name x) (twice x))))))
    (define-syntax define-alias
      (syntax-rules () ((_ name value) (define name value))))))
(import (kit))
(define-cell one 1)
(define-cell two 2)
(list (one) (two))
=> (1 2)

; They have names that nothing else can mean.
cell =>error undefined variable: (cell)

(define cell 'mine)
(list (one) cell)
=> (1 mine)

; What is mentioned may be defined after.
(define-counter a)
(define-counter b)
(list (a) (a) (b) (a))
=> (1 2 1 3)

(define-pair kons kar)
(list (kar (kons 1 2)) (kar 5))
=> (1 #f)

construct =>error undefined variable: (construct)

(define-local double)
(double 4)
=> 8

(twice 4) =>error undefined variable: (twice)

(define-alias given 5)
given
=> 5

(let () (define-cell inner 7) (inner)) => 7

; A macro of the program itself defines names of the program.
(define-syntax define-helper (syntax-rules () ((_) (define helper 5))))
(define-helper)
helper
=> 5

(define-library (user)
  (export total)
  (import (scheme base) (kit))
  (begin
    (define-cell one 10)
    (define-counter next)
    (define (total) (next) (+ (one) (next)))))
(import (prefix (user) u:))
(list (u:total) (u:total))
=> (12 14)

(eval '(begin (define-cell three 3) (three)) (environment '(scheme base) '(kit))) =>error immutable
