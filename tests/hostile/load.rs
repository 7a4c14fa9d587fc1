//! 200 calls at once, half of them hostile: the honest ones do not notice.

use std::sync::Arc;
use std::time::{Duration, Instant};

use holm::egress::Journal;
use holm::limits::Limits;
use holm::sandbox::Failure;

use crate::guests::*;
use crate::servers::{Answer, Server};

/// Calls at once, of each kind.
const EACH: usize = 100;
/// All of it must be over by then, on any machine that builds this.
const BOUND: Duration = Duration::from_secs(300);

/// Bytes of memory that this process has, where that is known.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = text
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse().ok())
        .unwrap_or(0);
    pages * 4096
}

#[test]
fn honest_calls_among_as_many_hostile_ones_all_succeed() {
    alone(async {
        let loaded = honest().await;
        let server = Arc::new(Server::start(Answer::Ok).await);
        let silent = Arc::new(Server::start(Answer::Silence).await);
        let attacks: Vec<_> = [
            "spin",
            "memory",
            "handles",
            "recursion",
            "request",
            "refused",
            "sleep",
            "random",
            "headers",
            "body_out",
        ]
        .map(|attack| (attack, sandbox_of(attack)))
        .into();
        let before = resident();
        let start = Instant::now();

        let mut hostile = tokio::task::JoinSet::new();
        let mut honest = tokio::task::JoinSet::new();
        for n in 0..EACH {
            let (name, sandbox) = attacks[n % attacks.len()].clone();
            let (loaded_, silent) = (loaded.clone(), Arc::clone(&silent));
            hostile.spawn(async move {
                let limits = Limits {
                    wall: Duration::from_secs(60),
                    cpu: Duration::from_millis(200),
                    ..Limits::default()
                };
                let arguments = format!("POST|http|{}|/v1/x", silent.authority());
                let began = Instant::now();
                let outcome = call(
                    &sandbox,
                    Asked {
                        loaded: &loaded_,
                        tool: "attack",
                        arguments: &arguments,
                        grants: &grants(&silent.rule()),
                        // What only waits is not let wait for long.
                        limits: &match name {
                            "sleep" | "request" | "body_out" => Limits {
                                wall: Duration::from_secs(5),
                                ..limits
                            },
                            _ => limits,
                        },
                        principal: "attacker",
                        journal: &Journal::new(),
                    },
                )
                .await;
                (name, outcome, began.elapsed())
            });
            let (loaded, server) = (loaded.clone(), Arc::clone(&server));
            honest.spawn(async move {
                let url = format!("http://{}/v1/{n}", server.authority());
                let arguments = serde_json::json!({ "url": url }).to_string();
                let (tool, arguments, expected) = match n % 2 {
                    0 => ("get", arguments.as_str(), "200 ok"),
                    _ => ("add", "{}", "10"),
                };
                let began = Instant::now();
                let outcome = call(
                    &SANDBOX,
                    Asked {
                        loaded: &loaded,
                        tool,
                        arguments,
                        grants: &grants(&server.rule()),
                        limits: &Limits {
                            wall: Duration::from_secs(120),
                            ..Limits::default()
                        },
                        principal: "honest",
                        journal: &Journal::new(),
                    },
                )
                .await
                .unwrap();
                assert_eq!((outcome.result.as_str(), outcome.limit), (expected, None));
                began.elapsed()
            });
        }
        let mut took = Vec::new();
        while let Some(elapsed) = tokio::time::timeout(BOUND, honest.join_next())
            .await
            .unwrap()
        {
            took.push(elapsed.unwrap());
        }
        let peak = resident();
        let (mut ended, mut waited) = (0, 0);
        while let Some(attack) = tokio::time::timeout(BOUND, hostile.join_next())
            .await
            .unwrap()
        {
            match attack.unwrap() {
                (_, Ok(outcome), _) if outcome.limit.is_some() => ended += 1,
                // The one by its own count, the other at its request's deadline, which is the call's.
                ("refused" | "body_out" | "request", Ok(_), _) => ended += 1,
                (_, Err(Failure::Busy(text)), _) => {
                    assert!(text.contains("set by `concurrency."), "{text}");
                    waited += 1;
                }
                (name, other, _) => panic!("{name}: {other:?}"),
            }
        }
        took.sort();
        let of = |part: usize| took[(took.len() - 1) * part / 100].as_secs_f64();
        println!(
            "{EACH} honest calls among {EACH} hostile ones in {:.1} s: median {:.2} s, 95 % {:.2} s, longest {:.2} s; \
         {ended} attacks ended at a limit, {waited} got no place; {} MiB before, {} MiB at the end of the honest calls",
            start.elapsed().as_secs_f64(),
            of(50),
            of(95),
            of(100),
            before >> 20,
            peak >> 20,
        );
        assert_eq!(took.len(), EACH);
        // 64 instances of 64 MiB at most, whatever the attackers ask for.
        assert!(peak.saturating_sub(before) < 5 << 30, "{before} {peak}");
        assert_eq!(SANDBOX.instances().unwrap_or(0), 0);
    });
}
