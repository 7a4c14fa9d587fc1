; import (srfi 18)
; SRFI 18: one thread, and no other

(list (thread? (current-thread)) (thread? 1) (thread-name (current-thread)) (eq? (current-thread) (current-thread))) => (#t #f primordial #t)

(make-thread (lambda () 1)) =>error [sandbox:thread] make-thread: there are no other threads

(thread-start! (current-thread)) =>error [sandbox:thread] thread-start!

(thread-sleep! 1) =>error [sandbox:thread] thread-sleep!

(thread-yield!) => #t

(begin (thread-specific-set! (current-thread) 'x) (thread-specific (current-thread))) => x

(define m (make-mutex 'm))
(list (mutex? m) (mutex-name m) (mutex-state m) (mutex-lock! m) (eq? (mutex-state m) (current-thread)) (mutex-lock! m 0) (mutex-unlock! m) (mutex-state m)) => (#t m not-abandoned #t #t #f #t not-abandoned)

(begin (mutex-lock! m) (mutex-lock! m)) =>error mutex-lock!: locked

(define c (make-condition-variable 'c))
(list (condition-variable? c) (condition-variable-name c) (begin (condition-variable-signal! c) 'done) (mutex-unlock! m c 0)) => (#t c done #f)

(mutex-unlock! m c) =>error mutex-unlock!: no other thread

(list (time? (current-time)) (time->seconds (seconds->time 5)) (join-timeout-exception? 1)) => (#t 5 #f)
