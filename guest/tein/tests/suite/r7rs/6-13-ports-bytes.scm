; R7RS 6.13.2, 6.13.3 Binary ports

(define (bytes . b) (open-input-bytevector (apply bytevector b)))
(read-u8 (bytes 1 2)) => 1

(read-u8 (bytes)) => #<eof>

(let ((p (bytes 1 2))) (let* ((a (peek-u8 p)) (b (read-u8 p)) (c (read-u8 p)) (d (peek-u8 p)) (e (read-u8 p))) (list a b c d e))) => (1 1 2 #<eof> #<eof>)

(u8-ready? (bytes 1)) => #t

(read-bytevector 2 (bytes 1 2 3)) => #u8(1 2)

(read-bytevector 5 (bytes 1 2 3)) => #u8(1 2 3)

(read-bytevector 5 (bytes)) => #<eof>

(read-bytevector 0 (bytes 1)) => #u8()

(let ((p (bytes 1 2 3)) (b (make-bytevector 5 0))) (let ((n (read-bytevector! b p))) (list n b))) => (3 #u8(1 2 3 0 0))

(let ((p (bytes 1 2 3)) (b (make-bytevector 5 0))) (let ((n (read-bytevector! b p 1 3))) (list n b))) => (2 #u8(0 1 2 0 0))

(read-bytevector! (make-bytevector 2) (bytes)) => #<eof>

(read-bytevector! (make-bytevector 2) (bytes 1) 3) =>error index out of range

(let ((p (open-output-bytevector))) (write-u8 1 p) (write-u8 255 p) (write-bytevector #u8(7 8 9) p) (write-bytevector #u8(7 8 9) p 1) (write-bytevector #u8(7 8 9) p 1 2) (get-output-bytevector p)) => #u8(1 255 7 8 9 8 9 8)

(get-output-bytevector (open-output-bytevector)) => #u8()

(let ((p (open-output-bytevector))) (write-u8 256 p)) =>error 

(let ((p (open-output-bytevector))) (write-char #\a p)) =>error invalid type, expected Textual-Output-Port

(let ((p (open-output-bytevector))) (write 'a p)) =>error invalid type, expected Textual-Output-Port

(write-u8 1 (open-output-string)) =>error invalid type, expected Binary-Output-Port

(read-u8 (open-input-string "a")) =>error invalid type, expected

(get-output-bytevector (open-output-string)) =>error 

(let ((p (open-output-bytevector))) (close-port p) (write-u8 1 p)) =>error the port is closed

(open-input-bytevector "a") =>error invalid type, expected Bytevector: ("a")

(let loop ((p (bytes 1 2 3 4)) (sum 0)) (let ((b (read-u8 p))) (if (eof-object? b) sum (loop p (+ sum b))))) => 10

; Text through bytes.
(utf8->string (let ((p (open-output-bytevector))) (write-bytevector (string->utf8 "λx") p) (get-output-bytevector p))) => "λx"
