;; Requests without a wall. There is no such thing in this sandbox: the names are here, and using one says so.
(define-library (chibi net http)
  (export
    http-get http-get/headers http-get-to-file http-head http-post http-put http-delete
    call-with-input-url call-with-input-url/headers with-input-from-url http-parse-request
    http-parse-form)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "chibi/net/http"
      http-get http-get/headers http-get-to-file http-head http-post http-put http-delete
      call-with-input-url call-with-input-url/headers with-input-from-url http-parse-request
      http-parse-form)))
