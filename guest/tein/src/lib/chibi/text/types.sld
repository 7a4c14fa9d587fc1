;; What a text is made of: a piece of UTF-8 with marks into it, and where it came from.
(define-library (chibi text types)
  (export
    make-text text? text-bytes text-bytes-set! text-start text-start-set! text-end text-end-set!
    text-prev text-prev-set! text-next text-next-set! text-marks text-marks-set!
    text-source text-source-set! text-first text-last
    make-mark mark? mark-text mark-text-set! mark-offset mark-offset-set! mark-data mark-data-set!
    make-text-source text-source? text-source-loader text-source-loader-set!
    text-source-path text-source-path-set! text-source-data text-source-data-set!
    make-text-loader text-loader? text-loader-load text-loader-load-set!
    text-loader-reload text-loader-reload-set! text-loader-write text-loader-write-set!
    text-loader-modified? text-loader-modified?-set!)
  (import (scheme base))
  (begin
    ;; The bytes from start to before end count. Pieces may be chained by prev and next.
    (define-record-type text
      (new-text bytes start end prev next marks source)
      text?
      (bytes text-bytes text-bytes-set!)
      (start text-start text-start-set!)
      (end text-end text-end-set!)
      (prev text-prev text-prev-set!)
      (next text-next text-next-set!)
      (marks text-marks text-marks-set!)
      (source text-source text-source-set!))

    (define (optional rest k default)
      (cond ((null? rest) default)
            ((= k 0) (or (car rest) default))
            (else (optional (cdr rest) (- k 1) default))))

    ;; (make-text [bytes start end prev next marks source])
    (define (make-text . parts)
      (let ((bytes (optional parts 0 (bytevector))))
        (new-text bytes (optional parts 1 0) (optional parts 2 (bytevector-length bytes))
                  (optional parts 3 #f) (optional parts 4 #f) (optional parts 5 '())
                  (optional parts 6 #f))))

    (define (text-first tx) (if (text-prev tx) (text-first (text-prev tx)) tx))
    (define (text-last tx) (if (text-next tx) (text-last (text-next tx)) tx))

    ;; The offset counts bytes of the piece.
    (define-record-type mark
      (new-mark text offset data)
      mark?
      (text mark-text mark-text-set!)
      (offset mark-offset mark-offset-set!)
      (data mark-data mark-data-set!))

    (define (make-mark text offset . data)
      (new-mark text offset (if (pair? data) (car data) #f)))

    (define-record-type text-source
      (make-text-source loader path data)
      text-source?
      (loader text-source-loader text-source-loader-set!)
      (path text-source-path text-source-path-set!)
      (data text-source-data text-source-data-set!))

    (define-record-type text-loader
      (make-text-loader load reload write modified?)
      text-loader?
      (load text-loader-load text-loader-load-set!)
      (reload text-loader-reload text-loader-reload-set!)
      (write text-loader-write text-loader-write-set!)
      (modified? text-loader-modified? text-loader-modified?-set!))))
