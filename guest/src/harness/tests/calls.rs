//! Arguments, results, output, limits.

use super::*;

#[test]
fn arguments_arrive_as_data() {
    for (json, expected) in [
        (r#"{"b":1,"a":"x"}"#, r#"(("a" . "x") ("b" . 1))"#),
        ("{}", "()"),
        (r#"{"l":["a","b"]}"#, r#"(("l" "a" "b"))"#),
        (r#"{"l":[]}"#, r#"(("l"))"#),
        (r#"{"o":{"k":{}}}"#, r#"(("o" ("k")))"#),
        (
            r#"{"s":"nul \u0000 and \ud83d\ude00"}"#,
            "((\"s\" . \"nul \\x0; and \u{1f600}\"))",
        ),
        (
            r#"{"n":9223372036854775807,"m":-9223372036854775808}"#,
            r#"(("m" . -9223372036854775808) ("n" . 9223372036854775807))"#,
        ),
        (
            r#"{"f":1.0,"g":1e3,"h":9223372036854775808}"#,
            r#"(("f" . 1.0) ("g" . 1000.0) ("h" . 9.223372036854776e+18))"#,
        ),
        (r#"{"t":true,"f":false}"#, r#"(("f" . #f) ("t" . #t))"#),
        (r#"{"n":null}"#, r#"(("n" . null))"#),
        (r#"{"k":1,"k":2}"#, r#"(("k" . 2))"#),
    ] {
        assert_eq!(outcome_of("args", json).result, expected, "{json}");
    }
}

#[test]
fn arguments_come_back_as_they_were() {
    for json in [
        r#"{"a":"x","b":1}"#,
        r#"{"l":["a","b",1.5,true,null]}"#,
        r#"{"o":{"k":{"deep":[[1],[2]]}}}"#,
        r#"{"n":9007199254740993}"#,
    ] {
        assert_eq!(outcome_of("(json-stringify args)", json).result, json);
    }
    assert_eq!(
        outcome_of("(symbol? (cdr (assoc \"n\" args)))", r#"{"n":null}"#).result,
        "#t"
    );
    assert_eq!(outcome_of("(assoc \"missing\" args)", "{}").result, "#f");
}

#[test]
fn arguments_that_are_not_json_are_the_hosts_error() {
    let image = loaded(&tool("args")).image;
    for json in [
        "",
        "{",
        "{'a':1}",
        "{} {}",
        &format!("{}{}", "[".repeat(200), "]".repeat(200)),
    ] {
        initialize();
        let found = enter_call(Some(&image), "t", json, &settings()).unwrap_err();
        assert_eq!(found.kind, ProblemKind::Host);
        assert!(found.message.starts_with("args conversion: "), "{found:?}");
    }
    // A tool that raises the same text has failed itself.
    let own = outcome_of("(error \"args conversion: no\")", "{}");
    assert_eq!(
        own.result,
        "error: scheme evaluation error: args conversion: no"
    );
}

#[test]
fn results_are_text() {
    for (body, expected) in [
        ("\"raw \\\"text\\\"\\n\"", "raw \"text\"\n"),
        ("\"\"", ""),
        ("42", "42"),
        ("3.0", "3.0"),
        ("0.1", "0.1"),
        ("1/2", "1/2"),
        ("(expt 2 100)", "1267650600228229401496703205376"),
        ("+inf.0", "+inf.0"),
        ("#t", "#t"),
        ("'()", "()"),
        ("'(1 \"a\" b #\\c)", "(1 \"a\" b #\\c)"),
        ("'(1 . 2)", "(1 . 2)"),
        ("(vector 1 \"x\")", "#(1 \"x\")"),
        ("(bytevector 1 255)", "#u8(1 255)"),
        ("(if #f #f)", "#<unspecified>"),
        ("car", "#<procedure>"),
        ("'|hello world|", "hello world"),
        ("''x", "(quote x)"),
    ] {
        let outcome = outcome_of(body, "{}");
        assert_eq!(outcome.result, expected, "{body}");
        assert_eq!(outcome.failure, None, "{body}");
    }
}

#[test]
fn errors_are_results_that_say_so() {
    for (body, kind, expected) in [
        (
            "(error \"boom\")",
            ProblemKind::Evaluation,
            "scheme evaluation error: boom",
        ),
        (
            "(error \"boom\" 1 \"two\" 'three)",
            ProblemKind::Evaluation,
            "scheme evaluation error: boom: (1 \"two\" three)",
        ),
        (
            "(raise 'foo)",
            ProblemKind::Evaluation,
            "scheme evaluation error: uncaught: foo",
        ),
        (
            "(raise (list 1 \"s\"))",
            ProblemKind::Evaluation,
            "scheme evaluation error: uncaught: (1 \"s\")",
        ),
        (
            "(guard (e ((string? e) e)) (raise 42))",
            ProblemKind::Evaluation,
            "scheme evaluation error: uncaught: 42",
        ),
        (
            "(cdr (assoc \"missing\" args))",
            ProblemKind::Evaluation,
            "scheme evaluation error: cdr: not a pair: (#f)",
        ),
        (
            "(vector-ref (vector 1 2) 5)",
            ProblemKind::Evaluation,
            "scheme evaluation error: vector-ref: index out of range: (#(1 2) 5)",
        ),
        (
            "(+ 1 \"a\")",
            ProblemKind::Evaluation,
            "scheme evaluation error: invalid type, expected Number: (\"a\")",
        ),
        (
            "(/ 1 0)",
            ProblemKind::Evaluation,
            "scheme evaluation error: divide by zero",
        ),
        (
            "(5 5)",
            ProblemKind::Evaluation,
            "scheme evaluation error: non procedure application: (5)",
        ),
        (
            "no-such-thing",
            ProblemKind::Evaluation,
            "scheme evaluation error: undefined variable: (no-such-thing)",
        ),
        (
            "(let loop () (loop))",
            ProblemKind::Steps,
            "step limit exceeded",
        ),
        (
            "(guard (e (#t 'caught)) (let loop () (loop)))",
            ProblemKind::Steps,
            "step limit exceeded",
        ),
        (
            "(let loop ((x '())) (loop (cons (make-vector 1000 0) x)))",
            ProblemKind::Memory,
            "memory limit exceeded",
        ),
        (
            "(call-tool \"nobody\" '())",
            ProblemKind::Evaluation,
            "scheme evaluation error: unknown tool: nobody",
        ),
    ] {
        let outcome = outcome_of(body, "{}");
        assert_eq!(outcome.result, format!("error: {expected}"), "{body}");
        let failure = outcome.failure.unwrap();
        assert_eq!(
            (failure.kind, failure.message.as_str()),
            (kind, expected),
            "{body}"
        );
    }
    let failure = outcome_of("(begin\n (error \"here\"))", "{}")
        .failure
        .unwrap();
    assert_eq!(failure.file, "/tools/shared/test.scm");
    assert_eq!(failure.at, Some(Position { line: 5, column: 2 }));
}

#[test]
fn deep_recursion_ends_in_a_limit() {
    let body = "(let deep ((n 0)) (+ 1 (deep (+ n 1))))";
    let failure = outcome_of(body, "{}").failure.unwrap();
    assert!(
        [
            "stack limit exceeded",
            "memory limit exceeded",
            "step limit exceeded"
        ]
        .contains(&failure.message.as_str()),
        "{failure:?}"
    );
}

#[test]
fn an_exit_is_a_result() {
    for (call, expected) in [
        ("(exit 7)", "#<exit 7>"),
        ("(exit)", "#<exit 0>"),
        ("(exit #f)", "#<exit 1>"),
    ] {
        let source = format!("(import (tein process))\n{}", tool(call));
        let image = loaded(&source).image;
        let outcome = fresh(&image, "t", "{}", &settings());
        assert_eq!((outcome.result.as_str(), outcome.failure), (expected, None));
    }
}

#[test]
fn an_exit_at_load_ends_the_file_there() {
    let source = format!(
        "{}(import (tein process))\n(exit 3)\n(define (tool-execute args) 'late)",
        tool("'early")
    );
    let loaded = loaded(&source);
    assert_eq!(
        warnings(&loaded.manifest),
        ["the file exits while it loads: what follows never runs"]
    );
    assert_eq!(fresh(&loaded.image, "t", "{}", &settings()).result, "early");
}

#[test]
fn output_is_captured_and_bounded() {
    let body =
        "(display \"out\") (write \"q\") (newline) (display \"err\" (current-error-port)) 'done";
    let outcome = outcome_of(body, "{}");
    assert_eq!(
        (
            outcome.result.as_str(),
            outcome.stdout.as_str(),
            outcome.stderr.as_str()
        ),
        ("done", "out\"q\"\n", "err")
    );

    // What was printed before an error is kept.
    let outcome = outcome_of("(display \"hi\") (error \"no\")", "{}");
    assert_eq!(
        (outcome.result.as_str(), outcome.stdout.as_str()),
        ("error: scheme evaluation error: no", "hi")
    );

    // What loading prints is no call's output.
    let source = format!("(display \"loading\")\n{}", tool("(display \"calling\")"));
    let image = loaded(&source).image;
    assert_eq!(fresh(&image, "t", "{}", &settings()).stdout, "calling");
    assert_eq!(again("t", "{}").stdout, "calling");

    let mut tight = settings();
    tight.output_limit = 10;
    let body = "(display (make-string 6 #\\\u{e9})) (display \"more\") (display \"abc\" (current-error-port)) (make-string 25 #\\x)";
    let image = loaded(&tool(body)).image;
    let outcome = fresh(&image, "t", "{}", &tight);
    let note = |dropped| format!("... [truncated: {dropped} bytes over the output limit of 10]");
    assert_eq!(outcome.result, format!("xxxxxxxxxx{}", note(15)));
    assert_eq!(outcome.stdout, format!("{}{}", "\u{e9}".repeat(5), note(6)));
    assert_eq!(outcome.stderr, "abc");
    let image = loaded(&tool("(error (make-string 100 #\\x))")).image;
    let outcome = fresh(&image, "t", "{}", &tight);
    assert!(
        outcome.result.starts_with("error: sch... [truncated: "),
        "{outcome:?}"
    );
    assert!(
        outcome
            .failure
            .unwrap()
            .message
            .starts_with("scheme eva... [truncated: ")
    );
}

#[test]
fn a_tool_sees_who_calls() {
    assert_eq!(outcome_of("%context-name%", "{}").result, "chat");
    let source = format!(
        "(define at-load %context-name%)\n{}",
        tool("(string-append at-load \"/\" %context-name%)")
    );
    let image = loaded(&source).image;
    let settings = settings();
    initialize();
    let mut one = Call {
        image: Some(&image),
        tool: "t",
        arguments: "{}",
        context_name: "a \"b\" \\ c\n",
    };
    let first = call(&one, Form::Text, &settings, Box::new(Memory)).unwrap();
    assert_eq!(first.result, "/a \"b\" \\ c\n");
    one.image = None;
    one.context_name = "other";
    assert_eq!(
        call(&one, Form::Text, &settings, Box::new(Memory))
            .unwrap()
            .result,
        "/other"
    );
}

#[test]
fn a_tool_that_is_not_there_is_the_hosts_error() {
    let several = "(define-tool a (description \"d\") (parameters '()) (execute list))\n(define (tool-execute args) 'by-chance)";
    let image = loaded(several).image;
    initialize();
    let found = enter_call(Some(&image), "b", "{}", &settings()).unwrap_err();
    assert_eq!(found.kind, ProblemKind::Host);
    assert_eq!(
        found.message,
        "resolve %tool-execute-b%: scheme evaluation error: undefined variable: (%tool-execute-b%)"
    );
    initialize();
    let found = enter_call(None, "b", "{}", &settings()).unwrap_err();
    assert_eq!(found.kind, ProblemKind::Host);
    for broken in [&b""[..], b"junk", &image[..image.len() / 2]] {
        initialize();
        let found = enter_call(Some(broken), "a", "{}", &settings()).unwrap_err();
        assert_eq!(found.kind, ProblemKind::Host, "{found:?}");
        assert!(found.message.starts_with("bad image: "), "{found:?}");
    }
}

#[test]
fn a_kept_instance_survives_errors_and_limits() {
    let source = format!(
        "(define count 0)\n{}",
        tool(
            "(set! count (+ count 1))
             (cond ((assoc \"do\" args) => (lambda (what)
                     (cond ((equal? (cdr what) \"loop\") (let loop () (loop)))
                           ((equal? (cdr what) \"fill\") (let loop ((x '())) (loop (cons (make-vector 1000 0) x))))
                           ((equal? (cdr what) \"deep\") (let deep ((n 0)) (+ 1 (deep (+ n 1)))))
                           (else (error \"asked to\")))))
                   (else count))"
        )
    );
    let image = loaded(&source).image;
    assert_eq!(fresh(&image, "t", "{}", &settings()).result, "1");
    for (i, what) in ["loop", "fill", "deep", "fail"].iter().enumerate() {
        let failed = again("t", &format!("{{\"do\":\"{what}\"}}"));
        assert!(failed.failure.is_some(), "{what}");
        let next = again("t", "{}");
        assert_eq!(
            (next.result.as_str(), next.failure),
            (format!("{}", 2 * i + 3).as_str(), None),
            "{what}"
        );
    }
    // Another instance knows nothing of it.
    assert_eq!(fresh(&image, "t", "{}", &settings()).result, "1");
}

#[test]
fn a_tool_may_replace_itself() {
    let image = loaded(&tool(
        "(set! tool-execute (lambda (args) \"second\")) (set! tool-name \"x\") \"first\"",
    ))
    .image;
    assert_eq!(fresh(&image, "t", "{}", &settings()).result, "first");
    assert_eq!(again("t", "{}").result, "second");
    let image = loaded(&tool("(set! tool-execute 5) \"first\"")).image;
    assert_eq!(fresh(&image, "t", "{}", &settings()).result, "first");
    assert_eq!(
        again("t", "{}").result,
        "error: scheme evaluation error: non procedure application: (5)"
    );
}

#[test]
fn the_image_and_the_handler_share_one_budget() {
    let work = |n: u32| format!("(let loop ((i 0)) (if (< i {n}) (loop (+ i 1))))");
    let source = format!(
        "{}\n{}",
        work(20_000),
        tool(&format!("{} 'done", work(20_000)))
    );
    let image = loaded(&source).image;
    let used = fresh(&image, "t", "{}", &settings()).steps_used;
    assert!(used >= 40_000, "{used}");
    let mut tight = settings();
    tight.steps = Some(used + 1_000);
    assert_eq!(fresh(&image, "t", "{}", &tight).result, "done");
    tight.steps = Some(used - 10_000);
    assert_eq!(
        fresh(&image, "t", "{}", &tight).result,
        "error: step limit exceeded"
    );
    tight.steps = Some(used / 4);
    assert_eq!(
        fresh(&image, "t", "{}", &tight).result,
        "error: tein init: step limit exceeded"
    );
    tight.steps = None;
    let free = fresh(&image, "t", "{}", &tight);
    assert_eq!((free.result.as_str(), free.steps_used), ("done", used));
}

#[test]
fn other_tools_are_called_through_the_host() {
    let outcome = outcome_of("(call-tool \"other\" '((\"a\" . 1)))", "{}");
    assert_eq!(
        outcome.result,
        "result: {\"a\":1}\nstdout: (empty)\nstderr: (empty)"
    );
    // A host that comes back into the same instance is refused.
    let outcome = outcome_of("(call-tool \"self\" '())", "{}");
    assert_eq!(
        outcome.result,
        "error: scheme evaluation error: call-tool: re-entrant call into the same tool file"
    );
    let body =
        "(guard (e ((error-object? e) (error-object-message e))) (call-tool \"nobody\" '()))";
    assert_eq!(outcome_of(body, "{}").result, "unknown tool: nobody");
}

/// A network tool with a variable and a refused URL.
#[test]
fn the_worked_example() {
    let source = r#"
(import (tein http))
(define-tool order_place
  (description "Places an order")
  (category "network")
  (summary-params '("ticker" "side"))
  (parameters '((ticker . ((type . "string") (description . "sym")))
                (side . ((type . "string")))
                (quantity . ((type . "number") (required . #f)))))
  (execute (lambda (args)
    (display "hi")
    (when (assoc "url" args)
      (http-get (cdr (assoc "url" args)) '()))
    (list (cdr (assoc "ticker" args))
          (get-environment-variable "BROKER_KEY")
          (get-environment-variable "BROKER_ENV")))))
"#;
    let loaded = loaded(source);
    let tool = &loaded.manifest.tools[0];
    assert_eq!(
        tool.parameters,
        r#"{"properties":{"quantity":{"type":"number"},"side":{"type":"string"},"ticker":{"description":"sym","type":"string"}},"required":["ticker","side"],"type":"object"}"#
    );
    assert_eq!(
        (
            tool.category.as_str(),
            tool.summary_params.join(" ").as_str()
        ),
        ("network", "ticker side")
    );
    for (arguments, expected) in [
        (
            r#"{"ticker":"AAPL","side":"buy","quantity":10}"#,
            "(\"AAPL\" \"k\" #f)",
        ),
        (
            "{}",
            "error: scheme evaluation error: cdr: not a pair: (#f)",
        ),
        (
            r#"{"ticker":"AAPL","url":"https://live.broker.example/x"}"#,
            "error: sandbox violation: http request blocked: URL not in allowlist: https://live.broker.example/x",
        ),
        (
            r#"{"ticker":"AAPL","url":"https://demo.broker.example/x"}"#,
            "(\"AAPL\" \"k\" #f)",
        ),
    ] {
        let outcome = fresh(&loaded.image, "order_place", arguments, &settings());
        assert_eq!(outcome.result, expected, "{arguments}");
        assert_eq!(
            (outcome.stdout.as_str(), outcome.stderr.as_str()),
            ("hi", "")
        );
    }
    let url = r#"{"ticker":"AAPL","url":"https://live.broker.example/x"}"#;
    let failure = fresh(&loaded.image, "order_place", url, &settings())
        .failure
        .unwrap();
    assert_eq!(failure.kind, ProblemKind::Sandbox);
}
