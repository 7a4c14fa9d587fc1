//! Who is asked before a call, what the question shows, and what an answer is good for.

#![cfg(target_os = "linux")]

use crate::project::{Project, result};
use crate::terminal::{holm, on_terminal};

/// A tool of category `network` that shows two of its arguments.
const ORDER: &str = r#"(define-tool order
  (description "Orders")
  (category "network")
  (summary-params '("side" "quantity"))
  (parameters '())
  (execute (lambda (args) "ordered")))
"#;

const ARGUMENTS: &str = r#"{"side":"buy","quantity":10}"#;
const QUESTION: &str = "[order] buy 10 [Y/n] ";

fn project(config: &str) -> Project {
    let project = Project::with_config(config);
    project.write("tools/order.scm", ORDER);
    project
}

#[test]
fn a_person_at_the_terminal_is_asked() {
    let project = project("");
    let command = holm(&["call", "order", ARGUMENTS]);
    for (answer, outcome, code) in [
        ("y\n", "result: ordered\n", 0),
        ("\n", "result: ordered\n", 0),
        ("n\n", "Permission denied: permission denied\n", 3),
        ("what?\n", "Permission denied: permission denied\n", 3),
        // The end of the input.
        ("\u{4}", "Permission denied: permission denied\n", 3),
    ] {
        let shown = on_terminal(&project, &command, &[(QUESTION, answer)]);
        assert!(
            shown.screen.starts_with(QUESTION) && shown.screen.contains(outcome),
            "{answer:?}: {shown:?}"
        );
        assert_eq!(shown.code, code, "{answer:?}: {shown:?}");
    }
}

/// Keys that were pressed before there was a question answer nothing. `bash` waits until
/// the terminal has them before it starts the command, and dash has no such wait.
#[test]
fn what_was_typed_before_the_question_is_no_answer() {
    let project = project("");
    let command = format!(
        "bash -c 'echo ready; until read -t 0; do sleep 0.02; done; exec \"$@\"' - {}",
        holm(&["call", "order", ARGUMENTS])
    );
    let steps = [("ready", "y\n"), (QUESTION, "n\n")];
    let shown = on_terminal(&project, &command, &steps);
    assert_eq!(shown.code, 3, "{shown:?}");
}

#[test]
fn always_counts_until_it_is_revoked_or_the_file_changes() {
    let project = project("");
    let command = holm(&["call", "order", ARGUMENTS]);
    let shown = on_terminal(&project, &command, &[(QUESTION, "always\n")]);
    assert_eq!(shown.code, 0, "{shown:?}");
    // From now on nobody is asked, whatever the arguments.
    let other = holm(&["call", "order", r#"{"side":"sell"}"#]);
    let shown = on_terminal(&project, &other, &[]);
    assert_eq!((shown.code, shown.screen), (0, result("ordered")));

    let list = project.holm(&["permissions"]).exits(0);
    assert!(
        list.stdout.starts_with("order\t/tools/shared/order.scm\t"),
        "{list:?}"
    );
    let list = project.holm(&["permissions", "--json"]).exits(0).json();
    assert_eq!(list["approved"][0]["tool"], "order");

    // Another text is another tool.
    project.write("tools/order.scm", &format!("{ORDER}\n"));
    let shown = on_terminal(&project, &command, &[(QUESTION, "n\n")]);
    assert_eq!(shown.code, 3, "{shown:?}");
    project.write("tools/order.scm", ORDER);
    assert_eq!(on_terminal(&project, &command, &[]).code, 0);

    let revoked = project.holm(&["permissions", "--revoke", "order"]).exits(0);
    assert!(revoked.stdout.starts_with("order\t"), "{revoked:?}");
    project.holm(&["permissions"]).exits(0).prints("");
    let shown = on_terminal(&project, &command, &[(QUESTION, "n\n")]);
    assert_eq!(shown.code, 3, "{shown:?}");
}

#[test]
fn always_is_kept_only_where_the_configuration_lets_it() {
    let project = project("[permissions]\nremember = false\n");
    let command = holm(&["call", "order", ARGUMENTS]);
    for _ in 0..2 {
        let shown = on_terminal(&project, &command, &[(QUESTION, "always\n")]);
        assert!(shown.screen.contains("for this call only"), "{shown:?}");
        assert_eq!(shown.code, 0, "{shown:?}");
    }
    project.holm(&["permissions"]).exits(0).prints("");
}

#[test]
fn the_operator_decides_per_category_and_per_tool() {
    let denied = "Permission denied: denied by configuration\n";
    for (config, code, stdout) in [
        ("", 3, "Permission denied: permission denied\n"),
        (
            "[permissions.categories]\nnetwork = \"allow\"\n",
            0,
            "result: ordered",
        ),
        ("[permissions.categories]\nnetwork = \"deny\"\n", 3, denied),
        (
            "[permissions.tools]\norder = \"allow\"\n",
            0,
            "result: ordered",
        ),
        ("[permissions.tools]\norder = \"deny\"\n", 3, denied),
        (
            "[permissions.categories]\nnetwork = \"allow\"\n[permissions.tools]\norder = \"deny\"\n",
            3,
            denied,
        ),
    ] {
        let run = project(config)
            .holm(&["call", "order", ARGUMENTS])
            .exits(code);
        assert!(run.stdout.starts_with(stdout), "{config}: {run:?}");
    }
    // `--yes` answers questions, and this is none.
    let project = project("[permissions.tools]\norder = \"deny\"\n");
    project
        .holm(&["call", "order", "--yes"])
        .exits(3)
        .prints(denied);
}

#[test]
fn a_url_goes_by_its_class_and_the_policy() {
    let call = |config: &str, url: &str| {
        let run = project(config).holm(&["call", "order", &format!(r#"{{"url":"{url}"}}"#)]);
        match run.code {
            0 => "runs".to_owned(),
            _ => run.stdout.trim_end().to_owned(),
        }
    };
    let asks = "Permission denied: permission denied";
    for (config, url, outcome) in [
        ("", "https://example.com/", "runs"),
        ("", "http://127.0.0.1/", asks),
        ("", "http://169.254.169.254/latest", asks),
        ("", "http://2130706433/", asks),
        (
            "[url-policy]\nallow = [\"preset:loopback\"]\n",
            "http://127.0.0.1/",
            "runs",
        ),
        (
            "[url_policy]\ndeny = [\"*\"]\n",
            "https://example.com/",
            "Permission denied: denied by URL policy",
        ),
        (
            "[url-policy]\ndeny = [\"preset:cloud_metadata\"]\ndefault = \"allow\"\n",
            "http://169.254.169.254/",
            "Permission denied: cloud metadata endpoint",
        ),
        (
            "[url-policy]\ndefault = \"ask\"\n",
            "https://example.com/",
            asks,
        ),
    ] {
        assert_eq!(call(config, url), outcome, "{config} {url}");
    }
}

#[test]
fn a_question_cannot_be_painted_over() {
    let project = project("");
    let arguments =
        "{\"side\":\"buy\\r\\u001b[2K[order] sell 1 [Y/n] \\u202e\\u3164\",\"quantity\":1e3}";
    let question = r"[order] buy\r\u{1b}[2K[order] sell 1 [Y/n] \u{202e}\u{3164} 1000.0 [Y/n] ";
    let shown = on_terminal(
        &project,
        &holm(&["call", "order", arguments]),
        &[(question, "n\n")],
    );
    assert!(
        !shown.screen.contains('\u{1b}') && !shown.screen.contains('\u{202e}'),
        "{shown:?}"
    );
}

#[test]
fn a_nested_call_asks_for_itself() {
    let project = project("");
    project.add_tool("nested.scm");
    let command = holm(&["call", "relay", r#"{"tool":"order"}"#]);
    let shown = on_terminal(
        &project,
        &command,
        &[("[order] (no details) [Y/n] ", "n\n")],
    );
    assert!(
        shown
            .screen
            .contains("Permission denied: permission denied"),
        "{shown:?}"
    );
    assert_eq!(shown.code, 1, "{shown:?}");
}

/// A tool's text cannot break the JSON that a terminal shows, nor act on the terminal.
#[test]
fn json_on_a_terminal_is_json() {
    let project = Project::with_config("");
    project.write(
        "tools/odd.scm",
        "(define-tool odd (description \"d\") (parameters '()) (execute (lambda (args) \"\\x1b;[2J\\x9b;\\x202e;\\x3164;\\x1f600;\\n\")))\n",
    );
    let shown = on_terminal(&project, &holm(&["call", "odd", "--json"]), &[]);
    let value: serde_json::Value = serde_json::from_str(&shown.screen).unwrap();
    assert_eq!(
        value["result"],
        "\u{1b}[2J\u{9b}\u{202e}\u{3164}\u{1f600}\n"
    );
    for hidden in ['\u{1b}', '\u{9b}', '\u{202e}', '\u{3164}'] {
        assert!(!shown.screen.contains(hidden), "{shown:?}");
    }
}
