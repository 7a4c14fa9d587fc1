;; Source code as SXML with the kinds of its parts marked: (span (@ (class . "keyword")) "if").
(define-library (chibi highlight)
  (export
    highlight highlight-detect-language highlighter-for highlight-style
    highlight-scheme highlight-c highlight-assembly)
  (import (scheme base) (scheme char) (only (srfi 1) any))
  (begin
    (define (source->string source)
      (if (string? source)
          source
          (let ((out (open-output-string)))
            (let loop ((s (read-string 4096 source)))
              (if (eof-object? s)
                  (get-output-string out)
                  (begin (write-string s out) (loop (read-string 4096 source))))))))

    ;; (highlight source [language]): a list of strings and spans.
    (define (highlight source . language)
      (let* ((text (source->string source))
             (language (if (pair? language) (car language) (highlight-detect-language text))))
        ((highlighter-for language) text)))

    (define (contains? s pattern)
      (let ((n (string-length pattern)))
        (let loop ((i 0))
          (and (<= (+ i n) (string-length s))
               (or (string=? pattern (substring s i (+ i n))) (loop (+ i 1)))))))

    ;; scheme, c, asm or #f, by words that are typical.
    (define (highlight-detect-language source)
      (let ((s (source->string source)))
        (cond ((any (lambda (p) (contains? s p)) '("(define" "(let" "(lambda" "(import" ";;")) 'scheme)
              ((any (lambda (p) (contains? s p)) '("#include" "int " "void " "return " "/*" "};")) 'c)
              ((any (lambda (p) (contains? s p)) '(".globl" ".text" ".section" "mov" "%eax" "%rax")) 'asm)
              (else #f))))

    (define (highlighter-for language)
      (case language
        ((scheme lisp) highlight-scheme)
        ((c c++ java javascript) highlight-c)
        ((asm assembly) highlight-assembly)
        (else (lambda (source) (list (source->string source))))))

    ;; CSS for the classes.
    (define (highlight-style)
      (string-append
        ".keyword { color: #a020f0; background-color: inherit }\n"
        ".type { color: #228b22; background-color: inherit }\n"
        ".function { color: #0000ff; background-color: inherit }\n"
        ".variable { color: #b8860b; background-color: inherit }\n"
        ".comment { color: #b22222; background-color: inherit }\n"
        ".string { color: #bc8f8f; background-color: inherit }\n"
        ".attribute { color: #ff5000; background-color: inherit }\n"
        ".preprocessor { color: #ff00ff; background-color: inherit }\n"
        ".label { color: #daa520; background-color: inherit }\n"))

    (define (span class text) `(span (@ (class . ,class)) ,text))

    ;; --- scanning ---

    ;; The end of the run of characters that pass, from I.
    (define (run s i ok?)
      (if (and (< i (string-length s)) (ok? (string-ref s i))) (run s (+ i 1) ok?) i))

    (define (at? s i text)
      (and (<= (+ i (string-length text)) (string-length s))
           (string=? text (substring s i (+ i (string-length text))))))

    (define (line-end s i) (run s i (lambda (c) (not (char=? c #\newline)))))

    ;; Behind the closing text, or the end.
    (define (behind s i close)
      (cond ((>= i (string-length s)) i)
            ((at? s i close) (+ i (string-length close)))
            (else (behind s (+ i 1) close))))

    ;; Behind the quote that ends a literal which begins at I.
    (define (literal-end s i quote)
      (let loop ((i (+ i 1)))
        (cond ((>= i (string-length s)) (string-length s))
              ((char=? (string-ref s i) #\\) (loop (+ i 2)))
              ((char=? (string-ref s i) quote) (+ i 1))
              (else (loop (+ i 1))))))

    ;; Cuts the text into spans: (step s i) gives the class and the end of what begins at I, or #f for
    ;; a character that stays as it is.
    (define (scan s step)
      (let ((end (string-length s)))
        (let loop ((i 0) (from 0) (out '()))
          (let ((plain (lambda () (if (< from i) (cons (substring s from i) out) out))))
            (if (>= i end)
                (reverse (plain))
                (let ((found (step s i)))
                  (if (not found)
                      (loop (+ i 1) from out)
                      (let* ((stop (min end (cdr found))) (text (substring s i stop)))
                        (if (car found)
                            (loop stop stop (cons (span (car found) text) (plain)))
                            (loop stop from out))))))))))

    ;; --- Scheme ---

    (define scheme-keywords
      '("and" "begin" "case" "case-lambda" "cond" "cond-expand" "define-library" "delay" "do" "else"
        "export" "guard" "if" "import" "include" "lambda" "let" "let*" "let-syntax" "let-values"
        "let*-values" "letrec" "letrec*" "letrec-syntax" "match" "or" "parameterize" "quasiquote"
        "quote" "set!" "syntax-rules" "unless" "unquote" "when" "=>"))

    (define (definition? word)
      (and (>= (string-length word) 6) (string=? "define" (substring word 0 6))))

    (define (scheme-delimiter? c) (or (char-whitespace? c) (memv c '(#\( #\) #\[ #\] #\" #\; #\' #\`  #\,))))

    (define (highlight-scheme source)
      (scan (source->string source)
        (lambda (s i)
          (let ((c (string-ref s i)))
            (cond ((char=? c #\;) (cons "comment" (line-end s i)))
                  ((at? s i "#|") (cons "comment" (behind s (+ i 2) "|#")))
                  ((at? s i "#\\")
                   (cons "string" (run s (min (+ i 3) (string-length s)) (lambda (c) (not (scheme-delimiter? c))))))
                  ((char=? c #\") (cons "string" (literal-end s i #\")))
                  ((scheme-delimiter? c) #f)
                  (else
                   (let* ((end (run s i (lambda (c) (not (scheme-delimiter? c)))))
                          (word (substring s i end)))
                     (cond ((and (definition? word) (> i 0) (char=? #\( (string-ref s (- i 1))))
                            (cons "keyword" end))
                           ((member word scheme-keywords) (cons "keyword" end))
                           ((defined-here? s i) (cons "function" end))
                           (else (cons #f end))))))))))

    ;; Is the word at I what a definition before it names?
    (define (defined-here? s i)
      (let* ((i (if (and (> i 0) (char=? #\( (string-ref s (- i 1)))) (- i 1) i))
             (j (back s i char-whitespace?))
             (k (back s j (lambda (c) (not (scheme-delimiter? c))))))
        (and (< j i) (definition? (substring s k j)))))

    (define (back s i ok?)
      (if (and (> i 0) (ok? (string-ref s (- i 1)))) (back s (- i 1) ok?) i))

    ;; --- C ---

    (define c-keywords
      '("asm" "break" "case" "catch" "class" "continue" "default" "delete" "do" "else" "finally" "for"
        "goto" "if" "namespace" "new" "return" "sizeof" "switch" "this" "throw" "try" "using" "while"))

    (define c-types
      '("auto" "bool" "char" "const" "double" "enum" "extern" "float" "inline" "int" "long" "private"
        "protected" "public" "register" "short" "signed" "static" "struct" "typedef" "union"
        "unsigned" "virtual" "void" "volatile"))

    (define (name-char? c) (or (char-alphabetic? c) (char-numeric? c) (char=? c #\_)))

    (define (line-start? s i)
      (let ((j (back s i (lambda (c) (memv c '(#\space #\tab))))))
        (or (= j 0) (char=? #\newline (string-ref s (- j 1))))))

    (define (highlight-c source)
      (scan (source->string source)
        (lambda (s i)
          (let ((c (string-ref s i)))
            (cond ((at? s i "//") (cons "comment" (line-end s i)))
                  ((at? s i "/*") (cons "comment" (behind s (+ i 2) "*/")))
                  ((memv c '(#\" #\')) (cons "string" (literal-end s i c)))
                  ((and (char=? c #\#) (line-start? s i))
                   (cons "preprocessor" (run s (run s (+ i 1) char-whitespace?) name-char?)))
                  ((name-char? c)
                   (let* ((end (run s i name-char?)) (word (substring s i end)))
                     (cond ((member word c-keywords) (cons "keyword" end))
                           ((member word c-types) (cons "type" end))
                           ((and (not (char-numeric? c)) (< end (string-length s)) (char=? #\( (string-ref s end)))
                            (cons "function" end))
                           (else (cons #f end)))))
                  (else #f))))))

    ;; --- assembly ---

    (define (highlight-assembly source)
      (scan (source->string source)
        (lambda (s i)
          (let ((c (string-ref s i))
                (word-end (lambda (i) (run s i (lambda (c) (or (name-char? c) (char=? c #\.)))))))
            (cond ((memv c '(#\# #\;)) (cons "comment" (line-end s i)))
                  ((char=? c #\") (cons "string" (literal-end s i c)))
                  ((char=? c #\%) (cons "variable" (run s (+ i 1) name-char?)))
                  ((or (name-char? c) (char=? c #\.))
                   (let ((end (word-end i)))
                     (cond ((and (< end (string-length s)) (char=? #\: (string-ref s end)))
                            (cons "label" (+ end 1)))
                           ((not (line-start? s i)) (cons #f end))
                           ((char=? c #\.) (cons "preprocessor" end))
                           (else (cons "keyword" end)))))
                  (else #f))))))))
