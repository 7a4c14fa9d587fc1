;; Log files. There is no such thing in this sandbox: the names are here, and using one says so.
(define-library (chibi log)
  (export
    log-open log-close log-show log-show-every-n log-compile-prefix log-level-index log-level-name
    make-logger logger? logger-prefix logger-levels logger-level-abbrevs logger-current-level
    logger-file logger-port logger-locked? logger-zipped? default-logger log-emergency log-alert
    log-critical log-error log-warn log-notice log-info log-debug with-logged-errors
    with-logged-and-reraised-errors)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "chibi/log"
      log-open log-close log-show log-show-every-n log-compile-prefix log-level-index
      log-level-name make-logger logger? logger-prefix logger-levels logger-level-abbrevs
      logger-current-level logger-file logger-port logger-locked? logger-zipped? default-logger
      log-emergency log-alert log-critical log-error log-warn log-notice log-info log-debug
      with-logged-errors with-logged-and-reraised-errors)))
