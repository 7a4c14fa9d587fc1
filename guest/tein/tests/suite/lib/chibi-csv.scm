; import (chibi csv)

(define (csv s . reader) ((if (pair? reader) (car reader) (csv-read->list)) (open-input-string s)))
(list (csv "1997,Ford,E350") (csv "\n1997,Ford") (csv " \n1997,Ford") (csv ",\n1997") (csv "a,b\r\nc"))
=> (("1997" "Ford" "E350") ("1997" "Ford") (" ") ("" "") ("a" "b"))

(eof-object? (csv "")) => #t

(list (csv "\"1997\",\"Ford\"") (csv "1,\"Super, luxurious truck\"") (csv "1,\"Super, \"\"luxurious\"\" truck\"") (csv "1,\"two\nlines\",3"))
=> (("1997" "Ford") ("1" "Super, luxurious truck") ("1" "Super, \"luxurious\" truck") ("1" "two\nlines" "3"))

(csv "1,\"open") =>error csv: a quoted field does not end: ("open")

; --- dialects ---

(csv "# this is a comment\n1997,Ford" (csv-read->list (csv-parser (csv-grammar '((comment-chars #\#)))))) => ("1997" "Ford")

(csv "1997\tFo\"rd\tE3\"50" (csv-read->list (csv-parser default-tsv-grammar))) => ("1997" "Fo\"rd" "E3\"50")

(csv "a;b|c,d" (csv-read->list (csv-parser (csv-grammar '((separator-chars #\; #\|)))))) => ("a" "b" "c,d")

(csv "'it\\'s','b'" (csv-read->list (csv-parser (csv-grammar '((quote-char . #\') (escape-char . #\\) (quote-doubling-escapes? . #f)))))) => ("it's" "b")

(csv "a,b!c,d" (csv-read->list (csv-parser (csv-grammar '((record-separator . #\!)))))) => ("a" "b")

(csv "a\rb\r\nc" (csv-read->list (csv-parser (csv-grammar '((record-separator . crlf)))))) => ("a\rb")

(list (csv-grammar? default-csv-grammar) (csv-grammar? '())) => (#t #f)

(csv-grammar '((frobnicate . 1))) =>error csv-grammar: unknown option: ((frobnicate . 1))

; --- readers ---

(list (csv "a,b" (csv-read->vector)) (csv "a,b" (csv-read->fixed-vector 2)) (csv "a,b" (csv-read->sxml)) (csv "a,b" (csv-read->sxml 'r '(x y))))
=> (#("a" "b") #("a" "b") (row (col-0 "a") (col-1 "b")) (r (x "a") (y "b")))

(csv "a,b" (csv-read->fixed-vector 3)) =>error csv: a record has another number of fields: (3 ("a" "b"))

; --- tables ---

(define (table) (open-input-string "a,1\nb,2\n\nc,3\n"))
(list (csv->list (csv-read->list) (table)) (csv-num-rows (csv-parser) (table)) (csv-map car (csv-read->list) (table)))
=> ((("a" "1") ("b" "2") ("c" "3")) 3 ("a" "b" "c"))

(csv-fold (lambda (row n) (+ n (string->number (cadr row)))) 0 (csv-read->list) (table)) => 6

(csv-for-each (lambda (row) (write row)) (csv-read->vector) (table)) =>output #("a" "1")#("b" "2")#("c" "3")

((csv->sxml 'city '(name size)) (table)) => (*TOP* (city (name "a") (size "1")) (city (name "b") (size "2")) (city (name "c") (size "3")))

(let ((in (table))) (csv-skip-line in) (csv->list (csv-read->list) in)) => (("b" "2") ("c" "3"))

(parameterize ((current-input-port (table))) (csv->list)) => (("a" "1") ("b" "2") ("c" "3"))

((csv-parser) (lambda (acc i field) (cons (cons i field) acc)) '() (open-input-string "x,y")) => ((1 . "y") (0 . "x"))

; --- writing ---

((csv-writer) '("a" 1 b "c,d" "e\"f" "g\nh" "")) =>output a,1,b,"c,d","e""f","g\nh",\n

((csv-writer (csv-grammar '((record-separator . lf) (quote-non-numeric? . #t)))) (vector 1 "x")) =>output 1,"x"\n

((csv-write) '((1 2) #(3 4))) =>output 1,2\n3,4\n

((csv-writer default-tsv-grammar) '("a\tb")) =>error csv: the grammar cannot write the field: ("a\tb")

(let ((out (open-output-string)) (rows '(("a,b" "c\"d") ("" "e\r\nf") ("#x" "y"))))
  ((csv-write) rows out)
  (equal? rows (csv->list (csv-read->list) (open-input-string (get-output-string out)))))
=> #t
