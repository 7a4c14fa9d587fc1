;; Searching in texts.
(define-library (chibi text search)
  (export text-search!)
  (import (scheme base) (chibi text types) (chibi text base)
          (only (tein core) string-contains))
  (begin
    ;; Moves the mark behind the next occurrence of the string; #f when there is none.
    (define (text-search! mk pattern)
      (let* ((tx (mark-text mk))
             (rest (utf8->string (text-bytes tx) (mark-offset mk) (text-end tx)))
             (at (string-contains rest pattern)))
        (and at
             (let ((skipped (substring rest 0 (+ at (string-length pattern)))))
               (mark-offset-set! mk (+ (mark-offset mk) (bytevector-length (string->utf8 skipped))))
               mk))))))
