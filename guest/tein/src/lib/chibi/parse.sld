;; Parser combinators that backtrack, with memoization and a syntax for grammars.
;;
;; A parser is a procedure (f source index sk fk): it goes on with (sk result source index fk), where
;; calling the last with a source, an index and a reason asks for the next way to parse, or with
;; (fk source index reason).
(define-library (chibi parse)
  (export
    grammar grammar/unmemoized define-grammar define-grammar/unmemoized
    call-with-parse parse parse-fully parse-fold parse-failure parse->list parse-fully->list
    make-parse-stream file->parse-stream string->parse-stream parse-stream-substring
    parse-stream-start? parse-stream-end? parse-stream-ref parse-stream-file-index
    parse-anything parse-nothing parse-epsilon parse-seq parse-and parse-or parse-not
    list->parse-seq parse-repeat parse-repeat+ parse-optional
    parse-map parse-map-substring parse-ignore parse-assert parse-atomic parse-commit
    parse-memoize parse-lazy parse-with-failure-reason
    parse-char parse-not-char parse-string parse-token parse-sre
    parse-beginning parse-end parse-beginning-of-line parse-end-of-line
    parse-beginning-of-word parse-end-of-word parse-word parse-word+)
  (import
    (scheme base) (scheme char) (srfi 14)
    (only (tein core) %make-table %table-ref %table-set! string-contains))
  (cond-expand
    ((library (scheme file)) (import (only (scheme file) open-input-file)))
    (else
     (begin
       (define (open-input-file path)
         (error "[sandbox:file] access denied by sandbox policy" path)))))
  (begin
    ;; --- streams: the whole text, and what memoized parsers found in it ---

    (define-record-type parse-stream
      (new-stream file text memo)
      parse-stream?
      (file stream-file)
      (text stream-text)
      (memo stream-memo))

    (define (text->stream file text) (new-stream file text (%make-table 1)))

    (define (make-parse-stream file . port)
      (let ((port (if (and (pair? port) (car port)) (car port) (open-input-file file)))
            (out (open-output-string)))
        (let loop ((s (read-string 4096 port)))
          (if (eof-object? s)
              (text->stream file (get-output-string out))
              (begin (write-string s out) (loop (read-string 4096 port)))))))

    (define (file->parse-stream file) (make-parse-stream file (open-input-file file)))
    (define (string->parse-stream s) (text->stream #f (string-copy s)))

    (define (parse-stream-start? source i) (= i 0))
    (define (parse-stream-end? source i) (>= i (string-length (stream-text source))))
    (define (parse-stream-ref source i) (string-ref (stream-text source) i))
    (define (parse-stream-substring s0 i0 s1 i1) (substring (stream-text s0) i0 i1))

    ;; The position as FILE:INDEX.
    (define (parse-stream-file-index source i)
      (string-append (or (stream-file source) "(string)") ":" (number->string i)))

    (define (->stream source)
      (cond ((parse-stream? source) source)
            ((string? source) (string->parse-stream source))
            ((input-port? source) (make-parse-stream #f source))
            (else (error "not a string, port or parse stream" source))))

    ;; --- running ---

    (define (parse-failure source i reason)
      (error "parse failed" (parse-stream-file-index source i) reason))

    (define (call-with-parse f source index sk . fk)
      (f (->stream source) index sk (if (pair? fk) (car fk) (lambda (s i reason) #f))))

    (define (optional rest default) (if (pair? rest) (car rest) default))

    (define (parse f source . index)
      (call-with-parse f source (optional index 0) (lambda (r s i fk) r)))

    ;; The first way to parse that reaches the end.
    (define (parse-fully f source . index)
      (let ((source (->stream source)) (deepest 0) (why "incomplete parse"))
        (f source (optional index 0)
           (lambda (r s i fk)
             (cond ((parse-stream-end? s i) r)
                   (else
                    (if (> i deepest) (set! deepest i))
                    (fk s i why))))
           (lambda (s i reason)
             (parse-failure source (max i deepest) (if (> deepest i) why reason))))))

    ;; Parses one after the other until one fails or the end is reached.
    (define (fold f kons knil source index done)
      (let loop ((i index) (acc knil))
        (if (parse-stream-end? source i)
            (done acc i #f)
            (f source i
               (lambda (r s next fk)
                 (if (= next i)
                     (done acc i "the parser takes nothing")
                     (loop next (kons r acc))))
               (lambda (s at reason) (done acc i reason))))))

    (define (parse-fold f kons knil source . index)
      (fold f kons knil (->stream source) (optional index 0) (lambda (acc i reason) acc)))

    (define (parse->list f source . index)
      (reverse (apply parse-fold f cons '() source index)))

    (define (parse-fully->list f source . index)
      (let ((source (->stream source)))
        (fold f cons '() source (optional index 0)
              (lambda (acc i reason)
                (if (parse-stream-end? source i)
                    (reverse acc)
                    (parse-failure source i reason))))))

    ;; --- the smallest parsers ---

    (define (parse-epsilon source i sk fk) (sk #t source i fk))

    (define (parse-nothing source i sk fk) (fk source i "nothing matches here"))

    (define (parse-anything source i sk fk)
      (if (parse-stream-end? source i)
          (fk source i "end of input")
          (sk (parse-stream-ref source i) source (+ i 1) fk)))

    ;; --- combining ---

    ;; Results that are this object are left out of sequences.
    (define ignored (list 'ignored))

    (define (parse-ignore f) (parse-map f (lambda (r) ignored)))

    ;; The list of the results.
    (define (list->parse-seq parsers)
      (lambda (source i sk fk)
        (let loop ((parsers parsers) (results '()) (source source) (i i) (fk fk))
          (if (null? parsers)
              (sk (reverse results) source i fk)
              ((car parsers) source i
               (lambda (r s i fk)
                 (loop (cdr parsers) (if (eq? r ignored) results (cons r results)) s i fk))
               fk)))))

    (define (parse-seq . parsers) (list->parse-seq parsers))

    ;; Each must match at the same place; the result is the last one's.
    (define (parse-and f . more)
      (if (null? more)
          f
          (let ((rest (apply parse-and more)))
            (lambda (source i sk fk)
              (f source i (lambda (r s j fk) (rest source i sk fk)) fk)))))

    (define (parse-or . parsers)
      (cond ((null? parsers) parse-nothing)
            ((null? (cdr parsers)) (car parsers))
            (else
             (let ((f (car parsers)) (rest (apply parse-or (cdr parsers))))
               (lambda (source i sk fk)
                 (f source i sk (lambda (s at reason) (rest source i sk fk))))))))

    ;; Takes nothing, and matches where the parser does not.
    (define (parse-not f)
      (lambda (source i sk fk)
        (f source i
           (lambda (r s j fk2) (fk source i "what must not be here is here"))
           (lambda (s at reason) (sk #t source i fk)))))

    ;; From LO to HI times, or without limit, as often as it can; the list of the results.
    (define (parse-repeat f . bounds)
      (let ((lo (optional bounds 0))
            (hi (if (and (pair? bounds) (pair? (cdr bounds))) (cadr bounds) #f)))
        (lambda (source i sk fk)
          (let loop ((n 0) (results '()) (source source) (i i) (fk fk))
            (let ((stop (lambda () (sk (reverse results) source i fk))))
              (if (and hi (>= n hi))
                  (stop)
                  (f source i
                     (lambda (r s j fk2)
                       ;; A match that takes nothing would go on for ever.
                       (if (and (= j i) (>= n lo))
                           (fk2 s j "nothing more to repeat")
                           (loop (+ n 1) (if (eq? r ignored) results (cons r results)) s j fk2)))
                     (lambda (s at reason)
                       (if (>= n lo) (stop) (fk s at reason))))))))))

    (define (parse-repeat+ f) (parse-repeat f 1))

    ;; The result is #f when the parser does not match.
    (define (parse-optional f . default)
      (let ((default (optional default #f)))
        (lambda (source i sk fk)
          (f source i sk (lambda (s at reason) (sk default source i fk))))))

    (define (parse-map f proc)
      (lambda (source i sk fk)
        (f source i (lambda (r s j fk) (sk (proc r) s j fk)) fk)))

    ;; The result is the text that was matched, or PROC of it.
    (define (parse-map-substring f . proc)
      (let ((proc (optional proc (lambda (s) s))))
        (lambda (source i sk fk)
          (f source i
             (lambda (r s j fk) (sk (proc (parse-stream-substring source i s j)) s j fk))
             fk))))

    ;; Further requires that the result passes.
    (define (parse-assert f check?)
      (lambda (source i sk fk)
        (f source i
           (lambda (r s j fk)
             (if (check? r) (sk r s j fk) (fk s j "the result does not pass")))
           fk)))

    ;; Only the first way to parse.
    (define (parse-atomic f)
      (lambda (source i sk fk)
        (f source i (lambda (r s j fk2) (sk r s j fk)) fk)))

    ;; After the parser has matched, no earlier choice is looked at again.
    (define (parse-commit f . on-failure)
      (let ((give-up (optional on-failure (lambda (s i reason) #f))))
        (lambda (source i sk fk)
          (f source i (lambda (r s j fk2) (sk r s j give-up)) fk))))

    (define (parse-with-failure-reason f reason)
      (lambda (source i sk fk)
        (f source i sk (lambda (s at why) (fk s at reason)))))

    ;; Delays the evaluation of an expression that gives a parser.
    (define-syntax parse-lazy
      (syntax-rules ()
        ((_ f) (lambda (source i sk fk) (f source i sk fk)))))

    ;; --- memoizing ---

    ;; What a parser finds at a place, one way at a time. NEXT is the way that RETRY gave, or #f.
    (define-record-type way
      (make-way result source index retry next)
      way?
      (result way-result)
      (source way-source)
      (index way-index)
      (retry way-retry)
      (next way-next set-way-next!))

    (define-record-type dead-end
      (make-dead-end source index reason)
      dead-end?
      (source dead-end-source)
      (index dead-end-index)
      (reason dead-end-reason))

    (define (parse-memoize name f)
      (lambda (source i sk fk)
        (let ((places (or (%table-ref (stream-memo source) f #f)
                          (let ((new (%make-table 1)))
                            (%table-set! (stream-memo source) f new)
                            new))))
          (take-way
            (or (%table-ref places i #f)
                (begin
                  ;; A rule that begins with itself must not look for itself here.
                  (%table-set! places i (make-dead-end source i "left recursion"))
                  (let ((found (f source i first-way make-dead-end)))
                    (%table-set! places i found)
                    found)))
            sk fk))))

    (define (first-way r s i retry) (make-way r s i retry #f))

    (define (take-way found sk fk)
      (cond ((way? found)
             (let ((s (way-source found)) (i (way-index found)))
               (sk (way-result found) s i
                   (lambda (s2 i2 reason)
                     (if (not (way-next found))
                         (set-way-next! found ((way-retry found) s i reason)))
                     (take-way (way-next found) sk fk)))))
            ((dead-end? found)
             (fk (dead-end-source found) (dead-end-index found) (dead-end-reason found)))
            ;; A receiver in a grammar went on by itself.
            (else found)))

    ;; --- characters ---

    (define (->predicate x)
      (cond ((char? x) (lambda (c) (char=? c x)))
            ((char-set? x) (lambda (c) (char-set-contains? x c)))
            ((procedure? x) x)
            (else (error "not a character, char-set or predicate" x))))

    (define (char-parser ok? reason)
      (lambda (source i sk fk)
        (if (parse-stream-end? source i)
            (fk source i "end of input")
            (let ((c (parse-stream-ref source i)))
              (if (ok? c) (sk c source (+ i 1) fk) (fk source i reason))))))

    (define (parse-char x)
      (char-parser (->predicate x) (if (char? x) (string-append "expected " (string x)) "another character is expected")))

    (define (parse-not-char x)
      (let ((ok? (->predicate x)))
        (char-parser (lambda (c) (not (ok? c))) "another character is expected")))

    (define (parse-string s)
      (let ((n (string-length s)) (reason (string-append "expected " s)))
        (lambda (source i sk fk)
          (let* ((text (stream-text source)) (end (+ i n)))
            (let loop ((k 0))
              (cond ((= k n) (sk s source end fk))
                    ((and (< (+ i k) (string-length text))
                          (char=? (string-ref s k) (string-ref text (+ i k))))
                     (loop (+ k 1)))
                    (else (fk source i reason))))))))

    ;; The longest text of such characters, at least one.
    (define (parse-token x)
      (let ((ok? (->predicate x)))
        (lambda (source i sk fk)
          (let loop ((j i))
            (cond ((and (not (parse-stream-end? source j)) (ok? (parse-stream-ref source j)))
                   (loop (+ j 1)))
                  ((= i j) (fk source i "a token is expected"))
                  (else (sk (parse-stream-substring source i source j) source j fk)))))))

    ;; --- places ---

    (define (place ok? reason)
      (lambda (source i sk fk)
        (if (ok? source i) (sk #t source i fk) (fk source i reason))))

    (define (newline-at? source i) (char=? #\newline (parse-stream-ref source i)))
    (define (word-at? source i)
      (let ((c (parse-stream-ref source i)))
        (or (char-alphabetic? c) (char-numeric? c) (char=? c #\_))))
    (define (word-before? source i) (and (> i 0) (word-at? source (- i 1))))
    (define (word-after? source i) (and (not (parse-stream-end? source i)) (word-at? source i)))

    (define parse-beginning (place parse-stream-start? "expected the beginning"))
    (define parse-end (place parse-stream-end? "expected the end"))
    (define parse-beginning-of-line
      (place (lambda (s i) (or (= i 0) (newline-at? s (- i 1)))) "expected the beginning of a line"))
    (define parse-end-of-line
      (place (lambda (s i) (or (parse-stream-end? s i) (newline-at? s i))) "expected the end of a line"))
    (define parse-beginning-of-word
      (place (lambda (s i) (and (not (word-before? s i)) (word-after? s i)))
             "expected the beginning of a word"))
    (define parse-end-of-word
      (place (lambda (s i) (and (word-before? s i) (not (word-after? s i))))
             "expected the end of a word"))

    (define (alphanumeric? c) (or (char-alphabetic? c) (char-numeric? c)))

    (define (delimited f)
      (parse-map (parse-seq parse-beginning-of-word f parse-end-of-word) cadr))

    ;; The parser between the boundaries of a word.
    (define (parse-word . word) (delimited (optional word (parse-token alphanumeric?))))
    ;; Characters of that kind between the boundaries of a word.
    (define (parse-word+ . kind) (delimited (parse-token (optional kind alphanumeric?))))

    ;; --- SRE ---

    (define names
      (list
        (cons 'any parse-anything) (cons 'anything parse-anything)
        (cons 'nothing parse-nothing) (cons 'epsilon parse-epsilon)
        (cons 'bos parse-beginning) (cons 'eos parse-end)
        (cons 'bol parse-beginning-of-line) (cons 'eol parse-end-of-line)
        (cons 'bow parse-beginning-of-word) (cons 'eow parse-end-of-word)
        (cons 'word (parse-word)) (cons 'nonl (parse-not-char #\newline))
        (cons 'alpha char-set:letter) (cons 'alphabetic char-set:letter)
        (cons 'lower char-set:lower-case) (cons 'lower-case char-set:lower-case)
        (cons 'upper char-set:upper-case) (cons 'upper-case char-set:upper-case)
        (cons 'title char-set:title-case) (cons 'title-case char-set:title-case)
        (cons 'num char-set:digit) (cons 'numeric char-set:digit) (cons 'digit char-set:digit)
        (cons 'alnum char-set:letter+digit) (cons 'alphanumeric char-set:letter+digit)
        (cons 'alphanum char-set:letter+digit)
        (cons 'punct char-set:punctuation) (cons 'punctuation char-set:punctuation)
        (cons 'symbol char-set:symbol)
        (cons 'graph char-set:graphic) (cons 'graphic char-set:graphic)
        (cons 'print char-set:printing) (cons 'printing char-set:printing)
        (cons 'space char-set:whitespace) (cons 'white char-set:whitespace)
        (cons 'whitespace char-set:whitespace) (cons 'blank char-set:blank)
        (cons 'control char-set:iso-control) (cons 'cntrl char-set:iso-control)
        (cons 'hex-digit char-set:hex-digit) (cons 'xdigit char-set:hex-digit)
        (cons 'ascii char-set:ascii)))

    ;; The parser of an S-expression in the manner of SRFI 115; what is a parser stays one.
    (define (parse-sre x)
      (cond ((procedure? x) x)
            ((string? x) (parse-string x))
            ((or (char? x) (char-set? x)) (parse-char x))
            ((null? x) parse-epsilon)
            ((symbol? x)
             (let ((found (assq x names)))
               (cond ((not found) (error "parse-sre: unknown name" x))
                     ((procedure? (cdr found)) (cdr found))
                     (else (parse-char (cdr found))))))
            ((list? x) (parse-form (car x) (cdr x)))
            (else (error "parse-sre: not an SRE" x))))

    (define (one-or-seq args)
      (if (and (pair? args) (null? (cdr args)))
          (parse-sre (car args))
          (list->parse-seq (map parse-sre args))))

    (define (parse-form head args)
      (case head
        ((: seq) (list->parse-seq (map parse-sre args)))
        ((or) (apply parse-or (map parse-sre args)))
        ((and) (apply parse-and (map parse-sre args)))
        ((not) (parse-not (one-or-seq args)))
        ((* zero-or-more) (parse-repeat (one-or-seq args)))
        ((+ one-or-more) (parse-repeat+ (one-or-seq args)))
        ((? optional) (parse-optional (one-or-seq args)))
        ((= exactly) (parse-repeat (one-or-seq (cdr args)) (car args) (car args)))
        ((>= at-least) (parse-repeat (one-or-seq (cdr args)) (car args)))
        ((** repeated) (parse-repeat (one-or-seq (cddr args)) (car args) (cadr args)))
        ((=> ->) (one-or-seq (cdr args)))
        ((word) (delimited (one-or-seq args)))
        ((word+) (parse-word+ (sre->char-set (cons 'or args))))
        ((/ char-range ~ complement - difference & char-set)
         (parse-char (sre->char-set (cons head args))))
        (else
         (if (and (string? head) (null? args))
             (parse-char (string->char-set head))
             (error "parse-sre: not an SRE" (cons head args))))))

    (define (sre->char-set x)
      (cond ((char-set? x) x)
            ((char? x) (char-set x))
            ((and (string? x) (= 1 (string-length x))) (string->char-set x))
            ((symbol? x)
             (let ((found (assq x names)))
               (cond ((and found (char-set? (cdr found))) (cdr found))
                     ((memq x '(any anything)) char-set:full)
                     ((eq? x 'nonl) (char-set-complement (char-set #\newline)))
                     (else (error "parse-sre: not a set of characters" x)))))
            ((pair? x)
             (let ((args (cdr x)))
               (case (car x)
                 ((or) (apply char-set-union (map sre->char-set args)))
                 ((& and) (apply char-set-intersection (map sre->char-set args)))
                 ((- difference) (apply char-set-difference (map sre->char-set args)))
                 ((~ complement)
                  (char-set-complement (apply char-set-union (map sre->char-set args))))
                 ((char-set) (string->char-set (car args)))
                 ((/ char-range) (ranges (apply append (map range-chars args))))
                 (else
                  (if (and (string? (car x)) (null? args))
                      (string->char-set (car x))
                      (error "parse-sre: not a set of characters" x))))))
            (else (error "parse-sre: not a set of characters" x))))

    (define (range-chars x) (if (char? x) (list x) (string->list x)))

    (define (ranges chars)
      (if (null? chars)
          char-set:empty
          (char-set-union
            (ucs-range->char-set (char->integer (car chars)) (+ 1 (char->integer (cadr chars))))
            (ranges (cddr chars)))))

    ;; --- grammars ---

    (define-syntax grammar/unmemoized
      (syntax-rules ()
        ((_ init (rule clause ...) ...)
         (letrec ((rule (rule-parser clause ...)) ...) init))))

    (define-syntax grammar
      (syntax-rules ()
        ((_ init (rule clause ...) ...)
         (letrec ((rule (parse-memoize 'rule (rule-parser clause ...))) ...) init))))

    ;; Defines every rule, and the name as an association list of them.
    (define-syntax define-grammar/unmemoized
      (syntax-rules ()
        ((_ name (rule clause ...) ...)
         (begin
           (define rule (rule-parser clause ...)) ...
           (define name (list (cons 'rule rule) ...))))))

    (define-syntax define-grammar
      (syntax-rules ()
        ((_ name (rule clause ...) ...)
         (begin
           (define rule (parse-memoize 'rule (rule-parser clause ...))) ...
           (define name (list (cons 'rule rule) ...))))))

    ;; Rules mention each other before they have values, so each is made when it is first used.
    (define-syntax rule-parser
      (syntax-rules ()
        ((_ clause ...)
         (let ((made #f))
           (lambda (source i sk fk)
             (if (not made) (set! made (parse-or (clause-parser clause) ...)))
             (made source i sk fk))))))

    (define-syntax clause-parser
      (syntax-rules (=>)
        ((_ (sre)) (sre-parser sre))
        ((_ (sre => receiver))
         (bind-names sre () (with-names sre receive receiver)))
        ((_ (sre action ...))
         (bind-names sre () (with-names sre act (action ...))))))

    ;; Expands (k ... ((name cell) ...)) with a cell for each (=> name sre) or (-> name sre).
    (define-syntax bind-names
      (syntax-rules (=> -> unquote quasiquote quote)
        ((_ (unquote x) found k) (names-found found k))
        ((_ (=> name . sres) (found ...) k) (bind-names sres (found ... (name cell)) k))
        ((_ (-> name . sres) (found ...) k) (bind-names sres (found ... (name cell)) k))
        ((_ (sre . more) found k) (bind-names sre found (bind-more more k)))
        ((_ x found k) (names-found found k))))

    (define-syntax bind-more
      (syntax-rules ()
        ((_ found more k) (bind-names more found k))))

    (define-syntax names-found
      (syntax-rules ()
        ((_ found (k . arguments)) (k found . arguments))))

    ;; A named part puts its result in a cell as it matches. The cells are read when the whole clause
    ;; has matched, so they hold what that way of parsing found.
    (define-syntax with-names
      (syntax-rules ()
        ((_ ((name cell) ...) sre how action)
         (lambda (source i sk fk)
           (let ((cell #f) ...)
             ((named-sre sre ((name cell) ...)) source i
              (lambda (result s j retry)
                (how action ((name cell) ...) result s j sk retry))
              fk))))))

    (define-syntax act
      (syntax-rules ()
        ((_ (action ...) ((name cell) ...) result s j sk retry)
         (sk (let ((name cell) ...) action ...) s j retry))))

    (define-syntax receive
      (syntax-rules ()
        ((_ receiver ((name cell) ...) result s j sk retry)
         (let ((name cell) ...) (receiver result s j retry)))))

    (define-syntax sre-parser
      (syntax-rules ()
        ((_ sre) (named-sre sre ()))))

    ;; The parser of an SRE in which names take cells; names are used in order.
    (define-syntax named-sre
      (syntax-rules (=> -> unquote : seq or and not * + ? = >= **)
        ((_ (unquote x) cells) (parse-sre x))
        ((_ (=> name . sres) cells) (store name (named-group sres cells) cells))
        ((_ (-> name . sres) cells) (store name (named-group sres cells) cells))
        ((_ (: sre ...) cells) (parse-seq (named-sre sre cells) ...))
        ((_ (seq sre ...) cells) (parse-seq (named-sre sre cells) ...))
        ((_ (or sre ...) cells) (parse-or (named-sre sre cells) ...))
        ((_ (and sre ...) cells) (parse-and (named-sre sre cells) ...))
        ((_ (not . sres) cells) (parse-not (named-group sres cells)))
        ((_ (* . sres) cells) (parse-repeat (named-group sres cells)))
        ((_ (+ . sres) cells) (parse-repeat+ (named-group sres cells)))
        ((_ (? . sres) cells) (parse-optional (named-group sres cells)))
        ((_ (= n . sres) cells) (parse-repeat (named-group sres cells) n n))
        ((_ (>= n . sres) cells) (parse-repeat (named-group sres cells) n))
        ((_ (** m n . sres) cells) (parse-repeat (named-group sres cells) m n))
        ((_ other cells) (parse-sre (quasiquote other)))))

    (define-syntax named-group
      (syntax-rules ()
        ((_ (sre) cells) (named-sre sre cells))
        ((_ (sre ...) cells) (parse-seq (named-sre sre cells) ...))))

    (define-syntax store
      (syntax-rules ()
        ((_ name f cells)
         (let ((g f))
           (lambda (source i sk fk)
             (g source i
                (lambda (r s j retry)
                  (assign name cells r)
                  (sk r s j retry))
                fk))))))

    (define-syntax assign
      (syntax-rules ()
        ((_ name () r) #f)
        ((_ name ((other cell) . more) r)
         (let-syntax ((same? (syntax-rules (name)
                               ((_ name yes no) yes)
                               ((_ different yes no) no))))
           (same? other (set! cell r) (assign name more r))))))))
