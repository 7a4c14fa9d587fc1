//! The worked example of the tool format's description, byte for byte.

use crate::project::{Project, result};

const GRANTS: &str = "[tools.http.allow]\n\"/tools/shared/t212.scm\" = [\"https://demo.trading212.com/\"]\n\
                      [tools.env]\n\"/tools/shared/t212.scm\" = [\"T212_KEY\", \"T212_ENV\"]\n";
const ORDER: &str = r#"{"ticker":"AAPL","side":"buy","quantity":10}"#;

fn project(config: &str) -> Project {
    let mut project = Project::with_config(&format!("{GRANTS}{config}"));
    project.add_tool("t212.scm");
    project.set("T212_KEY", "k");
    project
}

#[test]
fn its_parameters_are_a_schema_with_sorted_keys() {
    let list = project("").holm(&["list", "--json"]).exits(0).json();
    assert_eq!(
        list["tools"][0]["parameters"].to_string(),
        r#"{"properties":{"quantity":{"type":"number"},"side":{"type":"string"},"ticker":{"description":"sym","type":"string"}},"required":["ticker","side"],"type":"object"}"#
    );
}

#[test]
fn its_call_is_asked_about_and_answers_in_three_lines() {
    let project = project("");
    project
        .holm(&["call", "t212_place", ORDER])
        .exits(3)
        .prints("Permission denied: permission denied\n");
    project
        .holm(&["call", "t212_place", ORDER, "--yes"])
        .exits(0)
        .prints("result: (\"AAPL\" \"k\" #f)\nstdout: hi\nstderr: (empty)\n");
    project
        .holm(&["call", "t212_place", "{}", "--yes"])
        .exits(1)
        .prints("result: error: scheme evaluation error: cdr: not a pair: (#f)\nstdout: hi\nstderr: (empty)\n");
}

#[test]
fn its_request_to_another_host_is_refused() {
    project("")
        .holm(&["call", "t212_place", r#"{"ticker":"AAPL","live":1}"#, "--yes"])
        .exits(1)
        .prints(
            "result: error: sandbox violation: http request blocked: URL not in allowlist: https://live.trading212.com/x\nstdout: hi\nstderr: (empty)\n",
        );
}

#[test]
fn the_hooks_of_the_gate_are_told_the_summary() {
    let project = project("[tools.hooks]\n\"/tools/shared/witness.scm\" = [\"pre_fetch_url\"]\n");
    project.add_tool("witness.scm");
    project
        .holm(&["call", "t212_place", ORDER, "--yes"])
        .exits(3)
        .prints("Permission denied: {\"safety\":\"no_url\",\"summary\":\"AAPL buy\",\"tool_name\":\"t212_place\"}\n");
    project
        .holm(&["call", "witness"])
        .exits(0)
        .prints(&result("#t"));
}
