//! A tool that calls another goes the way of every call.

use crate::project::{Project, Run, result};

fn relay(project: &Project, tool: &str) -> Run {
    project.holm(&["call", "relay", &format!("{{\"tool\":{tool:?}}}")])
}

#[test]
fn the_callee_answers_with_its_three_lines() {
    let project = Project::with_config("");
    project.add_tool("nested.scm").add_tool("echo.scm");
    relay(&project, "echo").exits(0).prints(&result(
        "result: ((\"tool\" . \"relay\"))\nstdout: ((\"tool\" . \"relay\"))\nstderr: (empty)",
    ));
}

#[test]
fn what_is_left_out_is_as_unknown_as_what_never_was() {
    let project = Project::with_config("[tools]\nexclude = [\"echo\"]\n");
    project.add_tool("nested.scm").add_tool("echo.scm");
    for tool in ["echo", "ecko"] {
        let run = relay(&project, tool).exits(1);
        assert!(
            run.stdout.contains(&format!("unknown tool: {tool}")),
            "{run:#?}"
        );
    }
}

#[test]
fn the_callee_has_its_own_grants_and_asks_for_itself() {
    let mut project =
        Project::with_config("[tools.env]\n\"/tools/shared/nested.scm\" = [\"GRANTED\"]\n");
    project.add_tool("nested.scm").add_tool("environment.scm");
    project.write(
        "tools/asks.scm",
        "(define-tool asks (description \"Asks\") (category \"shell\") (parameters '()) (execute (lambda (args) 1)))\n",
    );
    project.set("GRANTED", "yes");
    let run = relay(&project, "environment").exits(0);
    assert!(run.stdout.contains("(#f #f #f #f \"true\")"), "{run:#?}");
    let run = relay(&project, "asks").exits(1);
    assert!(
        run.stdout.contains("Permission denied: permission denied"),
        "{run:#?}"
    );
}

#[test]
fn calls_do_not_nest_for_ever() {
    let project = Project::with_config("");
    project.add_tool("nested.scm");
    let run = relay(&project, "relay").exits(0);
    assert!(
        run.stdout.contains("call-tool nested more than 8 deep"),
        "{run:#?}"
    );
}
