;; Loops made of clauses: iterators that step, test and bind, accumulators, and named updates.
;;
;; An iterator is a macro, expanded as
;;
;;     (iterator ((variable ...) (source ...)) next . rest)
;;
;; and it expands into
;;
;;     (next ((outer value) ...) ((cursor init step) ...) (test ...) ((name value) ...)
;;           ((final value) ...) . rest)
;;
;; where outer variables are bound once, the loop ends when a test is true, names are bound in each
;; turn, steps see them, and final variables are bound for the result.
(define-library (chibi loop)
  (export
    loop for in-list in-lists in-port in-file up-from down-from listing listing-reverse appending
    appending-reverse summing multiplying in-string in-string-reverse in-substrings in-vector
    in-vector-reverse)
  (import (scheme base) (only (scheme read) read))
  (cond-expand
    ((library (scheme file)) (import (only (scheme file) open-input-file)))
    (else
     (begin
       (define (open-input-file path)
         (error "[sandbox:file] access denied by sandbox policy" path)))))
  (begin
    (define-syntax loop
      (syntax-rules (=>)
        ((_ (clause ...) . body) (gather () () () () (clause ...) anonymous body))
        ((_ name (clause ...) . body) (gather () () () () (clause ...) (named name) body))))

    ;; Clauses without the word `for` before each.
    (define-syntax for
      (syntax-rules ()
        ((_ (clause ...) . body) (loop ((for . clause) ...) . body))))

    ;; Collects the outer bindings, the loop variables, the final bindings, and for each clause the
    ;; level of tests and bindings that the later clauses are inside of.
    (define-syntax gather
      (syntax-rules (for with while until let let-values)
        ((_ outer cursors finals levels () name body)
         (assemble outer cursors finals levels name body))
        ((_ outer cursors finals levels ((for . clause) . more) name body)
         (iterate clause () gather-for outer cursors finals levels more name body))
        ((_ outer (cursor ...) finals levels ((with var init) . more) name body)
         (gather outer (cursor ... (var init var)) finals levels more name body))
        ((_ outer (cursor ...) finals levels ((with var init step) . more) name body)
         (gather outer (cursor ... (var init step)) finals levels more name body))
        ((_ outer (cursor ...) finals levels ((with var init step guard) . more) name body)
         (gather outer (cursor ... (var init (if guard step var))) finals levels more name body))
        ((_ outer cursors finals (level ...) ((while test) . more) name body)
         (gather outer cursors finals (level ... (((not test)) ())) more name body))
        ((_ outer cursors finals (level ...) ((until test) . more) name body)
         (gather outer cursors finals (level ... ((test) ())) more name body))
        ((_ outer cursors finals (level ...) ((let var value) . more) name body)
         (gather outer cursors finals (level ... (() ((var value)))) more name body))
        ((_ outer cursors finals (level ...) ((let-values vars value) . more) name body)
         (gather outer cursors finals (level ... (values (vars value))) more name body))
        ((_ outer cursors finals levels (clause . more) name body)
         (syntax-error "loop: not a clause" clause))))

    ;; The last item of a `for` clause is the iterator.
    (define-syntax iterate
      (syntax-rules ()
        ((_ ((iterator . source)) vars next . rest) (iterator (vars source) next . rest))
        ((_ (var . more) (vars ...) next . rest) (iterate more (vars ... var) next . rest))))

    (define-syntax gather-for
      (syntax-rules ()
        ((_ (out ...) (step ...) tests bindings (final ...)
            (outer ...) (cursor ...) (finals ...) (level ...) clauses name body)
         (gather (outer ... out ...) (cursor ... step ...) (finals ... final ...)
                 (level ... (tests bindings)) clauses name body))))

    (define-syntax assemble
      (syntax-rules (=>)
        ((_ outer ((cursor init step) ...) finals levels name (=> result . body))
         (let* outer
           (letrec ((again (lambda (cursor ...)
                             (turn levels (let* finals result)
                               name again ((cursor step) ...) body))))
             (again init ...))))
        ((_ outer cursors finals levels name body)
         (assemble outer cursors finals levels name (=> (if #f #f) . body)))))

    (define-syntax turn
      (syntax-rules (values)
        ((_ () end anonymous again ((cursor step) ...) (expression ...))
         (finish anonymous again ((cursor step) ...) (expression ...)))
        ((_ ((values (vars value)) . levels) end . rest)
         (let-values ((vars value)) (turn levels end . rest)))
        ((_ ((() bindings) . levels) end . rest)
         (let* bindings (turn levels end . rest)))
        ((_ (((test ...) bindings) . levels) end . rest)
         (if (or test ...) end (let* bindings (turn levels end . rest))))))

    (define-syntax finish
      (syntax-rules (anonymous named)
        ((_ anonymous again ((cursor step) ...) (expression ...))
         (begin expression ... (again step ...)))
        ((_ (named name) again steps (expression ...))
         (let-syntax ((name (syntax-rules ()
                              ((_ . updates) (call-again again () steps updates)))))
           expression ...))))

    ;; A call of a named loop: each variable gets its update (=> variable value), or its step.
    (define-syntax call-again
      (syntax-rules ()
        ((_ again (argument ...) () updates) (again argument ...))
        ((_ again arguments ((cursor step) . more) updates)
         (find-update cursor step updates updates again arguments more))))

    (define-syntax find-update
      (syntax-rules (=>)
        ((_ cursor step () updates again (argument ...) more)
         (call-again again (argument ... step) more updates))
        ((_ cursor step ((=> var value) . rest) updates again (argument ...) more)
         (let-syntax ((same? (syntax-rules (cursor)
                               ((_ cursor yes no) yes)
                               ((_ other yes no) no))))
           (same? var
             (call-again again (argument ... value) more updates)
             (find-update cursor step rest updates again (argument ...) more))))
        ((_ cursor step (update . rest) . k)
         (syntax-error "loop: an update is (=> variable value)" update))))

    ;; --- lists ---

    (define-syntax in-list
      (syntax-rules ()
        ((_ ((var) source) . k) (in-list ((var cursor) source) . k))
        ((_ ((var cursor) (ls)) . k) (in-list ((var cursor) (ls cdr)) . k))
        ((_ ((var cursor) (ls step)) next . rest)
         (next ((start ls)) ((cursor start (step cursor))) ((not (pair? cursor)))
               ((var (car cursor))) () . rest))))

    ;; The items of several lists at once, as a list, to the end of the shortest.
    (define-syntax in-lists
      (syntax-rules ()
        ((_ ((var) source) . k) (in-lists ((var cursor) source) . k))
        ((_ ((var cursor) (lists)) . k) (in-lists ((var cursor) (lists cdr)) . k))
        ((_ ((var cursor) (lists step)) next . rest)
         (next ((start lists)) ((cursor start (map step cursor))) ((not (all-pairs? cursor)))
               ((var (map car cursor))) () . rest))))

    (define (all-pairs? lists)
      (or (null? lists) (and (pair? (car lists)) (all-pairs? (cdr lists)))))

    ;; --- strings and vectors ---

    (define-syntax define-forwards
      (syntax-rules ()
        ((_ name length-of ref)
         (define-syntax name
           (syntax-rules ()
             ((_ ((var) source) . k) (name ((var cursor) source) . k))
             ((_ (vars (s)) . k) (name (vars (s 0)) . k))
             ((_ ((var cursor) (s from . to)) next . rest)
              (next ((object s) (end (limit (length-of object) . to)))
                    ((cursor from (+ cursor 1))) ((>= cursor end))
                    ((var (ref object cursor))) () . rest)))))))

    (define-syntax define-backwards
      (syntax-rules ()
        ((_ name length-of ref)
         (define-syntax name
           (syntax-rules ()
             ((_ ((var) source) . k) (name ((var cursor) source) . k))
             ((_ (vars (s)) . k) (name (vars (s 0)) . k))
             ((_ ((var cursor) (s from . to)) next . rest)
              (next ((object s) (start from))
                    ((cursor (- (limit (length-of object) . to) 1) (- cursor 1)))
                    ((< cursor start))
                    ((var (ref object cursor))) () . rest)))))))

    (define-syntax limit
      (syntax-rules ()
        ((_ default) default)
        ((_ default value) value)))

    (define-forwards in-string string-length string-ref)
    (define-backwards in-string-reverse string-length string-ref)
    (define-forwards in-vector vector-length vector-ref)
    (define-backwards in-vector-reverse vector-length vector-ref)

    ;; (in-substrings k string): every part of K characters, from left to right.
    (define-syntax in-substrings
      (syntax-rules ()
        ((_ ((var) source) . k) (in-substrings ((var cursor) source) . k))
        ((_ ((var cursor) (size s)) next . rest)
         (next ((text s) (width size) (end (- (string-length text) width)))
               ((cursor 0 (+ cursor 1))) ((> cursor end))
               ((var (substring text cursor (+ cursor width)))) () . rest))))

    ;; --- ports ---

    (define-syntax in-port
      (syntax-rules ()
        ((_ (vars ()) . k) (in-port (vars ((current-input-port))) . k))
        ((_ (vars (port)) . k) (in-port (vars (port read-char)) . k))
        ((_ (vars (port reader)) . k) (in-port (vars (port reader eof-object?)) . k))
        ((_ ((var) (port reader stop?)) next . rest)
         (next ((in port) (get reader) (end? stop?)) ((item (get in) (get in))) ((end? item))
               ((var item)) () . rest))))

    (define-syntax in-file
      (syntax-rules ()
        ((_ (vars (path)) . k) (in-file (vars (path read-char)) . k))
        ((_ (vars (path reader)) . k) (in-file (vars (path reader eof-object?)) . k))
        ((_ ((var) (path reader stop?)) next . rest)
         (next ((in (open-input-file path)) (get reader) (end? (closing in stop?)))
               ((item (get in) (get in))) ((end? item))
               ((var item)) () . rest))))

    (define (closing port stop?)
      (lambda (item)
        (and (stop? item)
             (begin (close-port port) #t))))

    ;; --- numbers ---

    (define-syntax up-from
      (syntax-rules (to by)
        ((_ (vars (start)) . k) (up-from (vars (start (by 1))) . k))
        ((_ (vars (start (to end))) . k) (up-from (vars (start (to end) (by 1))) . k))
        ((_ (vars (start (by step) (to end))) . k) (up-from (vars (start (to end) (by step))) . k))
        ((_ ((var) (start (to limit) (by step))) next . rest)
         (next ((from start) (end limit) (width step)) ((var from (+ var width))) ((>= var end))
               () () . rest))
        ((_ ((var) (start (by step))) next . rest)
         (next ((from start) (width step)) ((var from (+ var width))) () () () . rest))))

    ;; Begins one step below START and includes the limit.
    (define-syntax down-from
      (syntax-rules (to by)
        ((_ (vars (start)) . k) (down-from (vars (start (by 1))) . k))
        ((_ (vars (start (to end))) . k) (down-from (vars (start (to end) (by 1))) . k))
        ((_ (vars (start (by step) (to end))) . k) (down-from (vars (start (to end) (by step))) . k))
        ((_ ((var) (start (to limit) (by step))) next . rest)
         (next ((from start) (end limit) (width step))
               ((var (- from width) (- var width))) ((< var end)) () () . rest))
        ((_ ((var) (start (by step))) next . rest)
         (next ((from start) (width step)) ((var (- from width) (- var width))) () () () . rest))))

    ;; --- accumulators: (kind expression [(if guard)]) ---

    (define-syntax define-accumulator
      (syntax-rules ()
        ((_ name kons finish init)
         (define-syntax name
           (syntax-rules (if)
             ((_ ((var) source) . k) (name ((var cursor) source) . k))
             ((_ ((var cursor) (value)) next . rest)
              (next () ((cursor init (kons value cursor))) () () ((var (finish cursor))) . rest))
             ((_ ((var cursor) (value (if guard))) next . rest)
              (next () ((cursor init (if guard (kons value cursor) cursor))) () ()
                    ((var (finish cursor))) . rest))
             ((_ ((var cursor) (value (if guard) start)) next . rest)
              (next ((first start)) ((cursor first (if guard (kons value cursor) cursor))) () ()
                    ((var (finish cursor))) . rest)))))))

    (define (identity x) x)
    (define (append-reversed ls acc)
      (if (pair? ls) (append-reversed (cdr ls) (cons (car ls) acc)) acc))

    (define-accumulator listing cons reverse '())
    (define-accumulator listing-reverse cons identity '())
    (define-accumulator appending append-reversed reverse '())
    (define-accumulator appending-reverse append-reversed identity '())
    (define-accumulator summing + identity 0)
    (define-accumulator multiplying * identity 1)))
