;; A pattern matcher in the manner of Andrew Wright's, in syntax-rules alone.
;;
;; Matching is written in continuation-passing style. A step is
;;
;;     (step SEEN v place pattern success failure)
;;
;; where SEEN lists the variables bound so far, v names the value, place says how to read and
;; assign where it was found (for get! and set!), failure is a small expression, and success is
;; (macro argument ...): it is expanded as (macro SEEN argument ...) with what is bound then.
(define-library (chibi match)
  (export match match-lambda match-lambda* match-let match-letrec match-let*)
  (import
    (scheme base)
    (only (tein core) %record-of? %field %set-field! %record-field-index))
  (begin
    (define (no-match v) (error "match: no matching pattern" v))

    ;; Pairs along the spine, or #f for a circular one.
    (define (spine-length v)
      (if (list? v)
          (length v)
          (let loop ((fast v) (slow v) (n 0))
            (cond ((not (pair? fast)) n)
                  ((not (pair? (cdr fast))) (+ n 1))
                  (else
                   (let ((fast (cddr fast)) (slow (cdr slow)))
                     (and (not (eq? fast slow)) (loop fast slow (+ n 2)))))))))

    ;; --- what a name in a pattern is ---

    ;; (if-identifier x yes no): a name in a pattern of syntax-rules matches anything, a constant
    ;; only itself.
    (define-syntax if-identifier
      (syntax-rules ()
        ((_ (a . b) yes no) no)
        ((_ #(a ...) yes no) no)
        ((_ x yes no)
         (let-syntax ((probe (syntax-rules ()
                               ((_ x y n) y)
                               ((_ other y n) n))))
           (probe (not a constant) yes no)))))

    ;; (if-seen x (name ...) yes no)
    (define-syntax if-seen
      (syntax-rules ()
        ((_ x () yes no) no)
        ((_ x names yes no)
         (letrec-syntax ((find (syntax-rules (x)
                                 ((_ () y n) n)
                                 ((_ (x . more) y n) y)
                                 ((_ (other . more) y n) (find more y n)))))
           (find names yes no)))))

    ;; Goes on with a success continuation.
    (define-syntax resume
      (syntax-rules ()
        ((_ seen (macro . args)) (macro seen . args))))

    ;; Success continuations that need nothing of what is bound.
    (define-syntax finish-with
      (syntax-rules ()
        ((_ seen expression) expression)))

    (define-syntax finish-body
      (syntax-rules ()
        ((_ seen body) (let () . body))))

    ;; --- variables of a pattern ---

    ;; (variables NEW seen pattern (macro argument ...)) expands (macro NEW' argument ...), where
    ;; NEW' are the variables that the pattern binds besides those in seen.
    (define-syntax variables
      (syntax-rules ::: (_ ... ___ ..1 **1 =.. *.. quote quasiquote ? = $ @ and or not get! set!)
        ((variables new seen () k) (resume new k))
        ((variables new seen _ k) (resume new k))
        ((variables new seen ... k) (resume new k))
        ((variables new seen ___ k) (resume new k))
        ((variables new seen ..1 k) (resume new k))
        ((variables new seen **1 k) (resume new k))
        ((variables new seen =.. k) (resume new k))
        ((variables new seen *.. k) (resume new k))
        ((variables new seen (quote d) k) (resume new k))
        ((variables new seen (quasiquote q) k) (quasi-variables new seen q k))
        ((variables new seen (? test . ps) k) (variables-in-all new seen ps k))
        ((variables new seen (= f p) k) (variables new seen p k))
        ((variables new seen ($ type . ps) k) (variables-in-all new seen ps k))
        ((variables new seen (@ type (field p) :::) k) (variables-in-all new seen (p :::) k))
        ((variables new seen (and . ps) k) (variables-in-all new seen ps k))
        ((variables new seen (or . ps) k) (variables-in-all new seen ps k))
        ((variables new seen (not . ps) k) (resume new k))
        ((variables new seen (get! x) k) (variables new seen x k))
        ((variables new seen (set! x) k) (variables new seen x k))
        ((variables new seen (p . rest) k) (variables new seen p (variables-then seen rest k)))
        ((variables new seen #(p :::) k) (variables-in-all new seen (p :::) k))
        ((variables new seen x k)
         (if-identifier x
           (if-seen x seen
             (resume new k)
             (if-seen x new (resume new k) (variables-add new x k)))
           (resume new k)))))

    (define-syntax variables-add
      (syntax-rules ()
        ((_ (new ...) x k) (resume (new ... x) k))))

    (define-syntax variables-then
      (syntax-rules ()
        ((_ new seen p k) (variables new seen p k))))

    ;; A list of patterns, none of whose heads is a keyword.
    (define-syntax variables-in-all
      (syntax-rules ()
        ((_ new seen () k) (resume new k))
        ((_ new seen (p . rest) k) (variables new seen p (variables-in-all seen rest k)))))

    (define-syntax quasi-variables
      (syntax-rules ::: (unquote unquote-splicing)
        ((_ new seen (unquote p) k) (variables new seen p k))
        ((_ new seen (unquote-splicing p) k) (variables new seen p k))
        ((_ new seen (q . rest) k) (quasi-variables new seen q (quasi-variables seen rest k)))
        ((_ new seen #(q :::) k) (quasi-variables new seen (q :::) k))
        ((_ new seen other k) (resume new k))))

    ;; --- one step ---

    (define-syntax step
      (syntax-rules ::: (_ ... ___ ..1 **1 =.. *.. quote quasiquote ? = $ @ and or not get! set!)
        ((step seen v place () sk fk) (if (null? v) (resume seen sk) fk))
        ((step seen v place _ sk fk) (resume seen sk))
        ((step seen v place (quote d) sk fk) (if (equal? v (quote d)) (resume seen sk) fk))
        ((step seen v place (quasiquote q) sk fk) (quasi seen v place q sk fk))
        ((step seen v place (? test) sk fk) (if (test v) (resume seen sk) fk))
        ((step seen v place (? test . ps) sk fk)
         (if (test v) (step seen v place (and . ps) sk fk) fk))
        ((step seen v place (= f p) sk fk)
         (let ((w (f v))) (step seen w () p sk fk)))
        ((step seen v place (and) sk fk) (resume seen sk))
        ((step seen v place (and p . ps) sk fk)
         (step seen v place p (step v place (and . ps) sk fk) fk))
        ((step seen v place (or) sk fk) fk)
        ((step seen v place (or p) sk fk) (step seen v place p sk fk))
        ((step seen v place (or . ps) sk fk)
         (variables () seen (or . ps) (alternatives seen v place ps sk fk)))
        ((step seen v place (not) sk fk) (resume seen sk))
        ((step seen v place (not p . ps) sk fk)
         (let ((refused (lambda () (step seen v place (not . ps) sk fk))))
           (step seen v place p (finish-with fk) (refused))))
        ((step seen v place (get! x) sk fk)
         (let ((get (lambda () (read-place v place)))) (step seen get () x sk fk)))
        ((step seen v place (set! x) sk fk)
         (let ((put (lambda (new) (write-place place new)))) (step seen put () x sk fk)))
        ((step seen v place ($ type . ps) sk fk)
         (if (%record-of? v type) (fields seen v type 0 ps sk fk) fk))
        ((step seen v place (@ type) sk fk)
         (if (%record-of? v type) (resume seen sk) fk))
        ((step seen v place (@ type (field p) . more) sk fk)
         (if (%record-of? v type)
             (let* ((i (%record-field-index type (quote field))) (w (%field v type i)))
               (step seen w ((%field v type i) (put-field! v type i)) p
                 (step v place (@ type . more) sk fk) fk))
             fk))
        ((step seen v place (p ... . tail) sk fk) (repeat seen v p 0 #f tail tail sk fk))
        ((step seen v place (p ___ . tail) sk fk) (repeat seen v p 0 #f tail tail sk fk))
        ((step seen v place (p ..1 . tail) sk fk) (repeat seen v p 1 #f tail tail sk fk))
        ((step seen v place (p **1 . tail) sk fk) (repeat seen v p 1 #f tail tail sk fk))
        ((step seen v place (p =.. n . tail) sk fk) (repeat seen v p n n tail tail sk fk))
        ((step seen v place (p *.. low high . tail) sk fk)
         (repeat seen v p low high tail tail sk fk))
        ((step seen v place (p . q) sk fk)
         (if (pair? v)
             (let ((a (car v)) (d (cdr v)))
               (step seen a ((car v) (set-car! v)) p
                 (step d ((cdr v) (set-cdr! v)) q sk fk) fk))
             fk))
        ((step seen v place #(p :::) sk fk)
         (if (vector? v)
             (let ((n (vector-length v)))
               (elements seen v 0 n (p :::) sk fk))
             fk))
        ((step seen v place x sk fk)
         (if-identifier x
           (if-seen x seen
             (if (equal? v x) (resume seen sk) fk)
             (let ((x v)) (bound seen x sk)))
           (if (equal? v x) (resume seen sk) fk)))))

    (define-syntax bound
      (syntax-rules ()
        ((_ (seen ...) x sk) (resume (seen ... x) sk))))

    (define-syntax bound-all
      (syntax-rules ()
        ((_ (seen ...) (x ...) sk) (resume (seen ... x ...) sk))))

    (define-syntax read-place
      (syntax-rules ()
        ((_ v ()) v)
        ((_ v (get put)) get)))

    (define-syntax write-place
      (syntax-rules ()
        ((_ () new) (syntax-error "match: set! has no place to assign here"))
        ((_ (get (put ...)) new) (put ... new))))

    (define (put-field! v type i new) (%set-field! v type new i))

    ;; Alternatives bind the same variables; one that an alternative leaves out is #f there.
    (define-syntax alternatives
      (syntax-rules ()
        ((_ (x ...) seen v place ps sk fk)
         (let ((matched (lambda (x ...) (bound-all seen (x ...) sk))))
           (let ((x #f) ...)
             (try seen v place ps (finish-with (matched x ...)) fk))))))

    (define-syntax try
      (syntax-rules ()
        ((_ seen v place (p) sk fk) (step seen v place p sk fk))
        ((_ seen v place (p . ps) sk fk)
         (let ((next (lambda () (try seen v place ps sk fk))))
           (step seen v place p sk (next))))))

    ;; --- records and vectors ---

    (define-syntax fields
      (syntax-rules ()
        ((_ seen v type i () sk fk) (resume seen sk))
        ((_ seen v type i (p . ps) sk fk)
         (let ((w (%field v type i)))
           (step seen w ((%field v type i) (put-field! v type i)) p
             (fields v type (+ i 1) ps sk fk) fk)))))

    (define-syntax elements
      (syntax-rules ::: (... ___ ..1 **1 =.. *..)
        ((_ seen v i n () sk fk) (if (= i n) (resume seen sk) fk))
        ((_ seen v i n (p ... . tail) sk fk) (elements-as-list seen v i (p ... . tail) sk fk))
        ((_ seen v i n (p ___ . tail) sk fk) (elements-as-list seen v i (p ___ . tail) sk fk))
        ((_ seen v i n (p ..1 . tail) sk fk) (elements-as-list seen v i (p ..1 . tail) sk fk))
        ((_ seen v i n (p **1 . tail) sk fk) (elements-as-list seen v i (p **1 . tail) sk fk))
        ((_ seen v i n (p =.. . tail) sk fk) (elements-as-list seen v i (p =.. . tail) sk fk))
        ((_ seen v i n (p *.. . tail) sk fk) (elements-as-list seen v i (p *.. . tail) sk fk))
        ((_ seen v i n (p . ps) sk fk)
         (if (< i n)
             (let ((w (vector-ref v i)))
               (step seen w ((vector-ref v i) (vector-set! v i)) p
                 (elements v (+ i 1) n ps sk fk) fk))
             fk))))

    (define-syntax elements-as-list
      (syntax-rules ()
        ((_ seen v i p sk fk)
         (let ((l (vector->list v i))) (step seen l () p sk fk)))))

    ;; --- ellipses ---

    ;; (repeat seen v p low high counted tail sk fk): between low and high items match p, the rest
    ;; matches tail, which takes as many pairs as counted has.
    (define-syntax repeat
      (syntax-rules ::: (_)
        ;; The common case binds the whole list without walking it.
        ((repeat seen v _ 0 #f () () sk fk) (if (list? v) (resume seen sk) fk))
        ((repeat seen v p 0 #f () () sk fk)
         (if-identifier p
           (if-seen p seen
             (variables () seen p (repeat-loop seen v p 0 #f () () sk fk))
             (if (list? v) (let ((p v)) (bound seen p sk)) fk))
           (variables () seen p (repeat-loop seen v p 0 #f () () sk fk))))
        ((repeat seen v p low high counted tail sk fk)
         (variables () seen p (repeat-loop seen v p low high counted tail sk fk)))))

    (define-syntax repeat-loop
      (syntax-rules ()
        ((_ vars seen v p low high counted tail sk fk)
         (let ((spine (spine-length v)))
           (if spine
               (let ((n (- spine (pairs-in counted))))
                 (if (in-bounds n low high)
                     (with-lists vars () seen n v p tail sk fk)
                     fk))
               fk)))))

    (define-syntax in-bounds
      (syntax-rules ()
        ((_ n low #f) (>= n low))
        ((_ n low high) (<= low n high))))

    (define-syntax pairs-in
      (syntax-rules ()
        ((_ (p . rest)) (+ 1 (pairs-in rest)))
        ((_ end) 0)))

    ;; Gives each variable a list to collect its values in, then walks the items.
    (define-syntax with-lists
      (syntax-rules ()
        ((_ (x . xs) (pair ...) . more) (with-lists xs (pair ... (x found)) . more))
        ((_ () ((x found) ...) seen n v p tail sk fk)
         (let walk ((k n) (rest v) (found '()) ...)
           (if (> k 0)
               (let ((item (car rest)))
                 (step seen item ((car rest) (set-car! rest)) p
                   (finish-with (walk (- k 1) (cdr rest) (cons x found) ...)) fk))
               (let ((x (reverse found)) ...)
                 (repeated seen (x ...) rest tail sk fk)))))))

    (define-syntax repeated
      (syntax-rules ()
        ((_ (seen ...) (x ...) rest tail sk fk)
         (step (seen ... x ...) rest () tail sk fk))))

    ;; --- quasi-patterns ---

    (define-syntax quasi
      (syntax-rules ::: (unquote unquote-splicing ... ___)
        ((_ seen v place (unquote p) sk fk) (step seen v place p sk fk))
        ((_ seen v place ((unquote-splicing p)) sk fk) (step seen v place p sk fk))
        ((_ seen v place ((unquote-splicing p) . rest) sk fk)
         (splice seen v p rest sk fk))
        ((_ seen v place (q ... . rest) sk fk)
         (repeat seen v (quasiquote q) 0 #f rest (quasiquote rest) sk fk))
        ((_ seen v place (q ___ . rest) sk fk)
         (repeat seen v (quasiquote q) 0 #f rest (quasiquote rest) sk fk))
        ((_ seen v place (q . rest) sk fk)
         (if (pair? v)
             (let ((a (car v)) (d (cdr v)))
               (quasi seen a ((car v) (set-car! v)) q
                 (quasi d ((cdr v) (set-cdr! v)) rest sk fk) fk))
             fk))
        ((_ seen v place #(q :::) sk fk)
         (if (vector? v)
             (let ((l (vector->list v))) (quasi seen l () (q :::) sk fk))
             fk))
        ((_ seen v place other sk fk)
         (if (equal? v (quote other)) (resume seen sk) fk))))

    ;; The items before those that REST takes, as a list of their own.
    (define-syntax splice
      (syntax-rules ()
        ((_ seen v p rest sk fk)
         (let* ((spine (spine-length v))
                (n (if spine (- spine (pairs-in rest)) -1)))
           (if (>= n 0)
               (let ((front (take-front v n)) (back (list-tail v n)))
                 (step seen front () p (quasi back () rest sk fk) fk))
               fk)))))

    (define (take-front v n)
      (let loop ((v v) (n n) (out '()))
        (if (= n 0) (reverse out) (loop (cdr v) (- n 1) (cons (car v) out)))))

    ;; --- the forms ---

    (define-syntax match
      (syntax-rules ()
        ((_) (syntax-error "match: no expression"))
        ((_ (a . b) clause ...)
         (let ((v (a . b))) (clauses v () clause ...)))
        ((_ #(a ...) clause ...)
         (let ((v #(a ...))) (clauses v () clause ...)))
        ((_ atom clause ...)
         (let ((v atom)) (clauses v (atom (set! atom)) clause ...)))))

    (define-syntax clauses
      (syntax-rules (=>)
        ((_ v place) (no-match v))
        ((_ v place (p (=> fail) . body) clause ...)
         (let ((fail (lambda () (clauses v place clause ...))))
           (step () v place p (finish-body body) (fail))))
        ((_ v place (p . body))
         (step () v place p (finish-body body) (no-match v)))
        ((_ v place (p . body) clause ...)
         (let ((fail (lambda () (clauses v place clause ...))))
           (step () v place p (finish-body body) (fail))))))

    (define-syntax match-lambda
      (syntax-rules ()
        ((_ clause ...) (lambda (v) (clauses v () clause ...)))))

    (define-syntax match-lambda*
      (syntax-rules ()
        ((_ clause ...) (lambda v (clauses v () clause ...)))))

    (define-syntax match-let
      (syntax-rules ()
        ((_ () . body) (let () . body))
        ((_ ((p e) ...) . body) (match-values-of () ((p e) ...) body))
        ((_ name ((p e) ...) . body)
         (letrec ((name (match-lambda* ((p ...) . body)))) (name e ...)))))

    ;; Evaluates all expressions before it matches any.
    (define-syntax match-values-of
      (syntax-rules ()
        ((_ ((p v e) ...) () body)
         (let ((v e) ...) (match-in-turn () ((p v) ...) body)))
        ((_ (done ...) ((p e) . more) body)
         (match-values-of (done ... (p v e)) more body))))

    (define-syntax match-in-turn
      (syntax-rules ()
        ((_ seen () body) (let () . body))
        ((_ seen ((p v) . more) body)
         (step seen v () p (match-in-turn more body) (no-match v)))))

    (define-syntax match-let*
      (syntax-rules ()
        ((_ () . body) (let () . body))
        ((_ ((p e) . more) . body)
         (let ((v e))
           (step () v () p (finish-with (match-let* more . body)) (no-match v))))))

    ;; The variables exist before the expressions are evaluated and get their values after.
    (define-syntax match-letrec
      (syntax-rules ()
        ((_ ((p e) ...) . body)
         (variables-in-all () () (p ...) (with-stores () ((p e) ...) body)))))

    (define-syntax with-stores
      (syntax-rules ()
        ((_ (x . xs) (pair ...) . more) (with-stores xs (pair ... (x value)) . more))
        ((_ () ((x value) ...) bindings body)
         (let ((x #f) ...)
           (let ((store! (lambda (value ...) (set! x value) ... #t)))
             (match-let bindings (store! x ...)))
           (let () . body)))))))
