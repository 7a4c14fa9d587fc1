;; File names as text: nothing here looks at a file system.
(define-library (chibi pathname)
  (export
    path-strip-directory path-directory path-extension path-strip-extension
    path-replace-extension path-absolute? path-relative? path-strip-leading-parents
    path-relative-to path-resolve path-normalize make-path)
  (import
    (scheme base)
    (only (tein core) %string-find-last string-join string-prefix? string-suffix? string-split))
  (begin
    (define (last-slash path end) (%string-find-last path #\/ 0 end))

    ;; The end of the path without the slashes there, but for a leading one.
    (define (strip-slashes path end)
      (if (and (> end 1) (char=? #\/ (string-ref path (- end 1))))
          (strip-slashes path (- end 1))
          end))

    ;; What follows the last slash.
    (define (path-strip-directory path)
      (let* ((end (string-length path)) (i (last-slash path end)))
        (if i (substring path (+ i 1) end) path)))

    ;; The directory of the path, as dirname(1) says it.
    (define (path-directory path)
      (let* ((end (strip-slashes path (string-length path)))
             (i (last-slash path end)))
        (cond ((not i) ".")
              ((= end 1) "/")
              (else (substring path 0 (strip-slashes path (if (= i 0) 1 i)))))))

    ;; The position of the dot before the extension, or #f.
    (define (extension-dot path)
      (let* ((end (string-length path))
             (dot (%string-find-last path #\. 0 end))
             (slash (last-slash path end)))
        (and dot
             (< dot (- end 1))
             (> dot 0)
             (or (not slash) (> dot (+ slash 1)))
             dot)))

    (define (path-extension path)
      (let ((dot (extension-dot path)))
        (and dot (substring path (+ dot 1) (string-length path)))))

    (define (path-strip-extension path)
      (let ((dot (extension-dot path)))
        (if dot (substring path 0 dot) path)))

    (define (path-replace-extension path extension)
      (string-append (path-strip-extension path) "." extension))

    (define (path-absolute? path)
      (and (> (string-length path) 0) (char=? #\/ (string-ref path 0))))

    (define (path-relative? path) (not (path-absolute? path)))

    (define (path-strip-leading-parents path)
      (cond ((string-prefix? "../" path)
             (path-strip-leading-parents (substring path 3 (string-length path))))
            ((string=? ".." path) "")
            (else path)))

    ;; PATH as seen from DIR, or #f when it is not inside.
    (define (path-relative-to path dir)
      (let* ((path (path-normalize path))
             (path (substring path 0 (strip-slashes path (string-length path))))
             (dir (path-normalize dir))
             (dir (substring dir 0 (strip-slashes dir (string-length dir))))
             (inside (if (string-suffix? "/" dir) dir (string-append dir "/"))))
        (cond ((string=? path dir) ".")
              ((string-prefix? inside path)
               (substring path (string-length inside) (string-length path)))
              (else #f))))

    (define (path-resolve path dir)
      (if (path-absolute? path) path (make-path dir path)))

    ;; Takes out doubled slashes, "." and, with what they undo, "..".
    (define (path-normalize path)
      (if (string=? path "")
          ""
          (let ((absolute (path-absolute? path)))
            (let loop ((parts (string-split path "/")) (kept '()) (open #f))
              (cond ((null? parts) (join-parts absolute (reverse kept) open))
                    ((member (car parts) '("" ".")) (loop (cdr parts) kept #t))
                    ((string=? ".." (car parts))
                     (cond ((and (pair? kept) (not (string=? ".." (car kept))))
                            (loop (cdr parts) (cdr kept) #t))
                           (absolute (loop (cdr parts) kept #t))
                           (else (loop (cdr parts) (cons ".." kept) #f))))
                    (else (loop (cdr parts) (cons (car parts) kept) #f)))))))

    ;; OPEN: the last part named a directory by a slash or dots.
    (define (join-parts absolute kept open)
      (cond (absolute (string-append "/" (string-join kept "/") (if (and open (pair? kept)) "/" "")))
            ((null? kept) ".")
            ((and open (not (string=? ".." (car (reverse kept)))))
             (string-append (string-join kept "/") "/"))
            (else (string-join kept "/"))))

    ;; Joins its arguments, and the items of those that are lists, with one slash between two.
    (define (make-path . args)
      (let loop ((parts (flatten args)) (path #f))
        (cond ((null? parts) (or path ""))
              ((not path) (loop (cdr parts) (part->string (car parts))))
              (else (loop (cdr parts) (join path (part->string (car parts))))))))

    (define (flatten args)
      (cond ((null? args) '())
            ((or (null? (car args)) (pair? (car args)))
             (append (flatten (car args)) (flatten (cdr args))))
            (else (cons (car args) (flatten (cdr args))))))

    (define (part->string x)
      (cond ((string? x) x)
            ((symbol? x) (symbol->string x))
            ((number? x) (number->string x))
            (else (error "make-path: not a part of a path" x))))

    (define (join left right)
      (let* ((left (substring left 0 (strip-slashes left (string-length left))))
             (right (if (path-absolute? right) (substring right 1 (string-length right)) right)))
        (cond ((string=? right "") left)
              ((string=? left "") right)
              ((string-suffix? "/" left) (string-append left right))
              (else (string-append left "/" right)))))))
