//! Gathers the Scheme sources of the embedded libraries: `src/lib/scheme/base.sld` is `(scheme base)`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn gather(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, out);
        } else if path.extension().is_some_and(|e| e == "sld" || e == "scm") {
            out.push(path);
        }
    }
}

fn main() {
    let root =
        PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("src/lib");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut paths = Vec::new();
    gather(&root, &mut paths);
    paths.sort();
    let mut text = String::from("&[\n");
    for p in &paths {
        println!("cargo::rerun-if-changed={}", p.display());
        let name = p.strip_prefix(&root).unwrap_or(p).with_extension("");
        // A file that a library includes keeps its ending, so that it cannot be taken for one.
        let mut key = name.to_string_lossy().replace('\\', "/");
        if p.extension().is_some_and(|e| e == "scm") {
            key.push_str(".scm");
        }
        let _ = writeln!(
            text,
            "    ({key:?}, include_str!({:?})),",
            p.display().to_string()
        );
    }
    text.push_str("]\n");
    let out = PathBuf::from(std::env::var("OUT_DIR").unwrap_or_default()).join("sources.rs");
    if let Err(e) = std::fs::write(&out, text) {
        println!("cargo::error=cannot write {}: {e}", out.display());
    }
}
