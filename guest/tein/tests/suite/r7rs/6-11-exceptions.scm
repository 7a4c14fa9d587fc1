; R7RS 6.11 Exceptions, 4.2.7 guard

(call-with-current-continuation
 (lambda (k)
   (with-exception-handler
    (lambda (e) (k (list 'condition e)))
    (lambda () (+ 1 (raise 'an-error)))))) => (condition an-error)

(with-exception-handler
 (lambda (e) 'ignored)
 (lambda () (+ 1 (raise 'an-error)))) =>error exception handler returned

(with-exception-handler
 (lambda (con) (cond ((string? con) (display con)) (else (display "a warning has been issued"))) 42)
 (lambda () (+ (raise-continuable "should be a number") 23))) => 65

(with-exception-handler
 (lambda (e) 10)
 (lambda () (+ (raise-continuable 'a) (raise-continuable 'b)))) => 20

; The handler runs with the outer handler installed.
(with-exception-handler
 (lambda (e) (list 'outer e))
 (lambda ()
   (with-exception-handler
    (lambda (e) (list 'inner (raise-continuable e)))
    (lambda () (raise-continuable 'x))))) => (inner (outer x))

; And the old one afterwards.
(with-exception-handler
 (lambda (e) 'outer)
 (lambda ()
   (list (with-exception-handler (lambda (e) 'inner) (lambda () (raise-continuable 1)))
         (raise-continuable 2)))) => (inner outer)

; After raise-continuable returned, the same handler is there again.
(with-exception-handler
 (lambda (e) 1)
 (lambda () (with-exception-handler
             (lambda (e) 2)
             (lambda () (raise-continuable 'a) (raise-continuable 'b))))) => 2

(with-exception-handler 5 (lambda () 1)) =>error 

(with-exception-handler (lambda (e) 1)) =>error not enough args

(with-exception-handler (lambda (e) 1) (lambda () 'fine)) => fine

; A handler that returns from `raise` is reported to the outer handler.
(guard (e (#t (error-object-message e)))
  (with-exception-handler (lambda (e) 'ignored) (lambda () (raise 'x)))) => "exception handler returned"

(with-exception-handler
 (lambda (e) 'ignored)
 (lambda () (error "boom"))) =>error exception handler returned

; An error inside a handler goes outwards.
(guard (e (#t (list 'got e)))
  (with-exception-handler (lambda (e) (raise (list 'again e))) (lambda () (raise 'first)))) => (got (again first))

; guard
(guard (condition ((assq 'a condition) => cdr) ((assq 'b condition))) (raise (list (cons 'a 42)))) => 42

(guard (condition ((assq 'a condition) => cdr) ((assq 'b condition))) (raise (list (cons 'b 23)))) => (b . 23)

(guard (e (#f 'never)) 'body) => body

(guard (e (else (list 'else e))) (raise 1)) => (else 1)

(guard (e ((symbol? e) (list 'symbol e)) ((string? e) (list 'string e))) (raise "s")) => (string "s")

(guard (e ((string? e) e)) (raise 'not-a-string)) =>error uncaught: not-a-string

(guard (e ((symbol? e) 'outer)) (guard (e ((string? e) 'inner)) (raise 'x))) => outer

(guard (e (#t 'first)) (guard (e (#t (raise 'second))) (raise 'x))) => first

(guard (e (#t 1 2 3)) (raise 'x)) => 3

(guard (e ((memq e '(a b)))) (raise 'b)) => (b)

(guard (e (#t (set! e 5) e)) (raise 1)) => 5

(guard (e (#t e)) (raise (raise 'inner))) => inner

(call-with-values (lambda () (guard (e (#t (values 1 2))) (raise 'x))) list) => (1 2)

(call-with-values (lambda () (guard (e (#t 0)) (values 1 2))) list) => (1 2)

(guard (e) 5) => 5

(guard (e) (raise 'x)) =>error uncaught: x

; Multiple forms and definitions in the body.
(guard (e (#t 'no)) (define a 1) (define b 2) (+ a b)) => 3

; guard with a reraise goes through the winds.
(let ((trace '()))
  (define (note x) (set! trace (cons x trace)))
  (guard (e (#t (note 'handler)))
    (guard (e ((number? e) (note 'number)))
      (dynamic-wind (lambda () (note 'in)) (lambda () (raise 'x)) (lambda () (note 'out)))))
  (reverse trace)) => (in out in out handler)

; A guard without a matching clause re-raises with raise-continuable.
(with-exception-handler
 (lambda (e) 42)
 (lambda () (+ 1 (guard (e ((string? e) 0)) (raise-continuable 'x))))) => 43

; The loop of guards keeps no frames.
(let loop ((i 0)) (if (< i 10000) (begin (guard (e (#t #f)) (raise i)) (loop (+ i 1))) 'done)) => done

(let loop ((i 0)) (guard (e (#t #f)) (if (< i 3000) (loop (+ i 1)) 'deep))) => deep

; error
(guard (e ((error-object? e) (list (error-object-message e) (error-object-irritants e)))) (error "boom" 1 "two" 'three)) => ("boom" (1 "two" three))

(guard (e (#t (error-object-irritants e))) (error "boom")) => ()

(define (null-list? l)
  (cond ((pair? l) #f) ((null? l) #t) (else (error "null-list?: argument out of domain" l))))
(null-list? 5) =>error null-list?: argument out of domain: (5)

(error-object? 'x) => #f

(error-object? "boom") => #f

(guard (e (#t (error-object? e))) (raise 'x)) => #f

(guard (e (#t (error-object? e))) (car 5)) => #t

(guard (e (#t (error-object? e))) (undefined-thing)) => #t

(guard (e (#t (error-object? e))) (vector-ref #(1) 1)) => #t

(guard (e (#t (error-object? e))) ((lambda (x) x))) => #t

(guard (e (#t (error-object-irritants e))) (vector-ref #(1) 1)) => (#(1) 1)

(guard (e (#t (error-object-message e))) (+ 1 'a)) => "invalid type, expected Number"

(error-object-message 5) =>error slot-ref: bad type: ("Exception" 5)

(error-object-irritants 'x) =>error slot-ref: bad type: ("Exception" x)

(error) =>error not enough args

; An error object can be raised again and keeps its parts.
(guard (e (#t (error-object-message e))) (guard (e ((string? e) 1)) (error "same" 1))) => "same"

(guard (e (#t (let ((first e)) (guard (e2 (#t (eq? e2 first))) (raise first))))) (error "x")) => #t

; read-error?, file-error?
(guard (e (#t (read-error? e))) (read (open-input-string "(1 2"))) => #t

(guard (e (#t (read-error? e))) (read (open-input-string ")"))) => #t

(guard (e (#t (list (read-error? e) (file-error? e)))) (error "plain")) => (#f #f)

(read-error? 'x) => #f

(file-error? 5) => #f

; Errors from natives can be continued past in a loop.
(let loop ((i 0) (bad 0))
  (if (= i 100) bad (loop (+ i 1) (guard (e (#t (+ bad 1))) (vector-ref #(1 2) i) bad)))) => 98

; Not everything raised is a condition.
(guard (e ((vector? e) (vector-ref e 0))) (raise (vector 'v))) => v

(guard (e ((procedure? e) (e 5))) (raise (lambda (x) (* x x)))) => 25

(guard (e (#t e)) (raise #f)) => #f

(guard (e ((not e) 'false)) (raise #f)) => false

; with-exception-handler and an escaping k inside for-each.
(let ((bad '()))
  (for-each
   (lambda (x)
     (call/cc (lambda (k)
                (with-exception-handler
                 (lambda (e) (set! bad (cons x bad)) (k #f))
                 (lambda () (car x))))))
   '(1 (2) 3))
  bad) => (3 1)

; Errors in after thunks.
(guard (e (#t (list 'caught e))) (dynamic-wind (lambda () #f) (lambda () 1) (lambda () (raise 'late)))) => (caught late)

(raise) =>error not enough args

(raise-continuable 'x) =>error uncaught: x
