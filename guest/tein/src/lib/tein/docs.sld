;; Documentation as data: an alist from names to texts, with the library's own name under
;; __module__.
(define-library (tein docs)
  (export module-doc module-docs describe)
  (import (scheme base) (scheme write))
  (begin
    (define (docs? x)
      (and (list? x) (let loop ((l x)) (or (null? l) (and (pair? (car l)) (loop (cdr l)))))))

    (define (text x)
      (let ((port (open-output-string)))
        (display x port)
        (get-output-string port)))

    (define (written x)
      (let ((port (open-output-string)))
        (write x port)
        (get-output-string port)))

    ;; What to pass, for those who passed something else: it is returned, not raised.
    (define (help who x)
      (string-append who " expects a docs alist (list of pairs), got: " (written x)
                     "\nlibraries provide one under a name such as introspect-docs or harness-tools-docs"))

    (define (module-doc docs name)
      (if (docs? docs)
          (let ((entry (assv name docs)))
            (and entry (cdr entry)))
          (help "module-doc" docs)))

    (define (module-docs docs)
      (if (docs? docs)
          (let loop ((l docs) (out '()))
            (cond ((null? l) (reverse out))
                  ((eq? (caar l) '__module__) (loop (cdr l) out))
                  (else (loop (cdr l) (cons (car l) out)))))
          (help "module-docs" docs)))

    (define (describe docs)
      (if (docs? docs)
          (let ((module (assv '__module__ docs)))
            (let loop ((l docs) (parts (if module (list ")\n" (text (cdr module)) "(") '())))
              (cond ((null? l) (apply string-append (reverse parts)))
                    ((eq? (caar l) '__module__) (loop (cdr l) parts))
                    (else
                     (let ((doc (text (cdar l))))
                       (loop (cdr l)
                             (cons (if (string=? doc "") "\n" (string-append " — " doc "\n"))
                                   (cons (text (caar l)) (cons "  " parts)))))))))
          (help "describe" docs)))))
