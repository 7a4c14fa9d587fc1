; R7RS 7.1.1 Lexical structure, 2.2 Whitespace and comments, 2.4 Datum labels

; Comments are in the code of a case when they do not begin a line.
(+ 1 ; one
   2) => 3

(+ 1 #| block |# 2) => 3

(+ 1 #| nested #| inner |# still |# 2) => 3

(list 1 #;(hidden (2)) 3) => (1 3)

(list 1 #; 2 3) => (1 3)

(list #;1 #;2 3 #;4) => (3)

(list #;#;1 2 3) => (3)

'(a . #;b c) => (a . c)

'(a #;. b) =>error 

'(a . b #;c) => (a . b)

'#(1 #;2 3) => #(1 3)

#u8(1 #;2 3) => #u8(1 3)

'#;a b => b

; Identifiers
(map symbol? '(... + - +soup+ ->string <=? a34kTMNs lambda list->vector q V17a |two words| |two\x20;words| the-word-recursion-has-many-meanings)) => (#t #t #t #t #t #t #t #t #t #t #t #t #t #t)

(map symbol? '(!x $x %x &x *x /x :x <x =x >x ?x ^x _x ~x x.y x@y @ .. -.x +.- -- +@)) => (#t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t #t)

(eq? '|two words| '|two\x20;words|) => #t

(eq? 'abc '|abc|) => #t

(symbol->string '|a\nb\tc\\d\|e|) => "a\nb\tc\\d|e"

(eq? '|\x41;| 'A) => #t

(eq? 'abc 'aBc) => #f

(symbol->string 'größe) => "größe"

; Case folding
#!fold-case
(eq? 'ABC 'abc) => #t

#!fold-case 'HeLLo => hello

#!no-fold-case
(eq? 'ABC 'abc) => #f

#!fold-case
(list #T #F #\A #\SPACE #XFF '|ABC|) => (#t #f #\A #\space 255 |ABC|)

#!no-fold-case
(list #t #true #f #false #T #F) => (#t #t #f #f #t #f)

; Characters next to delimiters
(list #\a#\b) =>error 

(list #\a(quote b)) => (#\a b)

'(#\))  => (#\x29)

(list #\x41 #\x #\x0) => (#\A #\x #\null)

; Strings
"a\x20;b" => "a b"

"\q" =>error 

"\x110000;" =>error 

"\xD800;" =>error 

"\x41" =>error 

(string-length "\
") => 0

; Numbers and what is not one
'(1 .5 -.5e2 +5 1. #e1.2 #x-1A) => (1 0.5 -50.0 5 1.0 6/5 -26)

'(1.e2 1e+2 1e-2) => (100.0 100.0 0.01)

(map number? '(1 +1 -1 1/2 .5 1e5 +i)) => (#t #t #t #t #t #t #t)

(map number? '(a e5 + - ... 1+1 -a +e)) => (#f #f #f #f #f #f #f #f)

#z =>error 

#xGG =>error 

#e =>error 

#b2 =>error 

; Lists and dots
'(a . (b . (c))) => (a b c)

'(a .b) => (a .b)

'(a . b) => (a . b)

'(. a) =>error 

'(a . ) =>error 

'(a . b c) =>error 

'(a . b . c) =>error 

'#(a . b) =>error 

'(a ... b) => (a ... b)

; Quotes
'('a `b ,c ,@d) => ((quote a) (quasiquote b) (unquote c) (unquote-splicing d))

''() => (quote ())

'(quote . a) => (quote . a)

(car '`(a ,b)) => quasiquote

; Vectors and bytevectors
#() => #()

#(1 #(2) "x" #\y z) => #(1 #(2) "x" #\y z)

#u8() => #u8()

#u8(0 255 #xff) => #u8(0 255 255)

#u8(256) =>error 

#u8(-1) =>error 

#u8(a) =>error 

#u8(1.0) =>error 

; Datum labels
(let ((x '(#0=(a) #0#))) (eq? (car x) (cadr x))) => #t

(let ((x '#0=(a b . #0#))) (eq? x (cddr x))) => #t

(let ((x '#0=#(1 #0#))) (eq? x (vector-ref x 1))) => #t

(let ((x '(#1="s" #1#))) (eq? (car x) (cadr x))) => #t

(let ((x '#0=(#1=(x . #0#) #1#))) (list (eq? (car x) (cadr x)) (eq? (cdar x) x))) => (#t #t)

(let ((x '#10=(#10# . #10#))) (list (eq? x (car x)) (eq? x (cdr x)))) => (#t #t)

'#0# =>error 

'#0=#0# =>error 

'(#0=a #0=b) =>error 

; Circular code is refused.
#0=(list 1 . #0#) =>error 

(let ((x 1)) #0=(list #0#)) =>error 

; Brackets and braces are no lists.
(string->symbol "[") => [

; Blank characters of every kind
(list	1
2) => (1 2)
