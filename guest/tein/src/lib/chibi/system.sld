;; The host and its users. There is no such thing in this sandbox: the names are here, and using one says so.
(define-library (chibi system)
  (export
    get-host-name user-information user? user-name user-password user-id user-group-id user-gecos
    user-home user-shell group-information group? group-name group-password group-id
    current-user-id current-group-id current-effective-user-id current-effective-group-id
    set-current-user-id! set-current-effective-user-id! set-current-group-id!
    set-current-effective-group-id! current-session-id create-session set-root-directory!)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "chibi/system"
      get-host-name user-information user? user-name user-password user-id user-group-id
      user-gecos user-home user-shell group-information group? group-name group-password group-id
      current-user-id current-group-id current-effective-user-id current-effective-group-id
      set-current-user-id! set-current-effective-user-id! set-current-group-id!
      set-current-effective-group-id! current-session-id create-session set-root-directory!)))
