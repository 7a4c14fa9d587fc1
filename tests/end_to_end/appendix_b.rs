//! The worked example of the behaviour that holm keeps: one tool, its declaration, its calls,
//! and the texts that come back, byte for byte.

use serde_json::json;

use crate::project::{Project, Run};

const SOURCE: &str = r#"(import (tein http))

(define-tool t212_place
  (description "Places an order")
  (category "network")
  (summary-params '("ticker" "side"))
  (parameters
    '((ticker . ((type . "string") (description . "sym")))
      (side . ((type . "string")))
      (quantity . ((type . "number") (required . #f)))))
  (execute
    (lambda (args)
      (display "hi")
      (if (assoc "elsewhere" args)
          (http-get "https://live.trading212.com/x" '())
          (list (cdr (assoc "ticker" args))
                (get-environment-variable "T212_KEY")
                (get-environment-variable "T212_ENV"))))))

(define-tool t212_echo
  (description "Says what it got")
  (parameters '())
  (execute (lambda (args) args)))
"#;

fn project() -> Project {
    let mut project = Project::with_config(
        "[tools.http.allow]\n\"/tools/shared/t212.scm\" = [\"https://demo.trading212.com/\"]\n\
         [tools.env]\n\"/tools/shared/t212.scm\" = [\"T212_KEY\", \"T212_ENV\"]\n",
    );
    project.write("tools/t212.scm", SOURCE);
    project.set("T212_KEY", "k");
    project
}

fn place(project: &Project, arguments: &str) -> Run {
    project.holm(&["call", "t212_place", arguments, "--yes"])
}

#[test]
fn the_declaration() {
    let list = project().holm(&["list", "--json"]).exits(0).json();
    assert_eq!(
        list["tools"][0]["parameters"].to_string(),
        r#"{"properties":{"quantity":{"type":"number"},"side":{"type":"string"},"ticker":{"description":"sym","type":"string"}},"required":["ticker","side"],"type":"object"}"#
    );
    assert_eq!(list["tools"][0]["category"], "network");
    assert_eq!(
        list["tools"][0]["summary_params"],
        json!(["ticker", "side"])
    );
    assert_eq!(list["tools"][1]["category"], "synthesised");
    assert_eq!(list["tools"][1]["summary_params"], json!([]));
}

#[test]
fn the_calls() {
    let project = project();
    place(&project, r#"{"ticker":"AAPL","side":"buy","quantity":10}"#)
        .exits(0)
        .prints("result: (\"AAPL\" \"k\" #f)\nstdout: hi\nstderr: (empty)\n");
    project
        .holm(&["call", "t212_echo", r#"{"ticker":"AAPL","side":"buy","quantity":10}"#])
        .exits(0)
        .prints("result: ((\"quantity\" . 10) (\"side\" . \"buy\") (\"ticker\" . \"AAPL\"))\nstdout: (empty)\nstderr: (empty)\n");
    project
        .holm(&["call", "t212_place", r#"{"ticker":"AAPL","side":"buy"}"#])
        .exits(3)
        .prints("Permission denied: permission denied\n");
    place(&project, r#"{"elsewhere":true}"#)
        .exits(1)
        .prints("result: error: sandbox violation: http request blocked: URL not in allowlist: https://live.trading212.com/x\nstdout: hi\nstderr: (empty)\n");
    place(&project, "{}").exits(1).prints(
        "result: error: scheme evaluation error: cdr: not a pair: (#f)\nstdout: hi\nstderr: (empty)\n",
    );
}

/// The question of the summary, on a terminal.
#[cfg(target_os = "linux")]
#[test]
fn the_question() {
    let command = crate::terminal::holm(&[
        "call",
        "t212_place",
        r#"{"ticker":"AAPL","side":"buy","quantity":10}"#,
    ]);
    let steps = [("[t212_place] AAPL buy [Y/n] ", "n\n")];
    let shown = crate::terminal::on_terminal(&project(), &command, &steps);
    assert_eq!(shown.code, 3, "{shown:?}");
}

/// What each JSON value is to a tool, and that it comes back as it was.
#[test]
fn arguments_of_every_shape() {
    let project = Project::with_config("");
    project.write(
        "tools/shapes.scm",
        r#"(define-tool see (description "d") (parameters '()) (execute (lambda (args) args)))
(define-tool back (description "d") (parameters '())
  (execute (lambda (args) (json-stringify (cdr (assoc "v" args))))))
"#,
    );
    for (argument, seen, back) in [
        (
            r#"{"b":1,"a":2}"#,
            r#"(("v" ("a" . 2) ("b" . 1)))"#,
            r#"{"a":2,"b":1}"#,
        ),
        ("{}", r#"(("v"))"#, "[]"),
        (
            r#"["x",[1],[]]"#,
            r#"(("v" "x" (1) ()))"#,
            r#"["x",[1],[]]"#,
        ),
        (
            r#""é\n\"\u0000""#,
            "((\"v\" . \"é\\n\\\"\\x0;\"))",
            r#""é\n\"\u0000""#,
        ),
        (
            "9223372036854775807",
            r#"(("v" . 9223372036854775807))"#,
            "9223372036854775807",
        ),
        (
            "-9223372036854775808",
            r#"(("v" . -9223372036854775808))"#,
            "-9223372036854775808",
        ),
        (
            "9223372036854775808",
            r#"(("v" . 9.223372036854776e+18))"#,
            "9.223372036854776e+18",
        ),
        ("1.0", r#"(("v" . 1.0))"#, "1.0"),
        ("1e2", r#"(("v" . 100.0))"#, "100.0"),
        ("true", r#"(("v" . #t))"#, "true"),
        ("false", r#"(("v" . #f))"#, "false"),
        ("null", r#"(("v" . null))"#, "null"),
    ] {
        let arguments = format!(r#"{{"v":{argument}}}"#);
        let run = project
            .holm(&["call", "see", &arguments, "--json"])
            .exits(0);
        assert_eq!(run.json()["result"], seen, "{argument}");
        let run = project
            .holm(&["call", "back", &arguments, "--json"])
            .exits(0);
        assert_eq!(run.json()["result"], back, "{argument}");
    }
    let run = project.holm(&["call", "see", "{}", "--json"]).exits(0);
    assert_eq!(run.json()["result"], "()");
    // Of two values for one key, the last one counts.
    let run = project
        .holm(&["call", "see", r#"{"a":1,"a":2}"#, "--json"])
        .exits(0);
    assert_eq!(run.json()["result"], r#"(("a" . 2))"#);
}

/// A loop in a handler and in the second top-level form ends, and the next call works.
#[test]
fn endless_loops_end_with_the_step_limit() {
    let project = Project::with_config("[limits]\nsteps = 200_000\n");
    project.write(
        "tools/spin.scm",
        r#"(define-tool spin (description "d") (parameters '())
  (execute (lambda (args) (if (null? args) (let loop () (loop)) "fine"))))
"#,
    );
    project.write(
        "tools/stuck.scm",
        "(define tool-name \"stuck\")\n(let loop () (loop))\n",
    );
    project
        .holm(&["call", "spin"])
        .exits(4)
        .prints("result: error: step limit exceeded\nstdout: (empty)\nstderr: (empty)\n");
    project
        .holm(&["call", "spin", r#"{"a":1}"#])
        .exits(0)
        .prints("result: fine\nstdout: (empty)\nstderr: (empty)\n");
    let check = project.holm(&["check", "tools/stuck.scm"]).exits(1);
    check.tells("step limit exceeded");
}
