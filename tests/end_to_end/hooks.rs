//! Hooks of tool files: they refuse and change, and grant nothing.

use std::sync::{Arc, Mutex};

use holm::permissions::{Approver, Question};
use holm::registry::{Call, Principal};

use crate::isolation::{registry, runtime};
use crate::project::{Project, Run, result};

const LISTED: &str = "[tools.hooks]\n\"/tools/shared/guards.scm\" = \"all\"\n";

fn project(config: &str) -> Project {
    let project = Project::with_config(config);
    project.add_tool("guards.scm").add_tool("echo.scm");
    project
}

fn echo(project: &Project, key: &str) -> Run {
    project.holm(&["call", "echo", &format!("{{{key:?}:1}}")])
}

#[test]
fn a_hook_blocks_and_rewrites() {
    let project = project(LISTED);
    let plain = echo(&project, "plain").exits(0);
    assert!(
        plain.stdout.starts_with("result: ((\"plain\" . 1))"),
        "{plain:#?}"
    );
    echo(&project, "forbidden")
        .exits(3)
        .prints("not with that argument\n");
    let rewritten = echo(&project, "rewrite").exits(0);
    assert!(
        rewritten
            .stdout
            .starts_with("result: ((\"rewritten\" . #t))"),
        "{rewritten:#?}"
    );
    echo(&project, "hide").exits(0).prints("hidden\n");
    echo(&project, "withhold")
        .exits(3)
        .prints("blocked by a hook\n");
}

#[test]
fn a_hook_that_fails_refuses() {
    let project = project(LISTED);
    for (key, reason) in [
        ("crash", "car: not a pair: (())"),
        ("endless", "step limit exceeded"),
        ("typo", "unknown key `blok`"),
        ("number", "no list of keys and values"),
        ("call", "call-tool is not available here"),
    ] {
        let run = echo(&project, key).exits(3);
        let start = "Permission denied: the hook `pre_tool` of /tools/shared/guards.scm failed: ";
        assert!(run.stdout.starts_with(start), "{run:#?}");
        assert!(run.stdout.contains(reason), "{run:#?}");
    }
    let run = echo(&project, "break").exits(3);
    assert!(
        run.stdout.contains("the hook `pre_tool_output`"),
        "{run:#?}"
    );
    // Whoever only watches stops nothing.
    echo(&project, "observe")
        .exits(0)
        .tells("the hook `post_tool` failed");
}

#[test]
fn hooks_of_files_that_are_not_listed_are_inert_and_reported() {
    for config in ["", "[tools.hooks]\n\"/tools/shared/guards.scm\" = []\n"] {
        let project = project(config);
        echo(&project, "forbidden").exits(0);
        echo(&project, "hide").exits(0);
        let run = project.holm(&["check", "tools/guards.scm"]).exits(0);
        assert!(run.stdout.contains("pre_tool (no effect)"), "{run:#?}");
        run.tells("the hook `pre_tool` has no effect here")
            .tells("`\"/tools/shared/guards.scm\" = [\"pre_tool\"]` under `[tools.hooks]`")
            .tells("the hook `on_start` has no effect: holm has no such event");
    }
    // Only the points that are listed count.
    let project = project("[tools.hooks]\n\"/tools/shared/guards.scm\" = [\"pre_tool\"]\n");
    echo(&project, "forbidden").exits(3);
    echo(&project, "withhold").exits(0);
    let run = project.holm(&["check", "tools/guards.scm"]).exits(0);
    assert!(run.stdout.contains("hooks pre_tool, "), "{run:#?}");
}

#[test]
fn a_hook_denies_at_the_gate_and_grants_nothing() {
    let project = project(LISTED);
    let ask = |yes: &[&str], q: &str| {
        let arguments = format!("{{\"q\":{q:?}}}");
        let mut command = vec!["call", "network_tool", arguments.as_str()];
        command.extend(yes);
        project.holm(&command)
    };
    ask(&["--yes"], "good").exits(0).prints(&result("ran"));
    ask(&["--yes"], "evil")
        .exits(3)
        .prints("Permission denied: no evil\n");
    // That no hook denies it is no answer to the question.
    ask(&[], "good").exits(3);
}

#[test]
fn a_hook_leaves_tools_out() {
    let runtime = runtime();
    let listed = LISTED.replace("shared", "command-line");
    let registry = registry(&runtime, &listed, &["guards.scm"]);
    let policy = crate::isolation::everything(&registry);
    let call = Call::new(Principal::local(), policy);
    let answers = runtime.block_on(registry.pre_api_tools(&call, registry.all_tools()));
    assert_eq!(answers.len(), 1);
    assert!(
        answers
            .iter()
            .all(|one| !one.leaves("secret") && one.leaves("network_tool"))
    );
    let registry = crate::isolation::registry(&runtime, "", &["echo.scm"]);
    assert!(
        runtime
            .block_on(registry.pre_api_tools(&call, registry.all_tools()))
            .is_empty()
    );
}

/// Remembers what it was asked.
#[derive(Default)]
struct Asked(Mutex<Vec<String>>);

impl Approver for Asked {
    fn approve(&self, question: &Question) -> bool {
        self.0.lock().unwrap().push(question.details.clone());
        true
    }
}

#[test]
fn the_question_is_about_what_will_run() {
    let runtime = runtime();
    let listed = LISTED.replace("shared", "command-line");
    let registry = registry(&runtime, &listed, &["guards.scm"]);
    let asked = Arc::new(Asked::default());
    let policy = crate::isolation::everything(&registry);
    let call =
        Call::new(Principal::local(), Arc::clone(&policy)).approver(Arc::<Asked>::clone(&asked));
    let tool = registry.find(&policy, "network_tool").unwrap();
    for arguments in [r#"{"q":"plain"}"#, r#"{"q":"innocent","swap":1}"#] {
        let arguments = serde_json::from_str(arguments).unwrap();
        let answer = runtime.block_on(registry.call(tool, &arguments, &call));
        assert_eq!(answer.unwrap().outcome.result, "ran");
    }
    assert_eq!(*asked.0.lock().unwrap(), ["plain", "swapped"]);
}
