;; A file system, of which a sandboxed program has none: what the reference has is refused, and what
;; the reference lacks too says so.
(define-library (tein filesystem)
  (export
    file-exists? delete-file open-input-file open-binary-input-file open-output-file
    open-binary-output-file call-with-input-file call-with-output-file with-input-from-file
    with-output-to-file file-directory? file-regular? file-link? file-size directory-files
    create-directory delete-directory rename-file current-directory
    open/read open/write open/read-write open/create open/exclusive open/truncate open/append
    open/non-block lock/shared lock/exclusive lock/non-blocking lock/unlock
    duplicate-file-descriptor duplicate-file-descriptor-to close-file-descriptor
    renumber-file-descriptor open-input-file-descriptor open-output-file-descriptor link-file
    symbolic-link-file directory-fold directory-fold-tree delete-file-hierarchy create-directory*
    change-directory with-directory open open-pipe make-fifo read-link file-status
    file-link-status file-device file-inode file-mode file-num-links file-owner file-group
    file-represented-device file-block-size file-num-blocks file-access-time file-change-time
    file-modification-time file-modification-time/safe file-character? file-block? file-fifo?
    file-socket? get-file-descriptor-flags set-file-descriptor-flags! get-file-descriptor-status
    set-file-descriptor-status! file-lock file-truncate file-is-readable? file-is-writable?
    file-is-executable? chmod chown is-a-tty?)
  (import (scheme base) (tein file) (tein stubs) (only (tein core) %refuse-read %refuse-write))
  (begin
    (define (file-directory? path) (%refuse-read path))
    (define (file-regular? path) (%refuse-read path))
    (define (file-link? path) (%refuse-read path))
    (define (file-size path) (%refuse-read path))
    (define (directory-files path) (%refuse-read path))
    (define (create-directory path . mode) (%refuse-write path))
    (define (delete-directory path . mode) (%refuse-write path))
    (define (rename-file from to) (%refuse-write from))
    (define (current-directory) (%refuse-read "."))

    (define open/read 0)
    (define open/write 0)
    (define open/read-write 0)
    (define open/create 0)
    (define open/exclusive 0)
    (define open/truncate 0)
    (define open/append 0)
    (define open/non-block 0)
    (define lock/shared 0)
    (define lock/exclusive 0)
    (define lock/non-blocking 0)
    (define lock/unlock 0)

    (define-not-implemented
      duplicate-file-descriptor duplicate-file-descriptor-to close-file-descriptor
      renumber-file-descriptor open-input-file-descriptor open-output-file-descriptor link-file
      symbolic-link-file directory-fold directory-fold-tree delete-file-hierarchy
      create-directory* change-directory with-directory open open-pipe make-fifo read-link
      file-status file-link-status file-device file-inode file-mode file-num-links file-owner
      file-group file-represented-device file-block-size file-num-blocks file-access-time
      file-change-time file-modification-time file-modification-time/safe file-character?
      file-block? file-fifo? file-socket? get-file-descriptor-flags set-file-descriptor-flags!
      get-file-descriptor-status set-file-descriptor-status! file-lock file-truncate
      file-is-readable? file-is-writable? file-is-executable? chmod chown is-a-tty?)))
