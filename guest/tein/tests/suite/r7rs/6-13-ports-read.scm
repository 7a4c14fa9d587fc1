; R7RS 6.13.2 Input

(define (in s) (open-input-string s))
(read (in "(a . b)")) => (a . b)

(read (in "")) => #<eof>

(eof-object? (read (in "   ; comment"))) => #t

(let ((p (in "1 two \"three\" #\\4"))) (let* ((a (read p)) (b (read p)) (c (read p)) (d (read p)) (e (read p))) (list a b c d (eof-object? e)))) => (1 two "three" #\4 #t)

(read (in "'a")) => (quote a)

(read (in "#(1 #u8(2))")) => #(1 #u8(2))

(read (in "#;(hidden) shown")) => shown

(read (in "#|block|# x")) => x

(let ((x (read (in "#0=(a . #0#)")))) (eq? x (cdr x))) => #t

(let ((x (read (in "(#1=(x) #1#)")))) (eq? (car x) (cadr x))) => #t

(read (in "(1 2")) =>error 

(read (in ")")) =>error 

(read (in "(1 . )")) =>error 

(read (in "(1 . 2 3)")) =>error 

(read (in "\"abc")) =>error 

(read (in "#<foo>")) =>error 

(read (in "#\\nosuchname")) =>error 

(guard (e ((read-error? e) 'read-error)) (read (in "(1"))) => read-error

; Case folding is per port.
(let ((p (in "#!fold-case ABC #!no-fold-case ABC"))) (let* ((a (read p)) (b (read p))) (list a b))) => (abc |ABC|)

; After a datum, the rest is where it was.
(let ((p (in "(a)bc"))) (read p) (read-char p)) => #\b

(let ((p (in "abc def"))) (read p) (read-char p)) => #\space

(read-char (in "abc")) => #\a

(read-char (in "λ")) => #\λ

(read-char (in "")) => #<eof>

(let ((p (in "ab"))) (let* ((a (peek-char p)) (b (read-char p)) (c (peek-char p)) (d (read-char p)) (e (peek-char p))) (list a b c d e))) => (#\a #\a #\b #\b #<eof>)

(let ((p (in "ab\ncd"))) (let* ((a (read-line p)) (b (read-line p)) (c (read-line p))) (list a b c))) => ("ab" "cd" #<eof>)

(let ((p (in "\n\nx\n"))) (let* ((a (read-line p)) (b (read-line p)) (c (read-line p)) (d (read-line p))) (list a b c d))) => ("" "" "x" #<eof>)

(let ((p (in "a\r\nb\rc"))) (let* ((a (read-line p)) (b (read-line p)) (c (read-line p)) (d (read-line p))) (list a b c d))) => ("a" "b" "c" #<eof>)

(read-line (in "")) => #<eof>

(read-string 3 (in "abcdef")) => "abc"

(read-string 10 (in "abc")) => "abc"

(read-string 3 (in "")) => #<eof>

(read-string 0 (in "abc")) => ""

(let ((p (in "aλ𝄞b"))) (let* ((a (read-string 2 p)) (b (read-string 5 p)) (c (read-string 1 p))) (list a b c))) => ("aλ" "𝄞b" #<eof>)

(read-string -1 (in "abc")) =>error 

(char-ready? (in "a")) => #t

(char-ready? (in "")) => #t

; The default port is empty.
(read-char) => #<eof>

(read-line) => #<eof>

(read) => #<eof>

(parameterize ((current-input-port (in "from parameter"))) (list (read) (read-char) (read-line))) => (from #\space "parameter")

(eof-object) => #<eof>

(map eof-object? (list (eof-object) 'eof '() #f)) => (#t #f #f #f)

(read-char 5) =>error invalid type, expected

(read-char (open-input-bytevector #u8(65))) =>error invalid type, expected

(read-char (open-output-string)) =>error invalid type, expected

(let ((p (in "abc"))) (close-port p) (read-char p)) =>error the port is closed

(let ((p (in "abc"))) (close-input-port p) (read p)) =>error the port is closed

(close-input-port (open-output-string)) =>error 

(close-output-port (in "")) =>error 

(close-port 5) =>error 

(let ((p (in "abc"))) (close-port p) (close-port p) (list (input-port? p) (input-port-open? p) (textual-port? p))) => (#t #f #t)

(input-port-open? (in "")) => #t

(output-port-open? (in "")) =>error 

(input-port-open? 5) =>error 

(map input-port? (list (in "") (open-output-string) (open-input-bytevector #u8()) (current-input-port) 5)) => (#t #f #t #t #f)

(map output-port? (list (in "") (open-output-string) (open-output-bytevector) (current-output-port) 5)) => (#f #t #t #t #f)

(map textual-port? (list (in "") (open-output-string) (open-input-bytevector #u8()) (open-output-bytevector) (current-error-port) 5)) => (#t #t #f #f #t #f)

(map binary-port? (list (in "") (open-output-string) (open-input-bytevector #u8()) (open-output-bytevector) 5)) => (#f #f #t #t #f)

(map port? (list (in "") (current-output-port) 5 "port")) => (#t #t #f #f)

(call-with-port (in "abc") read-char) => #\a

(let ((p (in "abc"))) (call-with-port p (lambda (p) (values (read-char p) (read-char p)))) (input-port-open? p)) => #f

(call-with-values (lambda () (call-with-port (in "abc") (lambda (p) (values 1 2)))) list) => (1 2)

(open-input-string 5) =>error invalid type, expected String: (5)

; A port keeps a copy of its string.
(let* ((s (string-copy "abc")) (p (in s))) (string-set! s 0 #\x) (read-char p)) => #\a
