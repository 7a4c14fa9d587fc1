//! Chores of the project, run as `cargo run -p xtask -- <task>`.
//!
//! `guest` builds the component that the runtime ships (`guest/prebuilt/tein.wasm`);
//! `guest --check` says whether it still belongs to the sources, without building.

mod build;
mod provenance;
mod snapshot;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo run -p xtask -- guest [--check]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = workspace();
    let done = match arguments.as_slice() {
        ["guest"] => guest(&root),
        ["guest", "--check"] => provenance::check(&root),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

fn guest(root: &Path) -> Result<(), Box<dyn Error>> {
    // Hashed first: an edit during the build must show as a mismatch.
    let sources = provenance::sources(root)?;
    let built = build::guest(root)?;
    let wasm = snapshot::initialised(&built.wasm)?;
    provenance::write(root, &built, &sources, &wasm)?;
    eprintln!(
        "{} bytes built, {} with the prelude in memory",
        built.wasm.len(),
        wasm.len()
    );
    Ok(())
}
