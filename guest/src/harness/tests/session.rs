//! Evaluating text, values that go on to another tool, and hooks.

use super::*;

fn evaluated(source: &str) -> Evaluation {
    evaluate(source, "chat", &settings(), Box::new(Memory)).unwrap()
}

#[test]
fn a_text_gives_its_last_value_in_written_form() {
    for (source, expected) in [
        ("(+ 1 2)", Some("3")),
        ("1 2 \"a\\n\"", Some("\"a\\n\"")),
        ("'|hello world|", Some("|hello world|")),
        ("(values 1 2 3)", Some("((values) 1 2 3)")),
        (
            "(list 1.5 'a \"b\\n\" #\\c #t '())",
            Some("(1.5 a \"b\\n\" #\\c #t ())"),
        ),
        ("#f", Some("#f")),
        ("", None),
        ("(if #f #f)", None),
        ("(define x 1)", None),
        ("(import (scheme lazy))", None),
        ("%context-name%", Some("\"chat\"")),
    ] {
        initialize();
        let found = evaluated(source);
        assert_eq!(found.failure, None, "{source}");
        assert_eq!(found.value.as_deref(), expected, "{source}");
    }
}

#[test]
fn texts_follow_each_other_in_one_instance() {
    initialize();
    assert_eq!(evaluated("(define x 20)").value, None);
    let failed = evaluated("(set! x 21)\n  (car x)");
    let failure = failed.failure.unwrap();
    assert_eq!(
        failure.message,
        "scheme evaluation error: car: not a pair: (21)"
    );
    assert_eq!(failure.at, Some(Position { line: 2, column: 3 }));
    assert_eq!(evaluated("(display x) (* 2 x)").stdout, "21");
    assert_eq!(evaluated("(* 2 x)").value.as_deref(), Some("42"));
    let left = evaluated("(import (scheme process-context)) (exit 3) (set! x 0)");
    assert_eq!((left.exit, left.failure), (Some(3), None));
    assert_eq!(evaluated("x").value.as_deref(), Some("21"));
}

#[test]
fn each_text_has_its_own_steps() {
    initialize();
    let failure = evaluated("(let loop () (loop))").failure.unwrap();
    assert_eq!(failure.kind, ProblemKind::Steps);
    assert_eq!(evaluated("(+ 1 1)").value.as_deref(), Some("2"));
}

#[test]
fn a_text_is_complete_when_nothing_is_open() {
    initialize();
    for (source, complete) in [
        ("", true),
        ("(+ 1 2)", true),
        ("(+ 1", false),
        ("(+ 1 2) (", false),
        ("\"abc", false),
        ("\"a\\\"", false),
        ("'", false),
        ("#| a", false),
        ("|ab", false),
        ("; (", true),
        ("#\\(", true),
        (")", true),
        ("#;", false),
        ("#;(a)", true),
    ] {
        assert_eq!(is_complete(source, &settings()), Ok(complete), "{source}");
    }
}

fn value_of(body: &str) -> Outcome {
    let image = loaded(&tool(body)).image;
    initialize();
    let one = Call {
        image: Some(&image),
        tool: "t",
        arguments: "{}",
        context_name: "chat",
    };
    call(&one, Form::Datum, &settings(), Box::new(Memory)).unwrap()
}

#[test]
fn a_value_is_what_read_makes_it_again() {
    for (body, expected) in [
        ("\"a \\\"b\\\"\"", "\"a \\\"b\\\"\""),
        ("42", "42"),
        (
            "'(1 \"x\" |y z| #\\c 2.5 1/3)",
            "(1 \"x\" |y z| #\\c 2.5 1/3)",
        ),
        ("(vector 1 (bytevector 255))", "#(1 #u8(255))"),
        // What has no such form is its text.
        ("car", "\"#<procedure>\""),
        ("(list 1 car)", "\"(1 #<procedure>)\""),
        ("(if #f #f)", "\"#<unspecified>\""),
    ] {
        assert_eq!(value_of(body).result, expected, "{body}");
    }
    let failed = value_of("(error \"boom\" 1)");
    assert_eq!(
        failed.failure.unwrap().message,
        "scheme evaluation error: boom: (1)"
    );
    let large = value_of("(make-string 300000 #\\a)");
    assert!(large.failure.unwrap().message.contains("output limit"));
}

#[test]
fn call_tool_value_gives_data_and_raises_errors() {
    for (body, expected) in [
        (
            "(call-tool/value \"list\" '())",
            "(1 \"two\" three #\\4 (5.0 . 1/2))",
        ),
        ("(+ 1 (car (call-tool/value \"list\" '())))", "2"),
        (
            "(guard (e (#t (error-object-message e))) (call-tool/value \"other\" '()))",
            "tool error: other failed",
        ),
        (
            "(guard (e (#t (error-object-message e))) (call-tool/value \"broken\" '()))",
            "call-tool/value: the value cannot be read",
        ),
    ] {
        assert_eq!(outcome_of(body, "{}").result, expected, "{body}");
    }
}

fn hook_of(registrations: &str, hook: &str, payload: &str) -> Result<Outcome, Problem> {
    let image = loaded(&format!("{registrations}\n{}", tool("1"))).image;
    initialize();
    run_hook(Some(&image), hook, payload, &settings(), Box::new(Memory))
}

#[test]
fn a_hook_answers_in_json_or_not_at_all() {
    for (handler, expected) in [
        (
            "(lambda (p) (list (cons 'block #t) (cons 'message (cdr (assoc \"tool_name\" p)))))",
            r#"{"block":true,"message":"x"}"#,
        ),
        (
            "(lambda (p) '((\"exclude\" . (\"a\" \"b\"))))",
            r#"{"exclude":["a","b"]}"#,
        ),
        ("(lambda (p) '())", ""),
        ("(lambda (p) #f)", ""),
        ("(lambda (p) (display p))", ""),
        ("(lambda (p) 42)", "42"),
    ] {
        let source = format!("(register-hook 'pre_tool {handler})");
        let found = hook_of(&source, "pre_tool", r#"{"tool_name":"x"}"#).unwrap();
        assert_eq!(found.result, expected, "{handler}");
        assert_eq!(found.failure, None, "{handler}");
    }
}

#[test]
fn a_hook_can_fail_and_the_newest_handler_counts() {
    let twice = "(register-hook 'pre_tool (lambda (p) 1)) (register-hook 'pre_tool (lambda (p) 2))";
    assert_eq!(hook_of(twice, "pre_tool", "{}").unwrap().result, "2");
    let failing = "(register-hook 'pre_tool (lambda (p) (car p)))";
    let found = hook_of(failing, "pre_tool", "{}").unwrap();
    assert_eq!(
        found.failure.unwrap().message,
        "scheme evaluation error: car: not a pair: (())"
    );
    let procedure = "(register-hook 'pre_tool (lambda (p) car))";
    let found = hook_of(procedure, "pre_tool", "{}").unwrap();
    assert!(found.failure.is_some(), "{found:?}");
    let missing = hook_of("", "pre_tool", "{}").unwrap_err();
    assert_eq!(missing.kind, ProblemKind::Host);
    let endless = "(register-hook 'pre_tool (lambda (p) (let loop () (loop))))";
    let found = hook_of(endless, "pre_tool", "{}").unwrap();
    assert_eq!(found.failure.unwrap().kind, ProblemKind::Steps);
}

#[test]
fn arguments_of_other_tools_are_the_objects_that_json_stringify_makes() {
    for (arguments, expected) in [
        ("'()", "{}"),
        ("'((\"path\" . \"x\") (\"n\" . 3))", r#"{"path":"x","n":3}"#),
        (
            "'((a . sym) (b . null) (c . #t))",
            r#"{"a":"sym","b":null,"c":true}"#,
        ),
        (
            "'((\"tags\" . (\"a\" \"b\")) (\"k\" . ()))",
            r#"{"tags":["a","b"],"k":[]}"#,
        ),
        ("'((\"tags\" . (\"a\")))", r#"{"tags":["a"]}"#),
        ("'((\"deep\" . ((\"x\" . 1.5))))", r#"{"deep":{"x":1.5}}"#),
        // A list of two is a name and a list of one, not a pair.
        ("'((\"a\" \"b\"))", r#"{"a":["b"]}"#),
    ] {
        let found = outcome_of(&format!("(call-tool \"other\" {arguments})"), "{}").result;
        let expected = format!("result: {expected}\nstdout: (empty)\nstderr: (empty)");
        assert_eq!(found, expected, "{arguments}");
    }
    for wrong in [
        "(list (cons 'a car))",
        "'((a . #\\c))",
        "'((a . 1/2))",
        "'(a . b)",
    ] {
        let outcome = outcome_of(&format!("(call-tool \"other\" {wrong})"), "{}");
        assert!(outcome.failure.is_some(), "{wrong}: {outcome:?}");
    }
    let outcome = outcome_of("(call-tool 'other '())", "{}");
    assert_eq!(
        outcome.result,
        "error: scheme evaluation error: call-tool: the name must be a string: (other)"
    );
}
