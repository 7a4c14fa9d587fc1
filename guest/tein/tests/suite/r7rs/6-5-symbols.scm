; R7RS 6.5 Symbols

(symbol? 'foo) => #t

(symbol? (car '(a b))) => #t

(symbol? "bar") => #f

(symbol? 'nil) => #t

(symbol? '()) => #f

(symbol? #f) => #f

(symbol? '||) => #t

(symbol=? 'a 'a 'a) => #t

(symbol=? 'a 'b) => #f

(symbol=? 'a 'a 'b) => #f

(symbol=? 'a "a") =>error invalid type, expected Symbol: ("a")

(symbol->string 'flying-fish) => "flying-fish"

(symbol->string 'Martin) => "Martin"

(symbol->string (string->symbol "Malvina")) => "Malvina"

(symbol->string '|two words|) => "two words"

(symbol->string '||) => ""

(symbol->string "x") =>error invalid type, expected Symbol: ("x")

(string->symbol "mISSISSIppi") => |mISSISSIppi|

(eqv? 'bitBlt (string->symbol "bitBlt")) => #t

(eqv? 'LollyPop (string->symbol (symbol->string 'LollyPop))) => #t

(string=? "K. Harper, M.D." (symbol->string (string->symbol "K. Harper, M.D."))) => #t

(eq? 'abc 'ABC) => #f

(eq? (string->symbol "x y") '|x y|) => #t

(string->symbol 5) =>error invalid type, expected String: (5)

(eq? '|foo| 'foo) => #t

(eq? '|\x66;oo| 'foo) => #t

(eq? 'λ (string->symbol "λ")) => #t

; A symbol's name may not be changed through the string.
(let ((s (symbol->string 'fixed))) (string-set! s 0 #\F) 'fixed) => fixed

(let ((s (string #\a))) (let ((y (string->symbol s))) (string-set! s 0 #\b) y)) => a

; Written with bars when needed.
(write (list '|a b| '|A| '|| '|.| '|1| '|a\|b| '|#foo| 'a.b '... '+ '1+)) =>output (|a b| |A| || |.| |1| |a\|b| |#foo| a.b ... + 1+)

(display '(|a b| |A|)) =>output (a b A)

(write (string->symbol "a\nb")) =>output |a\\nb|

(write (list '|+1| '|-| '|+i| '|-inf.0| '|1/2| '|a"b| '|a;b| '|(| '|'|)) =>output (|+1| - |+i| |-inf.0| |1/2| |a"b| |a;b| |(| |'|)
