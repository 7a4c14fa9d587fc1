//! What a file says about itself, and what is wrong with it.

use super::*;

/// A file in the convention format, with some lines replaced or added.
fn convention(changes: &[(&str, &str)]) -> String {
    let mut lines = vec![
        ("tool-name", "(define tool-name \"greet\")"),
        ("tool-description", "(define tool-description \"Greets\")"),
        (
            "tool-parameters",
            "(define tool-parameters '((who (type . \"string\"))))",
        ),
        ("tool-execute", "(define (tool-execute args) \"hi\")"),
    ];
    for (name, line) in changes {
        match lines.iter_mut().find(|(n, _)| n == name) {
            Some(found) => found.1 = line,
            None => lines.push((name, line)),
        }
    }
    lines.iter().map(|(_, l)| format!("{l}\n")).collect()
}

fn one(source: &str) -> Tool {
    let mut tools = loaded(source).manifest.tools;
    assert_eq!(tools.len(), 1, "{source}");
    tools.remove(0)
}

#[test]
fn a_file_can_be_one_tool() {
    let manifest = loaded(&convention(&[])).manifest;
    assert_eq!(
        manifest,
        Manifest {
            tools: vec![Tool {
                name: "greet".to_owned(),
                description: "Greets".to_owned(),
                parameters:
                    r#"{"properties":{"who":{"type":"string"}},"required":["who"],"type":"object"}"#
                        .to_owned(),
                category: "synthesised".to_owned(),
                summary_params: Vec::new(),
            }],
            ..Manifest::default()
        }
    );
    let full = convention(&[
        ("tool-category", "(define tool-category \"network\")"),
        (
            "tool-summary-params",
            "(define tool-summary-params '(\"who\"))",
        ),
        (
            "tool-http-allow",
            "(define tool-http-allow '(\"https://a.example/\"))",
        ),
    ]);
    let loaded = loaded(&full);
    assert_eq!(loaded.manifest.tools[0].category, "network");
    assert_eq!(loaded.manifest.tools[0].summary_params, ["who"]);
    assert_eq!(loaded.manifest.http_allow, ["https://a.example/"]);
    assert_eq!(warnings(&loaded.manifest), [""; 0]);
    assert!(
        loaded.steps_used > 0 && loaded.steps_used < 100_000,
        "{}",
        loaded.steps_used
    );
}

#[test]
fn the_first_thing_that_is_wrong_with_a_single_tool_is_told() {
    let undefined = |name| {
        (
            format!("missing {name}: scheme evaluation error: undefined variable: ({name})"),
            (1, 1),
        )
    };
    for (name, line, (message, at)) in [
        ("tool-name", "", undefined("tool-name")),
        ("tool-description", "", undefined("tool-description")),
        ("tool-parameters", "", undefined("tool-parameters")),
        ("tool-execute", "", undefined("tool-execute")),
        (
            "tool-name",
            "(define tool-name 'greet)",
            ("tool-name is not a string".to_owned(), (1, 1)),
        ),
        (
            "tool-description",
            "; (define tool-description)\n  (define tool-description 5)",
            ("tool-description is not a string".to_owned(), (3, 3)),
        ),
        (
            "tool-execute",
            "(define tool-execute \"f\")",
            ("tool-execute is not a procedure".to_owned(), (4, 1)),
        ),
        (
            "tool-parameters",
            "(define tool-parameters 5)",
            ("tool-parameters must be a list, got: 5".to_owned(), (3, 1)),
        ),
        (
            "tool-parameters",
            "(define tool-parameters '((x . \"string\")))",
            (
                "tool-parameters entry must be a non-empty list, got: (x . \"string\")".to_owned(),
                (3, 1),
            ),
        ),
        (
            "tool-parameters",
            "(define tool-parameters '((\"a\") (#\\b)))",
            (
                "parameter name must be symbol or string, got: #\\b".to_owned(),
                (3, 1),
            ),
        ),
    ] {
        let found = load_error(&convention(&[(name, line)]));
        assert_eq!(found.message, message);
        assert_eq!(found.kind, ProblemKind::Manifest);
        assert_eq!(found.file, "/tools/shared/test.scm");
        assert_eq!(found.at.map(|p| (p.line, p.column)), Some(at), "{message}");
    }
    // In this order.
    assert!(load_error("").message.starts_with("missing tool-name"));
    let name_only = "(define tool-name \"x\") (define tool-execute 5)";
    assert!(
        load_error(name_only)
            .message
            .starts_with("missing tool-description")
    );
}

#[test]
fn a_file_can_define_several_tools() {
    let manifest = loaded(
        r#"
(define-tool first
  (description "One")
  (parameters '((a (type . "string"))))
  (execute (lambda (args) 1)))
(when #t
  (define-tool second
    (execute (lambda (args) 2))
    (category "fs_read")
    (parameters '((p) (q)))
    (summary-params ("p" "q"))
    (description (string-append "T" "wo"))))
(set! %tool-registry%
  (cons (list "third" "Three" '() (lambda (args) 3)) %tool-registry%))
(set! %tool-registry%
  (cons (list "fourth" "Four" '() (lambda (args) 4) "shell") %tool-registry%))
"#,
    )
    .manifest;
    let told: Vec<String> = manifest
        .tools
        .iter()
        .map(|t| {
            format!(
                "{} {} {} {:?}",
                t.name, t.description, t.category, t.summary_params
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "first One synthesised []",
            "second Two fs_read [\"p\", \"q\"]",
            "third Three synthesised []",
            "fourth Four shell []",
        ]
    );
    assert_eq!(warnings(&manifest), [""; 0]);
}

#[test]
fn summary_parameters_are_quoted_or_not() {
    for list in ["'(\"a\" \"b\")", "(\"a\" \"b\")", "(list \"a\" \"b\")"] {
        let source = format!(
            "(define-tool t (description \"d\") (summary-params {list}) (parameters '((a) (b))) (execute list))"
        );
        assert_eq!(one(&source).summary_params, ["a", "b"], "{list}");
    }
}

#[test]
fn a_wrong_entry_fails_the_file() {
    let entry = |e: &str| {
        format!(
            "(define-tool ok (description \"d\") (parameters '()) (execute list))\n(set! %tool-registry% (cons {e} %tool-registry%))"
        )
    };
    for (source, message, at) in [
        (
            entry("5"),
            "define-tool entry has unexpected shape: 5",
            None,
        ),
        (
            entry("'(\"a\" \"b\" ())"),
            "define-tool entry has unexpected shape: (\"a\" \"b\" ())",
            None,
        ),
        (
            entry("'(\"a\" \"b\" () c . d)"),
            "define-tool entry has unexpected shape: (\"a\" . (\"b\" . (() . (c . d))))",
            None,
        ),
        (
            entry("(list 'a \"b\" '() list)"),
            "define-tool: name not a string",
            None,
        ),
        (
            entry("(list \"a\" 'b '() list)"),
            "define-tool: description not a string",
            None,
        ),
        (
            entry("(list \"a\" \"b\" '(()) list)"),
            "tool-parameters entry must be a non-empty list, got: ()",
            None,
        ),
        (
            entry("(list \"a\" \"b\" '() 5)"),
            "define-tool a: execute is not a procedure",
            None,
        ),
        (
            entry("(list \"a b\" \"b\" '() list)"),
            "define-tool: name \"a b\" contains invalid characters (whitespace or parens)",
            None,
        ),
        (
            entry("(list \"a)\" \"b\" '() list)"),
            "define-tool: name \"a)\" contains invalid characters (whitespace or parens)",
            None,
        ),
        (
            "\n (define-tool x (description 5) (parameters '()) (execute list))".to_owned(),
            "define-tool: description not a string",
            Some((2, 2)),
        ),
        (
            "(define-tool x (description \"d\") (parameters '()) (execute 'list))".to_owned(),
            "define-tool x: execute is not a procedure",
            Some((1, 1)),
        ),
    ] {
        let found = load_error(&source);
        assert_eq!(found.message, message);
        assert_eq!(found.kind, ProblemKind::Manifest);
        assert_eq!(found.at.map(|p| (p.line, p.column)), at, "{message}");
    }
}

#[test]
fn a_wrong_clause_is_named() {
    for (clauses, part) in [
        (
            "(description \"d\") (parameters '())",
            "define-tool x: clause execute is missing",
        ),
        (
            "(parameters '()) (execute list)",
            "define-tool x: clause description is missing",
        ),
        (
            "(description \"d\") (execute list)",
            "define-tool x: clause parameters is missing",
        ),
        (
            "(description \"d\") (description \"e\") (parameters '()) (execute list)",
            "define-tool x: clause description occurs twice",
        ),
        (
            "(description \"d\") (params '()) (execute list)",
            "define-tool x: unknown clause; the clauses are description, parameters, execute, category, summary-params",
        ),
        (
            "(description \"d\" \"e\") (parameters '()) (execute list)",
            "define-tool x: clause description takes one value",
        ),
    ] {
        let found = load_error(&format!("(define y 1)\n(define-tool x {clauses})"));
        assert!(
            found
                .message
                .starts_with("tein init: scheme evaluation error: "),
            "{found:?}"
        );
        assert!(found.message.contains(part), "{found:?}");
        assert_eq!(found.kind, ProblemKind::Syntax);
        assert_eq!(found.at.map(|p| p.line), Some(2), "{found:?}");
    }
}

#[test]
fn of_two_definitions_the_last_counts_where_the_first_stood() {
    let source = r#"
(define-tool a (description "old") (parameters '()) (execute (lambda (args) "old")))
(define-tool b (description "b") (parameters '()) (execute (lambda (args) "b")))
(define-tool a (description "new") (parameters '()) (execute (lambda (args) "new")))
"#;
    let loaded = loaded(source);
    let told: Vec<_> = loaded
        .manifest
        .tools
        .iter()
        .map(|t| (t.name.as_str(), t.description.as_str()))
        .collect();
    assert_eq!(told, [("a", "new"), ("b", "b")]);
    assert_eq!(
        warnings(&loaded.manifest),
        ["4:1: tool `a` is defined more than once, the last one counts"]
    );
    assert_eq!(fresh(&loaded.image, "a", "{}", &settings()).result, "new");
}

#[test]
fn the_registry_goes_before_the_convention() {
    let source = convention(&[(
        "more",
        "(define-tool other (description \"o\") (parameters '()) (execute (lambda (args) \"other\")))",
    )]);
    let loaded = loaded(&source);
    assert_eq!(loaded.manifest.tools[0].name, "other");
    assert_eq!(
        warnings(&loaded.manifest),
        [
            "1:1: tool-name is ignored: this file defines its tools with define-tool",
            "2:1: tool-description is ignored: this file defines its tools with define-tool",
            "3:1: tool-parameters is ignored: this file defines its tools with define-tool",
            "4:1: tool-execute is ignored: this file defines its tools with define-tool",
        ]
    );
    // Neither an empty registry nor one that is not a list is one.
    for registry in ["'()", "5", "'(a . b)"] {
        let source = convention(&[("r", &format!("(set! %tool-registry% {registry})"))]);
        assert_eq!(one(&source).name, "greet", "{registry}");
    }
}

#[test]
fn an_author_is_told_what_to_look_at() {
    let known =
        "the categories are memory, fs_read, fs_write, shell, network, index, flow, vfs, eval";
    for (line, category, expected) in [
        ("(define tool-category \"synthesised\")", "synthesised", vec![]),
        ("(define tool-category #f)", "synthesised", vec![]),
        (
            "(define tool-category \"plugin\")",
            "synthesised",
            vec![format!("5:1: tool `greet`: unknown category `plugin`, taken as synthesised; {known}")],
        ),
        (
            "(define tool-category \"mcp\")",
            "synthesised",
            vec![format!("5:1: tool `greet`: unknown category `mcp`, taken as synthesised; {known}")],
        ),
        (
            "(define tool-category 'network)",
            "synthesised",
            vec![format!("5:1: tool `greet`: a category is a string, not network, taken as synthesised; {known}")],
        ),
        (
            "(define tool-summary-params '(\"who\" \"what\" 5))",
            "synthesised",
            vec![
                "5:1: tool `greet`: summary-params is a list of strings; 5 is left out".to_owned(),
                "5:1: tool `greet`: summary parameter `what` names no parameter".to_owned(),
            ],
        ),
        (
            "(define tool-summary-params \"who\")",
            "synthesised",
            vec!["5:1: tool `greet`: summary-params is a list of strings, not \"who\"; it is ignored".to_owned()],
        ),
        (
            "(define tool-http-allow \"https://a.example/\")",
            "synthesised",
            vec!["5:1: tool-http-allow is a list of strings, not \"https://a.example/\"; it is ignored".to_owned()],
        ),
        (
            "(register-hook 'pre_tol list)",
            "synthesised",
            vec!["unknown hook `pre_tol` is ignored".to_owned()],
        ),
        (
            "(register-hook 'pre_tool 5)",
            "synthesised",
            vec!["hook `pre_tool` is ignored: its handler is not a procedure but 5".to_owned()],
        ),
        (
            "(set! %hook-registry% '(5))",
            "synthesised",
            vec!["hook entry has unexpected shape and is ignored: 5".to_owned()],
        ),
    ] {
        let manifest = loaded(&convention(&[("more", line)])).manifest;
        assert_eq!(manifest.tools[0].category, category, "{line}");
        assert_eq!(warnings(&manifest), expected, "{line}");
    }
    let parameters = convention(&[(
        "tool-parameters",
        "(define tool-parameters '((x (type . text))))",
    )]);
    assert_eq!(
        warnings(&loaded(&parameters).manifest),
        ["3:1: tool `greet`: parameter `x`: type is a string, not the symbol text; it is left out"]
    );
    for (name, fits) in [
        ("a-B_9", true),
        ("", false),
        ("a b", false),
        ("caf\u{e9}", false),
        (&"x".repeat(65), false),
    ] {
        let line = format!("(define tool-name \"{name}\")");
        let manifest = loaded(&convention(&[("tool-name", &line)])).manifest;
        let expected = format!(
            "1:1: tool name `{name}` is not 1 to 64 letters, digits, `_` and `-`: some clients do not take it"
        );
        assert_eq!(
            warnings(&manifest),
            if fits { vec![] } else { vec![expected] }
        );
    }
}

#[test]
fn hooks_are_named_once_each_in_order() {
    let source = convention(&[(
        "hooks",
        "(import (harness hooks)) (register-hook 'pre_tool list) (register-hook 'on_end list) (register-hook 'pre_tool cons)",
    )]);
    assert_eq!(loaded(&source).manifest.hooks, ["pre_tool", "on_end"]);
}

#[test]
fn a_file_that_does_not_load_says_why_and_where() {
    for (source, kind, message, at) in [
        ("(define x\n", ProblemKind::Read, None, (1, 1)),
        (
            "\n(car 42)",
            ProblemKind::Evaluation,
            Some("tein init: scheme evaluation error: car: not a pair: (42)"),
            (2, 1),
        ),
        (
            "(define (f)\n  (missing))\n(f)",
            ProblemKind::Evaluation,
            Some("tein init: scheme evaluation error: undefined variable: (missing)"),
            (2, 3),
        ),
        (
            "(if)",
            ProblemKind::Syntax,
            Some("tein init: scheme evaluation error: not enough args to if: ((if))"),
            (1, 1),
        ),
        (
            "(define x 1)\n(import (tein file-system))",
            ProblemKind::Sandbox,
            Some(
                "tein init: sandbox violation: module import blocked: ((tein file-system)) (not available in this sandbox)",
            ),
            (2, 1),
        ),
        (
            "(import (tein http))\n(http-get \"https://demo.broker.example.evil/\" '())",
            ProblemKind::Sandbox,
            Some(
                "tein init: sandbox violation: http request blocked: URL not in allowlist: https://demo.broker.example.evil/ (no request is sent while a file loads: make it in the handler)",
            ),
            (2, 1),
        ),
    ] {
        let found = load_error(source);
        assert_eq!(found.kind, kind, "{found:?}");
        if let Some(message) = message {
            assert_eq!(found.message, message);
        }
        assert_eq!(found.file, "/tools/shared/test.scm");
        assert_eq!(found.at.map(|p| (p.line, p.column)), Some(at), "{found:?}");
    }
}

#[test]
fn http_can_be_imported_only_where_it_was_granted() {
    let source = convention(&[(
        "tool-name",
        "(import (tein http))\n(define tool-name \"greet\")",
    )]);
    assert!(load_with(&source, &settings()).is_ok());
    let mut without = settings();
    without.capabilities.http = false;
    let found = load_with(&source, &without).unwrap_err();
    assert_eq!(
        found.message,
        "tein init: sandbox violation: module import blocked: ((tein http)) (not available in this sandbox)"
    );
    // Without module restriction it is there, and the world behind it is what refuses.
    without.unrestricted = true;
    assert!(load_with(&source, &without).is_ok());
}

#[test]
fn the_whole_load_has_one_budget() {
    for source in [
        "(define x 1)\n(let loop () (loop))",
        "(let loop () (loop))",
        "(define (f n) (if (= n 0) 0 (f (- n 1))))\n(f 2000000)\n(f 2000000)\n(f 2000000)\n(f 2000000)\n(f 2000000)",
    ] {
        let found = load_error(source);
        assert_eq!(
            (found.kind, found.message.as_str()),
            (ProblemKind::Steps, "tein init: step limit exceeded")
        );
    }
    let mut free = settings();
    free.steps = None;
    let source = convention(&[(
        "work",
        "(let loop ((i 0)) (if (< i 4000000) (loop (+ i 1))))",
    )]);
    assert!(load_with(&source, &free).unwrap().steps_used > 4_000_000);
}

#[test]
fn an_instance_loads_one_file() {
    let source = convention(&[]);
    assert!(load_with(&source, &settings()).is_ok());
    let found = load(&source, &settings(), Box::new(Memory)).unwrap_err();
    assert_eq!(found.kind, ProblemKind::Host);
}
