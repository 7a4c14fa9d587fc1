(define helper 1)
