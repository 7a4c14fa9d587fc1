; import (chibi mime)

; --- headers ---

(mime-parse-content-type "text/html; CHARSET=UTF-8; filename=index.html") => (text/html (charset . "UTF-8") (filename . "index.html"))

(list (mime-parse-content-type "multipart/form-data, boundary=AaB03x") (mime-parse-content-type "form-data; name=\"a;\\\"b\"") (mime-parse-content-type "text/plain"))
=> ((multipart/form-data (boundary . "AaB03x")) (form-data (name . "a;\"b")) (text/plain))

(mime-headers->list "From: a@b\nSubject: one\n two\n\tthree\nX-Empty:\n\nBody: no") => ((from . "a@b") (subject . "one two three") (x-empty . ""))

(let ((in (open-input-string "A: 1\r\nB: 2\r\n\r\nrest"))) (list (mime-headers->list in) (read-line in))) => (((a . "1") (b . "2")) "rest")

(mime-header-fold (lambda (name value acc) (cons (list name value) acc)) '() "From me@x Mon Jan 1\nTo: You\n\n") => ((To "You") (%from "me@x") (%date "Mon Jan 1"))

(mime-header-fold (lambda (name value acc) (cons name acc)) '() "A: 1\nB: 2\nC: 3\n" 2) => (B A)

(mime-headers->list (open-input-bytevector (string->utf8 "A: λ\r\n\r\n"))) => ((a . "λ"))

(list (assq-ref '((a . 1)) 'a) (assq-ref '((a . 1)) 'b) (assq-ref '() 'b 'none) (assoc-ref '(("x" . 1)) "x") (mime-ref '(("x" . 1)) "y" 2)) => (1 #f none 1 2)

(let ((out (open-output-string))) (mime-write-headers '((a . "1") (b . 2)) out) (get-output-string out)) => "a: 1\r\nb: 2\r\n"

(list (mime-decode-header "=?UTF-8?B?zrs=?= and =?iso-8859-1?Q?caf=E9_x?=") (mime-decode-header "=?UTF-8?Q?a?= \n =?UTF-8?Q?b?=") (mime-decode-header "=?bad?X?a?= =?") (mime-decode-header "plain"))
=> ("λ and café x" "ab" "=?bad?X?a?= =?" "plain")

; --- messages ---

(mime-message->sxml "From: \"Dr. Watson\"\nSubject: Report\nContent-Type: text/plain; charset=\"ISO-8859-1\"\n\nMoor is gloomy.\n\n")
=> (mime (@ (from . "\"Dr. Watson\"") (subject . "Report") (content-type . "text/plain; charset=\"ISO-8859-1\"")) "Moor is gloomy.\n")

; The examples of RFC 1867.
(mime-message->sxml (open-input-string "Content-type: multipart/form-data, boundary=AaB03x\n\n--AaB03x\ncontent-disposition: form-data; name=\"field1\"\n\nJoe Blow\n--AaB03x\ncontent-disposition: form-data; name=\"pics\"; filename=\"file1.txt\"\nContent-Type: text/plain\n\n ... contents of file1.txt ...\n--AaB03x--\n"))
=> (mime (@ (content-type . "multipart/form-data, boundary=AaB03x")) (mime (@ (content-disposition . "form-data; name=\"field1\"")) "Joe Blow") (mime (@ (content-disposition . "form-data; name=\"pics\"; filename=\"file1.txt\"") (content-type . "text/plain")) " ... contents of file1.txt ..."))

(mime-message->sxml (open-input-bytevector (string->utf8 "Content-type: multipart/form-data, boundary=A\r\n\r\n--A\r\nX: 1\r\nContent-type: multipart/mixed, boundary=B\r\n\r\n--B\r\nContent-type: text/plain\r\n\r\none\r\ntwo\r\n--B\r\nContent-type: image/gif\r\nContent-Transfer-Encoding: binary\r\n\r\n  GIF\r\n--B--\r\n--A--\r\n")))
=> (mime (@ (content-type . "multipart/form-data, boundary=A")) (mime (@ (x . "1") (content-type . "multipart/mixed, boundary=B")) (mime (@ (content-type . "text/plain")) "one\r\ntwo") (mime (@ (content-type . "image/gif") (content-transfer-encoding . "binary")) #u8(32 32 71 73 70))))

(map (lambda (s) (cadr (cdr (mime-message->sxml s))))
     '("Content-Transfer-Encoding: base64\n\naGVsbG8=\n" "Content-Transfer-Encoding: quoted-printable\n\nh=C3=A9llo=\n w\n" "Content-Type: text/plain; charset=latin1\nContent-Transfer-Encoding: quoted-printable\n\n=E9\n" "\nno headers\n" ""))
=> ("hello" "héllo w" "é" "no headers" "")

; A message that was cut off keeps its last part; text before the first boundary does not count.
(mime-message->sxml "Content-Type: multipart/mixed; boundary=\"x y\"\n\npreamble\n--x y\n\nbody\nmore")
=> (mime (@ (content-type . "multipart/mixed; boundary=\"x y\"")) (mime (@) "body\nmore"))

(mime-message-fold "Content-Type: multipart/mixed; boundary=x\n\n--x\n\na\n--x\n\nb\n--x--" (lambda (parent headers body acc) (cons body acc)) '(start) (lambda (headers seed) '()) (lambda (headers seed inner) (append inner seed)))
=> ("b" "a" start)

(mime-message->sxml "just text" '((content-type . "text/plain"))) => (mime (@ (content-type . "text/plain")) "just text")
