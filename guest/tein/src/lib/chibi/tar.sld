;; Archives of files. There is no such thing in this sandbox: the names are here, and using one says so.
(define-library (chibi tar)
  (export
    make-tar tar? tar-path tar-mode tar-uid tar-gid tar-owner tar-group tar-size tar-time tar-type
    tar-link-name tar-device tar-device-major tar-device-minor tar-ustar read-tar write-tar
    tar-safe? tar-files tar-fold tar-extract tar-extract-file tar-create)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "chibi/tar"
      make-tar tar? tar-path tar-mode tar-uid tar-gid tar-owner tar-group tar-size tar-time
      tar-type tar-link-name tar-device tar-device-major tar-device-minor tar-ustar read-tar
      write-tar tar-safe? tar-files tar-fold tar-extract tar-extract-file tar-create)))
