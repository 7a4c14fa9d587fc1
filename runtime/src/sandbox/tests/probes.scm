;; Tools that do what a sandbox must bear. The tests beside this file call them.

(import (scheme eval) (tein time) (tein process))

(define calls 0)

(define-tool echo
  (description "Gives its arguments back as JSON")
  (parameters '())
  (execute json-stringify))

(define-tool count
  (description "Counts its calls, as far as it can tell")
  (parameters '())
  (execute
    (lambda (args)
      (set! calls (+ calls 1))
      calls)))

(define-tool env
  (description "Gives every variable that it sees")
  (parameters '())
  (execute (lambda (args) (json-stringify (get-environment-variables)))))

(define-tool clock
  (description "Seconds since 1970, and whether time passes")
  (parameters '())
  (execute
    (lambda (args)
      (let ((start (current-jiffy)))
        (let wait ()
          (if (= start (current-jiffy)) (wait)))
        (exact (floor (current-second)))))))

(define-tool random
  (description "Something that no one else has")
  (parameters '())
  (execute (lambda (args) (generate-id))))

(define-tool print
  (description "Writes to both outputs")
  (parameters '())
  (execute
    (lambda (args)
      (display "out")
      (display "err" (current-error-port))
      "done")))

(define-tool flood
  (description "Says too much everywhere")
  (parameters '())
  (execute
    (lambda (args)
      (let ((text (make-string 100000 #\x)))
        (display text)
        (display text (current-error-port))
        text))))

(define-tool fail
  (description "Ends in an error")
  (parameters '())
  (execute (lambda (args) (error "no luck" 7))))

(define-tool other
  (description "Calls another tool with its own arguments")
  (parameters '())
  (execute (lambda (args) (call-tool "other" args))))

;; In memory a character is as wide as in the result.
(define-tool fail-at-length
  (description "Ends in an error with more to say than anyone will read")
  (parameters '())
  (execute (lambda (args) (error (make-string 9000000 #\x1f600) (make-string 100000 #\x)))))

(define-tool answer-at-length
  (description "Gives back more than anyone will read")
  (parameters '())
  (execute (lambda (args) (make-string 9000000 #\x1f600))))

;; Time.

(define-tool spin
  (description "Loops")
  (parameters '())
  (execute (lambda (args) (let loop () (loop)))))

(define-tool spin-in-handlers
  (description "Raises and handles without end")
  (parameters '())
  (execute
    (lambda (args)
      (let loop ()
        (guard (e (#t #f)) (raise 'again))
        (loop)))))

(define-tool spin-in-winders
  (description "Goes in and out of a continuation without end")
  (parameters '())
  (execute
    (lambda (args)
      (let ((back #f))
        (dynamic-wind
          (lambda () #f)
          (lambda () (call/cc (lambda (k) (set! back k))))
          (lambda () #f))
        (back #f)))))

;; Memory.

(define-tool grow-pairs
  (description "Keeps a list that grows")
  (parameters '())
  (execute (lambda (args) (let loop ((kept '())) (loop (cons 1 kept))))))

(define-tool grow-vectors
  (description "Doubles a vector")
  (parameters '())
  (execute (lambda (args) (let loop ((v (vector 0))) (loop (vector-append v v))))))

(define-tool grow-strings
  (description "Doubles a string")
  (parameters '())
  (execute (lambda (args) (let loop ((s "x")) (loop (string-append s s))))))

(define-tool grow-wide-strings
  (description "Doubles a string that is not ASCII")
  (parameters '())
  (execute (lambda (args) (let loop ((s "\x1f600;")) (loop (string-append s s))))))

(define-tool grow-bytes
  (description "Doubles a bytevector")
  (parameters '())
  (execute (lambda (args) (let loop ((b (bytevector 0))) (loop (bytevector-append b b))))))

(define-tool grow-numbers
  (description "Squares a number")
  (parameters '())
  (execute (lambda (args) (let loop ((n (expt 10 1000))) (loop (* n n))))))

(define-tool grow-closures
  (description "Keeps procedures in procedures")
  (parameters '())
  (execute (lambda (args) (let loop ((f car)) (loop (lambda () f))))))

(define-tool grow-continuations
  (description "Keeps continuations in continuations")
  (parameters '())
  (execute
    (lambda (args)
      (let loop ((kept '()))
        (loop (cons (call/cc (lambda (k) k)) kept))))))

(define-tool grow-symbols
  (description "Makes up names")
  (parameters '())
  (execute
    (lambda (args)
      (let loop ((n 0) (kept '()))
        (loop (+ n 1)
              (cons (string->symbol (string-append "name-" (number->string n))) kept))))))

(define-tool grow-ports
  (description "Writes to a string without end")
  (parameters '())
  (execute
    (lambda (args)
      (let ((port (open-output-string)) (text (make-string 1000 #\x)))
        (let loop () (write-string text port) (loop))))))

(define-tool grow-at-once
  (description "Asks for a vector of any size")
  (parameters '())
  (execute (lambda (args) (vector-length (make-vector 1000000000 0)))))

(define-tool grow-string-at-once
  (description "Asks for a string of any size")
  (parameters '())
  (execute (lambda (args) (string-length (make-string 1000000000 #\x)))))

;; Depth.

(define-tool dive
  (description "Recurses without end")
  (parameters '())
  (execute (lambda (args) (let dive ((n 0)) (+ 1 (dive (+ n 1)))))))

(define-tool dive-through-map
  (description "Recurses without end through procedures of the system")
  (parameters '())
  (execute (lambda (args) (let dive ((n 0)) (map dive (list n))))))

(define-tool dive-through-handlers
  (description "Handles in a handler in a handler")
  (parameters '())
  (execute
    (lambda (args)
      (let dive ((n 0))
        (with-exception-handler
          (lambda (e) (dive n) 1)
          (lambda () (+ 1 (dive (raise-continuable n)))))))))

(define-tool dive-through-sort
  (description "Sorts in the order of a sort")
  (parameters '())
  (execute
    (lambda (args)
      (let dive ((a 0) (b 0)) (sort (list 2 1) dive)))))

(define-tool dive-into-data
  (description "Shows and compares a list nested a million deep")
  (parameters '())
  (execute
    (lambda (args)
      (define (nest n)
        (let loop ((n n) (x '()))
          (if (= n 0) x (loop (- n 1) (list x)))))
      (let ((x (nest 1000000)))
        (if (equal? x (nest 1000000))
            (begin (write x) (json-stringify x))
            "different")))))

(define-tool dive-into-circles
  (description "Compares and shows lists without an end")
  (parameters '())
  (execute
    (lambda (args)
      (let ((a (list 1 2)) (b (list 1 2)))
        (set-cdr! (cdr a) a)
        (set-car! (cdr b) b)
        (set-cdr! (cdr b) b)
        (equal? a b)
        (write a)
        (list a b)))))

(define-tool dive-into-eval
  (description "Has an expression evaluated that is nested a million deep")
  (parameters '())
  (execute
    (lambda (args)
      (let loop ((n 1000000) (x 1))
        (if (= n 0)
            (eval x (environment '(scheme base)))
            (loop (- n 1) (list '+ 1 x)))))))
