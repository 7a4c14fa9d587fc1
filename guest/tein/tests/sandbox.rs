//! What a restricted program may import and what it is told when it may not: spec texts word for word.

#![allow(clippy::expect_used, clippy::unwrap_used)]

use tein::sandbox::Modules;
use tein::{Context, Failure};

fn safe() -> Context {
    Context::builder()
        .tool_env()
        .sandboxed(Modules::Safe)
        .step_limit(10_000_000)
        .build()
        .expect("the engine boots")
}

fn run(context: &mut Context, code: &str) -> String {
    match context.evaluate_to_string("tool", code) {
        Ok(v) => v,
        Err(e) => e.to_string(),
    }
}

#[test]
fn refusals_are_in_the_words_of_the_contract() {
    for (code, text) in [
        (
            "(import (tein http))",
            "sandbox violation: module import blocked: ((tein http)) (not available in this sandbox)",
        ),
        (
            "(import (tein modules))",
            "sandbox violation: module import blocked: ((tein modules)) (not available in this sandbox)",
        ),
        (
            "(import (foo bar))",
            "sandbox violation: module import blocked: ((foo bar)) (not available in this sandbox)",
        ),
        // What only the engine's own libraries may import.
        (
            "(import (tein core))",
            "sandbox violation: module import blocked: ((tein core)) (not available in this sandbox)",
        ),
        (
            "(import (tein stubs))",
            "sandbox violation: module import blocked: ((tein stubs)) (not available in this sandbox)",
        ),
        (
            "(import (only (prefix (tein http) h:) h:http-get))",
            "sandbox violation: module import blocked: ((tein http)) (not available in this sandbox)",
        ),
        (
            "(http-get \"https://example.com/\" '())",
            "sandbox violation: 'http-get' requires (import (tein http))",
        ),
        (
            "(no-such-name 1)",
            "scheme evaluation error: undefined variable: (no-such-name)",
        ),
        (
            "(import (tein file)) (open-input-file \"/etc/passwd\")",
            "sandbox violation: file access denied: (\"/etc/passwd\")",
        ),
        (
            "(import (scheme file)) (file-exists? \"x\")",
            "sandbox violation: file access denied: x (read not permitted)",
        ),
        (
            "(import (tein process)) (system \"ls\")",
            "scheme evaluation error: [sandbox:process] system: not permitted in sandbox",
        ),
        (
            "(import (chibi shell)) (shell-command \"ls\")",
            "scheme evaluation error: [sandbox:chibi/shell] shell-command not available",
        ),
        (
            "(import (chibi process)) (fork)",
            "scheme evaluation error: not implemented: (fork)",
        ),
        (
            "(import (scheme eval)) (environment '(tein http))",
            "scheme evaluation error: [sandbox:environment] module (tein http) not in allowlist",
        ),
        (
            "(import (scheme load)) (load \"/etc/passwd\")",
            "scheme evaluation error: [sandbox:load] /etc/passwd (only VFS paths permitted)",
        ),
    ] {
        assert_eq!(run(&mut safe(), code), text, "{code}");
    }
}

#[test]
fn refusals_can_be_handled() {
    let mut c = safe();
    for (code, text) in [
        (
            "(guard (e ((error-object? e) (error-object-message e))) (http-get 1 2))",
            "\"[sandbox:binding] 'http-get' requires (import (tein http))\"",
        ),
        (
            "(guard (e ((error-object? e) (list (error-object-message e) (error-object-irritants e)))) (eval '(import (tein http)) (interaction-environment)))",
            "(\"couldn't find import\" ((tein http)))",
        ),
    ] {
        // `import` is a form of the top level; inside an expression only `eval` can reach it.
        let _ = run(&mut c, "(import (scheme eval) (scheme repl))");
        assert_eq!(run(&mut c, code), text, "{code}");
    }
}

#[test]
fn each_set_admits_what_it_names() {
    let admitted = |modules: Modules, code: &str| {
        let mut c = Context::builder()
            .sandboxed(modules)
            .build()
            .expect("the engine boots");
        match c.evaluate(code) {
            Ok(_) => true,
            Err(e) => {
                assert_eq!(e.kind, Failure::Sandbox, "{code}: {e}");
                false
            }
        }
    };
    assert!(admitted(Modules::All, "(import (tein http))"));
    assert!(admitted(Modules::All, "(import (tein modules))"));
    assert!(!admitted(Modules::All, "(import (tein core))"));
    assert!(!admitted(Modules::None, "(import (scheme base))"));
    let only = || Modules::only(&["srfi/1", "harness/tool-file"]);
    assert!(admitted(only(), "(import (srfi 1))"));
    for other in [
        "(srfi 125)",
        "(srfi 11)",
        "(scheme base)",
        "(harness tool-file)",
    ] {
        assert!(!admitted(only(), &format!("(import {other})")), "{other}");
    }
}

#[test]
fn a_restricted_program_finds_nothing_that_it_may_not_import() {
    let mut c = Context::builder()
        .standard_env()
        .sandboxed(Modules::only(&["scheme/base"]))
        .build()
        .expect("the engine boots");
    assert_eq!(run(&mut c, "(car '(1))"), "1");
    assert_eq!(
        run(&mut c, "(display 1)"),
        "sandbox violation: 'display' requires (import (scheme write))"
    );
    let mut c = Context::builder()
        .standard_env()
        .sandboxed(Modules::None)
        .build()
        .expect("the engine boots");
    assert_eq!(
        run(&mut c, "(car 5)"),
        "sandbox violation: 'car' requires (import (scheme base))"
    );
}

#[test]
fn one_more_library_can_be_allowed() {
    let mut c = Context::builder()
        .tool_env()
        .sandboxed(Modules::Safe)
        .allow_module("tein/http")
        .allow_dynamic_modules()
        .build()
        .expect("the engine boots");
    assert_eq!(
        run(
            &mut c,
            "(import (tein http)) (http-get \"https://example.com/\" '())"
        ),
        "sandbox violation: http request blocked: URL not in allowlist: https://example.com/"
    );
    assert_eq!(
        run(
            &mut c,
            "(import (tein modules)) (register-module \"(define-library (a b))\")"
        ),
        "#t"
    );
}

#[test]
fn a_library_of_the_program_is_its_own_to_import() {
    let mut c = Context::builder()
        .standard_env()
        .sandboxed(Modules::only(&["scheme/base"]))
        .build()
        .expect("the engine boots");
    let code = "(define-library (my own) (export x) (import (scheme base)) (begin (define x 5))) (import (my own)) x";
    assert_eq!(run(&mut c, code), "5");
    // It may import no more than the program.
    let code =
        "(define-library (my way) (export parse) (import (rename (tein json) (json-parse parse))))";
    assert_eq!(
        run(&mut c, code),
        "sandbox violation: module import blocked: ((tein json)) (not available in this sandbox)"
    );
}

/// Spec 2.2 and 2.3: what a tool file finds, and what it has to import.
#[test]
fn the_prelude_is_there_and_no_more() {
    let mut c = safe();
    for (code, value) in [
        (
            "(list (inexact 1/2) (exact->inexact 1/4) (inexact->exact 0.5))",
            "(0.5 0.25 1/2)",
        ),
        ("(filter odd? '(1 2 3))", "(1 3)"),
        ("(sort '(3 1 2) <)", "(1 2 3)"),
        ("(list-sort < '(3 1 2))", "(1 2 3)"),
        ("(string-join '(\"a\" \"b\") \",\")", "\"a,b\""),
        ("(string-split \"a,b\" \",\")", "(\"a\" \"b\")"),
        ("(string-trim \"  x \")", "\"x \""),
        ("(string-contains \"hello world\" \"world\")", "6"),
        ("(string-index \"hello\" #\\l)", "2"),
        ("(match '(1 2 3) ((a b c) (+ a b c)))", "6"),
        ("(random-integer 1)", "0"),
        (
            "(let ((h (make-hash-table equal?))) (hash-table-set! h 'a 1) (hash-table-ref h 'a))",
            "1",
        ),
        (
            "(let ((h (make-hash-table string=?))) (hash-table-set! h \"a\" 1) (hash-table-ref/default h \"b\" 2))",
            "2",
        ),
        (
            "(make-hash-table)",
            "scheme evaluation error: not enough args: (#<procedure make-hash-table 1+> 0)",
        ),
        ("(vector-count even? #(1 2 4))", "2"),
        (
            "(eq? (let () (import-check)) #t)",
            "scheme evaluation error: undefined variable: (import-check)",
        ),
        ("(regexp-matches? \"[0-9]+\" \"12\")", "#t"),
        ("(json-stringify '((\"a\" . 1)))", "\"{\\\"a\\\":1}\""),
        ("(describe '())", "\"\""),
        ("(procedure-arity car)", "(1 . 1)"),
        ("(get-environment-variable \"NO_SUCH\")", "#f"),
        ("(list? (get-environment-variables))", "#t"),
        ("(command-line)", "(\"tein\" \"--sandbox\")"),
        ("%context-name%", "\"\""),
        ("(string? (generate-id))", "#t"),
        ("(string-length (current-timestamp))", "14"),
        ("(length hooks-docs)", "34"),
        ("(pair? harness-tools-docs)", "#t"),
        ("(procedure? register-hook)", "#t"),
        // A tool's own definition of a name of the prelude wins, silently.
        (
            "(define (string-split s c) 'mine) (string-split 1 2)",
            "mine",
        ),
        (
            "(import (srfi 130)) (import (scheme base)) (string-split \"a b\" \" \")",
            "(\"a\" \"b\")",
        ),
        (
            "(caddr '(1 2 3))",
            "scheme evaluation error: undefined variable: (caddr)",
        ),
        (
            "(sha256 \"\")",
            "scheme evaluation error: undefined variable: (sha256)",
        ),
        (
            "(make-uuid)",
            "scheme evaluation error: undefined variable: (make-uuid)",
        ),
        (
            "(toml-parse \"\")",
            "scheme evaluation error: undefined variable: (toml-parse)",
        ),
        (
            "(exit 3)",
            "scheme evaluation error: undefined variable: (exit)",
        ),
    ] {
        assert_eq!(run(&mut c, code), value, "{code}");
    }
}

/// Spec 2.2: of two libraries with a name in common the later one's is meant.
#[test]
fn the_later_library_of_the_prelude_wins() {
    let mut c = safe();
    let _ = run(
        &mut c,
        "(import (prefix (srfi 125) h:) (prefix (srfi 128) c:) (prefix (scheme base) b:) (prefix (srfi 133) v:))",
    );
    for pair in [
        "make-hash-table h:make-hash-table",
        "hash-table-ref h:hash-table-ref",
        "hash-table-fold h:hash-table-fold",
        "string-hash c:string-hash",
        "string-ci-hash c:string-ci-hash",
        "vector-copy b:vector-copy",
        "vector-map v:vector-map",
        "assoc b:assoc",
        "member b:member",
    ] {
        assert_eq!(run(&mut c, &format!("(eq? {pair})")), "#t", "{pair}");
    }
}

#[test]
fn the_body_of_a_registered_library_runs_once() {
    let mut c = Context::builder()
        .standard_env()
        .build()
        .expect("the engine boots");
    let code = r#"
        (import (tein modules))
        (register-module
          "(define-library (my body) (export x) (import (scheme base) (scheme write))
             (begin (define x 1) (display \"body \")))")
        (import (my body))
        (display x)"#;
    c.evaluate(code).expect("it runs");
    assert_eq!(c.take_output()[0].0, "body 1");
}
