; import (chibi text)
; import (chibi text utf8)
; import (prefix (chibi text types) t:)

(map (lambda (s) (let ((tx (string->text s))) (list (text? tx) (text-empty? tx) (text-char-length tx) (text-utf8-length tx) (text-piece-length tx) (text->string tx)))) '("" "日本語"))
=> ((#t #t 0 0 0 "") (#t #f 3 9 9 "日本語"))

(list (text->utf8 (string->text "λ")) (text->string (text-append (string->text "a") (string->text "λ"))) (text->string (text-concatenate '()))) => (#u8(206 187) "aλ" "")

(let* ((a (string->text "ab")) (m (text-mark! a 2))) (text-append! a (string->text "cd")) (list (text->string a) (mark-offset m))) => ("abcd" 4)

; --- inserting and deleting ---

(let ((tx (string->text "日本語")))
  (for-each (lambda (i) (text-insert! tx "!" i)) '(0 2 4 6))
  (text->string tx))
=> "!日!本!語!"

(let* ((tx (string->text "0123456789")) (mk (text-mark! tx 5)))
  (text-insert! tx "abc" 1)
  (text-insert! tx "xyz" mk)
  (list (text-ref mk) (text->string tx)))
=> (#\5 "0abc1234xyz56789")

(let* ((tx (string->text "零一二三四五六七八九")) (mk (text-mark! tx 5)))
  (text-insert! tx "あいう" 1) (text-insert! tx "xyz" mk) (text-insert! tx "かきく" mk)
  (text->string tx))
=> "零あいう一二三四xyzかきく五六七八九"

(let* ((tx (string->text "0123456789")) (a (text-mark! tx 5)) (b (text-mark! tx 8)) (c (text-mark! tx 6)) (still (text-mark tx 8)))
  (text-delete! tx a b)
  (list (text->string tx) (mark-offset a) (mark-offset b) (mark-offset c) (mark-offset still)))
=> ("0123489" 5 5 5 8)

(let* ((tx (string->text "0123456789")) (mk (text-mark! tx 5)))
  (text-insert! tx (make-string 512 #\x) mk) (text-delete! tx 5 517) (list (text->string tx) (mark-offset mk)))
=> ("0123456789" 5)

(text-insert! (string->text "ab") "x" 3) =>error the position is outside of the text

(text-insert! (string->text "ab") 'x 0) =>error not a string, character or text: (x)

(text-insert! (string->text "ab") "x" -1) =>error not a mark or a position: (-1)

(let* ((a (string->text "ab")) (b (text-copy a))) (text-insert! a #\x 0) (list (text->string a) (text->string b))) => ("xab" "ab")

; --- moving ---

(let* ((tx (string->text "a一c")) (mk (text-mark! tx 0)))
  (let* ((f (map (lambda (i) (text-forward-char! mk)) '(1 2 3 4))) (b (map (lambda (i) (text-backward-char! mk)) '(1 2 3 4)))) (list f b)))
=> ((#\a #\一 #\c #f) (#\c #\一 #\a #f))

(let* ((tx (string->text "abc, (一二三): def")) (mk (text-mark! tx 0)) (at (lambda (m) (and m (mark-offset m)))))
  (let* ((f (map (lambda (i) (at (text-forward-word! mk))) '(1 2 3 4))) (b (map (lambda (i) (at (text-backward-word! mk))) '(1 2 3 4)))) (list f b)))
=> ((3 15 21 #f) (18 6 0 #f))

(let* ((tx (string->text "0123456789\nabcdef\n零一二三四五六七八九")) (mk (text-mark! tx 0)))
  (let* ((start (list (text-beginning-of-line? mk) (text-end-of-line? mk)))
         (end (list (mark-offset (text-end-of-line! mk)) (text-ref mk) (text-beginning-of-line? mk) (text-end-of-line? mk))))
    (text-forward-char! mk) (text-forward-char! mk) (text-forward-char! mk)
    (let* ((c1 (text-current-column mk)) (x (begin (text-forward-line! mk) (text-ref mk))))
      (text-forward-char! mk) (text-forward-char! mk) (text-forward-char! mk) (text-forward-char! mk)
      (let* ((y (text-ref mk)) (z (begin (text-backward-line! mk) (text-ref mk))) (w (begin (text-backward-line! mk) (text-ref mk))))
        (list start end c1 x y z w (text-backward-line! mk) (mark-offset (text-beginning-of-line! mk)))))))
=> ((#t #f) (10 #\newline #f #t) 2 #\二 #\六 #\newline #\6 #f 0)

; --- searching ---

(let* ((tx (string->text "0123456789\nabcdef\n零一二三四五六七八九")) (mk (text-mark! tx 0)))
  (text-search! mk "一二三")
  (let ((at (mark-offset mk)))
    (text-insert! tx "..." mk)
    (list at (text->string (mark-text mk)) (text-search! mk "abc"))))
=> (30 "0123456789\nabcdef\n零一二三...四五六七八九" #f)

(let* ((tx (string->text "ab")) (a (text-mark! tx 1)) (b (mark-copy a)))
  (text-insert! tx "x" 0) (mark-release! a) (text-insert! tx "x" 0) (list (mark-offset a) (mark-offset b)))
=> (2 3)

; --- pieces and bytes ---

(let* ((a (t:make-text (string->utf8 "ab"))) (b (t:make-text (string->utf8 "xcdx") 1 3)))
  (t:text-next-set! a b) (t:text-prev-set! b a)
  (let* ((s (text->string b)) (n (text-utf8-length b)))
    (text-insert! b "!" 3)
    (list s n (text->string a) (eq? a (t:text-first a)) (t:text-next a))))
=> ("abcd" 4 "abc!d" #t #f)

(let ((b (string->utf8 "aλ日"))) (list (utf8-ref b 0) (utf8-ref b 1) (utf8-ref b 3) (utf8-next b 1 6) (utf8-next b 6 6) (utf8-prev b 6 0) (utf8-prev b 3 0) (utf8-prev b 0 0) (utf8->string! b 1 3) (string->utf8! "a")))
=> (#\a #\λ #\日 3 #f 3 1 #f "λ" #u8(97))

(let ((s (t:make-text-source (t:make-text-loader car cdr list pair?) "path" 5))) (list (t:text-source? s) (t:text-source-path s) (t:text-source-data s) (t:text-loader? (t:text-source-loader s)))) => (#t "path" 5 #t)
