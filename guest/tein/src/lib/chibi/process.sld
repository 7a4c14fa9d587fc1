(define-library (chibi process)
  (export
    exit emergency-exit system current-process-id wait/no-hang signal/hang-up signal/interrupt
    signal/quit signal/illegal signal/abort signal/fpe signal/kill signal/segv signal/pipe
    signal/alarm signal/term signal/user1 signal/user2 signal/child signal/continue signal/stop
    signal/tty-stop signal/tty-input signal/tty-output fork kill execute waitpid sleep alarm
    parent-process-id process-command-line process-running? set-signal-action! make-signal-set
    signal-set? signal-set-contains? signal-set-fill! signal-set-add! signal-set-delete!
    current-signal-mask signal-mask-block! signal-mask-unblock! signal-mask-set! system?
    call-with-process-io process->bytevector process->string process->string-list process->sexp
    process->output+error process->output+error+status)
  (import (tein process)))
