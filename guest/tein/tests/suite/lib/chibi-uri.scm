; import (chibi uri)

; --- parts ---

(define (parts u) (list (uri-scheme u) (uri-user u) (uri-host u) (uri-port u) (uri-path u) (uri-query u) (uri-fragment u)))
(parts (make-uri 'http "r" "google.com" 80 "/search" "q=cats" "recent"))
=> (http "r" "google.com" 80 "/search" "q=cats" "recent")

(list (parts (make-uri 'http)) (uri? (make-uri 'http)) (uri? "http:")) => ((http #f #f #f #f #f #f) #t #f)

(make-uri 'http 1 2 3 4 5 6 7) =>error make-uri: too many parts

(parts (string->uri "http://google.com")) => (http #f "google.com" #f #f #f #f)

(parts (string->uri "http://google.com:80/search?q=cats#recent")) => (http #f "google.com" 80 "/search" "q=cats" "recent")

(parts (string->uri "HTTP://u:p@h:8080?x")) => (http "u:p" "h" 8080 #f "x" #f)

(parts (string->uri "mailto:a@b.c")) => (mailto #f #f #f "a@b.c" #f #f)

(parts (string->uri "http://[::1]:80/a")) => (http #f "[::1]" 80 "/a" #f #f)

(parts (string->uri "file:///etc/x#")) => (file #f "" #f "/etc/x" #f "")

(list (string->uri "/a/b") (string->uri "1a:b") (string->uri "") (uri-has-scheme? "http:") (uri-has-scheme? "a/b:c")) => (#f #f #f #t #f)

(parts (string->path-uri 'http "/a?b#c")) => (http #f #f #f "/a" "b" "c")

; --- decoding ---

(uri-path (string->uri "http://google.com/%73")) => "/%73"

(uri-path (string->uri "http://google.com/%73" #t)) => "/s"

(uri-query (string->uri "http://google.com/%73?a=1&b=2;c=3" #t)) => "a=1&b=2;c=3"

(uri-query (string->uri "http://google.com/%73?a=1&b=2+2;c=%33" #f #t)) => (("a" . "1") ("b" . "2+2") ("c" . "3"))

(uri-query (string->uri "http://google.com/%73?a=1&b=2+2;c=%33" #t #t)) => (("a" . "1") ("b" . "2 2") ("c" . "3"))

(list (uri-encode "a b/c&λ~") (uri-encode "a b+" #t) (uri-decode "a%20b%2fc%CE%BB") (uri-decode "a+b") (uri-decode "a+b" #t) (uri-decode "100%") (uri-decode "%zz%4"))
=> ("a%20b%2Fc%26%CE%BB~" "a+b%2B" "a b/cλ" "a+b" "a b" "100%" "%zz%4")

(list (uri-query->alist "a=1&b&c=") (uri-query->alist "") (uri-query->alist "&a=b=c&")) => ((("a" . "1") ("b" . #f) ("c" . "")) () (("a" . "b=c")))

(list (uri-alist->query '(("a" . "1 2") (b . #f) ("c&d" . 3))) (uri-alist->query '(("a" . "1 2")) #t)) => ("a=1%202&b&c%26d=3" "a=1+2")

; --- text ---

(map (lambda (s) (uri->string (string->uri s))) '("http://google.com" "http://u@h:80/p?q#f" "mailto:a@b.c" "file:///x"))
=> ("http://google.com" "http://u@h:80/p?q#f" "mailto:a@b.c" "file:///x")

(list (uri->string (make-uri 'http #f "h" #f "/a b/c" #f #f) #t) (uri->string (make-uri 'http #f "h" #f "/" '(("a" . "b c"))))) => ("http://h/a%20b/c" "http://h/?a=b%20c")

(map uri->string
     (let ((u (string->uri "http://h/p")))
       (list (uri-with-scheme u 'https) (uri-with-user u "me") (uri-with-host u "x") (uri-with-path u "/q") (uri-with-query u "a=b") (uri-with-fragment u "f"))))
=> ("https://h/p" "http://me@h/p" "http://x/p" "http://h/q" "http://h/p?a=b" "http://h/p#f")

; --- references: the examples of RFC 3986, 5.4 ---

(map (lambda (r) (uri->string (uri-resolve r "http://a/b/c/d;p?q")))
     '("g:h" "g" "./g" "g/" "/g" "//g" "?y" "g?y" "#s" "g#s" "g?y#s" ";x" "g;x" "" "." "./" ".." "../" "../g" "../.." "../../" "../../g"
       "../../../g" "/./g" "/../g" "g." ".g" "..g" "./../g" "./g/." "g/./h" "g/../h" "g;x=1/./y" "g;x=1/../y"))
=> ("g:h" "http://a/b/c/g" "http://a/b/c/g" "http://a/b/c/g/" "http://a/g" "http://g" "http://a/b/c/d;p?y" "http://a/b/c/g?y" "http://a/b/c/d;p?q#s" "http://a/b/c/g#s" "http://a/b/c/g?y#s" "http://a/b/c/;x" "http://a/b/c/g;x" "http://a/b/c/d;p?q" "http://a/b/c/" "http://a/b/c/" "http://a/b/" "http://a/b/" "http://a/b/g" "http://a/" "http://a/" "http://a/g" "http://a/g" "http://a/g" "http://a/g" "http://a/b/c/g." "http://a/b/c/.g" "http://a/b/c/..g" "http://a/b/g" "http://a/b/c/g/" "http://a/b/c/g/h" "http://a/b/c/h" "http://a/b/c/g;x=1/y" "http://a/b/c/y")

(uri-resolve "x" "no-scheme") =>error uri-resolve: the base has no scheme
