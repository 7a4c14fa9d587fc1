//! A file and its image mean the same.

use super::*;

/// Files with one tool, `t`, and what it answers whether the file or its image was run.
const FILES: &[(&str, &str)] = &[
    ("(define (helper x) (* x 2)) (define (tool-execute args) (helper 21))", "42"),
    ("(define count 0) (define (tool-execute args) (set! count (+ count 1)) count)", "1"),
    ("(define table (list (cons 'a 1))) (define (tool-execute args) (cdr (assq 'a table)))", "1"),
    (
        "(define-record-type point (make-point x y) point? (x point-x set-point-x!) (y point-y))
         (define origin (make-point 1 2))
         (define (tool-execute args) (set-point-x! origin 5) (list (point-x origin) (point-y origin) (point? 1)))",
        "(5 2 #f)",
    ),
    (
        "(define-syntax twice (syntax-rules () ((_ e) (begin e e))))
         (define n 0) (define (tool-execute args) (twice (set! n (+ n 1))) n)",
        "2",
    ),
    (
        "(define-syntax make (syntax-rules () ((_ name value) (define (name) value))))
         (make seven 7) (define (tool-execute args) (seven))",
        "7",
    ),
    ("(define filter (lambda (x) 'mine)) (define (tool-execute args) (filter args))", "mine"),
    ("(define p (make-parameter 1)) (define (tool-execute args) (parameterize ((p 2)) (p)))", "2"),
    ("(define k #f) (define (tool-execute args) (+ 1 (call/cc (lambda (c) (c 41)))))", "42"),
    (
        "(define s (string-copy \"abc\")) (define data '#(1 \"two\" (3 . 4.5) #\\x #u8(1 2) sym 1/3))
         (define (tool-execute args) (string-set! s 0 #\\z) (list s data))",
        "(\"zbc\" #(1 \"two\" (3 . 4.5) #\\x #u8(1 2) sym 1/3))",
    ),
    (
        "(define (tool-execute args) (guard (e ((error-object? e) (error-object-message e))) (error \"caught\" 1)))",
        "caught",
    ),
    (
        "(define key (get-environment-variable \"BROKER_KEY\")) (define (tool-execute args) key)",
        "k",
    ),
    (
        "(define-library (my lib) (export f) (import (scheme base)) (begin (define (f) 'from-lib)))
         (import (my lib)) (define (tool-execute args) (f))",
        "from-lib",
    ),
    (
        "(import (scheme eval)) (define y 5) (define (tool-execute args) (eval '(+ 1 2) (environment '(scheme base))))",
        "3",
    ),
    ("(define-values (a b) (values 1 2)) (define (tool-execute args) (list a b))", "(1 2)"),
];

#[test]
fn an_image_runs_as_the_file_did() {
    for (definitions, expected) in FILES {
        let source = format!("{}{definitions}", tool("'replaced"));
        let loaded = loaded(&source);
        // The instance that loaded the file can be called too.
        assert_eq!(again("t", "{}").result, *expected, "{source}");
        // Twice, in fresh instances: nothing is left from the first.
        for _ in 0..2 {
            let outcome = fresh(&loaded.image, "t", "{}", &settings());
            assert_eq!(outcome.result, *expected, "{source}");
        }
    }
}

#[test]
fn several_tools_share_their_file() {
    let source = r#"
(define log '())
(define (note! what) (set! log (cons what log)) (length log))
(define-tool add (description "a") (parameters '()) (execute (lambda (args) (note! 'add))))
(define-tool show (description "s") (parameters '()) (execute (lambda (args) log)))
"#;
    let image = loaded(source).image;
    assert_eq!(fresh(&image, "show", "{}", &settings()).result, "()");
    assert_eq!(again("add", "{}").result, "1");
    assert_eq!(again("add", "{}").result, "2");
    assert_eq!(again("show", "{}").result, "(add add)");
    assert_eq!(fresh(&image, "add", "{}", &settings()).result, "1");
}

#[test]
fn the_same_file_gives_the_same_image() {
    let source = tool("(list 'a \"b\" 1.5)");
    assert_eq!(loaded(&source).image, loaded(&source).image);
    assert!(
        loaded(&source).image.len() < 4_096,
        "{}",
        loaded(&source).image.len()
    );
}

#[test]
fn an_instance_takes_one_image() {
    let image = loaded(&tool("1")).image;
    fresh(&image, "t", "{}", &settings());
    let found = enter_call(Some(&image), "t", "{}", &settings()).unwrap_err();
    assert_eq!(
        (found.kind, found.message.as_str()),
        (
            ProblemKind::Host,
            "bad image: this context has run a program already"
        )
    );
}

#[test]
fn an_image_whose_forms_fail_is_the_tools_error() {
    // Loading succeeds where the variable is there, and a call may come where it is not.
    let source = format!(
        "(display \"top\")\n(if (< 1 (length (get-environment-variables))) 1 (error \"no key\"))\n{}",
        tool("1")
    );
    let image = loaded(&source).image;
    initialize();
    let one = Call {
        image: Some(&image),
        tool: "t",
        arguments: "{}",
        context_name: "",
    };
    let outcome = call(&one, Form::Text, &settings(), Box::new(tein::Nowhere)).unwrap();
    assert_eq!(
        outcome.result,
        "error: tein init: scheme evaluation error: no key"
    );
    assert_eq!(outcome.stdout, "");
    assert_eq!(outcome.failure.unwrap().at.map(|p| p.line), Some(2));
}
