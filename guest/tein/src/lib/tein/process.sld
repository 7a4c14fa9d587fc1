(define-library (tein process)
  (export get-environment-variable get-environment-variables command-line exit emergency-exit
          current-process-id system)
  (import (tein core) (only (scheme base) define if let begin error dynamic-wind))
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
      (error "[sandbox:process] system: not permitted in sandbox"))))
