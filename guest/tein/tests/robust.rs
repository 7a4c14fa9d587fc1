//! What a hostile or careless text cannot do: overflow the host's stack, run on, or break the context.

#![allow(clippy::expect_used, clippy::unwrap_used)]

use tein::{Context, Failure, Limit};

const DEEP: usize = 1_000_000;

fn context(steps: u64) -> Context {
    Context::builder()
        .standard_env()
        .step_limit(steps)
        .build()
        .expect("the engine boots")
}

/// The context still works: a program that allocates, calls, escapes and fails gives its value.
fn works(c: &mut Context, after: &str) {
    assert_eq!(sample(c).expect(after), "(fine (1 4 9))", "after {after}");
}

fn sample(c: &mut Context) -> tein::Result<String> {
    c.evaluate_to_string(
        "after",
        "(let ((l (map (lambda (x) (* x x)) (list 1 2 3))))
           (guard (e (#t (list (call/cc (lambda (k) (k e))) l)))
             (dynamic-wind (lambda () #f) (lambda () (raise 'fine)) (lambda () #f))))",
    )
}

/// Runs a test with no more native stack than the guest has: expanding and compiling recurse.
fn narrow(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(test)
        .expect("a thread");
    if let Err(e) = thread.join() {
        std::panic::resume_unwind(e);
    }
}

fn nested(open: &str, middle: &str, close: &str, n: usize) -> String {
    let mut s = String::with_capacity(n * (open.len() + close.len()) + middle.len());
    for _ in 0..n {
        s.push_str(open);
    }
    s.push_str(middle);
    for _ in 0..n {
        s.push_str(close);
    }
    s
}

#[test]
fn data_nest_a_million_deep_in_the_source() {
    let mut c = Context::builder()
        .standard_env()
        .heap_max(1 << 30)
        .build()
        .expect("the engine boots");
    for (open, close) in [
        ("(", ")"),
        ("#(", ")"),
        ("'", ""),
        ("`", ""),
        ("(a . ", ")"),
        ("#(1 ", " 2)"),
    ] {
        let text = format!(
            "(define deep '{}) (if (equal? deep deep) 'same 'different)",
            nested(open, "x", close, DEEP)
        );
        assert_eq!(
            c.evaluate_to_string("deep", &text).expect(open),
            "same",
            "{open}"
        );
        works(&mut c, open);
    }
}

#[test]
fn data_nest_a_million_deep_when_read_written_and_compared() {
    let mut c = Context::builder()
        .standard_env()
        .heap_max(1 << 30)
        .build()
        .expect("the engine boots");
    c.evaluate(
        "(define (deep n) (let loop ((i 0) (x 'x)) (if (= i n) x (loop (+ i 1) (if (odd? i) (list x) (vector x))))))
         (define (written x) (let ((p (open-output-string))) (write x p) (get-output-string p)))
         (define a (deep 1000000))
         (define b (deep 1000000))",
    )
    .expect("builds");
    for (code, want) in [
        ("(equal? a b)", "#t"),
        ("(equal? a (list b))", "#f"),
        ("(string-length (written a))", "2500001"),
        ("(equal? a (read (open-input-string (written a))))", "#t"),
        (
            "(let ((p (open-output-string))) (write-shared a p) (string-length (get-output-string p)))",
            "2500001",
        ),
        (
            "(let ((p (open-output-string))) (display a p) (string-length (get-output-string p)))",
            "2500001",
        ),
        ("(and (member b (list 1 a)) #t)", "#t"),
        ("(and (assoc b (list (cons a 1))) #t)", "#t"),
        (
            "(eval (list 'vector? (list 'quote a)) (environment '(scheme base)))",
            "#f",
        ),
        (
            "(guard (e ((vector? e) 'vector) ((pair? e) 'pair)) (raise a))",
            "pair",
        ),
    ] {
        let got = c
            .evaluate_to_string("deep", code)
            .map_err(|e| e.to_string());
        assert_eq!(got.as_deref(), Ok(want), "{code}");
    }
    // What leaves the engine is cut, not walked.
    assert!(c.evaluate("a").is_ok());
    assert!(c.evaluate("(raise a)").is_err());
    assert!(c.evaluate("(error \"deep\" a)").is_err());
    assert!(c.evaluate("(car (list->vector a))").is_err());
    works(&mut c, "deep data");
}

#[test]
fn code_that_nests_too_deeply_is_an_error_with_a_place() {
    narrow(|| {
        let mut c = context(1_000_000_000);
        c.set_heap_max(1 << 30);
        for (open, middle, close) in [
            ("(+ 1 ", "1", ")"),
            ("(car ", "1", ")"),
            ("(", "f", ")"),
            ("(let ((x ", "1", ")) x)"),
            ("(let ((x 1)) ", "x", ")"),
            ("(lambda () ", "1", ")"),
            ("(if ", "1", " 2 3)"),
            ("(if 1 2 ", "1", ")"),
            ("(begin ", "1", ")"),
            ("(begin (define x 1) ", "1", ")"),
            ("(let () (define x ", "1", ") x)"),
            ("(define x ", "1", ")"),
            ("(set! x ", "1", ")"),
            ("(cond (#f 1) (else ", "1", "))"),
            ("(cond (", "1", "))"),
            ("(cond (1 => ", "1", ") (else 2))"),
            ("(case ", "1", " ((1) 1))"),
            ("(lambda (x) (list x ", "1", "))"),
            ("((lambda (x) ", "1", ") 2)"),
            ("(let () (define (f) ", "1", ") (f))"),
            ("(let () (define-values (a b) ", "1", ") a)"),
            ("(do ((i 0 ", "1", ")) ((= i 1) 2))"),
            ("(guard (e (", "1", ")) 2)"),
            ("(guard (e (#f ", "1", ")) 2)"),
            ("(let-values (((a) 1) ((b c) 2)) ", "1", ")"),
            ("(let*-values (((a) 1) ((b c) 2)) ", "1", ")"),
            ("(call-with-values (lambda () ", "1", ") (lambda (x) x))"),
            ("(call-with-values (lambda () 1) (lambda (x) ", "1", "))"),
            (
                "(let-syntax ((m (syntax-rules () ((_ x) (list x))))) (m ",
                "1",
                "))",
            ),
            ("(let loop ((i 1)) (if i ", "1", " (+ 1 (loop 2))))"),
            ("(if (or 1 ", "1", ") 2 3)"),
            ("(if (not ", "1", ") 2 3)"),
            ("`(1 `(2 ,(3 ,", "1", ")))"),
            ("`(1 (2 ,3 ", "1", ") 4)"),
            ("(case 1 ((1) ", "1", "))"),
            ("(and 1 ", "1", ")"),
            ("(or #f ", "1", ")"),
            ("(when 1 ", "1", ")"),
            ("(do ((i 0 (+ i 1))) ((= i 1) ", "1", "))"),
            ("`(1 ,", "1", ")"),
            ("`,", "1", ""),
            ("`#(,", "1", ")"),
            ("(let-syntax () ", "1", ")"),
            ("(letrec ((f (lambda () ", "1", "))) f)"),
            ("(let loop ((i ", "1", ")) i)"),
            ("(guard (e (#t 1)) ", "1", ")"),
            ("(parameterize () ", "1", ")"),
            ("(let-values (((a) ", "1", ")) a)"),
            ("(case-lambda (() ", "1", "))"),
            ("(delay ", "1", ")"),
            ("(cond-expand (r7rs ", "1", "))"),
            ("(define-record-type ", "a", ")"),
            ("(syntax-rules () ((_) ", "1", "))"),
            ("(define-syntax m (syntax-rules () ((_) ", "1", "))) "),
            ("(define-syntax m (syntax-rules () (", "_", " 1)))"),
            ("(import (prefix ", "(scheme base)", " a))"),
            ("(import (only ", "(scheme base)", " car))"),
            ("(define-library (a) ", "1", ")"),
            ("(cond-expand ((not ", "r7rs", ") 1))"),
        ] {
            for n in [100, 300, 700, DEEP / open.len()] {
                let text = nested(open, middle, close, n);
                match c.evaluate(&text) {
                    Ok(_) => {}
                    Err(e) => assert!(
                        !matches!(e.kind, Failure::Limit(Limit::Memory)),
                        "{open} {n} deep: {e}"
                    ),
                }
                works(&mut c, open);
            }
        }
        let e = c
            .evaluate(&nested("(+ 1 ", "1", ")", DEEP))
            .expect_err("too deep");
        assert!(e.at.is_some(), "{e:?}");
    });
}

#[test]
fn brackets_that_never_close_or_open_are_errors() {
    let mut c = context(1_000_000_000);
    // Each form's constants stay with the program.
    c.set_heap_max(1 << 30);
    for text in [
        "(",
        "#(",
        "'",
        "(a . ",
        "#;",
        "#;(",
        "`,@",
        "#u8(",
        "#|",
        "\"",
        "|",
        "#\\",
        "#0=",
        "#0=(",
        "#!fold-case ",
    ] {
        let many = text.repeat((DEEP / text.len()) | 1);
        let got = c.evaluate(&many);
        if text != "#!fold-case " {
            assert!(got.is_err(), "{text}");
        }
        c.define("text", &tein::Value::String(many));
        let code =
            "(guard (e ((read-error? e) 'read-error)) (read (open-input-string text)) 'read)";
        let got = c.evaluate_to_string("read", code).expect(text);
        assert!(got == "read-error" || got == "read", "{text}: {got}");
        works(&mut c, text);
    }
    assert!(c.evaluate(&")".repeat(DEEP)).is_err());
    let long = "a".repeat(5 << 20);
    assert!(
        c.evaluate(&format!("(string-length (symbol->string '{long}))"))
            .is_ok()
    );
    works(&mut c, "a long name");
}

#[test]
fn circular_code_is_an_error_or_ends() {
    narrow(|| {
        let mut c = context(200_000);
        for text in [
            "#0=(begin #0#)",
            "(begin (define #0=(#0# . x) 1))",
            "#0=(begin #0# #0# 1)",
            "(let () #0=(begin #0#))",
            "(quasiquote #0=(1 . #0#))",
            "`#0=(1 . #0#)",
            "`#0=(1 (2 ,#0#) . #0#)",
            "(define-values #0=(a . #0#) 1)",
            "(let () (define-values #0=(a . #0#) 1) 2)",
            "(eval (let ((x (list 'begin))) (set-cdr! x (list x)) x) (environment '(scheme base)))",
            "(eval (let ((x (list 'begin 1 2))) (set-car! (cdr x) x) (set-car! (cddr x) x) x) (environment '(scheme base)))",
            "#0=(begin . #0#)",
            "#0=(list . #0#)",
            "#0=(list #0#)",
            "#0=(let ((x #0#)) x)",
            "(let #0=((x 1) . #0#) x)",
            "(lambda #0=(a . #0#) 1)",
            "(lambda (x) . #0=(1 . #0#))",
            "(cond . #0=((#f 1) . #0#))",
            "(case 1 . #0=(((2) 2) . #0#))",
            "`#0=(,1 #0#)",
            "`#0=#(1 #0#)",
            "(define-syntax m (syntax-rules . #0=(() . #0#)))",
            "(define-syntax m (syntax-rules () #0=((_ . #0#) 1)))",
            "(let-syntax ((m (syntax-rules () ((_ x ...) '(x ...))))) (m . #0=(1 . #0#)))",
            "(let-syntax ((m (syntax-rules () ((_ x) 'x)))) (m #0=(1 . #0#)))",
            "(let-syntax ((m (syntax-rules () ((_ a . b) (list a))))) (m . #0=(1 . #0#)))",
            "(let-syntax ((m (syntax-rules () ((_) '#0=(a . #0#))))) (m))",
            "(let-syntax ((m (syntax-rules () ((_ #(x ...)) 1)))) (m #0=#(1 #0#)))",
            "(define #0=(f . #0#) 1)",
            "(define-record-type r #0=(a . #0#) r?)",
            "(import #0=(scheme . #0#))",
            "(import . #0=((scheme base) . #0#))",
            "(cond-expand . #0=((nothing 1) . #0#))",
            "(cond-expand (#0=(and . #0#) 1))",
            "(cond-expand (#0=(not #0#) 1))",
            "(define-library (x) . #0=((export) . #0#))",
            "(let* #0=((x 1) . #0#) x)",
            "(do #0=((i 0) . #0#) (#t))",
            "(and . #0=(#t . #0#))",
            "(or . #0=(#f . #0#))",
            "(when . #0=(#t . #0#))",
            "(case-lambda . #0=((() 1) . #0#))",
            "(if . #0=(#t . #0#))",
            "(guard (e . #0=((#f 1) . #0#)) 1)",
            "(parameterize #0=((p 1) . #0#) 1)",
            "(let-values #0=(((a) 1) . #0#) 1)",
            "'#0=(a . #0#)",
        ] {
            let _ = c.evaluate(text);
            works(&mut c, text);
        }
    });
}

/// Programs that would never end, with the limits that may end them.
const ENDLESS: &[(&str, &str)] = &[
    ("s", "(let loop () (loop))"),
    ("s", "(do () (#f))"),
    ("s", "(let loop ((i 0)) (loop (+ i 1)))"),
    ("s", "(define (f) (g)) (define (g) (f)) (f)"),
    ("s", "((lambda (x) (x x)) (lambda (x) (x x)))"),
    ("s", "(apply (lambda (x) (x x)) (list (lambda (x) (x x))))"),
    (
        "s",
        "(define k #f) (begin (call/cc (lambda (c) (set! k c))) (k #f))",
    ),
    ("s", "(let ((k (call/cc (lambda (c) c)))) (k k))"),
    ("s", "(let loop () (call/cc (lambda (k) (loop))))"),
    ("sm", "(let loop () (call/cc (lambda (k) (loop))) (loop))"),
    ("s", "(let loop () (guard (e (#t #f)) (raise 'x)) (loop))"),
    (
        "s",
        "(+ 1 (let loop () (guard (e (#t #f)) (raise 'x)) (loop)))",
    ),
    (
        "s",
        "(+ 1 (let loop () (guard (e (#t #f)) (car 1)) (loop)))",
    ),
    (
        "s",
        "(list (let loop () (call/cc (lambda (k) (call/cc (lambda (j) (k 1))))) (loop)))",
    ),
    ("sm", "(let loop () (guard (e (#t #f)) (loop)))"),
    ("sm", "(let loop () (environment '(scheme base)) (loop))"),
    (
        "sm",
        "(define e (environment '(scheme base))) (let loop () (eval '(lambda (x) (list x 1 2)) e) (loop))",
    ),
    (
        "s",
        "(let ((s (make-string 1000000 #\\a))) (let loop () (string-ci=? s s) (loop)))",
    ),
    (
        "s",
        "(let loop () (dynamic-wind (lambda () #f) (lambda () #f) (lambda () #f)) (loop))",
    ),
    (
        "skm",
        "(let loop () (dynamic-wind (lambda () #f) loop (lambda () #f)))",
    ),
    (
        "sm",
        "(let loop () (parameterize ((current-output-port (current-output-port))) (loop)))",
    ),
    (
        "skm",
        "(let loop () (with-exception-handler (lambda (e) 1) loop))",
    ),
    (
        "sm",
        "(define (h e) (with-exception-handler h (lambda () (raise e)))) (with-exception-handler h (lambda () (raise 1)))",
    ),
    ("sk", "(define (f) (+ 1 (f))) (f)"),
    ("skm", "(define (f x) (cons x (f (list x)))) (f 1)"),
    ("skm", "(define (f x) (map f (list x))) (f 1)"),
    ("skm", "(define (f) (apply + (list 1 (f)))) (f)"),
    (
        "skm",
        "(define (f) (call-with-values (lambda () (values 1 (f))) +)) (f)",
    ),
    ("skm", "(define (f) (string-append \"a\" (f))) (f)"),
    (
        "skm",
        "(define (f) (vector-map (lambda (x) (f)) (vector 1))) (f)",
    ),
    (
        "skm",
        "(define (f) (eval '(f) (environment '(scheme base)))) (define e (environment '(scheme base))) (let loop () (eval '(let l () (l)) e))",
    ),
    ("sm", "(let loop ((l '())) (loop (cons 1 l)))"),
    ("sm", "(let loop ((l '())) (loop (append l (list 1 2 3))))"),
    (
        "sm",
        "(let loop ((v (vector))) (loop (vector-append v (vector 1 2 3))))",
    ),
    ("sm", "(let loop ((v (vector 1))) (loop (vector v v)))"),
    ("sm", "(let loop ((s \"a\")) (loop (string-append s s)))"),
    (
        "sm",
        "(let loop ((s \"\u{3bb}\")) (loop (string-append s s)))",
    ),
    (
        "sm",
        "(let loop ((b (bytevector 1))) (loop (bytevector-append b b)))",
    ),
    ("sm", "(let loop ((n 3)) (loop (* n n)))"),
    ("sm", "(let loop ((n 1/3)) (loop (* n n)))"),
    ("sm", "(let loop ((n 3)) (loop (+ (* n 3) 1)))"),
    (
        "sm",
        "(let loop ((n 1)) (string->symbol (number->string n)) (loop (+ n 1)))",
    ),
    (
        "sm",
        "(let ((p (open-output-string))) (let loop () (write '(some data) p) (loop)))",
    ),
    (
        "sm",
        "(let ((p (open-output-bytevector))) (let loop () (write-bytevector (make-bytevector 1000 1) p) (loop)))",
    ),
    (
        "s",
        "(let loop () (display \"to the captured output\") (loop))",
    ),
    (
        "sm",
        "(let loop ((f (lambda () 1))) (loop (lambda () (f))))",
    ),
    ("sm", "(let loop ((p #f)) (loop (delay p)))"),
    ("s", "(define p (delay-force p)) (force p)"),
    ("s", "(define (s) (delay-force (s))) (force (s))"),
    ("skm", "(define p (delay (+ 1 (force p)))) (force p)"),
    ("sm", "(map (lambda (x) x) '#0=(1 . #0#))"),
    ("s", "(for-each (lambda (x) x) '#0=(1 . #0#))"),
    ("sm", "(list-copy '#0=(1 . #0#))"),
    ("s", "(member 2 '#0=(1 . #0#) =)"),
    ("s", "(assoc 2 '#0=((1 . 1) . #0#) =)"),
    ("sm", "(make-vector 100000000 0)"),
    ("sm", "(make-string 1000000000 #\\a)"),
    ("sm", "(make-string 100000000 #\\\u{3bb})"),
    ("sm", "(make-bytevector 1000000000)"),
    ("sm", "(make-list 1000000000)"),
    ("sm", "(expt 7 10000000000)"),
    ("sm", "(expt 7 (expt 7 100))"),
    ("sm", "(expt 1/7 10000000000)"),
    (
        "sm",
        "(exact (expt 10. 308)) (let loop ((n (exact 1e308))) (loop (* n n)))",
    ),
    ("sm", "(string->number (make-string 30000000 #\\9))"),
    ("sm", "(number->string (expt 3 4000000))"),
    (
        "sm",
        "(let loop ((i 0)) (apply values (make-list 1000 1)) (loop (+ i 1)))",
    ),
    (
        "sm",
        "(read (open-input-string (make-string 30000000 #\\()))",
    ),
    ("sm", "(string->list (make-string 20000000 #\\a))"),
    (
        "sm",
        "(define (d n x) (if (= n 0) x (d (- n 1) (cons x x)))) (let loop () (write (d 40 'leaf) (open-output-string)) (loop))",
    ),
    (
        "sm",
        "(define-syntax m (syntax-rules () ((_ x) (m (x x))))) (m a)",
    ),
    (
        "sm",
        "(define-syntax m (syntax-rules () ((_ x ...) (m x ... x ...)))) (m a)",
    ),
    (
        "sm",
        "(define-syntax a (syntax-rules () ((_ x) (b x)))) (define-syntax b (syntax-rules () ((_ x) (a x)))) (a 1)",
    ),
    (
        "sm",
        "(define-syntax m (syntax-rules () ((_ x) (begin (m x) (m x))))) (m 1)",
    ),
    (
        "sm",
        "(define-syntax m (syntax-rules () ((_ x) (let ((y (m x))) (m y))))) (m 1)",
    ),
    (
        "sm",
        "(define-syntax m (syntax-rules () ((_ (x ...) ...) '((x ... ...) (x ... ...))) ((_ x) (m x)))) (m 1)",
    ),
    (
        "sm",
        "(let-syntax ((m (syntax-rules () ((_ a) (let-syntax ((n (syntax-rules () ((_ b) (m b))))) (n a)))))) (letrec-syntax ((q (syntax-rules () ((_ x) (q x))))) (q 1)))",
    ),
    (
        "sm",
        "(let loop () (let ((p (make-parameter 1))) (p)) (loop))",
    ),
    (
        "sm",
        "(let loop ((r #f)) (define-record-type t (make a) t? (a get)) (loop (make r)))",
    ),
];

fn permitted(kinds: &str, limit: Limit) -> bool {
    kinds.contains(match limit {
        Limit::Steps => 's',
        Limit::Memory => 'm',
        Limit::Stack => 'k',
    })
}

#[test]
fn programs_that_never_end_end_with_a_limit() {
    narrow(|| {
        for (kinds, code) in ENDLESS {
            let mut c = context(3_000_000);
            match c.evaluate(code) {
                Err(e) => match e.kind {
                    Failure::Limit(l) => assert!(permitted(kinds, l), "{code}: {e}"),
                    // Macros may also be refused for the depth that they reach.
                    Failure::Syntax
                        if code.contains("define-syntax") || code.contains("let-syntax") => {}
                    _ => panic!("{code}: {e}"),
                },
                Ok(v) => panic!("{code}: gave {v:?}"),
            }
            works(&mut c, code);
        }
    });
}

#[test]
fn no_handler_sees_a_limit_and_no_wind_runs_after_it() {
    narrow(|| {
        for (kinds, code) in ENDLESS.iter().filter(|(_, c)| !c.contains("(define")) {
            let mut c = context(3_000_000);
            let guarded = format!(
                "(define after 0)
             (guard (e (#t 'caught))
               (with-exception-handler
                 (lambda (e) 'handled)
                 (lambda ()
                   (dynamic-wind
                     (lambda () #f)
                     (lambda () {code})
                     (lambda () (set! after (+ after 1)))))))"
            );
            match c.evaluate(&guarded) {
                Err(e) => match e.kind {
                    Failure::Limit(l) => assert!(permitted(kinds, l), "{code}: {e}"),
                    Failure::Syntax if code.contains("let-syntax") => {}
                    _ => panic!("{code}: {e}"),
                },
                Ok(v) => panic!("{code}: gave {v:?}"),
            }
            if !code.contains("syntax") {
                assert_eq!(
                    c.evaluate_to_string("after", "after").expect(code),
                    "0",
                    "{code}"
                );
            }
            works(&mut c, code);
        }
    });
}

#[test]
fn the_budget_is_for_the_whole_text_and_new_for_the_next() {
    let mut c = context(10_000);
    let e = c
        .evaluate("(define a 1) (define (f n) (if (= n 0) 'done (f (- n 1)))) (f 10) (f 1000000)")
        .expect_err("too long");
    assert_eq!(e.kind, Failure::Limit(Limit::Steps));
    // What came before the limit has taken effect.
    assert_eq!(
        c.evaluate_to_string("next", "(list a (f 10))")
            .expect("in budget"),
        "(1 done)"
    );
    for _ in 0..20 {
        assert_eq!(
            c.evaluate_to_string("next", "(f 500)").expect("in budget"),
            "done"
        );
    }
    let e = c
        .evaluate(&"(f 500) ".repeat(20))
        .expect_err("too long together");
    assert_eq!(e.kind, Failure::Limit(Limit::Steps));
}

#[test]
fn memory_and_stack_come_back_after_their_limits() {
    let mut c = context(1_000_000_000);
    for i in 0..5 {
        let e = c
            .evaluate("(define keep (let loop ((l '())) (loop (cons 1 l))))")
            .expect_err("no end");
        assert_eq!(e.kind, Failure::Limit(Limit::Memory), "round {i}");
        works(&mut c, "a memory limit");
        assert_eq!(
            c.evaluate_to_string("next", "(length (make-list 100000 0))"),
            Ok("100000".to_owned())
        );
    }
    let mut c = context(1_000_000_000);
    for i in 0..5 {
        let e = c
            .evaluate("(define (f) (+ 1 (f))) (f)")
            .expect_err("no end");
        assert_eq!(e.kind, Failure::Limit(Limit::Stack), "round {i}");
        works(&mut c, "a stack limit");
    }
}

#[test]
fn deep_recursion_works_up_to_the_limit() {
    let mut c = context(1_000_000_000);
    let code = "(define (count n) (if (= n 0) 0 (+ 1 (count (- n 1))))) (count 200000)";
    assert_eq!(c.evaluate_to_string("deep", code).expect("fits"), "200000");
    // And a continuation of that depth can be kept, left and entered again.
    let code = "(define k #f)
        (define (dive n) (if (= n 0) (call/cc (lambda (c) (set! k c) 0)) (+ 1 (dive (- n 1)))))
        (define times 0)
        (define result (dive 100000))
        (set! times (+ times 1))
        (if (< times 3) (k times))
        (list times result)";
    let got = c.evaluate_to_string("deep", code).expect("fits");
    assert!(
        got.starts_with("(3 100002)") || got.starts_with("(1 "),
        "{got}"
    );
}

#[test]
fn values_that_leave_are_cut_in_depth_and_size() {
    let mut c = context(1_000_000_000);
    for code in [
        "(define (d n x) (if (= n 0) x (d (- n 1) (cons x x)))) (d 60 'leaf)",
        "(define (v n x) (if (= n 0) x (v (- n 1) (vector x x)))) (v 60 'leaf)",
        "'#0=(a . #0#)",
        "'#0=(#0# . #0#)",
        "'#0=#(#0# #0#)",
        "(let loop ((i 0) (x 'x)) (if (= i 100000) x (loop (+ i 1) (list x))))",
    ] {
        let v = c.evaluate(code).expect(code);
        assert!(v.to_string().len() < 64 << 20, "{code}");
        assert!(c.evaluate_to_string("written", code).is_ok());
        let e = c
            .evaluate(&format!("(error \"with\" (let () {code}))"))
            .expect_err(code);
        assert!(e.to_string().len() < 64 << 20, "{code}");
        let e = c
            .evaluate(&format!("(raise (let () {code}))"))
            .expect_err(code);
        assert!(e.to_string().len() < 64 << 20, "{code}");
        works(&mut c, code);
    }
}

#[test]
fn output_beyond_its_limit_is_counted_and_dropped() {
    let mut c = context(1_000_000_000);
    c.set_output_limit(1000);
    c.evaluate(
        "(let loop ((i 0)) (if (< i 1000) (begin (display \"0123456789\") (loop (+ i 1)))))",
    )
    .expect("runs");
    let [(out, lost), (err, none)] = c.take_output();
    assert_eq!((out.len(), lost, err.len(), none), (1000, 9000, 0, 0));
    c.evaluate("(display \"again\")").expect("runs");
    let [(out, lost), _] = c.take_output();
    assert_eq!((out.as_str(), lost), ("again", 0));
}

#[test]
fn a_wide_program_is_no_deep_one() {
    narrow(|| {
        let mut c = context(2_000_000_000);
        c.set_heap_max(1 << 30);
        let many = |item: &str, n: usize| item.repeat(n);
        for (code, want) in [
            (format!("(begin {} 'end)", many("1 ", 100_000)), "end"),
            (format!("(and {} 'end)", many("1 ", 100_000)), "end"),
            (format!("(or {} 'end)", many("#f ", 100_000)), "end"),
            (
                format!("(cond {} (else 'end))", many("(#f 1) ", 50_000)),
                "end",
            ),
            (
                format!(
                    "(cond {} (else 'end))",
                    many("((car '(#f)) => list) (#f) ", 3_000)
                ),
                "end",
            ),
            (
                format!("(case 5 {} (else 'end))", many("((1 2 3) 1) ", 20_000)),
                "end",
            ),
            (
                format!(
                    "(let () {} 'end)",
                    many("(set! x 1) ", 50_000).replace('x', "zz")
                ),
                "end",
            ),
            (format!("(length '({}))", many("a ", 200_000)), "200000"),
            (
                format!("(length `({} ,(+ 1 1)))", many("a ", 20_000)),
                "20001",
            ),
            (
                format!("(length `({}))", many(",(+ 1 1) ,@(list 1 2) ", 1_000)),
                "3000",
            ),
            (format!("(length `({}))", many(",1 ", 20_000)), "20000"),
            (
                format!("(vector-length #({}))", many("a ", 200_000)),
                "200000",
            ),
            (format!("(let* ({}) 'end)", many("(a 1) ", 15_000)), "end"),
            (
                format!(
                    "(let ({}) 'end)",
                    (0..3_000).map(|i| format!("(a{i} 1)")).collect::<String>()
                ),
                "end",
            ),
            (
                format!(
                    "(let () {} 'end)",
                    (0..3_000)
                        .map(|i| format!("(define a{i} 1)"))
                        .collect::<String>()
                ),
                "end",
            ),
        ] {
            c.evaluate("(define zz 0)").expect("defines");
            let got = c.evaluate_to_string("wide", &code);
            assert_eq!(got.as_deref(), Ok(want), "{}", &code[..40]);
            works(&mut c, &code[..40]);
        }
    });
}

#[test]
fn nested_loops_compile_in_time_that_grows_with_the_text() {
    narrow(|| {
        let mut c = context(10_000_000);
        // Each loop is looked at for whether it is one: from the inside out, once.
        let mut code = "x".to_owned();
        for i in (0..100).rev() {
            code = format!("(let l{i} ((x 1)) (if (> x 1) (l{i} x) {code}))");
        }
        assert_eq!(c.evaluate_to_string("nested", &code).as_deref(), Ok("1"));
        let mut code = "x".to_owned();
        for i in (0..100).rev() {
            code = format!("(let ((l{i} (lambda (x) {code}))) (l{i} 1))");
        }
        assert!(c.evaluate(&format!("(define x 1) {code}")).is_ok());
    });
}

#[test]
fn what_a_program_is_done_with_is_given_back() {
    let mut c = context(1_000_000_000);
    c.set_heap_max(8 << 20);
    for code in [
        // Continuations captured in a loop that waits for its value.
        "(+ 1 (let loop ((i 0)) (guard (e (#t #f)) (raise i)) (if (< i 100000) (loop (+ i 1)) 0)))",
        "(car (list (let loop ((i 0)) (call/cc (lambda (k) (call/cc (lambda (j) (k 1))))) (if (< i 100000) (loop (+ i 1)) 1))))",
        "(define (f n) (if (= n 0) 1 (begin (guard (e (#t #f)) (car n)) (f (- n 1))))) (+ 0 (f 100000))",
        "(define k #f) (define (g n) (call/cc (lambda (c) (set! k c))) (if (= n 0) 1 (g (- n 1)))) (+ 0 (g 100000))",
        // The head of a list that the caller no longer names.
        "(define (from n) (cons n (delay (from (+ n 1)))))
         (define (ref s n) (if (= n 0) 1 (ref (force (cdr s)) (- n 1))))
         (let ((s (from 0))) (+ 0 (ref s 300000)))",
    ] {
        let got = c
            .evaluate_to_string("loop", code)
            .map_err(|e| e.to_string());
        assert_eq!(got.as_deref(), Ok("1"), "{code}");
    }
}

#[test]
fn a_large_object_may_take_the_place_of_garbage() {
    let mut c = context(1_000_000_000);
    c.set_heap_max(16 << 20);
    for code in [
        "(let loop ((i 0)) (if (< i 100) (begin (make-vector 1000000 0) (loop (+ i 1))) 'done))",
        "(let loop ((i 0)) (if (< i 100) (begin (make-string 6000000 #\\a) (loop (+ i 1))) 'done))",
        "(let loop ((i 0)) (if (< i 100) (begin (make-bytevector 9000000 1) (loop (+ i 1))) 'done))",
        "(let loop ((i 0)) (if (< i 100) (begin (apply make-list '(400000 0)) (loop (+ i 1))) 'done))",
        "(define v (make-vector 100000 1)) (let loop ((i 0)) (if (< i 300) (begin (vector->list v) (vector-map + v) (loop (+ i 1))) 'done))",
    ] {
        let got = c
            .evaluate_to_string("large", code)
            .map_err(|e| e.to_string());
        assert_eq!(got.as_deref(), Ok("done"), "{code}");
    }
    let e = c
        .evaluate("(make-vector 3000000 0)")
        .expect_err("too large");
    assert_eq!(e.kind, Failure::Limit(Limit::Memory));
    works(&mut c, "a vector that is too large");
}

#[test]
fn a_text_that_does_not_fit_ends_with_the_memory_limit() {
    let mut c = context(1_000_000_000);
    c.set_heap_max(2 << 20);
    for text in [
        format!("'({})", "(a b) ".repeat(200_000)),
        format!("'({})", "\"abc\" ".repeat(200_000)),
        format!("'#({})", "1.5e300 ".repeat(400_000)),
        "(".repeat(1_000_000),
    ] {
        let e = c.evaluate(&text).expect_err("no room");
        assert_eq!(e.kind, Failure::Limit(Limit::Memory), "{}", &text[..20]);
        works(&mut c, &text[..20]);
    }
}

#[test]
fn messages_are_bounded() {
    let mut c = context(1_000_000_000);
    for code in [
        "(error (make-string 3000000 #\\a))",
        "(error \"message\" (make-string 3000000 #\\a))",
        "(error \"message\" (make-vector 1000000 'abc))",
        "(error \"message\" (make-bytevector 3000000 7))",
        "(raise (make-list 1000000 \"abc\"))",
        "(let loop ((i 0) (e #f)) (if (< i 100000) (loop (+ i 1) (guard (x (#t x)) (error \"e\" e))) (raise e)))",
        "(let ((l (list 1))) (set-cdr! l l) (raise l))",
        "(let ((l (list 1))) (guard (x (#t (set-car! l x) (raise x))) (error \"itself\" l)))",
    ] {
        let e = c.evaluate(code).expect_err(code);
        assert_eq!(e.kind, Failure::Evaluation, "{code}");
        assert!(
            e.message.len() < 70_000,
            "{code}: {} bytes",
            e.message.len()
        );
        works(&mut c, code);
    }
}

#[test]
fn memory_does_not_grow_while_garbage_is_made_at_a_steady_rate() {
    let mut c = context(100_000_000_000);
    c.set_heap_max(16 << 20);
    c.evaluate(
        "(define (round i)
           (let* ((l (let loop ((n 0) (l '())) (if (< n 20000) (loop (+ n 1) (cons (list n (number->string n)) l)) l)))
                  (v (list->vector l))
                  (s (let ((p (open-output-string))) (write (list-tail l 19000) p) (get-output-string p))))
             (+ (vector-length v) (if (string? s) 0 1))))",
    )
    .expect("defines");
    let run = |c: &mut Context| {
        let got = c.evaluate_to_string("round", "(round 1)");
        assert_eq!(got.as_deref(), Ok("20000"));
    };
    (0..10).for_each(|_| run(&mut c));
    let settled = c.heap_bytes();
    let collections = c.collections();
    (0..100).for_each(|_| run(&mut c));
    assert!(c.collections() > collections + 5);
    assert!(
        c.heap_bytes() <= settled + settled / 10,
        "{settled} bytes have become {}",
        c.heap_bytes()
    );
}

#[test]
fn a_thousand_rounds_over_a_megabyte_stay_within_the_budget() {
    let mut c = context(100_000_000_000);
    c.set_heap_max(40 << 20);
    c.evaluate(
        "(define text (make-string 1000000 #\\a))
         (define (work i)
           (let* ((s (string-append text (number->string i)))
                  (u (string-copy s))
                  (b (string->utf8 u)))
             (+ (string-length u) (bytevector-u8-ref b 0))))",
    )
    .expect("defines");
    let got = c.evaluate_to_string(
        "rounds",
        "(let loop ((i 1000) (sum 0)) (if (< i 2000) (loop (+ i 1) (+ sum (work i))) sum))",
    );
    assert_eq!(got.as_deref(), Ok("1000101000"));
    assert!(c.heap_bytes() < 64 << 20, "{} bytes", c.heap_bytes());
}

/// What a transformer does while the program is expanded is bounded like everything else.
#[test]
fn transformers_end_in_the_limits_of_the_context() {
    narrow(|| {
        let transformers = [
            ("loops", "(let loop () (loop))", Some(Limit::Steps)),
            ("recurs", "(let deep ((n 0)) (+ 1 (deep (+ n 1))))", None),
            (
                "grows",
                "(let loop ((l '())) (loop (cons (make-vector 1000 0) l)))",
                Some(Limit::Memory),
            ),
            ("expands without end", "form", Some(Limit::Steps)),
            ("expands into more of itself", "(list 'm form)", None),
            (
                "gives a circle",
                "(let ((l (list 'list 1))) (set-cdr! (cdr l) l) l)",
                None,
            ),
            (
                "nests",
                "(let wrap ((n 0) (f 'x)) (if (= n 100000) f (wrap (+ n 1) (list 'car f))))",
                None,
            ),
        ];
        for (what, body, limit) in transformers {
            let mut c = context(5_000_000);
            let program = format!("(define-syntax m (lambda (form) {body})) (m 1)");
            let e = c.evaluate(&program).expect_err(what);
            match limit {
                Some(l) => assert!(
                    matches!(&e.kind, Failure::Limit(k) if *k == l),
                    "{what}: {e}"
                ),
                None => assert!(!e.to_string().is_empty(), "{what}"),
            }
            c.set_step_limit(Some(5_000_000));
            works(&mut c, what);
            // The same from code that the program makes.
            let mut c = context(5_000_000);
            let program = format!(
                "(import (scheme eval) (scheme repl))
                 (eval '(begin (define-syntax m (lambda (form) {body})) (m 1)) (interaction-environment))"
            );
            c.evaluate(&program).expect_err(what);
            c.set_step_limit(Some(5_000_000));
            works(&mut c, what);
        }
    });
}

/// A template or a pattern that repeats pays for what it makes.
#[test]
fn templates_pay_for_what_they_make() {
    let mut c = context(3_000_000);
    let e = c
        .evaluate(
            "(import (chibi syntax-case))
             (define (grow l n) (if (= n 0) l (grow (syntax-case l () ((x ...) #'(x ... x ...))) (- n 1))))
             (length (grow '(1 2 3 4) 30))",
        )
        .expect_err("too large");
    assert!(matches!(e.kind, Failure::Limit(_)), "{e}");
    c.set_step_limit(Some(5_000_000));
    works(&mut c, "templates");
}

/// Transformers run while nothing is collected; what they leave behind is collected afterwards.
#[test]
fn what_transformers_leave_behind_is_collected() {
    let mut c = Context::builder()
        .standard_env()
        .heap_max(24 << 20)
        .build()
        .expect("the engine boots");
    c.evaluate(
        "(import (chibi syntax-case))
         (define-syntax m (lambda (form) (syntax-case form () ((_ n) (begin (make-vector 50000 0) #'(+ n 1))))))",
    )
    .expect("defined");
    for _ in 0..500 {
        assert_eq!(c.evaluate_to_string("use", "(m 1)").expect("a value"), "2");
    }
}

/// An error that a transformer raises is the program's: handlers see it, and it says what it was.
#[test]
fn handlers_see_what_transformers_raise() {
    let mut c = context(5_000_000);
    let value = c
        .evaluate_to_string(
            "raise",
            "(import (scheme eval) (scheme repl))
             (define-syntax m (lambda (form) (raise (list 'raised (cadr form)))))
             (define trace '())
             (define result
               (guard (e (#t e))
                 (dynamic-wind
                   (lambda () (set! trace (cons 'in trace)))
                   (lambda () (eval '(list (m 5)) (interaction-environment)))
                   (lambda () (set! trace (cons 'out trace))))))
             (list result trace)",
        )
        .expect("a value");
    assert_eq!(value, "((raised 5) (out in))");
}

/// The program and its transformers run in turns, not inside each other: neither can go to a
/// continuation of the other.
#[test]
fn continuations_stay_within_their_phase() {
    for program in [
        "(define k #f)
         (define-syntax m (lambda (form) (k 'escaped)))
         (call/cc (lambda (c) (set! k c) (eval '(list (m)) (interaction-environment))))",
        "(define k #f)
         (define-syntax m (lambda (form) (call/cc (lambda (c) (set! k c))) 1))
         (m)
         (k 1)",
        "(define k #f)
         (define-syntax m (lambda (form) (dynamic-wind (lambda () #f) (lambda () (k 1)) (lambda () #f))))
         (dynamic-wind (lambda () #f) (lambda () (call/cc (lambda (c) (set! k c) (eval '(m) (interaction-environment))))) (lambda () #f))",
    ] {
        let mut c = context(5_000_000);
        c.evaluate("(import (scheme eval) (scheme repl))").expect("imports");
        let e = c.evaluate(program).expect_err(program);
        assert!(e.to_string().contains("a continuation of another phase of expansion"), "{e}");
        works(&mut c, program);
    }
    // Within one they go where they like.
    let mut c = context(5_000_000);
    let value = c.evaluate_to_string(
        "within",
        "(define-syntax m (lambda (form) (call/cc (lambda (k) (dynamic-wind (lambda () #f) (lambda () (k ''out)) (lambda () #f))))))
         (m)",
    );
    assert_eq!(value.expect("a value"), "out");
}

/// A hook that never ends, or that gives back what it was given, ends in the step limit and is gone.
#[test]
fn hooks_of_expansion_end_in_the_limits_of_the_context() {
    for hook in ["(let loop () (loop))", "form", "(list 'm form)"] {
        let mut c = context(3_000_000);
        let program = format!(
            "(import (tein macro))
             (define-syntax m (syntax-rules () ((_ x) x)))
             (set-macro-expand-hook! (lambda (name form expansion env) {hook}))
             (m 1)"
        );
        c.evaluate(&program).expect_err(hook);
        c.set_step_limit(Some(5_000_000));
        works(&mut c, hook);
    }
}

/// An image has the macros of its program, for code that is made later.
#[test]
fn images_carry_procedural_macros() {
    let program = "(import (chibi syntax-case) (scheme eval) (scheme repl))
        (define (twice forms) (append forms forms))
        (define-syntax doubled (lambda (form) (syntax-case form () ((_ e ...) #`(list #,@(twice #'(e ...)))))))
        (define-syntax seven (lambda (form) #'7))
        (define early (doubled 1 2))
        (define (late) (eval '(let ((list vector)) (cons seven (doubled 3 4))) (interaction-environment)))
        (define (made form) (syntax->datum (syntax-case form () ((a b ...) #'(b ... a)))))";
    let mut first = context(5_000_000);
    first.evaluate_file("program", program).expect("it runs");
    let image = first.image().expect("an image");
    let mut second = context(5_000_000);
    second.run_image(&image).expect("the image runs");
    for c in [&mut first, &mut second] {
        let value = c.evaluate_to_string("use", "(list early (late) (made '(1 2 3)))");
        assert_eq!(value.expect("a value"), "((1 2 1 2) (7 3 4 3 4) (2 3 1))");
    }
}

#[test]
fn a_search_is_paid_for_before_it_runs() {
    for search in [
        "(regexp-search \"b\" text)",
        "(regexp-search \"a\" text)",
        "(regexp-search-from \"b\" text 5)",
        "(regexp-matches? \"a+\" text)",
        "(regexp-replace \"b\" text \"c\")",
        "(regexp-split \"b\" text)",
        "(length (regexp-extract \"a\" text))",
    ] {
        let mut c = context(10_000_000);
        c.evaluate("(import (tein safe-regexp)) (define text (make-string 1000000 #\\a))")
            .expect("defines");
        // Copying the text is within these steps, and half a step for each of its bytes is not.
        c.set_step_limit(Some(200_000));
        let failed = c.evaluate(search).expect_err(search);
        assert_eq!(failed.kind, Failure::Limit(Limit::Steps), "{search}");
        c.set_step_limit(Some(10_000_000));
        works(&mut c, search);
    }
}
