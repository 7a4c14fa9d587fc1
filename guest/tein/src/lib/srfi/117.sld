(define-library (srfi 117)
  (export
    make-list-queue list-queue list-queue-copy list-queue-unfold list-queue-unfold-right
    list-queue? list-queue-empty? list-queue-front list-queue-back list-queue-list
    list-queue-first-last list-queue-add-front! list-queue-add-back! list-queue-remove-front!
    list-queue-remove-back! list-queue-remove-all! list-queue-set-list! list-queue-append
    list-queue-append! list-queue-concatenate list-queue-map list-queue-map!
    list-queue-for-each)
  (import (scheme base) (scheme case-lambda))
  (begin
    (define-record-type <list-queue>
      (new-queue first last)
      list-queue?
      (first list-queue-list set-first!)
      (last last-of set-last!))

    (define (last-pair l) (if (pair? (cdr l)) (last-pair (cdr l)) l))
    (define make-list-queue
      (case-lambda
        ((l) (new-queue l (if (null? l) '() (last-pair l))))
        ((first last) (new-queue first last))))
    (define (list-queue . l) (make-list-queue l))
    (define (list-queue-copy q) (make-list-queue (list-copy (list-queue-list q))))
    ;; The values of an unfolding, last first.
    (define (unfolded stop? mapper successor seed)
      (let loop ((seed seed) (out '()))
        (if (stop? seed) out (loop (successor seed) (cons (mapper seed) out)))))
    (define (list-queue-unfold stop? mapper successor seed . queue)
      (let ((q (if (pair? queue) (car queue) (list-queue))))
        (for-each (lambda (x) (list-queue-add-front! q x))
                  (unfolded stop? mapper successor seed))
        q))
    (define (list-queue-unfold-right stop? mapper successor seed . queue)
      (let ((q (if (pair? queue) (car queue) (list-queue))))
        (for-each (lambda (x) (list-queue-add-back! q x))
                  (unfolded stop? mapper successor seed))
        q))

    (define (list-queue-empty? q) (null? (list-queue-list q)))
    (define (check who q)
      (if (list-queue-empty? q) (error (string-append who ": empty queue") q)))
    (define (list-queue-front q) (check "list-queue-front" q) (car (list-queue-list q)))
    (define (list-queue-back q) (check "list-queue-back" q) (car (last-of q)))
    (define (list-queue-first-last q) (values (list-queue-list q) (last-of q)))

    (define (list-queue-add-front! q x)
      (let ((first (cons x (list-queue-list q))))
        (if (list-queue-empty? q) (set-last! q first))
        (set-first! q first)))
    (define (list-queue-add-back! q x)
      (let ((last (list x)))
        (if (list-queue-empty? q) (set-first! q last) (set-cdr! (last-of q) last))
        (set-last! q last)))
    (define (list-queue-remove-front! q)
      (check "list-queue-remove-front!" q)
      (let ((first (list-queue-list q)))
        (set-first! q (cdr first))
        (if (null? (cdr first)) (set-last! q '()))
        (car first)))
    (define (list-queue-remove-back! q)
      (check "list-queue-remove-back!" q)
      (let ((last (last-of q)))
        (if (eq? last (list-queue-list q))
            (list-queue-set-list! q '())
            (let loop ((l (list-queue-list q)))
              (if (eq? (cdr l) last)
                  (begin (set-cdr! l '()) (set-last! q l))
                  (loop (cdr l)))))
        (car last)))
    (define (list-queue-remove-all! q)
      (let ((l (list-queue-list q)))
        (list-queue-set-list! q '())
        l))
    (define list-queue-set-list!
      (case-lambda
        ((q l) (list-queue-set-list! q l (if (null? l) '() (last-pair l))))
        ((q first last) (set-first! q first) (set-last! q last))))

    (define (list-queue-append . queues) (list-queue-concatenate queues))
    (define (list-queue-concatenate queues)
      (make-list-queue (list-copy (apply append (map list-queue-list queues)))))
    (define (list-queue-append! . queues)
      (let ((out (list-queue)))
        (for-each
          (lambda (q)
            (if (not (list-queue-empty? q))
                (begin
                  (if (list-queue-empty? out)
                      (set-first! out (list-queue-list q))
                      (set-cdr! (last-of out) (list-queue-list q)))
                  (set-last! out (last-of q)))))
          queues)
        out))
    (define (list-queue-map proc q) (make-list-queue (map proc (list-queue-list q))))
    (define (list-queue-map! proc q)
      (list-queue-set-list! q (map proc (list-queue-list q))))
    (define (list-queue-for-each proc q) (for-each proc (list-queue-list q)))))
