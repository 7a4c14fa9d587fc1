;; Files, of which a sandboxed program has none: all of this is refused.
(define-library (tein file)
  (export file-exists? delete-file open-input-file open-binary-input-file open-output-file
          open-binary-output-file call-with-input-file call-with-output-file with-input-from-file
          with-output-to-file)
  (import (scheme base)
          (only (tein core)
            file-exists? delete-file open-input-file open-binary-input-file open-output-file
            open-binary-output-file))
  (begin
    (define (call-with-input-file path proc) (call-with-port (open-input-file path) proc))
    (define (call-with-output-file path proc) (call-with-port (open-output-file path) proc))

    (define (with-input-from-file path thunk)
      (let ((port (open-input-file path)))
        (parameterize ((current-input-port port))
          (let ((result (thunk))) (close-port port) result))))

    (define (with-output-to-file path thunk)
      (let ((port (open-output-file path)))
        (parameterize ((current-output-port port))
          (let ((result (thunk))) (close-port port) result))))))
