//! Many calls at a time, of several principals: nobody gets anything of anybody else's.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use super::client::{Http, text};
use crate::project::Project;

const PRINCIPALS: usize = 4;
const CALLS: usize = 1000;
/// Threads that wait for an answer at a time.
const CLIENTS: usize = 100;

#[test]
fn a_thousand_calls_of_several_principals_stay_apart() {
    let mut config =
        String::from("[concurrency]\ncalls = 64\nper-principal = 64\n[limits]\nwall = \"5m\"\n");
    for index in 0..PRINCIPALS {
        config.push_str(&format!(
            "[principals.p{index}]\ntoken-env = \"TOKEN_{index}\"\nskill = \"s{index}\"\n\
             [skills.s{index}]\ntools = [\"own_{index}\"]\n\
             [principals.p{index}.env]\n\"/tools/shared/own.scm\" = [\"SECRET_{index}\"]\n"
        ));
    }
    config.push_str("[tools.env]\n\"/tools/shared/own.scm\" = [\"NOBODYS\"]\n");
    let mut project = Project::with_config(&config);
    // Each tool gives what only its principal has: its variable, its name, its argument.
    let tools: String = (0..PRINCIPALS)
        .map(|index| {
            format!(
                "(define-tool own_{index} (description \"Own\") (parameters '((n . ((type . \"integer\")))))\n  (execute (lambda (args)\n    (set! count (+ count 1))\n    (list %context-name% (cdr (assoc \"n\" args)) count {})))) \n",
                (0..PRINCIPALS)
                    .map(|other| format!("(get-environment-variable \"SECRET_{other}\")"))
                    .collect::<Vec<_>>()
                    .join(" ")
            )
        })
        .collect();
    project.write("tools/own.scm", &format!("(define count 0)\n{tools}"));
    for index in 0..PRINCIPALS {
        project.set(&format!("TOKEN_{index}"), &token(index));
        project.set(&format!("SECRET_{index}"), &format!("secret-of-{index}"));
    }
    let server = Http::start(&project, &["--audit-log", "calls.jsonl"]);
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::SeqCst);
                    if n >= CALLS {
                        return;
                    }
                    let who = n % PRINCIPALS;
                    let answer = server.call(&token(who), &format!("own_{who}"), json!({ "n": n }));
                    let secrets: Vec<String> = (0..PRINCIPALS)
                        .map(|other| match other == who {
                            true => format!("\"secret-of-{who}\""),
                            false => "#f".to_owned(),
                        })
                        .collect();
                    let expected = format!("result: (\"p{who}\" {n} 1 {})\n", secrets.join(" "));
                    if !text(&answer).starts_with(&expected) {
                        wrong.lock().unwrap().push(format!("{expected} {answer}"));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(
        wrong.is_empty(),
        "{} wrong, such as {}",
        wrong.len(),
        wrong[0]
    );
    let metrics = server.get("/metrics", &token(0)).body;
    assert!(
        metrics.contains(&format!("holm_calls_total{{outcome=\"result\"}} {CALLS}\n")),
        "{metrics}"
    );
    assert!(metrics.contains("holm_calls_running 0\n"), "{metrics}");
    let log = std::fs::read_to_string(project.folder().join("calls.jsonl")).unwrap();
    assert_eq!(log.lines().count(), CALLS);
    assert!(!log.contains("secret-of"));
}

fn token(index: usize) -> String {
    format!("token-{index}-0123456789abcdef")
}
