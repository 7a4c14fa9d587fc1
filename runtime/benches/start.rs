//! How long a process takes until it has answered: `cargo bench -p holm --bench start`.
//!
//! `holm call` of a trivial tool and `holm serve` until it has answered its first `tools/call`, with
//! nothing kept from earlier runs and with everything kept. Beside them, in turn, `holm --version`, the
//! least that the command can take; a process that does nothing but run an empty module with the wasmtime
//! library; and, where the `wasmtime` command is on the PATH, `wasmtime run` of an empty module that it compiled
//! before, which is then the baseline. Times are of the wall clock.

mod common;

use common::project::{Project, kept_cache};
use common::{Failed, row};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs with warm caches.
const ROUNDS: usize = 60;
/// Runs from nothing: each compiles the guest.
const COLD_ROUNDS: usize = 3;
const TRIVIAL: &str = "(description \"d\") (parameters '()) (execute (lambda (args) \"done\"))";

/// `(module (func (export "_start")))`
const EMPTY_BINARY: &[u8] = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0\x07\x0a\x01\x06_start\0\0\x0a\x04\x01\x02\0\x0b";
const LIBRARY: &str = "library";

/// What a client sends until it has its first answer from a tool, and what that has in it.
const SESSION: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n",
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{}}}"#,
    "\n",
);
const ANSWER: &str = "result: done";

fn main() -> Result<(), Failed> {
    if std::env::args().nth(1).as_deref() == Some(LIBRARY) {
        return library();
    }
    println!("\n  {:<44}{:>14}{:>14}", "process", "p50", "p99");

    let (mut calls, mut served) = (Vec::new(), Vec::new());
    for round in 0..COLD_ROUNDS {
        for (times, serve) in [(&mut calls, false), (&mut served, true)] {
            let cache = Path::new(env!("CARGO_TARGET_TMPDIR"))
                .join(format!("bench-cold-{}-{round}-{serve}", std::process::id()));
            let project = Project::new(&[("t", TRIVIAL)], &cache)?;
            times.push(if serve {
                first_answer(&project)?
            } else {
                holm_call(&project)?
            });
            std::fs::remove_dir_all(cache)?;
        }
    }
    row("holm call, from nothing", &mut calls, None);
    row(
        "holm serve to its first answer, from nothing",
        &mut served,
        None,
    );

    let project = Project::new(&[("t", TRIVIAL)], &kept_cache())?;
    let wasmtime = Wasmtime::find()?;
    holm_call(&project)?;
    let (mut bare, mut version, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    let this = std::env::current_exe()?;
    (calls, served) = Default::default();
    for _ in 0..ROUNDS {
        if let Some(wasmtime) = &wasmtime {
            bare.push(timed(&mut wasmtime.run(), "")?);
        }
        alone.push(timed(Command::new(&this).arg(LIBRARY), "done")?);
        version.push(timed(&mut project.holm(&["--version"]), "holm")?);
        calls.push(holm_call(&project)?);
        served.push(first_answer(&project)?);
    }
    // The command where it is installed, the library otherwise.
    let command = match bare.is_empty() {
        true => None,
        false => Some(row(
            "wasmtime run, an empty module, precompiled",
            &mut bare,
            None,
        )),
    };
    let library = row(
        "wasmtime, as a library, an empty module",
        &mut alone,
        command,
    );
    let base = command.unwrap_or_else(|| {
        println!("  (there is no `wasmtime` on the PATH: ratios are to the library)");
        library
    });
    row("holm --version", &mut version, Some(base));
    row("holm call, warm", &mut calls, Some(base));
    row(
        "holm serve to its first answer, warm",
        &mut served,
        Some(base),
    );
    Ok(())
}

/// What this process does when it is the baseline.
fn library() -> Result<(), Failed> {
    let engine = wasmtime::Engine::default();
    let module = wasmtime::Module::from_binary(&engine, EMPTY_BINARY)?;
    let mut store = wasmtime::Store::new(&engine, ());
    let instance = wasmtime::Instance::new(&mut store, &module, &[])?;
    instance
        .get_typed_func::<(), ()>(&mut store, "_start")?
        .call(&mut store, ())?;
    println!("done");
    Ok(())
}

/// Runs a command to its end; its output must hold `wanted`.
fn timed(command: &mut Command, wanted: &str) -> Result<Duration, Failed> {
    let start = Instant::now();
    let output = command.output()?;
    let took = start.elapsed();
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && text.contains(wanted) {
        Ok(took)
    } else {
        Err(format!("{command:?} said {text:?} and ended with {}", output.status).into())
    }
}

fn holm_call(project: &Project) -> Result<Duration, Failed> {
    timed(&mut project.holm(&["call", "t"]), "done")
}

/// From the start of the process to the tool's answer.
fn first_answer(project: &Project) -> Result<Duration, Failed> {
    let start = Instant::now();
    let mut child = project.holm(&["serve"]).stdin(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take().ok_or("no stdin")?;
    stdin.write_all(SESSION.as_bytes())?;
    stdin.flush()?;
    let stdout = child.stdout.take().ok_or("no stdout")?;
    let mut found = None;
    for line in BufReader::new(stdout).lines() {
        let line = line?;
        if line.contains("\"id\":1") {
            found = Some((start.elapsed(), line));
            break;
        }
    }
    drop(stdin);
    drop(child.kill());
    child.wait()?;
    match found {
        Some((took, line)) if line.contains(ANSWER) => Ok(took),
        found => Err(format!("holm serve gave no answer but {found:?}").into()),
    }
}

/// The `wasmtime` command and a module that it compiled.
struct Wasmtime {
    module: PathBuf,
}

impl Wasmtime {
    fn find() -> Result<Option<Self>, Failed> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let binary = folder.join("bench-empty.wasm");
        let module = folder.join("bench-empty.cwasm");
        std::fs::write(&binary, EMPTY_BINARY)?;
        let mut compile = Command::new("wasmtime");
        compile.arg("compile").arg(&binary).arg("-o").arg(&module);
        match compile.output() {
            Ok(output) if output.status.success() => Ok(Some(Self { module })),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into()),
            Err(_) => Ok(None),
        }
    }

    fn run(&self) -> Command {
        let mut command = Command::new("wasmtime");
        command
            .args(["run", "--allow-precompiled"])
            .arg(&self.module);
        command
    }
}
