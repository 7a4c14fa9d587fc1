;; SXML written as markup and as text. Attributes are (name . "value") or (name "value").
(define-library (chibi sxml)
  (export sxml->xml sxml-display-as-html sxml-display-as-text sxml-strip html-escape)
  (import (scheme base) (only (scheme write) display))
  (begin
    (define (out-port rest) (if (pair? rest) (car rest) (current-output-port)))

    (define (->string x)
      (cond ((string? x) x)
            ((symbol? x) (symbol->string x))
            ((number? x) (number->string x))
            ((char? x) (string x))
            (else (let ((out (open-output-string))) (display x out) (get-output-string out)))))

    (define (write-escaped s out)
      (string-for-each
        (lambda (c)
          (case c
            ((#\<) (write-string "&lt;" out))
            ((#\>) (write-string "&gt;" out))
            ((#\&) (write-string "&amp;" out))
            ((#\") (write-string "&quot;" out))
            (else (write-char c out))))
        s))

    ;; Takes no arguments but text; gives the text.
    (define (html-escape x)
      (let ((out (open-output-string)))
        (write-escaped (->string x) out)
        (get-output-string out)))

    ;; Elements of HTML that have no end tag.
    (define void-elements
      '(area base br col embed hr img input link meta param source track wbr))
    ;; Elements of HTML whose text is not escaped.
    (define raw-elements '(script style))

    (define (attribute-list? x) (and (pair? x) (eq? (car x) '@)))

    ;; The attributes of an element without nested lists of annotations.
    (define (attributes x)
      (let loop ((l (cdr x)) (out '()))
        (cond ((not (pair? l)) (reverse out))
              ((attribute-list? (car l)) (loop (cdr l) out))
              (else (loop (cdr l) (cons (car l) out))))))

    (define (attribute-value x)
      (cond ((not (pair? x)) #f)
            ((pair? (cdr x)) (cadr x))
            ((null? (cdr x)) #f)
            (else (cdr x))))

    (define (write-attribute x out)
      (write-char #\space out)
      (write-string (->string (if (pair? x) (car x) x)) out)
      (let ((value (attribute-value x)))
        (if value
            (begin
              (write-string "=\"" out)
              (write-escaped (->string value) out)
              (write-char #\" out)))))

    ;; The text of an instruction, declaration or comment.
    (define (write-plain items out)
      (let loop ((l items) (first? #t))
        (if (pair? l)
            (begin
              (if (not first?) (write-char #\space out))
              (if (attribute-list? (car l))
                  (for-each (lambda (x) (write-attribute x out)) (attributes (car l)))
                  (write-string (->string (car l)) out))
              (loop (cdr l) #f)))))

    (define (sxml-display-as-html sxml . out) (display-html sxml (out-port out) #f))

    (define (display-html x out raw?)
      (cond ((pair? x)
             (let ((tag (car x)))
               (cond ((not (symbol? tag)) (for-each (lambda (y) (display-html y out raw?)) x))
                     ((memq tag '(*TOP* *FRAGMENT*))
                      (for-each (lambda (y) (display-html y out raw?)) (cdr x)))
                     ((eq? tag '@) #f)
                     ((eq? tag '*PI*)
                      (write-string "<?" out) (write-plain (cdr x) out) (write-string "?>" out))
                     ((eq? tag '*COMMENT*)
                      (write-string "<!--" out) (write-plain (cdr x) out) (write-string "-->" out))
                     ((eq? tag '*DECL*)
                      (write-string "<!" out) (write-plain (cdr x) out) (write-string ">" out))
                     (else (display-element tag (cdr x) out)))))
            ((null? x) #f)
            (raw? (write-string (->string x) out))
            (else (write-escaped (->string x) out))))

    (define (display-element tag rest out)
      (let* ((attributes? (and (pair? rest) (attribute-list? (car rest))))
             (content (if attributes? (cdr rest) rest))
             (name (symbol->string tag)))
        (write-char #\< out)
        (write-string name out)
        (if attributes? (for-each (lambda (x) (write-attribute x out)) (attributes (car rest))))
        (write-char #\> out)
        (if (not (and (null? content) (memq tag void-elements)))
            (begin
              (for-each (lambda (x) (display-html x out (memq tag raw-elements))) content)
              (write-string "</" out)
              (write-string name out)
              (write-char #\> out)))))

    (define (sxml->xml sxml)
      (let ((out (open-output-string)))
        (display-html sxml out #f)
        (get-output-string out)))

    ;; --- text ---

    ;; The text alone.
    (define (sxml-strip sxml)
      (let ((out (open-output-string)))
        (let strip ((x sxml))
          (cond ((pair? x)
                 (if (not (memq (car x) '(@ *PI* *COMMENT* *DECL*)))
                     (for-each strip (if (symbol? (car x)) (cdr x) x))))
                ((not (null? x)) (write-string (->string x) out))))
        (get-output-string out)))

    (define block-elements
      '(address article aside blockquote body dd div dl dt footer form h1 h2 h3 h4 h5 h6 header hr
        html li main nav ol p pre section table tr ul))

    ;; Readable text: blocks stand on lines of their own, items of lists have a mark.
    (define (sxml-display-as-text sxml . port)
      (let ((out (out-port port)) (fresh? #t))
        (define (put s)
          (if (not (string=? s ""))
              (begin
                (write-string s out)
                (set! fresh? (char=? #\newline (string-ref s (- (string-length s) 1)))))))
        (define (new-line) (if (not fresh?) (put "\n")))
        (define (show x)
          (cond ((pair? x)
                 (let ((tag (car x)))
                   (cond ((memq tag '(@ *PI* *COMMENT* *DECL* head script style)) #f)
                         ((not (symbol? tag)) (for-each show x))
                         ((eq? tag 'br) (put "\n"))
                         ((eq? tag 'hr) (new-line) (put "----\n"))
                         ((eq? tag 'img) (show-alternative x))
                         (else
                          (if (memq tag block-elements) (new-line))
                          (if (eq? tag 'li) (put "* "))
                          (for-each show (cdr x))
                          (if (memq tag '(td th)) (put " "))
                          (if (memq tag block-elements) (new-line))))))
                ((not (null? x)) (put (->string x)))))
        (define (show-alternative x)
          (let ((alt (and (pair? (cdr x)) (attribute-list? (cadr x)) (assq 'alt (cdr (cadr x))))))
            (if alt (put (->string (attribute-value alt))))))
        (show sxml)))))
