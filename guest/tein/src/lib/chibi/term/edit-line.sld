;; Lines edited on a terminal. There is no such thing in this sandbox: the names are here, and using one says so.
(define-library (chibi term edit-line)
  (export
    make-line-editor edit-line edit-line-repl make-history history-insert! history-reset!
    history-commit! history->list list->history buffer->string make-buffer buffer-make-completer
    buffer-clear buffer-refresh buffer-draw buffer-insert! buffer-delete-char! keymap? make-keymap
    make-standard-keymap)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "chibi/term/edit-line"
      make-line-editor edit-line edit-line-repl make-history history-insert! history-reset!
      history-commit! history->list list->history buffer->string make-buffer buffer-make-completer
      buffer-clear buffer-refresh buffer-draw buffer-insert! buffer-delete-char! keymap?
      make-keymap make-standard-keymap)))
