;; One thread runs, and there can be no other: what would make one, or wait for one, refuses.
(define-library (srfi 18)
  (export
    current-thread thread? make-thread thread-name thread-specific thread-specific-set!
    thread-start! thread-yield! thread-sleep! thread-terminate! thread-join! mutex? make-mutex
    mutex-name mutex-specific mutex-specific-set! mutex-state mutex-lock! mutex-unlock!
    condition-variable? make-condition-variable condition-variable-name
    condition-variable-specific condition-variable-specific-set! condition-variable-signal!
    condition-variable-broadcast! current-time time? time->seconds seconds->time
    current-exception-handler with-exception-handler raise join-timeout-exception?
    abandoned-mutex-exception? terminated-thread-exception? uncaught-exception?
    uncaught-exception-reason)
  (import (scheme base) (scheme time))
  (begin
    (define-record-type thread
      (new-thread name specific)
      thread?
      (name thread-name)
      (specific thread-specific thread-specific-set!))
    (define main (new-thread 'primordial #f))
    (define (current-thread) main)

    (define-syntax define-refusals
      (syntax-rules ()
        ((_ name ...)
         (begin
           (define (name . args)
             (error (string-append "[sandbox:thread] " (symbol->string 'name)
                                   ": there are no other threads")))
           ...))))
    (define-refusals make-thread thread-start! thread-sleep! thread-terminate! thread-join!)
    (define (thread-yield!) #t)

    (define-record-type mutex
      (new-mutex name specific owner)
      mutex?
      (name mutex-name)
      (specific mutex-specific mutex-specific-set!)
      (owner owner set-owner!))
    (define (make-mutex . name) (new-mutex (and (pair? name) (car name)) #f 'not-abandoned))
    (define (mutex-state m) (owner m))
    (define (mutex-lock! m . opt)
      (let ((timeout (and (pair? opt) (car opt))))
        (cond ((eq? (owner m) 'not-abandoned)
               (set-owner! m
                 (cond ((or (null? opt) (null? (cdr opt))) main)
                       ((cadr opt) (cadr opt))
                       (else 'not-owned)))
               #t)
              (timeout #f)
              (else (error "mutex-lock!: locked, and no other thread can unlock it" m)))))
    (define (mutex-unlock! m . opt)
      (set-owner! m 'not-abandoned)
      (cond ((null? opt) #t)
            ((and (pair? (cdr opt)) (cadr opt)) #f)
            (else (error "mutex-unlock!: no other thread can signal the condition" (car opt)))))

    (define-record-type condition-variable
      (new-condition name specific)
      condition-variable?
      (name condition-variable-name)
      (specific condition-variable-specific condition-variable-specific-set!))
    (define (make-condition-variable . name) (new-condition (and (pair? name) (car name)) #f))
    ;; Nobody waits.
    (define (condition-variable-signal! c) (condition-variable-name c) (if #f #f))
    (define (condition-variable-broadcast! c) (condition-variable-name c) (if #f #f))

    (define-record-type time
      (seconds->time seconds)
      time?
      (seconds time->seconds))
    (define (current-time) (seconds->time (current-second)))

    (define (current-exception-handler) (lambda (x) (raise x)))
    (define (join-timeout-exception? x) #f)
    (define (abandoned-mutex-exception? x) #f)
    (define (terminated-thread-exception? x) #f)
    (define (uncaught-exception? x) #f)
    (define (uncaught-exception-reason x)
      (error "uncaught-exception-reason: not an uncaught exception" x))))
