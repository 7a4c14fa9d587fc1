;; A stream is a promise of the null stream or of a pair of promises: `stream-cdr` is lazy, and
;; so is `stream-car`.
(define-library (srfi 41)
  (export
    stream-null stream-cons stream? stream-null? stream-pair? stream-car stream-cdr
    stream-lambda define-stream list->stream port->stream stream stream->list stream-append
    stream-concat stream-constant stream-drop stream-drop-while stream-filter stream-fold
    stream-for-each stream-from stream-iterate stream-length stream-let stream-map stream-match
    _ stream-of stream-range stream-ref stream-reverse stream-scan stream-take
    stream-take-while stream-unfold stream-unfolds stream-zip)
  (import (scheme base) (scheme lazy))
  (begin
    (define-record-type <stream>
      (new-stream promise)
      stream?
      (promise promise-of))
    (define-record-type <stream-pair>
      (new-pair head tail)
      forced-pair?
      (head head-of)
      (tail tail-of))

    ;; An expression that gives a stream, put off.
    (define-syntax stream-lazy
      (syntax-rules ()
        ((_ expr) (new-stream (delay-force (promise-of (checked expr)))))))
    (define (checked s) (if (stream? s) s (error "not a stream" s)))
    (define (content s) (force (promise-of s)))

    (define stream-null (new-stream (make-promise 'null)))
    (define-syntax stream-cons
      (syntax-rules ()
        ((_ head tail)
         (new-stream (make-promise (new-pair (delay head) (stream-lazy tail)))))))
    (define (stream-pair? x) (and (stream? x) (forced-pair? (content x))))
    (define (stream-null? x) (and (stream? x) (not (forced-pair? (content x)))))
    (define (the-pair who s)
      (if (not (stream? s)) (error (string-append who ": not a stream") s))
      (if (stream-null? s) (error (string-append who ": null stream") s))
      (content s))
    (define (stream-car s) (force (head-of (the-pair "stream-car" s))))
    (define (stream-cdr s) (tail-of (the-pair "stream-cdr" s)))

    (define-syntax stream-lambda
      (syntax-rules ()
        ((_ formals body0 body ...)
         (lambda formals (stream-lazy (let () body0 body ...))))))
    (define-syntax define-stream
      (syntax-rules ()
        ((_ (name . formals) body0 body ...)
         (define name (stream-lambda formals body0 body ...)))))
    (define-syntax stream-let
      (syntax-rules ()
        ((_ tag ((name value) ...) body0 body ...)
         ((letrec ((tag (stream-lambda (name ...) body0 body ...))) tag) value ...))))

    ;; --- to and from other things ---

    (define (count who n)
      (if (not (and (exact-integer? n) (>= n 0)))
          (error (string-append who ": not a count") n)))
    (define-syntax stream
      (syntax-rules ()
        ((_) stream-null)
        ((_ x y ...) (stream-cons x (stream y ...)))))
    (define (list->stream l)
      (if (not (list? l)) (error "list->stream: not a list" l))
      (stream-let loop ((l l))
        (if (null? l) stream-null (stream-cons (car l) (loop (cdr l))))))
    (define (port->stream . opt)
      (let ((port (if (pair? opt) (car opt) (current-input-port))))
        (if (not (input-port? port)) (error "port->stream: not an input port" port))
        (stream-let loop ()
          (let ((c (read-char port)))
            (if (eof-object? c) stream-null (stream-cons c (loop)))))))
    (define (stream->list a . opt)
      (let ((n (if (pair? opt) a -1)) (s (if (pair? opt) (car opt) a)))
        (if (pair? opt) (count "stream->list" a))
        (if (not (stream? s)) (error "stream->list: not a stream" s))
        (let loop ((n n) (s s) (out '()))
          (if (or (= n 0) (stream-null? s))
              (reverse out)
              (loop (- n 1) (stream-cdr s) (cons (stream-car s) out))))))

    ;; --- endless ones ---

    (define (stream-from first . opt)
      (let ((step (if (pair? opt) (car opt) 1)))
        (stream-let loop ((n first)) (stream-cons n (loop (+ n step))))))
    (define (stream-iterate proc base)
      (stream-let loop ((x base)) (stream-cons x (loop (proc x)))))
    (define (stream-constant . items)
      (if (null? items)
          stream-null
          (stream-let loop ((l items))
            (if (null? l) (loop items) (stream-cons (car l) (loop (cdr l)))))))
    (define (stream-range first past . opt)
      (let* ((step (if (pair? opt) (car opt) (if (< first past) 1 -1)))
             (more? (if (< 0 step) < >)))
        (stream-let loop ((n first))
          (if (more? n past) (stream-cons n (loop (+ n step))) stream-null))))

    ;; --- streams from streams ---

    (define (check-streams who l)
      (if (null? l) (error (string-append who ": no stream")))
      (for-each (lambda (s) (if (not (stream? s)) (error (string-append who ": not a stream") s))) l))
    (define (any-null? l) (and (pair? l) (or (stream-null? (car l)) (any-null? (cdr l)))))

    (define (stream-append . streams)
      (if (pair? streams) (check-streams "stream-append" streams))
      (stream-let loop ((l streams))
        (cond ((null? l) stream-null)
              ((null? (cdr l)) (car l))
              ((stream-null? (car l)) (loop (cdr l)))
              (else (stream-cons (stream-car (car l)) (loop (cons (stream-cdr (car l)) (cdr l))))))))
    (define (stream-concat s)
      (check-streams "stream-concat" (list s))
      (stream-let loop ((s s))
        (cond ((stream-null? s) stream-null)
              ((not (stream? (stream-car s))) (error "stream-concat: not a stream" (stream-car s)))
              ((stream-null? (stream-car s)) (loop (stream-cdr s)))
              (else
               (let ((inner (stream-car s)))
                 (stream-cons (stream-car inner)
                              (loop (stream-cons (stream-cdr inner) (stream-cdr s)))))))))
    (define (stream-map proc . streams)
      (check-streams "stream-map" streams)
      (stream-let loop ((l streams))
        (if (any-null? l)
            stream-null
            (stream-cons (apply proc (map stream-car l)) (loop (map stream-cdr l))))))
    (define (stream-zip . streams)
      (check-streams "stream-zip" streams)
      (apply stream-map list streams))
    (define (stream-for-each proc . streams)
      (check-streams "stream-for-each" streams)
      (let loop ((l streams))
        (if (not (any-null? l))
            (begin (apply proc (map stream-car l)) (loop (map stream-cdr l))))))
    (define (stream-filter pred s)
      (check-streams "stream-filter" (list s))
      (stream-let loop ((s s))
        (cond ((stream-null? s) stream-null)
              ((pred (stream-car s)) (stream-cons (stream-car s) (loop (stream-cdr s))))
              (else (loop (stream-cdr s))))))
    (define (stream-fold proc base s)
      (check-streams "stream-fold" (list s))
      (let loop ((acc base) (s s))
        (if (stream-null? s) acc (loop (proc acc (stream-car s)) (stream-cdr s)))))
    (define (stream-scan proc base s)
      (check-streams "stream-scan" (list s))
      (stream-let loop ((acc base) (s s))
        (if (stream-null? s)
            (stream acc)
            (stream-cons acc (loop (proc acc (stream-car s)) (stream-cdr s))))))
    (define (stream-length s)
      (check-streams "stream-length" (list s))
      (stream-fold (lambda (n x) (+ n 1)) 0 s))
    (define (stream-reverse s)
      (check-streams "stream-reverse" (list s))
      (stream-let loop ((s s) (out stream-null))
        (if (stream-null? s)
            out
            (let ((head (stream-car s)))
              (loop (stream-cdr s) (stream-cons head out))))))
    (define (stream-take n s)
      (count "stream-take" n)
      (check-streams "stream-take" (list s))
      (stream-let loop ((n n) (s s))
        (if (or (= n 0) (stream-null? s))
            stream-null
            (stream-cons (stream-car s) (loop (- n 1) (stream-cdr s))))))
    (define (stream-drop n s)
      (count "stream-drop" n)
      (check-streams "stream-drop" (list s))
      (stream-let loop ((n n) (s s))
        (if (or (= n 0) (stream-null? s)) s (loop (- n 1) (stream-cdr s)))))
    (define (stream-ref s n)
      (count "stream-ref" n)
      (let loop ((s (checked s)) (i n))
        (cond ((stream-null? s) (error "stream-ref: beyond the end of the stream" n))
              ((= i 0) (stream-car s))
              (else (loop (stream-cdr s) (- i 1))))))
    (define (stream-take-while pred s)
      (check-streams "stream-take-while" (list s))
      (stream-let loop ((s s))
        (if (and (stream-pair? s) (pred (stream-car s)))
            (stream-cons (stream-car s) (loop (stream-cdr s)))
            stream-null)))
    (define (stream-drop-while pred s)
      (check-streams "stream-drop-while" (list s))
      (stream-let loop ((s s))
        (if (and (stream-pair? s) (pred (stream-car s))) (loop (stream-cdr s)) s)))

    (define (stream-unfold mapper pred? generator base)
      (stream-let loop ((x base))
        (if (pred? x) (stream-cons (mapper x) (loop (generator x))) stream-null)))
    ;; GEN returns a new seed and, for each stream, a list of an item, #f for none yet, or () for
    ;; its end.
    (define (stream-unfolds gen seed)
      (define results
        (stream-let loop ((seed seed))
          (call-with-values (lambda () (gen seed))
            (lambda (next . items) (stream-cons items (loop next))))))
      (define (nth i)
        (stream-let loop ((r results))
          (let ((item (list-ref (stream-car r) i)))
            (cond ((pair? item) (stream-cons (car item) (loop (stream-cdr r))))
                  (item stream-null)
                  (else (loop (stream-cdr r)))))))
      (let ((n (length (stream-car results))))
        (let loop ((i (- n 1)) (out '()))
          (if (< i 0) (apply values out) (loop (- i 1) (cons (nth i) out))))))

    ;; --- syntax ---

    (define-syntax stream-match
      (syntax-rules ()
        ((_ expr clause ...)
         (let ((s expr))
           (if (not (stream? s)) (error "stream-match: not a stream" s))
           (%match-clauses s clause ...)))))
    (define-syntax %match-clauses
      (syntax-rules ()
        ((_ s) (error "stream-match: no pattern matches" s))
        ((_ s (pattern . body) clause ...)
         (let ((next (lambda () (%match-clauses s clause ...))))
           (%match s pattern body (next))))))
    (define-syntax %match
      (syntax-rules (_)
        ((_ s () (expr) fail) (if (stream-null? s) expr fail))
        ((_ s () (fender expr) fail) (if (and (stream-null? s) fender) expr fail))
        ((_ s (_ . rest) body fail)
         (if (stream-pair? s)
             (let ((tail (stream-cdr s))) (%match tail rest body fail))
             fail))
        ((_ s (var . rest) body fail)
         (if (stream-pair? s)
             (let ((var (stream-car s)) (tail (stream-cdr s))) (%match tail rest body fail))
             fail))
        ((_ s _ (expr) fail) expr)
        ((_ s _ (fender expr) fail) (if fender expr fail))
        ((_ s var (expr) fail) (let ((var s)) expr))
        ((_ s var (fender expr) fail) (let ((var s)) (if fender expr fail)))))

    (define-syntax stream-of
      (syntax-rules ()
        ((_ expr clause ...) (%stream-of expr stream-null clause ...))))
    (define-syntax %stream-of
      (syntax-rules (in is)
        ((_ expr base) (stream-cons expr base))
        ((_ expr base (var in s) clause ...)
         (stream-let loop ((rest s))
           (if (stream-null? rest)
               base
               (let ((var (stream-car rest)))
                 (%stream-of expr (loop (stream-cdr rest)) clause ...)))))
        ((_ expr base (var is e) clause ...)
         (let ((var e)) (%stream-of expr base clause ...)))
        ((_ expr base pred clause ...)
         (if pred (%stream-of expr base clause ...) (stream-lazy base)))))))
