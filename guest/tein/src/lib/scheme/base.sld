(define-library (scheme base)
  (export
    * + - ... / < <= = => > >= _ abs and append apply assoc assq assv begin binary-port? boolean=? boolean?
    bytevector bytevector-append bytevector-copy bytevector-copy! bytevector-length bytevector-u8-ref
    bytevector-u8-set! bytevector? caar cadr call-with-current-continuation call-with-port call-with-values
    call/cc car case cdar cddr cdr ceiling char->integer char-ready? char<=? char<? char=? char>=? char>?
    char? close-input-port close-output-port close-port complex? cond cond-expand cons current-error-port
    current-input-port current-output-port define define-record-type define-syntax define-values denominator
    do dynamic-wind else eof-object eof-object? eq? equal? eqv? error error-object-irritants
    error-object-message error-object? even? exact exact-integer-sqrt exact-integer? exact? expt features
    file-error? floor floor-quotient floor-remainder floor/ flush-output-port for-each gcd
    get-output-bytevector get-output-string guard if include include-ci inexact inexact? input-port-open?
    input-port? integer->char integer? lambda lcm length let let* let*-values let-syntax let-values letrec
    letrec* letrec-syntax list list->string list->vector list-copy list-ref list-set! list-tail list?
    make-bytevector make-list make-parameter make-string make-vector map max member memq memv min modulo
    negative? newline not null? number->string number? numerator odd? open-input-bytevector
    open-input-string open-output-bytevector open-output-string or output-port-open? output-port? pair?
    parameterize peek-char peek-u8 port? positive? procedure? quasiquote quote quotient raise
    raise-continuable rational? rationalize read-bytevector read-bytevector! read-char read-error? read-line
    read-string read-u8 real? remainder reverse round set! set-car! set-cdr! square string string->list
    string->number string->symbol string->utf8 string->vector string-append string-copy string-copy!
    string-fill! string-for-each string-length string-map string-ref string-set! string<=? string<?
    string=? string>=? string>? string? substring symbol->string symbol=? symbol? syntax-error syntax-rules
    textual-port? truncate truncate-quotient truncate-remainder truncate/ u8-ready? unless unquote
    unquote-splicing utf8->string values vector vector->list vector->string vector-append vector-copy
    vector-copy! vector-fill! vector-for-each vector-length vector-map vector-ref vector-set! vector? when
    with-exception-handler write-bytevector write-char write-string write-u8 zero?
    ;; Kept for the engine and for sibling libraries; programs get them from their own libraries.
    %with-parameters %guard %signal %rewind %call-with-values)
  (import (tein core))
  (begin
    ;; --- control ---

    (define (%call-with-values producer consumer)
      (%apply-values consumer (producer)))

    (define (%common-tail a b)
      (let ((la (length a)) (lb (length b)))
        (let loop ((a (if (> la lb) (list-tail a (- la lb)) a))
                   (b (if (> lb la) (list-tail b (- lb la)) b)))
          (if (eq? a b) a (loop (cdr a) (cdr b))))))

    ;; Leaves the winds down to COMMON, innermost first, each outside of itself.
    (define (%unwind common)
      (let ((winds (%winds)))
        (if (not (eq? winds common))
            (begin
              (%set-winds! (cdr winds))
              ((cdr (car winds)))
              (%unwind common)))))

    (define (%wind-to target common)
      (if (not (eq? target common))
          (begin
            (%wind-to (cdr target) common)
            ((car (car target)))
            (%set-winds! target))))

    (define (%rewind k vals)
      (let* ((target (%continuation-winds k))
             (common (%common-tail (%winds) target)))
        (%unwind common)
        (%wind-to target common)
        (%throw k vals)))

    (define (call-with-current-continuation f) (%call/cc f))
    (define (call/cc f) (%call/cc f))

    (define (dynamic-wind before thunk after)
      (before)
      (%set-winds! (cons (cons before after) (%winds)))
      (let ((result (thunk)))
        (%set-winds! (cdr (%winds)))
        (after)
        result))

    ;; --- conditions ---

    (define (with-exception-handler handler thunk)
      (if (not (procedure? handler)) (error "with-exception-handler: not a procedure" handler))
      (let ((saved (%handlers)))
        (%set-handlers! (cons handler saved))
        (let ((result (thunk)))
          (%set-handlers! saved)
          result)))

    (define (%call-handler saved obj)
      (%set-handlers! (cdr saved))
      ((car saved) obj))

    (define (raise obj)
      (let ((saved (%handlers)))
        (if (null? saved)
            (%uncaught obj)
            (begin
              (%call-handler saved obj)
              (error "exception handler returned")))))

    (define (raise-continuable obj)
      (let ((saved (%handlers)))
        (if (null? saved)
            (%uncaught obj)
            (let ((result (%call-handler saved obj)))
              (%set-handlers! saved)
              result))))

    ;; What the machine calls when a primitive fails.
    (define (%signal condition) (raise condition))

    ;; Runs THUNK; an object raised in it goes to HANDLER, called with it and a thunk that raises
    ;; it again where it was raised. HANDLER runs in the continuation of the guard form.
    (define (%guard thunk handler)
      ((%call/cc
        (lambda (k)
          (let ((saved (%handlers)))
            (%set-handlers!
             (cons (lambda (obj)
                     ((%call/cc
                       (lambda (inner)
                         (k (lambda ()
                              (handler obj
                                       (lambda ()
                                         (inner (lambda () (raise-continuable obj)))))))))))
                   saved))
            (let ((result (thunk)))
              (%set-handlers! saved)
              (lambda () result)))))))

    (define-syntax guard
      (syntax-rules ()
        ((_ (var clause ...) body0 body ...)
         (%guard (lambda () body0 body ...)
                 (lambda (var again) (%guard-clauses (again) clause ...))))))

    (define-syntax %guard-clauses
      (syntax-rules (else =>)
        ((_ again) again)
        ((_ again (else result1 result2 ...)) (begin result1 result2 ...))
        ((_ again (test => result) clause ...)
         (let ((temp test)) (if temp (result temp) (%guard-clauses again clause ...))))
        ((_ again (test) clause ...)
         (or test (%guard-clauses again clause ...)))
        ((_ again (test result1 result2 ...) clause ...)
         (if test (begin result1 result2 ...) (%guard-clauses again clause ...)))))

    ;; --- multiple values ---

    (define-syntax let-values
      (syntax-rules ()
        ((_ () body0 body ...) (let () body0 body ...))
        ((_ ((formals init)) body0 body ...)
         (call-with-values (lambda () init) (lambda formals body0 body ...)))
        ((_ (binding ...) body0 body ...)
         (%let-values (binding ...) () (let () body0 body ...)))))

    ;; Evaluates every init before it binds any name.
    (define-syntax %let-values
      (syntax-rules ()
        ((_ () ((name temp) ...) body) (let ((name temp) ...) body))
        ((_ ((formals init) binding ...) temps body)
         (%let-values-formals formals init () (binding ...) temps body))))

    (define-syntax %let-values-formals
      (syntax-rules ()
        ((_ () init args bindings temps body)
         (call-with-values (lambda () init)
           (lambda args (%let-values bindings temps body))))
        ((_ (a . rest) init (arg ...) bindings (temp ...) body)
         (%let-values-formals rest init (arg ... x) bindings (temp ... (a x)) body))
        ((_ rest init (arg ...) bindings (temp ...) body)
         (call-with-values (lambda () init)
           (lambda (arg ... . x) (%let-values bindings (temp ... (rest x)) body))))))

    (define-syntax let*-values
      (syntax-rules ()
        ((_ () body0 body ...) (let () body0 body ...))
        ((_ ((formals init) binding ...) body0 body ...)
         (call-with-values (lambda () init)
           (lambda formals (let*-values (binding ...) body0 body ...))))))

    ;; --- parameters ---

    (define (make-parameter init . converter)
      (if (null? converter)
          (%make-parameter init #f)
          (%make-parameter ((car converter) init) (car converter))))

    (define (%convert p v)
      (let ((converter (%parameter-converter p)))
        (cons p (if converter (converter v) v))))

    (define (%with-parameters bindings thunk)
      (let ((saved (%parameters)))
        (%set-parameters! (append bindings saved))
        (let ((result (thunk)))
          (%set-parameters! saved)
          result)))

    (define-syntax parameterize
      (syntax-rules ()
        ((_ () body0 body ...) (let () body0 body ...))
        ((_ ((p v) ...) body0 body ...)
         (%with-parameters (list (%convert p v) ...) (lambda () body0 body ...)))))

    ;; --- lists ---

    (define (%any-null? lists)
      (and (pair? lists) (or (not (pair? (car lists))) (%any-null? (cdr lists)))))

    (define (%cars lists)
      (if (null? lists) '() (cons (car (car lists)) (%cars (cdr lists)))))

    (define (%cdrs lists)
      (if (null? lists) '() (cons (cdr (car lists)) (%cdrs (cdr lists)))))

    ;; Written without mutation of what was returned, so that re-entering F is safe.
    (define map
      (case-lambda
        ((f list)
         (let loop ((l list) (out '()))
           (if (pair? l)
               (loop (cdr l) (cons (f (car l)) out))
               (reverse out))))
        ((f a b)
         (let loop ((a a) (b b) (out '()))
           (if (and (pair? a) (pair? b))
               (loop (cdr a) (cdr b) (cons (f (car a) (car b)) out))
               (reverse out))))
        ((f . lists)
         (let loop ((lists lists) (out '()))
           (if (%any-null? lists)
               (reverse out)
               (loop (%cdrs lists) (cons (apply f (%cars lists)) out)))))))

    (define for-each
      (case-lambda
        ((f list)
         (let loop ((l list))
           (if (pair? l)
               (begin (f (car l)) (loop (cdr l))))))
        ((f . lists)
         (let loop ((lists lists))
           (if (not (%any-null? lists))
               (begin (apply f (%cars lists)) (loop (%cdrs lists))))))))

    (define member
      (case-lambda
        ((x list) (%member x list))
        ((x list same?)
         (let loop ((l list))
           (cond ((not (pair? l)) #f)
                 ((same? x (car l)) l)
                 (else (loop (cdr l))))))))

    (define assoc
      (case-lambda
        ((x list) (%assoc x list))
        ((x list same?)
         (let loop ((l list))
           (cond ((not (pair? l)) #f)
                 ((same? x (car (car l))) (car l))
                 (else (loop (cdr l))))))))

    ;; --- strings and vectors ---

    (define string-map
      (case-lambda
        ((f s) (list->string (map f (string->list s))))
        ((f . strings) (list->string (apply map f (map string->list strings))))))

    (define string-for-each
      (case-lambda
        ((f s)
         (let ((n (string-length s)))
           (let loop ((i 0))
             (if (< i n)
                 (if (= i (- n 1))
                     (f (string-ref s i))
                     (begin (f (string-ref s i)) (loop (+ i 1))))))))
        ((f . strings) (apply for-each f (map string->list strings)))))

    (define vector-map
      (case-lambda
        ((f v)
         (let ((n (vector-length v)))
           (let loop ((i 0) (out '()))
             (if (< i n)
                 (loop (+ i 1) (cons (f (vector-ref v i)) out))
                 (list->vector (reverse out))))))
        ((f . vectors) (list->vector (apply map f (map vector->list vectors))))))

    (define vector-for-each
      (case-lambda
        ((f v)
         (let ((n (vector-length v)))
           (let loop ((i 0))
             (if (< i n)
                 (begin (f (vector-ref v i)) (loop (+ i 1)))))))
        ((f . vectors) (apply for-each f (map vector->list vectors)))))

    ;; --- ports ---

    (define current-input-port (%current-input-port))
    (define current-output-port (%current-output-port))
    (define current-error-port (%current-error-port))

    (define (call-with-port port f)
      (let ((result (f port)))
        (close-port port)
        result))))
