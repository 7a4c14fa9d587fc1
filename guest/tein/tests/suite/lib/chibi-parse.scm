; import (chibi parse)
; import (chibi parse common)
; import (srfi 14)

; --- the smallest parsers ---

(list (parse parse-epsilon "") (parse parse-anything "") (parse parse-anything "ab") (parse parse-nothing "a")) => (#t #f #\a #f)

(parse-fully parse-epsilon "a") =>error parse failed: ("(string):0" "incomplete parse")

(list (parse (parse-char #\a) "ab") (parse (parse-char #\a) "b") (parse (parse-char char-set:digit) "7") (parse (parse-char char-upper-case?) "x") (parse (parse-not-char #\a) "b"))
=> (#\a #f #\7 #f #\b)

(parse-fully (parse-char #\a) "ab") =>error parse failed: ("(string):1"

(parse (parse-char "a") "a") =>error not a character, char-set or predicate: ("a")

(list (parse (parse-string "foo") "foobar") (parse (parse-string "foo") "fo") (parse (parse-token char-numeric?) "123a") (parse (parse-token char-numeric?) "a") (parse (parse-string "b") "ab" 1))
=> ("foo" #f "123" #f "b")

(list (parse parse-anything (open-input-string "xy")) (parse parse-anything (string->parse-stream "z"))) => (#\x #\z)

(parse parse-anything 'a) =>error not a string, port or parse stream: (a)

; --- combining ---

(let ((f (parse-seq (parse-char #\a) (parse-char #\b)))) (list (parse f "ab") (parse f "a") (parse f "b") (parse f "abc"))) => ((#\a #\b) #f #f (#\a #\b))

(let ((f (parse-or (parse-char #\a) (parse-char #\b)))) (list (parse f "a") (parse f "b") (parse f "c"))) => (#\a #\b #f)

(let ((f (parse-not (parse-char #\a)))) (list (parse f "") (parse f "a") (parse f "b"))) => (#t #f #t)

(parse (parse-and (parse-token char-alphabetic?) (parse-char #\a)) "abc") => #\a

(let ((f (parse-repeat (parse-char #\a)))) (list (parse f "") (parse f "aab") (parse-fully f "aaa"))) => (() (#\a #\a) (#\a #\a #\a))

(list (parse (parse-repeat+ (parse-char #\a)) "b") (parse (parse-repeat (parse-char #\a) 2 3) "aaaa") (parse (parse-repeat (parse-char #\a) 2) "a") (parse (parse-repeat parse-epsilon) "x"))
=> (#f (#\a #\a #\a) #f ())

; A repetition gives back what a later part needs.
(parse-fully (parse-seq (parse-repeat (parse-char #\a)) (parse-string "ab")) "aaab") => ((#\a #\a) "ab")

(parse-fully (parse-seq (parse-atomic (parse-repeat (parse-char #\a))) (parse-string "ab")) "aaab") =>error parse failed

(list (parse-fully (parse-or (parse-seq (parse-char #\a) (parse-char #\c)) (parse-string "ab")) "ab")
      (parse (parse-or (parse-seq (parse-commit (parse-char #\a)) (parse-char #\c)) (parse-string "ab")) "ab"))
=> ("ab" #f)

(list (parse (parse-optional (parse-char #\a)) "b") (parse (parse-optional (parse-char #\a) 'none) "b") (parse (parse-optional (parse-char #\a)) "a")) => (#f none #\a)

(list (parse (parse-map (parse-token char-numeric?) string->number) "42x") (parse (parse-map-substring (parse-seq (parse-char #\a) (parse-char #\b))) "abc") (parse (parse-map-substring (parse-repeat (parse-char #\a)) string-length) "aa"))
=> (42 "ab" 2)

(parse (parse-seq (parse-ignore (parse-char #\()) (parse-token char-numeric?) (parse-ignore (parse-char #\)))) "(1)") => ("1")

(let ((f (parse-assert (parse-map (parse-token char-numeric?) string->number) even?))) (list (parse f "42") (parse f "43"))) => (42 #f)

(letrec ((nested (parse-or (parse-map (parse-seq (parse-char #\() (parse-lazy nested) (parse-char #\))) (lambda (l) (+ 1 (cadr l)))) (parse-map parse-epsilon (lambda (r) 0)))))
  (map (lambda (s) (parse-fully nested s)) '("" "()" "((()))")))
=> (0 1 3)

(parse-fully (parse-with-failure-reason (parse-char #\a) "an a") "b") =>error parse failed: ("(string):0" "an a")

(call-with-parse (parse-char #\a) "xab" 1 (lambda (r s i fk) (list r i)) (lambda (s i reason) 'failed)) => (#\a 2)

(call-with-parse (parse-char #\a) "xab" 0 (lambda (r s i fk) (list r i)) (lambda (s i reason) (list i reason))) => (0 "expected a")

; --- many results ---

(parse->list (parse-or (parse-token char-numeric?) (parse-map (parse-token char-whitespace?) (lambda (r) 'space))) "12 34 x") => ("12" space "34" space)

(parse-fully->list (parse-token char-numeric?) "12a") =>error parse failed: ("(string):2" "a token is expected")

(parse-fold (parse-map (parse-char char-numeric?) digit-value) + 0 "1234x") => 10

(list (parse-fully->list parse-anything "") (parse-fully->list parse-anything "ab")) => (() (#\a #\b))

; --- places ---

(define places (parse-or parse-beginning-of-word parse-end-of-word))
(let ((s (string->parse-stream "ab, c")))
  (map (lambda (i) (list (parse parse-beginning-of-word s i) (parse parse-end-of-word s i))) '(0 1 2 3 4 5)))
=> ((#t #f) (#f #f) (#f #t) (#f #f) (#t #f) (#f #t))

(let ((s (string->parse-stream "a\nb")))
  (map (lambda (i) (list (parse parse-beginning s i) (parse parse-end s i) (parse parse-beginning-of-line s i) (parse parse-end-of-line s i))) '(0 1 2 3)))
=> ((#t #f #t #f) (#f #f #f #t) (#f #f #t #f) (#f #t #f #t))

(list (parse (parse-word) "foo bar") (parse (parse-word (parse-string "fo")) "foo") (parse (parse-word+ char-numeric?) "12 a") (parse (parse-word+ char-numeric?) "12a")) => ("foo" #f "12" #f)

(let ((s (string->parse-stream "abc"))) (list (parse-stream-start? s 0) (parse-stream-end? s 2) (parse-stream-end? s 3) (parse-stream-ref s 1) (parse-stream-substring s 1 s 3) (parse-stream-file-index s 2)))
=> (#t #f #t #\b "bc" "(string):2")

(parse-stream-file-index (make-parse-stream "notes" (open-input-string "x")) 1) => "notes:1"

; --- SRE ---

(map (lambda (x) (parse (parse-sre x) "ab12 c"))
     '((: "ab" (+ digit)) (or "x" #\a) (* alpha) (? "z") (= 2 alpha) (>= 3 alpha) (** 1 2 alpha) (not "z") ("ba") (/ "az") (~ ("xyz")) (- alpha ("b")) (& alpha lower) (: bos any) () (=> x "ab")))
=> (("ab" (#\1 #\2)) #\a (#\a #\b) #f (#\a #\b) #f (#\a #\b) #t #\a #\a #\a #\a #\a (#t #\a) #t "ab")

(parse-sre 'frobnicate) =>error parse-sre: unknown name: (frobnicate)

(parse-sre '(frobnicate "a")) =>error parse-sre: not an SRE: ((frobnicate "a"))

; --- grammars ---

(define-grammar calc
  (space ((* ,char-set:whitespace)))
  (number ((=> n (+ ,char-set:digit)) (string->number (list->string n))))
  (simple ((=> n ,number) n)
          ((: "(" (=> e1 ,term) ")") e1))
  (term-op ("*" *) ("/" /) ("%" modulo))
  (term ((: (=> e1 ,simple) ,space (=> op ,term-op) ,space (=> e2 ,term)) (op e1 e2))
        ((=> e1 ,simple) e1)))
(list (parse term "4*22") (parse term "42") (parse term "42*") (parse-fully term "(2 * 3)*7"))
=> (88 42 42 42)

(map car calc) => (space number simple term-op term)

(define calculator
  (grammar expr
    (space ((: ,char-set:whitespace ,space)) (() #f))
    (digit ((=> d ,char-set:digit) d))
    (number ((=> n (+ ,digit)) (string->number (list->string n))))
    (simple ((=> n ,number) n) ((: "(" (=> e1 ,expr) ")") e1))
    (term-op ("*" *) ("/" /) ("%" modulo))
    (term ((: (=> e1 ,simple) ,space (=> op ,term-op) ,space (=> e2 ,term)) (op e1 e2)) ((=> e1 ,simple) e1))
    (expr-op ("+" +) ("-" -))
    (expr ((: ,space (=> e1 ,term) ,space (=> op ,expr-op) ,space (=> e2 ,expr)) (op e1 e2)) ((: ,space (=> e1 ,term)) e1))))
(map (lambda (s) (parse calculator s)) '("42" "2 + 2" "2 + 2*10 + 1" "2+2 * 10+1 * 3" "(2 + 2) * 10 + 1"))
=> (42 4 23 25 41)

; Without memoization this takes a time that is exponential in the length.
(define explode
  (grammar start
    (start ((: ,S eos) #t))
    (S ((+ ,A) #t))
    (A ((: "a" ,S "b") #t) ((: "a" ,S "c") #t) ((: "a") #t))))
(list (parse explode "aaabb") (parse explode "bbaa") (parse explode (string-append (make-string 10 #\a) (make-string 8 #\c))))
=> (#t #f #t)

; A memoized parser gives every way to parse, in the order of the one that it remembers.
(let* ((f (parse-or (parse-string "ab") (parse-string "a") (parse-string "abc"))) (m (parse-memoize 'm f)) (s (string->parse-stream "abc")))
  (map (lambda (rest) (parse (parse-seq m (parse-string rest) parse-end) s)) '("c" "bc" "" "x" "bc")))
=> (("ab" "c" #t) ("a" "bc" #t) ("abc" "" #t) #f ("a" "bc" #t))

(parse (grammar s (s ((: ,s "a") 'long) ("a" 'short))) "aaa") => short

(parse (grammar/unmemoized pair (pair ((: (-> a any) "," (-> b any)) (cons a b)))) "x,y") => (#\x . #\y)

(parse (grammar x (x ((=> a "a") => (lambda (r s i fk) (list r i))))) "a") => ("a" 1)

(define-grammar/unmemoized words (word* ((=> w (+ alpha)) (list->string w))))
(list (parse word* "hi there") (length words))
=> ("hi" 1)

; --- numbers ---

(list (parse (parse-integer) "-42x") (parse (parse-unsigned-integer) "42") (parse (parse-unsigned-integer) "-42") (parse (parse-integer 0 10) "11") (parse (parse-integer 0 10) "+7")) => (-42 42 #f #f 7)

(map (lambda (s) (parse (parse-c-integer) s)) '("0x1F" "-017" "42" "0" "x")) => (31 -15 42 0 #f)

(map (lambda (s) (parse (parse-real) s)) '("1.5" "-2" ".25" "1e3" "1.e2" "-1.5E-1" "e")) => (1.5 -2 0.25 1000.0 100.0 -0.15 #f)

(map (lambda (s) (parse-fully (parse-complex) s)) '("1+2i" "-1.5-i" "3i" "+i" "7")) =>error parse failed

(map (lambda (s) (parse-fully (parse-complex) s)) '("1+2i" "-1.5-i" "+3i" "+i" "7")) => (1+2i -1.5-1.0i +3i +i 7)

; --- text ---

(list (parse (parse-identifier) "foo_1 bar") (parse (parse-identifier) "1a") (parse (parse-identifier char-upper-case?) "Ab")) => (foo_1 #f Ab)

(list (parse (parse-delimited) "\"a\\\"b\"c") (parse (parse-delimited #\') "'x'") (parse (parse-delimited) "\"open")) => ("a\"b" "x" #f)

(list (parse-fully (parse-separated) "a,b c,\"d,\"\"e\",") (parse-fully (parse-separated #\;) "1;2") (parse-fully (parse-separated) "")) => (("a" "b c" "d,\"e" "") ("1" "2") (""))

(parse-fully (parse-records) "a,b\r\nc\n\n\"x\ny\",z\n") => (("a" "b") ("c") ("") ("x\ny" "z"))

(define prec-calc
  (grammar expr
    (simple (,(parse-integer)) ((: "(" (=> e1 ,expr) ")") e1))
    (op ("+" '+) ("-" '-) ("*" '*) ("/" '/) ("^" '^))
    (expr (,(parse-binary-op op `((+ 5) (- 5) (* 3) (/ 3) (^ 1 right)) simple)))))
(map (lambda (s) (parse prec-calc s))
     '("42" "2 + 2" "2 + 2 + 2" "2 + 2*10 + 1" "2+2 * 10+1 * 3" "(2 + 2) * 10 + 1" "2 ^ 2 ^ 2" "1 + 2 * 3 ^ 4 ^ 5 * 6 + 7 ^ 8 + 9"))
=> (42 (+ 2 2) (+ (+ 2 2) 2) (+ (+ 2 (* 2 10)) 1) (+ (+ 2 (* 2 10)) (* 1 3)) (+ (* (+ 2 2) 10) 1) (^ 2 (^ 2 2)) (+ (+ (+ 1 (* (* 2 (^ 3 (^ 4 5))) 6)) (^ 7 8)) 9))

(let* ((op (parse-map (parse-or (parse-char #\<) (parse-char #\+)) (lambda (c) (if (char=? c #\<) '< '+)))) (f (parse-binary-op op '((+ 1) (< 2 none)) (parse-integer))))
  (list (parse-fully f "1+2<3") (parse (parse-seq f parse-end) "1<2<3")))
=> ((< (+ 1 2) 3) #f)

; --- addresses ---

(map (lambda (s) (parse (parse-seq parse-ipv4-address parse-end) s)) '("1.2.3.4" "255.255.255.255" "256.1.1.1" "1.2.3")) => (("1.2.3.4" #t) ("255.255.255.255" #t) #f #f)

(map (lambda (s) (and (parse (parse-seq parse-ipv6-address parse-end) s) #t)) '("::" "::1" "fe80::1:2" "1:2:3:4:5:6:7:8" "1:2:3:4:5:6:7" "1::2::3" "::ffff:1.2.3.4" "12345::" "1:2:3:4:5:6:7::" "::1.2.3.4"))
=> (#t #t #t #t #f #f #t #f #t #t)

(list (parse parse-ip-address "10.0.0.1") (parse parse-ip-address "::1")) => ("10.0.0.1" "::1")

(list (parse parse-domain "www.example.com/x") (parse parse-domain "localhost") (parse parse-domain "-a.com") (parse parse-common-domain "example.org") (parse parse-common-domain "example.frobnicate"))
=> ("www.example.com" #f #f "example.org" #f)

(list (parse parse-email "a.b+c@example.com>") (parse parse-email "a@b") (parse parse-email "@example.com")) => ("a.b+c@example.com" #f #f)

(map (lambda (s) (parse parse-uri s)) '("http://example.com/a?b=c#d e" "https://u@localhost:80" "ftp://[::1]/x" "example.com" "http:///x")) => ("http://example.com/a?b=c#d" "https://u@localhost:80" "ftp://[::1]/x" #f #f)

(list (char-hex-digit? #\f) (char-hex-digit? #\g) (char-octal-digit? #\7) (char-octal-digit? #\8) (parse parse-space " ")) => (#t #f #t #f #\space)
