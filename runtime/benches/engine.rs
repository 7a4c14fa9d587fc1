//! The engine on small programs, inside the guest: `cargo bench -p holm --bench engine
//! [-- PART-OF-NAME ...]`.
//!
//! Each program of `guest/tein/benches/programs` runs natively through the engine's crate, in
//! the guest component as a tool call, and in `chibi-scheme` where that is on the PATH. The
//! native runs and the calls take turns, the best of each counts, and the times are this
//! thread's CPU time, so that the ratios hold whatever else the machine does. A second tool of
//! the same file that does nothing is called in each round too, and what it takes is
//! subtracted: the instance, the image and the arguments are what `--bench call` measures.

use holm::egress::Journal;
use holm::limits::Limits;
use holm::sandbox::{
    CallRequest, Code, Grants, LoadRequest, Loaded, NestedCalls, NoNestedCalls, Sandbox,
    SandboxOptions,
};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

#[path = "../../guest/tein/benches/shared/mod.rs"]
mod shared;

use shared::{Native, Program};

type Failed = Box<dyn std::error::Error>;

/// Where the programs are, from this crate's directory.
const PROGRAMS: &str = "../guest/tein/benches/programs";
/// Rounds of each program; the shortest time counts.
const ROUNDS: usize = 7;
const FILE: &str = "/tools/bench.scm";
/// What both tools return.
const DONE: &str = "done";

/// Both tools after the program itself.
const TOOLS: &str = "
(define-tool bench-run (description \"runs\") (parameters '())
  (execute (lambda (args)
    (let ((value (run)))
      (if (equal? value expected) \"done\" (error \"not the expected value\" value))))))
(define-tool bench-nothing (description \"does nothing\") (parameters '())
  (execute (lambda (args) \"done\")))
";

fn cpu() -> Duration {
    #[cfg(unix)]
    {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::try_from(now).unwrap_or_default()
    }
    #[cfg(not(unix))]
    shared::wall()
}

/// The memory is what a call has by default, as it decides how often the engine collects.
fn limits() -> Limits {
    Limits {
        wall: Duration::from_secs(600),
        cpu: Duration::from_secs(600),
        steps: None,
        ..Limits::default()
    }
}

/// A program loaded as a tool file.
struct Guest<'a> {
    sandbox: &'a Sandbox,
    loaded: Loaded,
}

impl<'a> Guest<'a> {
    async fn load(sandbox: &'a Sandbox, program: &Program) -> Result<Self, Failed> {
        let source = format!("{}{TOOLS}", program.source);
        let request = LoadRequest {
            code: Code::Scheme(&source),
            file: FILE,
            unrestricted: false,
            grants: &Grants::default(),
            limits: &limits(),
        };
        let loaded = sandbox.load(request).await?;
        Ok(Self { sandbox, loaded })
    }

    /// The CPU time of one call.
    async fn time(&self, tool: &str) -> Result<Duration, Failed> {
        let (grants, limits) = (Grants::default(), limits());
        let nested: Arc<dyn NestedCalls> = Arc::new(NoNestedCalls);
        let journal = Journal::new();
        let request = CallRequest {
            image: &self.loaded.image,
            file: FILE,
            tool,
            arguments: "{}",
            context_name: "",
            unrestricted: false,
            grants: &grants,
            limits: &limits,
            nested: &nested,
            principal: "bench",
            budget: None,
            journal: &journal,
        };
        let start = cpu();
        let outcome = self.sandbox.call(request).await?;
        let time = cpu().saturating_sub(start);
        if outcome.failure.is_some() || outcome.limit.is_some() || outcome.result != DONE {
            return Err(outcome.result.into());
        }
        Ok(time)
    }
}

/// The best time natively, and the best in the guest without the best of a call that does nothing.
async fn measure(sandbox: &Sandbox, program: &Program) -> Result<(Duration, Duration), Failed> {
    let mut native = Native::load(program)?;
    let guest = Guest::load(sandbox, program).await?;
    let mut best = [Duration::MAX; 3];
    for _ in 0..ROUNDS {
        let times = [
            native.time(cpu)?,
            guest.time("bench-run").await?,
            guest.time("bench-nothing").await?,
        ];
        for (best, time) in best.iter_mut().zip(times) {
            *best = time.min(*best);
        }
    }
    let [native, run, nothing] = best;
    Ok((native, run.saturating_sub(nothing)))
}

fn main() -> Result<(), Failed> {
    let sandbox = Sandbox::new(SandboxOptions {
        cache_dir: Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR"))),
        ..SandboxOptions::default()
    })?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    println!(
        "{:<14} {:>10} {:>10} {:>12} {:>12}",
        "program", "native ms", "wasm ms", "wasm/native", "wasm/chibi"
    );
    let (mut of_native, mut of_chibi) = (Vec::new(), Vec::new());
    for program in shared::programs()? {
        let (native, wasm) = runtime
            .block_on(measure(&sandbox, &program))
            .map_err(|e| format!("{}: {e}", program.name))?;
        let chibi = shared::chibi(&program, ROUNDS);
        let ratio = wasm.as_secs_f64() / native.as_secs_f64();
        let to_chibi = chibi.map(|c| wasm.as_secs_f64() / c.as_secs_f64());
        of_native.push(ratio);
        of_chibi.extend(to_chibi);
        println!(
            "{:<14} {:>10.2} {:>10.2} {ratio:>12.2} {:>12}",
            program.name,
            native.as_secs_f64() * 1e3,
            wasm.as_secs_f64() * 1e3,
            shared::shown(to_chibi)
        );
    }
    println!(
        "{:<14} {:>10} {:>10} {:>12} {:>12}",
        "geometric mean",
        "",
        "",
        shared::shown(shared::geometric_mean(&of_native)),
        shared::shown(shared::geometric_mean(&of_chibi))
    );
    Ok(())
}
