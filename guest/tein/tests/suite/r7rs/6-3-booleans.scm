; R7RS 6.3 Booleans

#t => #t

#true => #t

#false => #f

'#f => #f

(not 3) => #f

(not (list 3)) => #f

(not #f) => #t

(not '()) => #f

(not (list)) => #f

(not 'nil) => #f

(not #t) => #f

(not 0) => #f

(not) =>error not enough args

(boolean? #f) => #t

(boolean? #t) => #t

(boolean? 0) => #f

(boolean? '()) => #f

(boolean=? #t #t) => #t

(boolean=? #f #f #f) => #t

(boolean=? #t #f) => #f

(boolean=? #t #t #f) => #f

(boolean=? 1 #t) =>error invalid type, expected Boolean: (1)

(boolean=? #t #t 'a) =>error invalid type, expected Boolean: (a)

(map not '(#t #f 1 () "")) => (#f #t #f #f #f)
