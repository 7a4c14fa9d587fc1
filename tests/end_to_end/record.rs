//! The record of every call, from the one way that calls go.

use std::sync::{Arc, Mutex};

use holm::registry::{Audit, Call, CallRecord, Ending, Principal, Registry};
use serde_json::{Map, Value};

use crate::isolation::{registry, runtime};

#[derive(Default)]
struct Records(Mutex<Vec<CallRecord>>);

impl Audit for Records {
    fn record(&self, record: &CallRecord) {
        self.0.lock().unwrap().push(record.clone());
    }
}

/// The records of one call, the innermost first.
fn records(registry: &Arc<Registry>, tool: &str, arguments: &str) -> Vec<CallRecord> {
    let records = Arc::new(Records::default());
    let policy = crate::isolation::everything(registry);
    let call = Call::new(Principal::new("ada"), Arc::clone(&policy))
        .audit(Arc::<Records>::clone(&records));
    let Ok(Value::Object(arguments)) = serde_json::from_str(arguments) else {
        panic!("{arguments}");
    };
    let tool = registry.find(&policy, tool).unwrap();
    drop(runtime().block_on(registry.call(tool, &arguments, &call)));
    let records = records.0.lock().unwrap();
    records.clone()
}

#[test]
fn every_call_has_one_however_it_ends() {
    let registry = registry(
        &runtime(),
        "",
        &["values.scm", "guards.scm", "stateful.scm"],
    );
    for (tool, arguments, expected) in [
        ("data", "{}", vec![(0, "data", "result")]),
        ("fails", "{}", vec![(0, "fails", "error")]),
        ("forever", "{}", vec![(0, "forever", "limit")]),
        (
            "network_tool",
            r#"{"q":"x"}"#,
            vec![(0, "network_tool", "refused")],
        ),
        (
            "value_of",
            r#"{"tool":"fails"}"#,
            vec![(1, "fails", "error"), (0, "value_of", "result")],
        ),
        (
            "value_of",
            r#"{"tool":"network_tool"}"#,
            vec![(1, "network_tool", "refused"), (0, "value_of", "result")],
        ),
    ] {
        let found = records(&registry, tool, arguments);
        let short: Vec<_> = found
            .iter()
            .map(|one| (one.depth, one.tool.as_str(), one.ending.word()))
            .collect();
        assert_eq!(short, expected, "{tool} {arguments}");
    }
}

#[test]
fn a_record_says_who_what_and_under_which_grants() {
    let plain = registry(&runtime(), "", &["values.scm"]);
    let limited = registry(&runtime(), "[limits]\nsteps = 1000000\n", &["values.scm"]);
    let record = records(&plain, "data", "{}").remove(0);
    assert_eq!(record.principal, "ada");
    assert_eq!(record.path, "/tools/command-line/values.scm");
    assert_eq!(record.ending, Ending::Result);
    assert_eq!(record.file_digest.len(), 64);
    let usage = record.journal.usage.unwrap();
    assert!(usage.steps > 0 && usage.memory > 0, "{usage:?}");
    let again = records(&plain, "data", "{}").remove(0);
    assert_eq!(record.grants_digest, again.grants_digest);
    let other = records(&limited, "data", "{}").remove(0);
    assert_eq!(record.file_digest, other.file_digest);
    assert_ne!(record.grants_digest, other.grants_digest);
    let json = record.to_json();
    assert_eq!(json["outcome"], "result");
    assert_eq!(json["principal"], "ada");
    assert!(json["steps"].as_u64().unwrap() > 0);
}

#[test]
fn a_call_that_nobody_waits_for_is_recorded_too() {
    let registry = registry(&runtime(), "", &["values.scm"]);
    let records = Arc::new(Records::default());
    let policy = crate::isolation::everything(&registry);
    let call =
        Call::new(Principal::local(), Arc::clone(&policy)).audit(Arc::<Records>::clone(&records));
    runtime().block_on(async {
        let tool = registry.find(&policy, "data").unwrap();
        let arguments = Map::new();
        let mut running = Box::pin(registry.call(tool, &arguments, &call));
        // Polled once, it has begun, and then it is given up.
        let first = std::future::poll_fn(|context| {
            std::task::Poll::Ready(running.as_mut().poll(context).is_ready())
        });
        first.await;
    });
    let records = records.0.lock().unwrap();
    assert_eq!(records.len(), 1);
}

/// Steps that a call may use beyond its budget before it is looked at: one straight run of code for
/// each call.
const SLACK: u64 = 1000;

#[test]
fn nested_calls_together_use_the_steps_of_the_first() {
    const LIMIT: u64 = 200_000;
    let config = format!("[limits]\nsteps = {LIMIT}\n");
    let registry = registry(&runtime(), &config, &["burn.scm"]);
    let steps = |record: &CallRecord| record.journal.usage.unwrap().steps;
    let once = steps(&records(&registry, "once", "{}")[0]);
    assert!(once * 3 < LIMIT, "{once}");
    for tool in ["deep", "wide", "after"] {
        let records = records(&registry, tool, "{}");
        let all: u64 = records.iter().map(steps).sum();
        let slack = SLACK * records.len() as u64;
        let text = || -> Vec<_> {
            let shown =
                |one: &CallRecord| (one.tool.clone(), one.depth, steps(one), one.ending.clone());
            records.iter().map(shown).collect()
        };
        assert!(all <= LIMIT + slack, "{tool}: {all} {:?}", text());
        assert!(
            all + once > LIMIT,
            "{tool}: all of it is there to be used: {:?}",
            text()
        );
        let stopped = records.iter().filter(|one| one.ending.word() == "limit");
        assert!(stopped.count() > 0, "{:?}", text());
    }
}
