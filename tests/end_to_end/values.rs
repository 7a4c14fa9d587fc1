//! `call-tool` and `call-tool/value`: what comes back, how deep, and out of which budget.

use crate::project::{Project, Run, result};

fn call(tool: &str, arguments: &str) -> Run {
    let project = Project::with_config("");
    project.add_tool("values.scm");
    project.holm(&["call", tool, arguments])
}

#[test]
fn a_value_comes_back_as_data() {
    call("first_of", r#"{"tool":"data"}"#)
        .exits(0)
        .prints(&result("1"));
    for (tool, expected) in [
        ("data", "(1 \"two\" three #\\4 (5.5 . 1/2) #(6))"),
        ("opaque", "#<procedure>"),
        (
            "fails",
            "(caught \"tool error: scheme evaluation error: boom: (1)\")",
        ),
        ("missing", "(caught \"unknown tool: missing\")"),
    ] {
        call("value_of", &format!("{{\"tool\":{tool:?}}}"))
            .exits(0)
            .prints(&result(expected));
    }
}

#[test]
fn a_file_may_call_itself_eight_deep() {
    call("deep", r#"{"n":0}"#).exits(0).prints(&result(
        "(8 \"tool error: call-tool nested more than 8 deep\")",
    ));
}

#[test]
fn nested_calls_draw_from_the_budget_of_the_first() {
    let project = Project::with_config("[limits]\nsteps = 3000000\n");
    project.add_tool("values.scm");
    project
        .holm(&["call", "spends", r#"{"times":0}"#])
        .exits(0)
        .prints(&result("done"));
    // Each of the eight is within its own limit, and all of them together are not.
    let run = project.holm(&["call", "spends", r#"{"times":7}"#]).exits(4);
    assert!(run.stdout.contains("step limit exceeded"), "{run:#?}");
}
