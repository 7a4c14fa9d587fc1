; import (scheme time)
; import (scheme process-context)
; The small libraries: (scheme time), (scheme process-context), and what each library exports

(real? (current-second)) => #t

(exact-integer? (current-jiffy)) => #t

(jiffies-per-second) => 1000000000

(list? (command-line)) => #t

(get-environment-variable "NO_SUCH_VARIABLE") => #f

(get-environment-variable 5) =>error get-environment-variable: expected string argument

(get-environment-variable) =>error get-environment-variable: expected 1 argument, got 0

(get-environment-variables) => ()

; exit ends the program with a value, after the outstanding winds.
(exit 3) => #<exit 3>

(exit) => #<exit 0>

(exit #t) => #<exit 0>

(exit #f) => #<exit 1>

(begin (dynamic-wind (lambda () #f) (lambda () (exit 1)) (lambda () (display "left"))) (display "never")) =>output left

(begin (dynamic-wind (lambda () #f) (lambda () (emergency-exit 1)) (lambda () (display "left")))) =>output 

(guard (e (#t 'caught)) (exit 4)) => #<exit 4>

; Libraries export what R7RS says, and can be imported whole.
(import (scheme base) (scheme case-lambda) (scheme char) (scheme complex) (scheme cxr) (scheme eval) (scheme inexact) (scheme lazy) (scheme process-context) (scheme read) (scheme time) (scheme write))
(list (procedure? char-upcase) (procedure? make-polar) (procedure? cdddr) (procedure? eval) (procedure? nan?) (procedure? force) (procedure? read) (procedure? write-shared)) => (#t #t #t #t #t #t #t #t)

; Internal names are not for programs.
(import (tein core)) =>error module import blocked

(import (harness tool-file)) =>error module import blocked
