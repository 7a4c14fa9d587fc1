; import (tein foreign) (tein reader) (tein process) (scheme repl) (scheme eval)

; --- (tein foreign): this engine has no foreign types ---

(map foreign? (list 5 '() '(a b c) '(__tein-foreign "type" 1) '(__tein-foreign type 1) '(__tein-foreign "type" 1 2))) => (#f #f #f #t #f #f)

(list (foreign-type '(__tein-foreign "type" 7)) (foreign-handle-id '(__tein-foreign "type" 7)) (foreign-types)) => ("type" 7 ())

(foreign-type 5) =>error foreign-type: expected a foreign object: (5)

(foreign-call '(__tein-foreign "type" 7) 'get) =>error foreign-call: this context has no foreign types: ("type" get)

(foreign-methods '(__tein-foreign "type" 7)) =>error no foreign types

(foreign-type-methods "type") =>error no foreign types

; --- (tein reader): no reader macro can be set ---

(reader-dispatch-chars) => ()

(set-reader! #\j (lambda (port) (read port))) =>error scheme evaluation error: [sandbox:tein/reader] set-reader! not available

; --- (tein process) ---

(system "ls") =>error scheme evaluation error: [sandbox:process] system: not permitted in sandbox

(list (current-process-id) (command-line)) => (0 ("tein" "--sandbox"))

(fork) =>error scheme evaluation error: not implemented: (fork)

(process->string "ls") =>error not implemented: (process->string)

(list (exact-integer? signal/kill) (exact-integer? wait/no-hang)) => (#t #t)

(get-environment-variable) =>error get-environment-variable: expected 1 argument, got 0

(get-environment-variable 5) =>error get-environment-variable: expected string argument

(get-environment-variable "NO_SUCH" 1 2) => #f

; --- (scheme repl) ---

(define here 5)
(eval '(+ here 1) (interaction-environment)) => 6

(eval '(define there 7) (interaction-environment))
there => 7

(eval '(define x 1) (environment '(scheme base))) =>error immutable
