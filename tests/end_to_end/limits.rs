//! What uses too much ends with the name of the limit, and nothing else suffers.

use crate::isolation::{call, registry, runtime};
use crate::project::{Project, result};
use crate::server::{Answer, Server};

#[test]
fn endless_tools_end_and_the_next_call_works() {
    let runtime = runtime();
    for (config, tool, message) in [
        ("", "spin", "step limit exceeded"),
        (
            "[tools.tiers]\n\"/tools/command-line\" = 2\n[limits]\ncpu = 0.2",
            "spin",
            "CPU time limit exceeded (0.2 s)",
        ),
        (
            "[tools.tiers]\n\"/tools/command-line\" = 2\n[limits]\nwall = \"200ms\"",
            "spin",
            "evaluation timed out (0.2 s)",
        ),
        (
            "[limits]\nmemory = \"32MiB\"",
            "dive",
            "stack limit exceeded",
        ),
        (
            "[limits]\nmemory = \"32MiB\"",
            "hoard",
            "memory limit exceeded (32 MiB)",
        ),
    ] {
        let registry = registry(&runtime, config, &["greedy.scm"]);
        let answer = call(&runtime, &registry, tool).unwrap();
        assert_eq!(answer.outcome.result, format!("error: {message}"), "{tool}");
        assert!(answer.outcome.limit.is_some(), "{tool}");
        let answer = call(&runtime, &registry, "modest").unwrap();
        assert_eq!(answer.outcome.result, "fine", "after {tool}");
    }
}

#[test]
fn the_command_exits_with_4_and_names_the_key() {
    let project = Project::with_config("[limits]\nsteps = 10_000\n");
    project.add_tool("greedy.scm");
    project
        .holm(&["call", "spin"])
        .exits(4)
        .prints(&result("error: step limit exceeded"))
        .tells("limits.steps");
    project
        .holm(&["call", "modest"])
        .exits(0)
        .prints(&result("fine"));
}

#[test]
fn a_server_that_never_answers_is_given_up_on() {
    let server = Server::start(|_| Answer::silent());
    let prefix = server.url("/");
    let project = Project::with_config(&format!(
        "[tools.http.allow]\n\"/tools/shared\" = [{prefix:?}]\n[limits]\nwall = \"500ms\"\n"
    ));
    project.add_tool("fetch.scm");
    let arguments = format!("{{\"target\":{prefix:?}}}");
    project
        .holm(&["call", "fetch", &arguments, "--yes"])
        .exits(4)
        .prints(&result("error: evaluation timed out (0.5 s)"))
        .tells("limits.wall");
}

#[test]
fn too_many_requests_and_too_large_a_body_are_refused() {
    let server = Server::start(|_| Answer::ok(&"x".repeat(2000)));
    let prefix = server.url("/");
    for (limit, key) in [
        ("http-requests = 0", "http-requests"),
        ("http-body = 1000", "http-body"),
    ] {
        let project = Project::with_config(&format!(
            "[tools.http.allow]\n\"/tools/shared\" = [{prefix:?}]\n[limits]\n{limit}\n"
        ));
        project.add_tool("fetch.scm");
        let arguments = format!("{{\"target\":{prefix:?}}}");
        let run = project.holm(&["call", "fetch", &arguments, "--yes"]);
        assert!(run.stdout.starts_with("result: error: "), "{run:#?}");
        run.tells(key);
    }
}

#[test]
fn top_level_forms_are_limited_too() {
    let project = Project::with_config("[limits]\nsteps = 100_000\n");
    project
        .write(
            "tools/stuck.scm",
            "(define tool-name \"stuck\")\n(let loop () (loop))\n",
        )
        .add_tool("echo.scm");
    project
        .holm(&["check", "tools/stuck.scm"])
        .exits(1)
        .tells("step limit exceeded");
    project
        .holm(&["call", "echo"])
        .exits(0)
        .tells("step limit exceeded");
}
