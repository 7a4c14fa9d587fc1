; import (chibi monad environment)
; import (chibi sxml)
; import (chibi channel)
; import (chibi weak)
; import (chibi binary-record)
; import (chibi highlight)
; import (chibi time)

; --- (chibi monad environment) ---

(define-environment-monad Env sequence: seq bind: bind bind-fork: fork return: return run: run ask: ask tell: tell local: with local!: with! copy: copy fields: ((depth 0) name))
(run (bind (depth name) (return (list depth name))))
=> (0 #f)

(run (seq (with! (depth 5)) (bind ((d depth)) (return (* 2 d))))) => 10

(run (seq (with! (depth 1)) (with ((depth 2)) (bind (depth) (with! (name depth)))) (bind (depth name) (return (list depth name))))) => (1 2)

(run (seq (with ((depth 2)) (with! (other 7))) (bind (depth other) (return (list depth other))))) => (0 7)

(run (fork (with! (depth 9)) (bind (depth) (return depth)))) => 0

(run (lambda (env) (tell env 'x 3) (list (ask env 'x) (ask env 'y) (ask (copy env) 'x)))) => (3 #f 3)

(run (seq (return 1) (with! (depth 2)))) => 1

; --- (chibi sxml) ---

(sxml->xml '(*TOP* (html (body (div (p "hello, world") (br)))))) => "<html><body><div><p>hello, world</p><br></div></body></html>"

(sxml->xml '(*TOP* (*PI* xml "version=\"1.0\"") (*COMMENT* "note") (*DECL* DOCTYPE html) (a (@ (href "x?a=1&b=2") (class . "c") (disabled)) "1 < 2 & " 3 (b) (script "a<b"))))
=> "<?xml version=\"1.0\"?><!--note--><!DOCTYPE html><a href=\"x?a=1&amp;b=2\" class=\"c\" disabled>1 &lt; 2 &amp; 3<b></b><script>a<b</script></a>"

(sxml-display-as-html '(p "a" (i "b"))) =>output <p>a<i>b</i></p>

(sxml-strip '(*TOP* (p (@ (id "x")) "a" (b "b") (*COMMENT* "no")) "c")) => "abc"

(html-escape "<a href=\"x\">&</a>") => "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;"

(sxml-display-as-text '(div (h1 "Title") (p "one " (b "two")) (ul (li "x") (li "y")) "end" (br) (img (@ (alt "picture"))))) =>output Title\none two\n* x\n* y\nend\npicture\n

; --- (chibi channel) ---

(let ((c (make-channel))) (channel-send! c 1) (channel-send! c 2) (let* ((a (channel-receive! c)) (b (begin (channel-send! c 3) (channel-receive! c)))) (list a b (channel-empty? c) (channel-receive! c) (channel-empty? c) (channel? c))))
=> (1 2 #f 3 #t #t)

(channel-receive! (make-channel)) =>error the channel is empty

; --- (chibi weak) ---

(let ((e (make-ephemeron "key" "value"))) (list (ephemeron? e) (ephemeron-key e) (ephemeron-value e) (ephemeron-broken? e))) => (#t "key" "value" #f)

(ephemeron-broken? 1) =>error invalid type, expected Ephemeron

(let ((v (make-weak-vector 2))) (weak-vector-set! v 1 'x) (list (weak-vector? v) (weak-vector-length v) (weak-vector-ref v 0) (weak-vector-ref v 1))) => (#t 2 #f x)

(weak-vector-ref (make-weak-vector 1) 1) =>error index out of range

; --- (chibi binary-record) ---

(define-binary-record-type gif-header
  (make: make-gif-header) (pred: gif-header?) (read: read-gif-header) (write: write-gif-header)
  (block: "GIF89a" (width (u16/le) gif-width) (height (u16/le) gif-height) (gct (u8) gif-gct) (bgcolor (u8) gif-bgcolor) (ratio (u8) gif-ratio)))
(define (->bytes x) (let ((out (open-output-bytevector))) (write-gif-header x out) (get-output-bytevector out)))
(->bytes (make-gif-header 4096 2160 #xF7 1 2))
=> #u8(#x47 #x49 #x46 #x38 #x39 #x61 0 #x10 #x70 #x08 #xF7 #x01 #x02)

(let ((g (read-gif-header (open-input-bytevector (->bytes (make-gif-header 1 2 3 4 5)))))) (list (gif-header? g) (gif-width g) (gif-height g) (gif-ratio g))) => (#t 1 2 5)

(read-gif-header (open-input-bytevector #u8(71 73 70 56 55 97 0))) =>error binary record: another literal is expected

(read-gif-header (open-input-bytevector #u8(71 73 70 56 57 97 0))) =>error binary record: the data ends too early

(->bytes (make-gif-header 70000 0 0 0 0)) =>error binary record: the number is out of range

(define-binary-record-type entry
  (make: make-entry) (write: write-entry) (read: read-entry)
  (block: (name (padded-string 6) entry-name entry-name-set!) (mode (octal 5) entry-mode))
  (block: #\! (tag (fixed-string 2) entry-tag) (n (s8) entry-n) (big (u32/be) entry-big) (raw (fixed-bytevector 2) entry-raw) (d (decimal 3) entry-d)))
(let ((out (open-output-bytevector)) (e (make-entry "ab" 493 "xy" -2 258 #u8(7 8) 42)))
  (entry-name-set! e "abc")
  (write-entry e out)
  (let ((e (read-entry (open-input-bytevector (get-output-bytevector out)))))
    (list (get-output-bytevector out) (entry-name e) (entry-mode e) (entry-tag e) (entry-n e) (entry-big e) (entry-raw e) (entry-d e))))
=> (#u8(97 98 99 0 0 0 48 55 53 53 0 33 120 121 254 0 0 1 2 7 8 52 50 0) "abc" 493 "xy" -2 258 #u8(7 8) 42)

(define-binary-record-type oops (frobnicate: x)) =>error define-binary-record-type: not a clause

; --- (chibi highlight) ---

(highlight "(define (f x) ; note\n  (if x \"a\\\"b\" #\\a))" 'scheme)
=> ("(" (span (@ (class . "keyword")) "define") " (" (span (@ (class . "function")) "f") " x) " (span (@ (class . "comment")) "; note") "\n  (" (span (@ (class . "keyword")) "if") " x " (span (@ (class . "string")) "\"a\\\"b\"") " " (span (@ (class . "string")) "#\\a") "))")

(highlight-c "#include <a>\nint f(char c) { return 'x'; } /* end */")
=> ((span (@ (class . "preprocessor")) "#include") " <a>\n" (span (@ (class . "type")) "int") " " (span (@ (class . "function")) "f") "(" (span (@ (class . "type")) "char") " c) { " (span (@ (class . "keyword")) "return") " " (span (@ (class . "string")) "'x'") "; } " (span (@ (class . "comment")) "/* end */"))

(highlight-assembly "main:\n\tmovl %eax, 1 # x\n")
=> ((span (@ (class . "label")) "main:") "\n\t" (span (@ (class . "keyword")) "movl") " " (span (@ (class . "variable")) "%eax") ", 1 " (span (@ (class . "comment")) "# x") "\n")

(list (highlight-detect-language "(define x 1)") (highlight-detect-language "int main() {}") (highlight-detect-language ".globl main") (highlight-detect-language "hello") (highlight "hello"))
=> (scheme c asm #f ("hello"))

(string? (highlight-style)) => #t

; --- (chibi time) ---

(define (parts t) (list (time-year t) (time-month t) (time-day t) (time-hour t) (time-minute t) (time-second t) (time-day-of-week t) (time-day-of-year t)))
(map (lambda (n) (parts (seconds->time n))) '(0 951782400 1709251199 -1 -2208988800))
=> ((70 0 1 0 0 0 4 0) (100 1 29 0 0 0 2 59) (124 1 29 23 59 59 4 59) (69 11 31 23 59 59 3 364) (0 0 1 0 0 0 1 0))

(list (seconds->string 0) (time->string (make-tm 5 4 3 2 0 100))) => ("Thu Jan  1 00:00:00 1970\n" "Sun Jan  2 03:04:05 2000\n")

(map (lambda (n) (= n (time->seconds (seconds->time n)))) '(0 1 951782400 1709251199 -1 -62135596800 253402300799)) => (#t #t #t #t #t #t #t)

(time->seconds (make-tm 0 0 0 1 12 100)) => 978307200

(list (tm? (seconds->time 0)) (time-dst? (seconds->time 0)) (timeval-microseconds (make-timeval 1 2)) (timeval? (car (get-time-of-day))) (timezone-offset (cadr (get-time-of-day))) (exact-integer? (current-seconds)))
=> (#t #f 2 #t 0 #t)

(set-time-of-day! 0) =>error [sandbox:chibi/time] set-time-of-day! not available

(let ((r (get-resource-usage resource-usage/self))) (list (rusage? r) (timeval? (resource-usage-time r)) (resource-usage-max-rss r))) => (#t #t 0)
