(define-library (tein http)
  (export http-request http-get http-post http-put http-delete)
  (import (scheme base) (scheme char) (only (tein core) %http-exchange %string-search %string-search-backward))
  (begin
    (define max-redirects 10)
    (define default-timeout 30)

    (define (header name headers)
      (let ((entry (assoc name headers)))
        (and entry (cdr entry))))

    (define (drop-headers names headers)
      (let loop ((h headers) (out '()))
        (cond ((not (pair? h)) (reverse out))
              ((and (pair? (car h)) (string? (car (car h)))
                    (member (string-downcase (car (car h))) names))
               (loop (cdr h) out))
              (else (loop (cdr h) (cons (car h) out))))))

    (define (before mark s)
      (let ((i (%string-search mark s)))
        (if i (substring s 0 i) s)))

    ;; scheme://authority of an absolute URL, in lower case.
    (define (origin url)
      (let ((i (%string-search "://" url)))
        (if i
            (let* ((rest (substring url (+ i 3) (string-length url)))
                   (authority (before "/" (before "?" (before "#" rest)))))
              (string-append (string-downcase (substring url 0 i)) "://" (string-downcase authority)))
            "")))

    (define (starts-with? prefix s)
      (and (>= (string-length s) (string-length prefix))
           (string=? prefix (substring s 0 (string-length prefix)))))

    (define (absolute? s)
      (let ((i (%string-search ":" s)))
        (and i (> i 0)
             (let loop ((k 0))
               (or (= k i)
                   (let ((c (string-ref s k)))
                     (and (or (char-alphabetic? c) (char-numeric? c) (memv c '(#\+ #\- #\.)))
                          (loop (+ k 1)))))))))

    ;; The path part of a URL, without query and fragment.
    (define (path-of url)
      (let* ((o (string-length (origin url)))
             (rest (before "#" (before "?" (substring url o (string-length url))))))
        (if (string=? rest "") "/" rest)))

    ;; Resolves dots in a path, as RFC 3986 section 5.2.4 removes them.
    (define (remove-dots path)
      (let loop ((segments (split-path path)) (out '()))
        (cond ((null? segments)
               (let join ((l out) (s ""))
                 (if (null? l) s (join (cdr l) (string-append "/" (car l) s)))))
              ((string=? (car segments) ".")
               (loop (cdr segments) (if (null? (cdr segments)) (cons "" out) out)))
              ((string=? (car segments) "..")
               (let ((up (if (pair? out) (cdr out) out)))
                 (loop (cdr segments) (if (null? (cdr segments)) (cons "" up) up))))
              (else (loop (cdr segments) (cons (car segments) out))))))

    (define (split-path path)
      (let loop ((rest (if (starts-with? "/" path) (substring path 1 (string-length path)) path)) (out '()))
        (let ((i (%string-search "/" rest)))
          (if i
              (loop (substring rest (+ i 1) (string-length rest)) (cons (substring rest 0 i) out))
              (reverse (cons rest out))))))

    ;; Where a Location header leads (RFC 3986 section 5.2).
    (define (resolve base location)
      (let ((location (before "#" location)))
        (cond ((absolute? location) location)
              ((starts-with? "//" location) (string-append (before "/" (origin base)) location))
              ((starts-with? "/" location) (string-append (origin base) location))
              ((starts-with? "?" location) (string-append (origin base) (path-of base) location))
              (else
               (let* ((path (path-of base))
                      (slash (or (%string-search-backward "/" path (string-length path)) 0))
                      (target (before "?" location))
                      (query (substring location (string-length target) (string-length location))))
                 (string-append (origin base)
                                (remove-dots (string-append (substring path 0 slash) "/" target))
                                query))))))

    (define (result status headers body)
      (list (cons 'status status) (cons 'headers headers) (cons 'body body)))

    ;; Each hop is a request of its own and passes the wall like the first.
    (define (exchange method url headers body timeout hops)
      (let* ((r (%http-exchange method url headers body timeout))
             (status (car r))
             (answer (car (cdr r)))
             (location (and (memv status '(301 302 303 307 308)) (header "location" answer))))
        (if (and location (not (string=? location "")))
            (begin
              (if (>= hops max-redirects) (error "http: too many redirects"))
              (let* ((next (resolve url location))
                     (keep? (or (memv status '(307 308)) (member method '("GET" "HEAD"))))
                     (method (if keep? method "GET"))
                     (body (if keep? body #f))
                     (headers (if keep? headers (drop-headers '("content-type" "content-length") headers)))
                     (headers (if (string=? (origin url) (origin next))
                                  headers
                                  (drop-headers
                                   '("authorization" "cookie" "proxy-authorization" "x-api-key" "x-auth-token")
                                   headers))))
                (exchange method next headers body timeout (+ hops 1))))
            (result status answer (cdr (cdr r))))))

    (define (http-request method url headers body . timeout)
      (exchange method url headers body (if (pair? timeout) (car timeout) default-timeout) 0))
    (define (http-get url headers . timeout)
      (apply http-request "GET" url headers #f timeout))
    (define (http-post url headers body . timeout)
      (apply http-request "POST" url headers body timeout))
    (define (http-put url headers body . timeout)
      (apply http-request "PUT" url headers body timeout))
    (define (http-delete url headers . timeout)
      (apply http-request "DELETE" url headers #f timeout))))
