//! How a call's cost grows, and with what: `cargo bench -p holm --bench scale`.
//!
//! Each series doubles or multiplies one size and prints the time per call or per question beside the smallest size
//! measured in the same run, and the exponent of the line through the logarithms: 0 is constant, 1 is linear. With
//! `HOLM_PLOTS=FOLDER` each series is written there as an SVG, too. Times are of the wall clock, so run it on a machine
//! that does nothing else.

mod common;

use common::series::Series;
use common::{Failed, micros, quantile, resident};
use holm::config::Config;
use holm::grants::{Rule, RuleSet};
use holm::permissions::{Category, Subject};
use holm::policy::ToolPolicy;
use holm::registry::{Call, FileGrants, Found, Principal, Registry, Source};
use holm::sandbox::{Concurrency, Sandbox, SandboxOptions};
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

const TRIVIAL: &str = "(description \"d\") (parameters '()) (execute (lambda (args) \"done\"))";
const SPIN: &str =
    "(description \"d\") (parameters '()) (execute (lambda (args) (let loop () (loop))))";
const ECHO: &str = "(description \"d\") (parameters '()) (execute json-stringify)";

fn main() -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let only: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    let wanted = |name: &str| only.is_empty() || only.iter().any(|part| name.contains(part));
    if wanted("walls") {
        walls()?;
    }
    if wanted("sizes") {
        sizes(&runtime)?;
    }
    if wanted("density") {
        density(&runtime)?;
    }
    if wanted("throughput") {
        throughput(&runtime)?;
    }
    Ok(())
}

// --- what is measured ---

/// The questions that stand before every call: grants, permission, URL rules.
fn walls() -> Result<(), Failed> {
    let mut series = Series::new("one URL against n rules", "rules", "ns");
    for n in [1, 10, 100, 1000] {
        let rules: Result<Vec<Rule>, _> = (0..n)
            .map(|i| format!("https://host{i}.example.com/v1/").parse())
            .collect();
        let rules = RuleSet::new(rules?);
        let last = format!("https://host{}.example.com/v1/items?q=1", n - 1);
        series.add_time(
            n,
            per_round(20_000 / n.min(100), || {
                black_box(rules.check_url("GET", black_box(&last)).is_ok());
            }),
        );
    }
    series.print();

    let mut series = Series::new(
        "grants of one file, n keys in the configuration",
        "keys",
        "ns",
    );
    for n in [1, 10, 100, 1000] {
        let mut text = "[tools.http.allow]\n".to_owned();
        for i in 0..n {
            let _ = writeln!(
                text,
                "\"/tools/shared/f{i}.scm\" = [\"https://a.example/\"]"
            );
        }
        let config = config(&text)?;
        let path = format!("/tools/shared/f{}.scm", n - 1);
        series.add_time(
            n,
            per_round(5_000, || {
                black_box(FileGrants::resolve(&config, black_box(&path)));
            }),
        );
    }
    series.print();

    let mut series = Series::new(
        "permission gate, n tools named in the configuration",
        "tools",
        "ns",
    );
    for n in [1, 10, 100, 1000] {
        let mut text = "[permissions.tools]\n".to_owned();
        for i in 0..n {
            let _ = writeln!(text, "t{i} = \"allow\"");
        }
        let config = config(&text)?;
        let subject = Subject {
            tool: &format!("t{}", n - 1),
            category: Category::Synthesised,
            summary_params: &[],
            path: "/tools/shared/f.scm",
            digest: "",
        };
        let arguments = serde_json::Map::new();
        series.add_time(
            n,
            per_round(20_000, || {
                black_box(config.permissions.gate(black_box(&subject), &arguments));
            }),
        );
    }
    series.print();
    Ok(())
}

/// Arguments, and with them results, of 1 KB to 1 MB.
fn sizes(runtime: &Runtime) -> Result<(), Failed> {
    let registry = runtime.block_on(load(
        &[("t", ECHO)],
        "[limits]\noutput = \"4 MiB\"\nsteps = 1000000000\n",
    ))?;
    let mut series = Series::new("arguments of n bytes, there and back", "bytes", "us");
    for n in [1 << 10, 1 << 13, 1 << 16, 1 << 18, 1 << 20] {
        let item = "x".repeat(100);
        let items: Vec<&str> = (0..n / 103).map(|_| item.as_str()).collect();
        let text = serde_json::json!({ "items": items });
        let serde_json::Value::Object(arguments) = text else {
            return Err("no object".into());
        };
        let rounds = (2_000_000 / n).clamp(10, 500);
        let mut times = Vec::new();
        for _ in 0..rounds {
            let start = Instant::now();
            runtime.block_on(one(&registry, "t", &arguments))?;
            times.push(start.elapsed());
        }
        series.add_time(n, quantile(&mut times, 500));
    }
    series.print();
    Ok(())
}

/// Calls, memory and loading with 1 to 10,000 tool files.
fn density(runtime: &Runtime) -> Result<(), Failed> {
    let mut calls = Series::new("a trivial call among n tool files", "files", "us");
    let mut loads = Series::new("loading n tool files", "files", "ms");
    let mut memory = Series::new(
        "resident memory per loaded tool file, in KiB",
        "files",
        "KiB",
    );
    let largest = std::env::var("HOLM_FILES")
        .ok()
        .and_then(|n| n.parse().ok());
    let largest = largest.unwrap_or(1000);
    for n in [1, 10, 100, 1000, 10_000] {
        if n > largest {
            break;
        }
        let names: Vec<String> = (0..n).map(|i| format!("t{i}")).collect();
        let tools: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), TRIVIAL)).collect();
        let before = resident();
        let start = Instant::now();
        let registry = runtime.block_on(load(&tools, ""))?;
        loads.add_time(n, start.elapsed());
        let grown = resident().saturating_sub(before);
        memory.add(n, grown as f64 / n as f64 / 1024.0);
        let arguments = serde_json::Map::new();
        let mut times = Vec::new();
        for i in 0..500 {
            let name = &names[(i * 7919) % n];
            let start = Instant::now();
            runtime.block_on(one(&registry, name, &arguments))?;
            times.push(start.elapsed());
        }
        calls.add_time(n, quantile(&mut times, 500));
        drop(registry);
    }
    calls.print();
    loads.print();
    memory.print();
    Ok(())
}

/// Calls per second at different numbers of calls at a time, with and without spinning ones.
fn throughput(runtime: &Runtime) -> Result<(), Failed> {
    let limits = "[limits]\ncpu = \"50 ms\"\nsteps = 1000000000000\n";
    let registry = runtime.block_on(load(&[("t", TRIVIAL), ("spin", SPIN)], limits))?;
    println!(
        "\ntrivial calls at a time, alone and with one in ten that spins for 50 ms of CPU time"
    );
    println!(
        "  {:>8}{:>14}{:>12}{:>12}{:>12}",
        "at once", "calls/s", "p50 us", "p99 us", "p99.9 us"
    );
    for spinning in [false, true] {
        for at_once in [1_usize, 2, 4, 16, 64] {
            let total = 2000;
            let start = Instant::now();
            let mut workers = tokio::task::JoinSet::new();
            for worker in 0..at_once {
                let registry = Arc::clone(&registry);
                let spins = spinning && worker % 10 == 0;
                let _entered = runtime.enter();
                workers.spawn(async move {
                    let arguments = serde_json::Map::new();
                    let mut times = Vec::new();
                    if spins {
                        for _ in 0..5 {
                            one(&registry, "spin", &arguments).await.ok();
                        }
                        return Ok::<_, String>(times);
                    }
                    for _ in 0..total / at_once {
                        let start = Instant::now();
                        one(&registry, "t", &arguments)
                            .await
                            .map_err(|e| e.to_string())?;
                        times.push(start.elapsed());
                    }
                    Ok(times)
                });
            }
            let all = runtime.block_on(async {
                let mut all = Vec::new();
                while let Some(done) = workers.join_next().await {
                    all.extend(done.map_err(|e| e.to_string())??);
                }
                Ok::<_, String>(all)
            })?;
            let mut all = all;
            if all.is_empty() {
                continue;
            }
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "  {at_once:>8}{:>14.0}{:>12.1}{:>12.1}{:>12.1}{}",
                all.len() as f64 / seconds,
                micros(quantile(&mut all, 500)),
                micros(quantile(&mut all, 990)),
                micros(quantile(&mut all, 999)),
                if spinning { "  with spinning ones" } else { "" }
            );
        }
    }
    Ok(())
}

// --- how ---

fn config(text: &str) -> Result<Config, Failed> {
    Config::parse("holm.toml", text, Path::new("/")).map_err(|problems| {
        let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
        told.join("\n").into()
    })
}

/// Tools, and that everybody may call them.
struct Tools {
    registry: Arc<Registry>,
    policy: Arc<ToolPolicy>,
}

/// A registry of files with one tool each.
async fn load(tools: &[(&str, &str)], text: &str) -> Result<Arc<Tools>, Failed> {
    let sandbox = Sandbox::new(SandboxOptions {
        cache_dir: Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR"))),
        concurrency: Concurrency {
            in_all: 64,
            per_principal: 64,
            ..Concurrency::default()
        },
        ..SandboxOptions::default()
    })?;
    let sources = tools.iter().map(|(name, body)| Source {
        path: format!("/tools/shared/{name}.scm"),
        origin: format!("{name}.scm"),
        text: format!("(define-tool {name} {body})"),
        component: None,
    });
    let found = Found {
        sources: sources.collect(),
        ..Found::default()
    };
    let config = config(text)?;
    let registry = Registry::load(&config, found, sandbox).await;
    let policy = Arc::new(registry.policy_before_hooks(&config, &config.user.name, None));
    match registry.diagnostics().iter().find(|d| d.is_error()) {
        Some(problem) => Err(problem.to_string().into()),
        None => Ok(Arc::new(Tools {
            registry: Arc::new(registry),
            policy,
        })),
    }
}

async fn one(
    tools: &Tools,
    name: &str,
    arguments: &serde_json::Map<String, serde_json::Value>,
) -> Result<(), Failed> {
    let tool = tools.registry.find(&tools.policy, name);
    let tool = tool.map_err(|_| "no such tool")?;
    let call = Call::new(Principal::local(), Arc::clone(&tools.policy));
    let answer = tools.registry.call(tool, arguments, &call).await;
    let answer = answer.map_err(|_| "the call did not begin")?;
    match answer.outcome.failure.is_some() || answer.outcome.limit.is_some() {
        true => Err(answer.text().into()),
        false => Ok(()),
    }
}

/// Median time of a round, over 21 batches of `rounds`.
fn per_round(rounds: usize, mut round: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..21)
        .map(|_| {
            let start = Instant::now();
            (0..rounds).for_each(|_| round());
            start.elapsed() / u32::try_from(rounds).unwrap_or(u32::MAX)
        })
        .collect();
    quantile(&mut times, 500)
}
