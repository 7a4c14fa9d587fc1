; import (except (chibi io) read-string read-line open-input-bytevector open-output-bytevector get-output-bytevector string->utf8 utf8->string write-string write-u8 read-u8 peek-u8)
; import (prefix (only (chibi io) read-string read-line) io:)

(define (in s) (open-input-string s))
(let ((p (in "abc\ndef"))) (list (io:read-line p) (io:read-line p) (eof-object? (io:read-line p))))
=> ("abc" "def" #t)

(let ((p (in "abcdef\nghi\n"))) (list (io:read-line p 3) (io:read-line 3 p) (io:read-line p 3) (eof-object? (io:read-line p 3)))) => ("abc" "def" "ghi" #t)

(let ((p (in "ab日本語f"))) (list (io:read-string 3 p) (io:read-string 9 p) (eof-object? (io:read-string 1 p)))) => ("ab日" "本語f" #t)

(let ((p (in "abcde")) (s (make-string 3 #\-)) (t (make-string 3 #\-))) (let* ((m (read-string! s 3 p)) (n (read-string! t 3 p)) (o (read-string! t 3 p))) (list s m t n o)))
=> ("abc" 3 "de-" 2 0)

(read-string! (make-string 1) 2 (in "abc")) =>error read-string!: the string is too short: (2)

(write-line "a") =>output a\n

; --- folding ---

(list (port-fold cons '() read (in "1 (2) x")) (port-fold-right cons '() read-char (in "abc")) (port-map (lambda (x) (* x x)) read (in "1 2 3")))
=> ((x (2) 1) (#\a #\b #\c) (1 4 9))

(list (port->list read-char (in "ab")) (port->string-list (in "a\nb")) (port->sexp-list (in "a (b)")) (port->string (in "x\ny")) (port->bytevector (open-input-bytevector #u8(1 2))))
=> ((#\a #\b) ("a" "b") (a (b)) "x\ny" #u8(1 2))

(file->string "/etc/passwd") =>error sandbox

(call-with-output-file "x" write) =>error sandbox

; --- positions ---

(let ((p (in "abcdef"))) (read-char p) (let ((a (file-position p))) (set-file-position! p 4) (let ((b (read-char p))) (set-file-position! p -2 seek/cur) (let ((c (read-char p))) (set-file-position! p -1 seek/end) (list a b c (read-char p))))))
=> (1 #\e #\d #\f)

(set-file-position! (in "abc") 4) =>error the position is outside of the port's data: (4)

(let ((p (open-output-string))) (write-string "abc" p) (file-position p)) => 3

(file-position (make-null-output-port)) =>error the port has no position

; --- ports that read from procedures ---

(define (strings . l) (make-generated-input-port (lambda () (and (pair? l) (let ((s (car l))) (set! l (cdr l)) s)))))
(list (read-line (strings "abcdef")) (read-line (strings "abc" "def")) (read-line (strings "日" "本" "語")) (eof-object? (read-line (strings))))
=> ("abcdef" "abcdef" "日本語" #t)

(let ((p (strings "日本語" (make-string 4087 #\-) "abc"))) (list (string-length (read-string 4090 p)) (read-line p) (eof-object? (read-char p)))) => (4090 "abc" #t)

(let ((p (strings "a" "\r" "\nb\n" "c"))) (let* ((a (read-line p)) (b (read-line p)) (c (read-line p))) (list a b c (eof-object? (read-line p))))) => ("a" "b" "c" #t)

(let ((p (strings "(a " "b" "c) d" "e \"x" "y\" 1" "2"))) (let loop ((l '())) (let ((x (read p))) (if (eof-object? x) (reverse l) (loop (cons x l)))))) => ((a bc) de "xy" 12)

(read (strings "(a " "b")) =>error never closed

; A datum that is closed needs nothing after it.
(let* ((n 0) (p (make-generated-input-port (lambda () (set! n (+ n 1)) "(1)")))) (list (read p) n (read p) n)) => ((1) 1 (1) 2)

(let ((p (strings "ab" "c"))) (let* ((a (peek-char p)) (b (read-char p)) (c (read-char p)) (d (peek-char p)) (e (read-char p))) (list a b c d e (eof-object? (peek-char p))))) => (#\a #\a #\b #\c #\c #t)

; Natives as values, called by others.
(let ((p (strings "x" "y" "z"))) (let* ((a (apply read-char (list p))) (l (map read-char (list p p)))) (list a l (eof-object? (apply read-char p '()))))) => (#\x (#\y #\z) #t)

(let ((p (strings "l1\nl2" "\nl3"))) (port->string-list p)) => ("l1" "l2" "l3")

; The procedure may raise, escape and be entered again.
(guard (e (#t (list 'caught e))) (read-char (make-generated-input-port (lambda () (raise 'oops))))) => (caught oops)

(call/cc (lambda (k) (read-line (make-generated-input-port (lambda () (k 'out)))))) => out

(let ((p (make-generated-input-port (lambda () (read-line (strings "inner" "\nno")))))) (string-append (read-string 7 p) "!")) => "innerin!"

(define (loop-read n) (let ((i 0)) (let ((p (make-generated-input-port (lambda () (set! i (+ i 1)) (and (<= i n) "x"))))) (let loop ((k 0)) (if (eof-object? (read-char p)) k (loop (+ k 1)))))))
(loop-read 2000)
=> 2000

(let ((p (make-custom-binary-input-port (let ((i 0)) (lambda (b start end) (do ((j start (+ j 1))) ((= j end) (- end start)) (bytevector-u8-set! b j (modulo i 256)) (set! i (+ i 1))))))))
  (let* ((a (read-bytevector 4 p)) (b (read-u8 p)) (c (peek-u8 p)) (d (read-bytevector 300 p))) (list a b c (bytevector-length d) (bytevector-u8-ref d 299))))
=> (#u8(0 1 2 3) 4 5 300 48)

(let ((p (make-generated-binary-input-port (let ((l '(#u8(1 2) #u8(3)))) (lambda () (and (pair? l) (let ((b (car l))) (set! l (cdr l)) b))))))) (port->bytevector p)) => #u8(1 2 3)

(let ((p (make-custom-input-port (let ((l '("ab" "c"))) (lambda (s start end) (if (null? l) 0 (let ((x (car l))) (set! l (cdr l)) (string-copy! s start x) (string-length x)))))))) (port->string p)) => "abc"

(let ((p (make-filtered-input-port string-upcase (in "abc\nd")))) (list (read-line p) (read-line p) (eof-object? (read-char p)))) => ("ABC" "D" #t)

(let ((p (make-concatenated-port (in "ab") (in "") (in "cd")))) (port->string p)) => "abcd"

(eof-object? (read-char (make-null-input-port))) => #t

(let ((p (strings "x"))) (list (input-port? p) (textual-port? p) (output-port? p) (input-port-open? p) (begin (close-port p) (input-port-open? p)))) => (#t #t #f #t #f)

; --- ports that write to procedures ---

(define (recorder) (let* ((l '()) (p (make-custom-output-port (lambda (s start end) (set! l (cons (substring s start end) l)))))) (cons p (lambda () (reverse l)))))
(let* ((r (recorder)) (p (car r))) (write-string "abc" p) (write-char #\d p) (write '(1 "x") p) (newline p) (flush-output-port p) (close-port p) ((cdr r)))
=> ("abc" "d" "(1 \"x\")" "\n")

(let* ((r (recorder))) (for-each (lambda (x) (display x (car r))) '(a "b" 3)) (apply display (list 'c (car r))) ((cdr r))) => ("a" "b" "3" "c")

(let* ((r (recorder))) (close-port (car r)) (write-char #\a (car r))) =>error the port is closed

(let* ((sum 0) (p (make-custom-binary-output-port (lambda (b start end) (do ((i start (+ i 1))) ((= i end)) (set! sum (+ sum (bytevector-u8-ref b i)))))))) (write-bytevector #u8(1 2 3) p) (write-u8 100 p) (list sum (textual-port? p)))
=> (106 #f)

(let ((out (open-output-string))) (let ((p (make-filtered-output-port string-upcase out))) (display "abc" p) (get-output-string out))) => "ABC"

(let* ((a (open-output-string)) (b (open-output-string)) (p (make-broadcast-port a b))) (write 'x p) (list (get-output-string a) (get-output-string b))) => ("x" "x")

(let ((p (make-null-output-port))) (write 1 p) (close-output-port p) (output-port-open? p)) => #f

(parameterize ((current-output-port (make-filtered-output-port string-upcase (current-output-port)))) (display "hi")) =>output HI

(guard (e (#t e)) (write 1 (make-custom-output-port (lambda (s start end) (raise 'full))))) => full

; The value of writing is not what was there before.
(let ((r (recorder))) (let ((x (vector 'old))) (let ((v (write-string "a" (car r)))) (eq? v x)))) => #f

(is-a-socket? 1) => #f

(send-file 1 2) =>error [sandbox:chibi/io] send-file not available
