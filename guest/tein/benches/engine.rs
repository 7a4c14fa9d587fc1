//! The engine on small programs, natively: `cargo bench -p tein`.
//!
//! Each program of `programs/` defines `run` and the value that it must give. Where `chibi-scheme`
//! is on the PATH the same text runs there too, in the same session, and the ratio is printed:
//! absolute times say little on a shared machine.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use tein::{Context, Value};

/// Runs of each program; the shortest counts.
const ROUNDS: usize = 5;

fn measure(source: &str) -> Result<Duration, String> {
    let mut c = Context::builder().build().map_err(|e| e.to_string())?;
    c.set_heap_max(40 << 20);
    c.evaluate_file("program", source)
        .map_err(|e| e.to_string())?;
    let run = c.global("run").ok_or("no run")?;
    let expected = c.global("expected").ok_or("no expected")?;
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let got = c.call(&run, &[]).map_err(|e| e.to_string())?;
        best = best.min(start.elapsed());
        if got != expected && !matches!(got, Value::Procedure(_)) {
            return Err(format!("gave {got:?}, not {expected:?}"));
        }
    }
    Ok(best)
}

/// Seconds that chibi takes for the program's `run`, measured inside it.
fn chibi(source: &str) -> Option<f64> {
    let text = format!(
        "{source}\n(import (scheme time) (scheme write))\n\
         (let loop ((i 0) (best 1e9))\n\
           (if (< i {ROUNDS})\n\
               (let ((t (current-jiffy)))\n\
                 (run)\n\
                 (let ((d (/ (- (current-jiffy) t) (jiffies-per-second))))\n\
                   (loop (+ i 1) (if (< d best) d best))))\n\
               (display (inexact best))))"
    );
    let path = std::env::temp_dir().join(format!("tein-bench-{}.scm", std::process::id()));
    std::fs::write(&path, text).ok()?;
    let out = Command::new("chibi-scheme").arg(&path).output().ok();
    let _ = std::fs::remove_file(&path);
    String::from_utf8_lossy(&out?.stdout).trim().parse().ok()
}

fn main() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/programs");
    let Ok(entries) = std::fs::read_dir(&dir) else {
        return;
    };
    let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    paths.sort();
    println!("{:<14} {:>10} {:>10}", "program", "tein ms", "of chibi");
    let mut logs = Vec::new();
    for p in paths {
        let name = p
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let Ok(source) = std::fs::read_to_string(&p) else {
            continue;
        };
        match measure(&source) {
            Ok(t) => {
                let ratio = chibi(&source).map(|c| t.as_secs_f64() / c);
                logs.extend(ratio.map(f64::ln));
                let shown = ratio.map_or_else(|| "-".to_owned(), |r| format!("{r:.2}"));
                println!("{name:<14} {:>10.2} {shown:>10}", t.as_secs_f64() * 1e3);
            }
            Err(e) => println!("{name:<14} {e}"),
        }
    }
    if !logs.is_empty() {
        println!(
            "geometric mean of the ratios: {:.2}",
            (logs.iter().sum::<f64>() / logs.len() as f64).exp()
        );
    }
}
