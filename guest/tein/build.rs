//! Embeds the Scheme sources of the libraries: `src/lib/scheme/base.sld` is `(scheme base)`.
//!
//! Each file is deflated by itself, without its indentation and its lines of comment, so that a
//! program pays for the libraries that it imports only.

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

/// What the reader would skip at the beginning of lines is left out; lines keep their numbers.
/// A line that begins inside a string, a barred symbol or a block comment stays as it is.
fn condensed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut within: Option<char> = None;
    for line in text.lines() {
        let kept = match within {
            Some(_) => line,
            None => line.trim_start(),
        };
        let comment = within.is_none() && kept.starts_with(';');
        if !comment {
            out.push_str(kept);
            within = state_after(kept, within);
        }
        out.push('\n');
    }
    out
}

/// What the end of a line is inside of: `"`, `|`, or `#` for a block comment.
fn state_after(line: &str, mut within: Option<char>) -> Option<char> {
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match (within, c) {
            (Some('"' | '|'), '\\') => {
                chars.next();
            }
            (Some('#'), '|') if chars.peek() == Some(&'#') => {
                chars.next();
                within = None;
            }
            (Some(open), c) if open == c && open != '#' => within = None,
            (Some(_), _) => {}
            (None, ';') => return None,
            (None, '#') => match chars.peek() {
                Some('\\') => {
                    chars.next();
                    chars.next();
                }
                Some('|') => {
                    chars.next();
                    within = Some('#');
                }
                _ => {}
            },
            (None, '"' | '|') => within = Some(c),
            (None, _) => {}
        }
    }
    within
}

fn embed(out: &Path) -> std::io::Result<()> {
    let root =
        PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("src/lib");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut paths = Vec::new();
    gather(&root, &mut paths);
    paths.sort();
    let mut blob = Vec::new();
    let mut index = String::from("&[\n");
    for p in &paths {
        println!("cargo::rerun-if-changed={}", p.display());
        let name = p.strip_prefix(&root).unwrap_or(p).with_extension("");
        // A file that a library includes keeps its ending, so that it cannot be taken for one.
        let mut key = name.to_string_lossy().replace('\\', "/");
        if p.extension().is_some_and(|e| e == "scm") {
            key.push_str(".scm");
        }
        let text = condensed(&std::fs::read_to_string(p)?);
        let start = blob.len();
        blob.extend(miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 10));
        let _ = writeln!(
            index,
            "    ({key:?}, {start}, {}, {}),",
            blob.len(),
            text.len()
        );
    }
    index.push_str("]\n");
    std::fs::write(out.join("sources.rs"), index)?;
    std::fs::write(out.join("sources.bin"), blob)
}

fn main() {
    let out = PathBuf::from(std::env::var("OUT_DIR").unwrap_or_default());
    if let Err(e) = embed(&out) {
        println!("cargo::error=cannot embed the libraries: {e}");
    }
}
