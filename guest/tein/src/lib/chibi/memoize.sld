;; Procedures that remember their results, in tables that forget what was least recently used.
(define-library (chibi memoize)
  (export
    define-memoized memoize memoize-to-file memoize-file-loader
    make-lru-cache lru-cache? lru-ref lru-ref! lru-set! hash-table-ref!)
  (import
    (scheme base) (only (scheme read) read) (only (scheme write) write)
    (only (srfi 69) make-hash-table hash-table-ref/default hash-table-set! hash-table-delete!)
    (only (chibi optional) let-keywords) (only (chibi pathname) make-path)
    (only (chibi string) string-join))
  (cond-expand
    ((library (scheme file))
     (import (only (scheme file) file-exists? call-with-input-file call-with-output-file)))
    (else
     (begin
       (define (refuse path) (error "[sandbox:file] access denied by sandbox policy" path))
       (define (file-exists? path) (refuse path))
       (define (call-with-input-file path proc) (refuse path))
       (define (call-with-output-file path proc) (refuse path)))))
  (cond-expand
    ((library (chibi filesystem))
     (import (only (chibi filesystem) file-modification-time)))
    (else
     (begin
       (define (file-modification-time path)
         (error "[sandbox:chibi/filesystem] file-modification-time not available")))))
  (begin
    (define missing (list 'missing))

    ;; The value of the key; the thunk's when there is none, which is stored.
    (define (hash-table-ref! table key thunk)
      (let ((value (hash-table-ref/default table key missing)))
        (if (eq? value missing)
            (let ((value (thunk)))
              (hash-table-set! table key value)
              value)
            value)))

    ;; --- caches: entries in a ring, after the ring's own entry the one used last ---

    (define-record-type lru-cache
      (new-cache table ring size limit size-of)
      lru-cache?
      (table cache-table)
      (ring cache-ring)
      (size cache-size set-cache-size!)
      (limit cache-limit)
      (size-of cache-size-of))

    (define-record-type entry
      (make-entry key value size newer older)
      entry?
      (key entry-key)
      (value entry-value set-entry-value!)
      (size entry-size set-entry-size!)
      (newer newer set-newer!)
      (older older set-older!))

    ;; Keywords: size-limit: (#f for none), compute-size: (of a key and a value), equal:, hash:,
    ;; init-size:.
    (define (make-lru-cache . options)
      (let-keywords options
          ((same? equal: equal?) (hash hash: #f) (size init-size: 31) (limit size-limit: 1000)
           (size-of compute-size: (lambda (key value) 1)))
        (let ((ring (make-entry #f #f 0 #f #f)))
          (set-newer! ring ring)
          (set-older! ring ring)
          (new-cache (if hash (make-hash-table same? hash) (make-hash-table same?))
                     ring 0 limit size-of))))

    (define (unlink! e)
      (set-older! (newer e) (older e))
      (set-newer! (older e) (newer e)))

    (define (link! cache e)
      (let* ((ring (cache-ring cache)) (first (older ring)))
        (set-newer! e ring)
        (set-older! e first)
        (set-newer! first e)
        (set-older! ring e)))

    (define (touch! cache e)
      (unlink! e)
      (link! cache e)
      (entry-value e))

    ;; Forgets the oldest entries until the rest fits.
    (define (trim! cache)
      (let* ((ring (cache-ring cache)) (oldest (newer ring)))
        (if (and (cache-limit cache)
                 (> (cache-size cache) (cache-limit cache))
                 (not (eq? oldest ring)))
            (begin
              (unlink! oldest)
              (hash-table-delete! (cache-table cache) (entry-key oldest))
              (set-cache-size! cache (- (cache-size cache) (entry-size oldest)))
              (trim! cache)))))

    (define (find cache key) (hash-table-ref/default (cache-table cache) key #f))

    ;; The value of the key; when there is none, what COMPUTE gives for it, or #f.
    (define (lru-ref cache key . compute)
      (let ((e (find cache key)))
        (cond (e (touch! cache e))
              ((pair? compute) ((car compute) key))
              (else #f))))

    (define (lru-set! cache key value)
      (let ((size ((cache-size-of cache) key value)) (e (find cache key)))
        (if e
            (begin
              (set-cache-size! cache (+ (cache-size cache) (- size (entry-size e))))
              (set-entry-value! e value)
              (set-entry-size! e size)
              (touch! cache e))
            (let ((e (make-entry key value size #f #f)))
              (hash-table-set! (cache-table cache) key e)
              (link! cache e)
              (set-cache-size! cache (+ (cache-size cache) size))))
        (trim! cache)))

    ;; As lru-ref, and stores what was computed.
    (define (lru-ref! cache key compute)
      (let ((e (find cache key)))
        (if e
            (touch! cache e)
            (let ((value (compute key)))
              (lru-set! cache key value)
              value))))

    ;; --- procedures ---

    ;; Keywords as of make-lru-cache; size-limit: #f remembers everything.
    (define (memoize proc . options)
      (let ((cache (apply make-lru-cache options)))
        (lambda args
          (lru-ref! cache args (lambda (args) (apply proc args))))))

    (define-syntax define-memoized
      (syntax-rules ()
        ((_ (name . parameters) . body)
         (define name (memoize (lambda parameters . body) 'size-limit: #f)))))

    ;; --- files ---

    (define (write-to-string x)
      (let ((out (open-output-string)))
        (write x out)
        (get-output-string out)))

    ;; A name without slashes: the arguments as written, with other characters escaped.
    (define (default-name args)
      (let ((out (open-output-string)))
        (string-for-each
          (lambda (c)
            (if (or (char<=? #\a c #\z) (char<=? #\A c #\Z) (char<=? #\0 c #\9) (memv c '(#\- #\.)))
                (write-char c out)
                (begin
                  (write-char #\_ out)
                  (write-string (number->string (char->integer c) 16) out)
                  (write-char #\_ out))))
          (string-join (map write-to-string args) "-"))
        (write-string ".memo" out)
        (get-output-string out)))

    ;; Results are kept as data, in one file for the arguments of a call. Keywords: memo-dir:,
    ;; args-encoder: (a file name from the arguments), reader:, writer: (value, port).
    (define (memoize-to-file proc . options)
      (let-keywords options
          ((dir memo-dir: ".") (encode args-encoder: default-name) (load reader: read) (save writer: write))
        (lambda args
          (let ((path (make-path dir (encode args))))
            (if (file-exists? path)
                (call-with-input-file path load)
                (let ((value (apply proc args)))
                  (call-with-output-file path (lambda (out) (save value out)))
                  value))))))

    ;; For a procedure whose first argument is a path: its result until the file changes.
    (define (memoize-file-loader proc . options)
      (let ((cache (apply make-lru-cache options)))
        (lambda (path . args)
          (let* ((key (cons path args))
                 (time (file-modification-time path))
                 (known (lru-ref cache key)))
            (if (and known (equal? time (car known)))
                (cdr known)
                (let ((value (apply proc path args)))
                  (lru-set! cache key (cons time value))
                  value))))))))
