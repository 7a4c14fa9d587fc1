;; Queues between producers and consumers. There is one thread, so receiving from an empty channel
;; could only wait for ever, and is an error.
(define-library (chibi channel)
  (export Channel make-channel channel? channel-empty? channel-send! channel-receive!)
  (import (scheme base))
  (begin
    (define-record-type Channel
      (new-channel front rear)
      channel?
      (front front set-front!)
      (rear rear set-rear!))

    (define (make-channel) (new-channel '() '()))

    (define (channel-empty? c) (and (null? (front c)) (null? (rear c))))

    (define (channel-send! c x) (set-rear! c (cons x (rear c))))

    (define (channel-receive! c)
      (if (null? (front c))
          (begin
            (set-front! c (reverse (rear c)))
            (set-rear! c '())))
      (if (null? (front c)) (error "channel-receive!: the channel is empty, and no other thread can send"))
      (let ((x (car (front c))))
        (set-front! c (cdr (front c)))
        x))))
