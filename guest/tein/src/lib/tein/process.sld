;; The process that a program believes to run in: the environment that it was granted, and nothing
;; of an operating system.
(define-library (tein process)
  (export
    get-environment-variable get-environment-variables command-line exit emergency-exit
    current-process-id system wait/no-hang
    signal/hang-up signal/interrupt signal/quit signal/illegal signal/abort signal/fpe signal/kill
    signal/segv signal/pipe signal/alarm signal/term signal/user1 signal/user2 signal/child
    signal/continue signal/stop signal/tty-stop signal/tty-input signal/tty-output
    fork kill execute waitpid sleep alarm parent-process-id process-command-line process-running?
    set-signal-action! make-signal-set signal-set? signal-set-contains? signal-set-fill!
    signal-set-add! signal-set-delete! current-signal-mask signal-mask-block! signal-mask-unblock!
    signal-mask-set! system? call-with-process-io process->bytevector process->string
    process->string-list process->sexp process->output+error process->output+error+status)
  (import (tein core) (only (scheme base) define if let begin error dynamic-wind) (tein stubs))
  (begin
    ;; Runs the outstanding after thunks, innermost first.
    (define (%leave)
      (let ((winds (%winds)))
        (if (pair? winds)
            (begin
              (%set-winds! (cdr winds))
              ((cdr (car winds)))
              (%leave)))))
    (define (exit . code)
      (%leave)
      (apply %exit code))
    (define (emergency-exit . code) (apply %exit code))
    (define (current-process-id) 0)
    (define (system . command)
      (error "[sandbox:process] system: not permitted in sandbox"))

    (define wait/no-hang 1)
    (define signal/hang-up 1)
    (define signal/interrupt 2)
    (define signal/quit 3)
    (define signal/illegal 4)
    (define signal/abort 6)
    (define signal/fpe 8)
    (define signal/kill 9)
    (define signal/segv 11)
    (define signal/pipe 13)
    (define signal/alarm 14)
    (define signal/term 15)
    (define signal/user1 10)
    (define signal/user2 12)
    (define signal/child 17)
    (define signal/continue 18)
    (define signal/stop 19)
    (define signal/tty-stop 20)
    (define signal/tty-input 21)
    (define signal/tty-output 22)

    (define-not-implemented
      fork kill execute waitpid sleep alarm parent-process-id process-command-line
      process-running? set-signal-action! make-signal-set signal-set? signal-set-contains?
      signal-set-fill! signal-set-add! signal-set-delete! current-signal-mask signal-mask-block!
      signal-mask-unblock! signal-mask-set! system? call-with-process-io process->bytevector
      process->string process->string-list process->sexp process->output+error
      process->output+error+status)))
