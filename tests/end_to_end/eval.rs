//! `holm eval` and `holm repl`.

use crate::project::{Project, Run};

fn eval(expression: &str) -> Run {
    Project::with_config("").holm(&["eval", expression])
}

#[test]
fn values_are_printed_in_written_form() {
    for (expression, expected) in [
        ("(+ 1 2)", "3\n"),
        ("\"a\\n\"", "\"a\\n\"\n"),
        (
            "(list 1.5 'a \"b\\n\" #\\c #t '())",
            "(1.5 a \"b\\n\" #\\c #t ())\n",
        ),
        ("(if #f #f)", ""),
        ("(define x 1)", ""),
        ("", ""),
        ("(display \"hi\") 5", "hi\n5\n"),
        ("(define x 20) (* 2 x)", "40\n"),
        // The tools' prelude is there without an import.
        ("(fold + 0 (iota 5))", "10\n"),
        ("-5", "-5\n"),
    ] {
        eval(expression).exits(0).prints(expected);
    }
}

#[test]
fn an_error_says_where_and_fails() {
    let run = eval("(define x 1)\n  (car x)").exits(1).prints("");
    assert_eq!(
        run.stderr.lines().next(),
        Some("error: <eval>:2:3: scheme evaluation error: car: not a pair: (1)")
    );
    for (expression, part) in [
        ("(car", "<eval>:1:1: "),
        ("(foo)", "undefined variable: (foo)"),
        ("(raise 'oops)", "uncaught: oops"),
        (
            "(import (scheme file)) (open-input-file \"/etc/passwd\")",
            "error: ",
        ),
        (
            "(http-get \"https://example.com/\" '())",
            "'http-get' requires (import (tein http))",
        ),
    ] {
        eval(expression).exits(1).tells(part);
    }
    eval("(let loop () (loop))")
        .exits(4)
        .tells("step limit exceeded");
}

#[test]
fn several_texts_share_an_instance_and_end_at_the_first_error() {
    let project = Project::with_config("");
    project.write("a.scm", "(define x 20)\n(define (f) (car x))\nx\n");
    project
        .holm(&["eval", "--file", "a.scm", "(* 2 x)", "'done"])
        .exits(0)
        .prints("20\n40\ndone\n");
    project
        .holm(&["eval", "--file", "a.scm", "(f)", "'never"])
        .exits(1)
        .prints("20\n")
        // The error is in the file, and the excerpt is the file's.
        .tells("a.scm:2:13: ")
        .tells("(define (f) (car x))");
    project
        .holm_with_input(&["eval", "-"], "(define y 3)\n(* y y)\n")
        .exits(0)
        .prints("9\n");
    project.holm(&["eval"]).exits(2);
    project.holm(&["eval", "--file", "missing.scm"]).exits(2);
}

#[test]
fn exit_is_the_commands_exit() {
    let program = |code: &str| format!("(import (scheme process-context)) (exit {code}) 'never");
    eval(&program("")).exits(0).prints("");
    eval(&program("7")).exits(7).prints("");
    eval(&program("#f")).exits(1);
}

#[test]
fn grants_and_limits_are_those_of_the_path() {
    let mut project = Project::with_config(
        "[tools.env]\n\"/tools/shared/a.scm\" = [\"GRANTED\"]\n\
         [tools.limits.\"/tools/shared/a.scm\"]\nsteps = 1000\n",
    );
    project.set("GRANTED", "yes").set("UNGRANTED", "no");
    let read = "(map get-environment-variable '(\"GRANTED\" \"UNGRANTED\" \"TEIN_SANDBOX\"))";
    project.write("tools/a.scm", read).write("b.scm", read);
    let file = |file: &str| project.holm(&["eval", "--file", file]).exits(0).stdout;
    assert_eq!(file("tools/a.scm"), "(\"yes\" #f \"true\")\n");
    assert_eq!(file("b.scm"), "(#f #f \"true\")\n");
    project
        .holm(&["eval", "--path", "/tools/shared/a.scm", read])
        .exits(0)
        .prints("(\"yes\" #f \"true\")\n");
    let count = "(let loop ((i 0)) (if (< i 5000) (loop (+ i 1)) i))";
    project.holm(&["eval", count]).exits(0).prints("5000\n");
    project
        .holm(&["eval", "--path", "/tools/shared/a.scm", count])
        .exits(4);
    // No step limit at tier 2, and still no way outside.
    let endless = "(let loop ((i 0)) (if (< i 12000000) (loop (+ i 1)) i))";
    project.holm(&["eval", endless]).exits(4);
    project
        .holm(&["eval", "--tier", "2", endless])
        .exits(0)
        .prints("12000000\n");
    project.holm(&["eval", "--tier", "3", "1"]).exits(2);
}

#[test]
fn tools_can_be_called() {
    let project = Project::with_config("");
    project.add_tool("echo.scm");
    project
        .holm(&["eval", "(call-tool/value \"echo\" '((\"a\" . 1)))"])
        .exits(0)
        .prints("((\"a\" . 1))\n");
}

#[test]
fn json_has_everything() {
    let project = Project::with_config("");
    let run = project.holm(&["eval", "--json", "(display 1) 'x"]).exits(0);
    let found = run.json();
    assert_eq!(
        (&found["value"], &found["stdout"]),
        (&"x".into(), &"1".into())
    );
    let run = project.holm(&["eval", "--json", "\n(car 1)"]).exits(1);
    assert_eq!(run.json()["failure"]["line"], 2);
}

#[test]
fn a_repl_reads_forms_over_lines_and_goes_on_after_errors() {
    let project = Project::with_config("");
    let input = "(define (f x)\n  (* x\n     x))\n\n(f 5) ; a comment (\n\"two\nlines\"\n\
                 (car 1)\n'after 'last\n(string-append \"a\" \"b\")";
    let run = project.holm_with_input(&["repl"], input).exits(1);
    assert_eq!(run.stdout, "25\n\"two\\nlines\"\nlast\n\"ab\"\n");
    // The fourth text has the error: line ends and comments are no texts.
    assert!(run.stderr.contains("car: not a pair: (1)"), "{run:#?}");
    assert!(!run.stdout.contains("> "));
}

#[test]
fn a_repl_ends_with_its_input_or_with_exit() {
    let project = Project::with_config("");
    project.holm_with_input(&["repl"], "").exits(0).prints("");
    project
        .holm_with_input(&["repl"], "(+ 1 1)\n(+ 1")
        .exits(1)
        .prints("2\n");
    let exit = "(import (scheme process-context))\n(exit 3)\n'never\n";
    project.holm_with_input(&["repl"], exit).exits(3).prints("");
}

#[test]
fn a_repl_survives_a_limit_and_says_what_is_lost() {
    let project = Project::with_config("[limits]\ncpu = \"200ms\"\n");
    // Nothing in the guest ends it, so holm does, and the instance with it.
    let input = "(define x 1)\nx\n(let loop () (loop))\n(+ 1 1)\nx\n";
    let run = project
        .holm_with_input(&["repl", "--tier", "2"], input)
        .exits(4);
    assert_eq!(run.stdout, "1\n2\n");
    assert!(run.stderr.contains("CPU time limit exceeded"), "{run:#?}");
    assert!(run.stderr.contains("what was defined is gone"), "{run:#?}");
    assert!(run.stderr.contains("undefined variable: (x)"), "{run:#?}");
}

/// What another implementation gave, and what is decided to be different here.
const DIFFERENT: [(&str, &str); 19] = [
    // Whatever the object of an error is, the text has it.
    (
        "(error 'my-proc \"boom\" 1)",
        "!scheme evaluation error: my-proc: boom: (1)",
    ),
    ("(raise 'foo)", "!scheme evaluation error: uncaught: foo"),
    ("(raise 42)", "!scheme evaluation error: uncaught: 42"),
    (
        "(raise \"str\")",
        "!scheme evaluation error: uncaught: \"str\"",
    ),
    (
        "(raise (list 1 2))",
        "!scheme evaluation error: uncaught: (1 2)",
    ),
    ("(raise #f)", "!scheme evaluation error: uncaught: #f"),
    (
        "(raise (vector 1 2))",
        "!scheme evaluation error: uncaught: #(1 2)",
    ),
    (
        "(let ((x 5)) (raise x))",
        "!scheme evaluation error: uncaught: 5",
    ),
    (
        "(raise-continuable 'x)",
        "!scheme evaluation error: uncaught: x",
    ),
    (
        "(guard (e ((string? e) e)) (raise 'not-a-string))",
        "!scheme evaluation error: uncaught: not-a-string",
    ),
    // The sandbox's words.
    (
        "(import (foo bar))",
        "!sandbox violation: module import blocked: ((foo bar)) (not available in this sandbox)",
    ),
    // No addresses of the machine, and no internals of another one.
    ("(make-parameter 1)", "#<procedure>"),
    ("(current-output-port)", "#<port>"),
    ("(define-record-type p (mk x) p? (x px)) (mk 1)", "#<p>"),
    // Positions in strings are exact integers.
    ("(string-contains \"hello world\" \"world\")", "6"),
    ("(string-index \"hello\" #\\l)", "2"),
    // The standard's spelling.
    ("(sqrt -4)", "+2i"),
    ("(string->utf8 \"é\")", "#u8(195 169)"),
    // Not in the tools' prelude.
    (
        "(call-with-output-string (lambda (p) (write 'a p)))",
        "!scheme evaluation error: undefined variable: (call-with-output-string)",
    ),
];

/// The cases: a text, and its value, or its error after a `!`.
fn golden() -> Vec<(String, String)> {
    let file = crate::project::tools().join("../cases/golden.txt");
    let text = std::fs::read_to_string(file).unwrap();
    let mut different: Vec<_> = DIFFERENT.to_vec();
    let cases = text.lines().map(|line| {
        // What the text printed stands before it.
        let line = ["hi(", "3.0(", "1e+21(", "0.1("]
            .iter()
            .find_map(|printed| {
                Some(&line[line.strip_prefix(printed).map(|_| printed.len() - 1)?..])
            })
            .unwrap_or(line);
        let (text, value) = line
            .split_once("=> VAL ")
            .unwrap_or_else(|| line.split_once("=> EXN ").unwrap());
        let text = text.trim_end().to_owned();
        if let Some(index) = different.iter().position(|(known, _)| *known == text) {
            return (text, different.remove(index).1.to_owned());
        }
        if line.contains("=> VAL ") {
            let value = if value == "#<undef>" { "" } else { value };
            return (text, value.to_owned());
        }
        let (_, rest) = value.split_once(" msg=").unwrap();
        let (message, irritants) = rest.rsplit_once(" irr=").unwrap();
        let message = message.trim_matches('"');
        let irritants = match irritants {
            "()" => String::new(),
            list => format!(": {list}"),
        };
        (
            text,
            format!("!scheme evaluation error: {message}{irritants}"),
        )
    });
    let cases: Vec<_> = cases.collect();
    assert!(different.is_empty(), "{different:?}");
    cases
}

#[test]
fn values_and_errors_are_those_of_the_reference() {
    let cases = golden();
    assert_eq!(cases.len(), 145);
    let project = Project::with_config("");
    let input: String = cases.iter().map(|(text, _)| format!("{text}\n")).collect();
    let run = project
        .holm_with_input(&["repl", "--json"], &input)
        .exits(1);
    assert_eq!(run.stdout.lines().count(), cases.len(), "{run:#?}");
    for ((text, expected), line) in cases.iter().zip(run.stdout.lines()) {
        let found: serde_json::Value = serde_json::from_str(line).unwrap();
        let said = match found["failure"]["message"].as_str() {
            Some(message) => format!("!{message}"),
            None => found["value"].as_str().unwrap_or_default().to_owned(),
        };
        assert_eq!(said, *expected, "{text}");
    }
    // The same from the command line, where the first error would end it.
    let good: Vec<_> = cases
        .iter()
        .filter(|(_, value)| !value.starts_with('!'))
        .collect();
    let mut command = vec!["eval", "--json"];
    command.extend(good.iter().map(|(text, _)| text.as_str()));
    let run = project.holm(&command).exits(0);
    for ((text, expected), line) in good.iter().zip(run.stdout.lines()) {
        let found: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            found["value"].as_str().unwrap_or_default(),
            expected,
            "{text}"
        );
    }
}
