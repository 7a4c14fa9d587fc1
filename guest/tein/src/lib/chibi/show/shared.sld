;; Datum labels for shared and circular structure, for writers made of formatters.
(define-library (chibi show shared)
  (export extract-shared-objects call-with-shared-ref call-with-shared-ref/cdr)
  (import
    (scheme base)
    (only (srfi 69) make-hash-table hash-table-ref/default hash-table-set! hash-table-walk))
  (begin
    ;; The objects that need a label, with their numbers once these are given out.
    (define-record-type shares
      (make-shares labels next)
      shares?
      (labels shares-labels)
      (next next-label set-next-label!))

    ;; Pairs and vectors that X holds more than once; with CYCLIC-ONLY? those that hold themselves.
    (define (extract-shared-objects x cyclic-only?)
      (let ((state (make-hash-table eq?))
            (labels (make-hash-table eq?)))
        ;; A stack of what to enter, and of what was entered and is to be left.
        (let walk ((todo (list x)))
          (if (pair? todo)
              (let ((x (car todo)) (todo (cdr todo)))
                (cond ((leave? x)
                       (hash-table-set! state (left-object x) 'done)
                       (walk todo))
                      ((not (or (pair? x) (vector? x))) (walk todo))
                      (else
                       (let ((seen (hash-table-ref/default state x #f)))
                         (if seen
                             (begin
                               (if (or (not cyclic-only?) (eq? seen 'open))
                                   (hash-table-set! labels x #t))
                               (walk todo))
                             (let ((todo (cons (make-leave x) todo)))
                               (hash-table-set! state x 'open)
                               (walk (if (pair? x)
                                         (cons (car x) (cons (cdr x) todo))
                                         (append (vector->list x) todo)))))))))))
        (make-shares labels 0)))

    (define-record-type leave
      (make-leave object)
      leave?
      (object left-object))

    ;; #f without a label, #t for one not written yet, or its number.
    (define (label-of x shares) (hash-table-ref/default (shares-labels shares) x #f))

    (define (new-label! x shares)
      (let ((n (next-label shares)))
        (hash-table-set! (shares-labels shares) x n)
        (set-next-label! shares (+ n 1))
        (string-append "#" (number->string n) "=")))

    (define (reference n) (string-append "#" (number->string n) "#"))

    ;; What EACH makes of the object's reference, or of its label, if it has one, and PROC.
    (define (call-with-shared-ref x shares each proc)
      (let ((label (label-of x shares)))
        (cond ((number? label) (each (reference label)))
              (label (each (new-label! x shares) proc))
              (else (each proc)))))

    ;; The same for the tail of a list, which with a label is written after a dot.
    (define (call-with-shared-ref/cdr x shares each proc . separator)
      (let ((label (label-of x shares))
            (separator (if (pair? separator) (car separator) "")))
        (cond ((number? label) (each separator ". " (reference label)))
              (label (each separator ". " (new-label! x shares) "(" proc ")"))
              (else (each separator proc)))))))
