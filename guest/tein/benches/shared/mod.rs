//! The programs of `programs/` and the two ways to run them outside the guest, for the benches of
//! this crate and of the runtime.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tein::{Context, Value};

/// A file of `programs/`: defines `run`, and `expected`, the value that it must give.
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) source: String,
}

/// All of them, by name, without those that no argument of the command is a part of.
/// `cargo bench` adds arguments that start with `-`; they select nothing.
pub(crate) fn programs() -> Result<Vec<Program>, String> {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(super::PROGRAMS);
    let at = |e: std::io::Error| format!("{}: {e}", dir.display());
    let mut all = Vec::new();
    for entry in std::fs::read_dir(&dir).map_err(at)? {
        let path = entry.map_err(at)?.path();
        if path.extension().is_none_or(|e| e != "scm") {
            continue;
        }
        let name = path.file_stem().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        if wanted.is_empty() || wanted.iter().any(|w| name.contains(w.as_str())) {
            let source = std::fs::read_to_string(&path).map_err(at)?;
            all.push(Program { name, source });
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}

/// A program loaded in this process.
pub(crate) struct Native {
    context: Context,
    run: Value,
    expected: Value,
}

impl Native {
    pub(crate) fn load(program: &Program) -> Result<Self, String> {
        let mut context = Context::builder().build().map_err(|e| e.to_string())?;
        context.set_heap_max(40 << 20);
        context
            .evaluate_file(&program.name, &program.source)
            .map_err(|e| e.to_string())?;
        let run = context.global("run").ok_or("no run")?;
        let expected = context.global("expected").ok_or("no expected")?;
        Ok(Self {
            context,
            run,
            expected,
        })
    }

    /// The time of one `run`, by the clock that is given: `now` says how much passed so far.
    pub(crate) fn time(&mut self, now: impl Fn() -> Duration) -> Result<Duration, String> {
        let start = now();
        let got = self
            .context
            .call(&self.run, &[])
            .map_err(|e| e.to_string())?;
        let time = now().saturating_sub(start);
        if got != self.expected {
            return Err(format!("gave {got:?}, not {:?}", self.expected));
        }
        Ok(time)
    }
}

/// What chibi-scheme takes for the program's `run`: the best of `rounds`, measured inside it.
/// Nothing where there is no chibi-scheme on the PATH, or where it cannot run the program.
pub(crate) fn chibi(program: &Program, rounds: usize) -> Option<Duration> {
    let text = format!(
        "{}\n(import (scheme time) (scheme write))\n\
         (let loop ((i 0) (best 1e9))\n\
           (if (< i {rounds})\n\
               (let* ((t (current-jiffy)) (v (run)) (d (- (current-jiffy) t)))\n\
                 (if (not (equal? v expected)) (error \"not expected\" v))\n\
                 (loop (+ i 1) (min best (/ d (jiffies-per-second)))))\n\
               (display (inexact best))))\n",
        program.source
    );
    let file = format!("tein-bench-{}-{}.scm", std::process::id(), program.name);
    let path = std::env::temp_dir().join(file);
    std::fs::write(&path, text).ok()?;
    let output = Command::new("chibi-scheme")
        .arg(&path)
        .stdin(Stdio::null())
        .output();
    let _ = std::fs::remove_file(&path);
    let output = output.ok().filter(|o| o.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    let seconds: f64 = text.split_whitespace().last()?.parse().ok()?;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|t| *t < Duration::from_secs(1_000_000))
}

/// The geometric mean of some ratios, if there is one to take.
pub(crate) fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let sum: f64 = ratios.iter().map(|r| r.ln()).sum();
    (!ratios.is_empty()).then(|| (sum / ratios.len() as f64).exp())
}

/// A ratio for a table.
pub(crate) fn shown(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "-".to_owned(), |r| format!("{r:.2}"))
}

/// Time that passed since the first call, on the wall.
#[allow(dead_code, reason = "the runtime's bench counts CPU time")]
pub(crate) fn wall() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
