//! State between calls, for the files that the operator lets keep it.

use std::sync::Arc;

use holm::registry::{Call, CallError, Principal, Registry};

use crate::isolation::{registry, runtime};

const KEPT: &str = "[tools.state]\n\"/tools/command-line/stateful.scm\" = \"context\"\n\
                    [tools.limits.\"/tools/command-line/stateful.scm\"]\ncpu = \"200ms\"\n";

async fn said(registry: &Arc<Registry>, principal: &str, tool: &str) -> String {
    let policy = crate::isolation::everything(registry);
    let call = Call::new(Principal::new(principal), Arc::clone(&policy));
    let tool = registry.find(&policy, tool).unwrap();
    match registry.call(tool, &serde_json::Map::new(), &call).await {
        Ok(answer) => answer.outcome.result,
        Err(CallError::Refused(text)) => text,
        Err(CallError::Failed(failure)) => failure.to_string(),
    }
}

#[test]
fn calls_of_one_principal_share_an_instance() {
    let runtime = runtime();
    let registry = registry(&runtime, KEPT, &["stateful.scm"]);
    runtime.block_on(async {
        for expected in ["1", "2", "3"] {
            assert_eq!(said(&registry, "ada", "counted").await, expected);
        }
        assert_eq!(said(&registry, "bob", "counted").await, "1");
        // An error of the tool is no end of its state.
        assert!(
            said(&registry, "ada", "failing")
                .await
                .starts_with("error: ")
        );
        assert_eq!(said(&registry, "ada", "counted").await, "14");
        assert_eq!(said(&registry, "bob", "counted").await, "2");
    });
}

#[test]
fn without_it_every_call_starts_afresh() {
    let runtime = runtime();
    let registry = registry(&runtime, "", &["stateful.scm"]);
    runtime.block_on(async {
        for _ in 0..2 {
            assert_eq!(said(&registry, "ada", "counted").await, "1");
        }
    });
}

#[test]
fn a_limit_ends_the_state_and_the_caller_is_told() {
    let runtime = runtime();
    let config = format!("{KEPT}steps = 9000000000000\n");
    let registry = registry(&runtime, &config, &["stateful.scm"]);
    runtime.block_on(async {
        assert_eq!(said(&registry, "ada", "counted").await, "1");
        let text = said(&registry, "ada", "forever").await;
        assert!(text.starts_with("error: CPU time limit exceeded"), "{text}");
        assert!(text.contains("state is lost"), "{text}");
        assert_eq!(said(&registry, "ada", "counted").await, "1");
    });
}

#[test]
fn a_limit_of_the_guests_own_leaves_the_state_as_it_is() {
    let runtime = runtime();
    let config = format!("{KEPT}steps = 100000\n");
    let registry = registry(&runtime, &config, &["stateful.scm"]);
    runtime.block_on(async {
        assert_eq!(said(&registry, "ada", "counted").await, "1");
        let text = said(&registry, "ada", "forever").await;
        assert_eq!(text, "error: step limit exceeded");
        assert_eq!(said(&registry, "ada", "counted").await, "2");
    });
}

#[test]
fn calls_of_one_file_wait_for_each_other_and_none_for_itself() {
    let runtime = runtime();
    let registry = registry(&runtime, KEPT, &["stateful.scm"]);
    runtime.block_on(async {
        let calls: Vec<_> = (0..8)
            .map(|_| {
                let registry = Arc::clone(&registry);
                tokio::spawn(async move { said(&registry, "ada", "counted").await })
            })
            .collect();
        let mut counts = Vec::new();
        for call in calls {
            counts.push(call.await.unwrap().parse::<u32>().unwrap());
        }
        counts.sort_unstable();
        assert_eq!(counts, (1..=8).collect::<Vec<_>>());
        assert_eq!(
            said(&registry, "ada", "again").await,
            "call-tool: re-entrant call into the same tool file"
        );
    });
}
