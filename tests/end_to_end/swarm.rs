//! A large set of tools, of which a skill needs five: the situation that skill policies are for.

use serde_json::{Value, json};

use crate::project::{Project, Run};

/// The tools of the worker, in the order of its tag.
pub(crate) const WORKER: [&str; 5] = [
    "swarm_read",
    "swarm_claim",
    "swarm_contribute",
    "nostr_post",
    "nostr_query",
];

/// The refusal, byte for byte.
pub(crate) const REFUSAL: &str =
    r#"{"success":false,"error":"tool not permitted by skill policy"}"#;

/// Adds files with `count` tools in all, the worker's five among them.
pub(crate) fn add_tools(project: &Project, count: usize) {
    project.write(
        "tools/swarm.scm",
        r#"
(define-tool swarm_read (description "Reads the tasks of the swarm") (parameters '()) (execute (lambda (args) "tasks")))
(define-tool swarm_claim
  (description "Claims a task")
  (parameters '((task . ((type . "string")))))
  (execute (lambda (args)
    (string-append "{\"kind\":1,\"tags\":[[\"t\",\"swarm-task\"],[\"d\",\"" (cdr (assoc "task" args)) "\"]]}"))))
(define-tool swarm_contribute (description "Contributes to a task") (parameters '()) (execute (lambda (args) "contributed")))
"#,
    );
    project.write(
        "tools/nostr.scm",
        r#"
(define-tool nostr_post (description "Posts a note") (parameters '()) (execute (lambda (args) "posted")))
(define-tool nostr_query (description "Queries relays") (parameters '()) (execute (lambda (args) "found")))
"#,
    );
    let others: String = (WORKER.len()..count)
        .map(|index| {
            format!(
                "(define-tool other_{index:03} (description \"Tool {index}\") (parameters '()) (execute (lambda (args) {index})))\n"
            )
        })
        .collect();
    project.write("tools/zz_others.scm", &others);
}

/// The text of a skill event with these tags.
pub(crate) fn skill(tags: &Value) -> String {
    json!({ "kind": 31124, "tags": tags, "content": "{\"description\":\"a worker\"}" }).to_string()
}

/// The names that a listing shows, sorted.
#[track_caller]
pub(crate) fn names(run: &Run) -> Vec<String> {
    let mut names: Vec<String> = run
        .stdout
        .lines()
        .map(|line| line.split('\t').next().unwrap().to_owned())
        .collect();
    names.sort();
    names
}
