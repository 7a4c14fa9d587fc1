;; Characters inside bytevectors of UTF-8, by byte offset.
(define-library (chibi text utf8)
  (export (rename string->utf8 string->utf8!) (rename utf8->string utf8->string!)
          utf8-ref utf8-next utf8-prev)
  (import (scheme base) (only (tein core) bitwise-and))
  (begin
    (define (continuation? bytes i) (= #x80 (bitwise-and #xc0 (bytevector-u8-ref bytes i))))

    ;; The offset of the character after the one at I, or #f at the end.
    (define (utf8-next bytes i end)
      (and (< i end)
           (let loop ((j (+ i 1)))
             (if (and (< j end) (continuation? bytes j)) (loop (+ j 1)) j))))

    ;; The offset of the character before I, or #f at the start.
    (define (utf8-prev bytes i start)
      (and (> i start)
           (let loop ((j (- i 1)))
             (if (and (> j start) (continuation? bytes j)) (loop (- j 1)) j))))

    (define (utf8-ref bytes i)
      (string-ref (utf8->string bytes i (utf8-next bytes i (bytevector-length bytes))) 0))))
