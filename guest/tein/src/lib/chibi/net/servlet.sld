;; Servers. There is no such thing in this sandbox: the names are here, and using one says so.
(define-library (chibi net servlet)
  (export
    make-request copy-request request? request-method request-host request-uri request-version
    request-headers request-body request-params request-in request-out request-sock request-addr
    request-param request-param-list request-upload request-upload-list request-uri-string
    request-with-uri request-path request-status servlet-write servlet-respond servlet-parse-body!
    make-status-servlet servlet-handler servlet-run servlet-bad-request extract-form-data upload?
    upload-name upload-filename upload-headers upload->string upload->bytevector upload->sexp
    upload-input-port upload-save)
  (import (scheme base) (tein stubs))
  (begin
    (define-unavailable "chibi/net/servlet"
      make-request copy-request request? request-method request-host request-uri request-version
      request-headers request-body request-params request-in request-out request-sock request-addr
      request-param request-param-list request-upload request-upload-list request-uri-string
      request-with-uri request-path request-status servlet-write servlet-respond
      servlet-parse-body! make-status-servlet servlet-handler servlet-run servlet-bad-request
      extract-form-data upload? upload-name upload-filename upload-headers upload->string
      upload->bytevector upload->sexp upload-input-port upload-save)))
