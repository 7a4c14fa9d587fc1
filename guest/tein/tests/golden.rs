//! What the reference implementation was seen to answer (`data/golden.txt`), expression by
//! expression: this engine answers the same in a tool's environment, or as [`DEVIATIONS`] says.

#![allow(clippy::expect_used)] // a broken fixture is a failed test

use std::collections::BTreeSet;

use tein::Context;
use tein::sandbox::Modules;

/// Expressions that are answered otherwise on purpose: the answer here, and why.
const DEVIATIONS: &[(&str, &str, &str)] = &[
    (
        "(error 'my-proc \"boom\" 1)",
        "scheme evaluation error: my-proc: boom: (1)",
        "a symbol before the message names who raised it",
    ),
    (
        "(raise 'foo)",
        "scheme evaluation error: uncaught: foo",
        "the payload of what nothing handles is shown",
    ),
    (
        "(raise 42)",
        "scheme evaluation error: uncaught: 42",
        "the payload of what nothing handles is shown",
    ),
    (
        "(raise \"str\")",
        "scheme evaluation error: uncaught: \"str\"",
        "the payload of what nothing handles is shown",
    ),
    (
        "(raise (list 1 2))",
        "scheme evaluation error: uncaught: (1 2)",
        "the payload of what nothing handles is shown",
    ),
    (
        "(raise #f)",
        "scheme evaluation error: uncaught: #f",
        "the payload of what nothing handles is shown",
    ),
    (
        "(guard (e ((string? e) e)) (raise 'not-a-string))",
        "scheme evaluation error: uncaught: not-a-string",
        "the payload of what nothing handles is shown",
    ),
    (
        "(raise-continuable 'x)",
        "scheme evaluation error: uncaught: x",
        "the payload of what nothing handles is shown",
    ),
    (
        "(raise (vector 1 2))",
        "scheme evaluation error: uncaught: #(1 2)",
        "the payload of what nothing handles is shown",
    ),
    (
        "(let ((x 5)) (raise x))",
        "scheme evaluation error: uncaught: 5",
        "the payload of what nothing handles is shown",
    ),
    (
        "(import (foo bar))",
        "sandbox violation: module import blocked: ((foo bar)) (not available in this sandbox)",
        "what the host says of the reference's error",
    ),
    (
        "(make-parameter 1)",
        "#<procedure>",
        "an object without external representation",
    ),
    (
        "(current-output-port)",
        "#<port>",
        "an object without external representation",
    ),
    ("(sqrt -4)", "+2i", "an exact zero part is not written"),
    (
        "(string-contains \"hello world\" \"world\")",
        "6",
        "positions are exact integers",
    ),
    (
        "(string-index \"hello\" #\\l)",
        "2",
        "positions are exact integers",
    ),
    (
        "(string->utf8 \"é\")",
        "#u8(195 169)",
        "bytes are written in decimal",
    ),
    (
        "(define-record-type p (mk x) p? (x px)) (mk 1)",
        "#<p>",
        "an object without external representation",
    ),
    (
        "(call-with-output-string (lambda (p) (write 'a p)))",
        "scheme evaluation error: undefined variable: (call-with-output-string)",
        "(chibi io) is not in the prelude of a tool",
    ),
];

fn context() -> Context {
    Context::builder()
        .tool_env()
        .sandboxed(Modules::Safe)
        .step_limit(10_000_000)
        .build()
        .expect("the engine boots")
}

/// Output and expression of a line: what an expression printed stands before it.
fn parts(observed: &str) -> (&str, &str) {
    for call in ["(display ", "(write "] {
        if let Some(at) = observed.find(call)
            && at > 0
            && !observed[..at].contains(['(', ' ', '\''])
        {
            return (&observed[..at], &observed[at..]);
        }
    }
    ("", observed)
}

/// The contract's text for an exception: `message`, or `message: irritants`.
fn exception(text: &str) -> Option<String> {
    let (_, rest) = text.split_once(" msg=")?;
    let (message, irritants) = rest.split_once(" irr=")?;
    let message = message.trim_matches('"');
    Some(if irritants == "()" {
        format!("scheme evaluation error: {message}")
    } else {
        format!("scheme evaluation error: {message}: {irritants}")
    })
}

#[test]
fn the_reference_would_answer_the_same() {
    let mut c = context();
    let mut failures = Vec::new();
    let mut unused: BTreeSet<&str> = DEVIATIONS.iter().map(|d| d.0).collect();
    let mut count = 0;
    for line in include_str!("data/golden.txt").lines() {
        let Some((observed, answer)) = line
            .rsplit_once(" => VAL ")
            .map(|(o, v)| (o, Some(v)))
            .or_else(|| line.rsplit_once(" => EXN ").map(|(o, _)| (o, None)))
        else {
            continue;
        };
        let (output, expression) = parts(observed.trim());
        // Each list of imports begins a session.
        if expression.starts_with("(import (scheme base)") {
            c = context();
        }
        count += 1;
        let got = match c.evaluate_to_string("golden", expression) {
            Ok(value) => value,
            Err(e) => e.to_string(),
        };
        let [(printed, _), _] = c.take_output();
        let want = match answer {
            Some("#<undef>") => "#<unspecified>".to_owned(),
            Some(value) => value.to_owned(),
            None => exception(line).unwrap_or_default(),
        };
        let deviation = DEVIATIONS.iter().find(|d| d.0 == expression);
        let want = match deviation {
            Some((expression, here, _)) => {
                unused.remove(expression);
                (*here).to_owned()
            }
            None => want,
        };
        if got != want || printed != output {
            failures.push(format!(
                "{expression}\n    got  {got} {printed}\n    want {want} {output}"
            ));
        }
    }
    assert!(count > 130, "only {count} lines were understood");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(unused.is_empty(), "no line has {unused:?}");
}

/// Where an error is: file, line and column, from 1.
#[test]
fn errors_have_places() {
    for (text, message, at) in [
        ("(car 42)", "car: not a pair: (42)", (1, 1)),
        ("\n\n  (cdr #f)", "cdr: not a pair: (#f)", (3, 3)),
        (
            "(define (f x)\n  (+ 1\n     (car x)))\n(f 5)",
            "car: not a pair: (5)",
            (3, 6),
        ),
        (
            "(vector-ref (vector 1 2) 5)",
            "vector-ref: index out of range: (#(1 2) 5)",
            (1, 1),
        ),
        (
            "(+ 1 \"a\")",
            "invalid type, expected Number: (\"a\")",
            (1, 1),
        ),
        ("(list 1\n (5 5))", "non procedure application: (5)", (2, 2)),
        ("(error \"boom\" 1)", "boom: (1)", (1, 1)),
        (
            "(let ((x 1))\n  (undefined-thing x))",
            "undefined variable: (undefined-thing)",
            (2, 3),
        ),
        (
            "((lambda (x) x))",
            "not enough args: (#<procedure #f 1> 0)",
            (1, 1),
        ),
        ("(quotient 5 0)", "divide by zero", (1, 1)),
        ("\n(if)", "not enough args to if: ((if))", (2, 1)),
        ("(define x 1)\n  )", "too many ')'s", (2, 3)),
        (
            "(define x\n  (list 1 2",
            "missing ')': the list that opens here is never closed",
            (2, 3),
        ),
        (
            "(import (scheme base))\n(import (foo bar))",
            "module import blocked: ((foo bar)) (not available in this sandbox)",
            (2, 1),
        ),
        (
            "(define-syntax m (syntax-rules (a) ((_ a x) x)))\n (m b 1)",
            "no expansion for: ((m b 1))",
            (2, 2),
        ),
        // In what a macro made, the place is the macro's use.
        (
            "(define-syntax m (syntax-rules () ((_ x) (car x))))\n(list\n  (m 5))",
            "car: not a pair: (5)",
            (3, 3),
        ),
        // In library code, the place is the call.
        (
            "(define l '(1 2))\n(fold 5\n  0 l)",
            "non procedure application: (5)",
            (2, 1),
        ),
    ] {
        let e = context()
            .evaluate_file("tool.scm", text)
            .expect_err("an error");
        assert_eq!(e.message, message, "{text}");
        assert_eq!(
            e.at,
            Some(("tool.scm".to_owned(), at.0, at.1)),
            "{text}: {e}"
        );
    }
}
