//! Ties the prebuilt component to the sources that it was built from.

use crate::build::Built;
use sha2::{Digest, Sha256};
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const WASM: &str = "guest/prebuilt/tein.wasm";
const RECORD: &str = "guest/prebuilt/provenance.toml";
const COMMAND: &str = "cargo run -p xtask -- guest";

/// Everything that decides what the component does.
const SOURCES: [&str; 5] = [
    "guest/Cargo.toml",
    "guest/src",
    "guest/tein/Cargo.toml",
    "guest/tein/src",
    "wit",
];

/// SHA-256 over the names and contents of the guest's sources, in hexadecimal.
pub(crate) fn sources(root: &Path) -> Result<String, Box<dyn Error>> {
    let mut files = Vec::new();
    for source in SOURCES {
        collect(&root.join(source), &mut files)?;
    }
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        let name = file.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
        add(&mut hash, &name, &fs::read(&file)?);
    }
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    add(&mut hash, "profile", profile(&manifest)?.as_bytes());
    Ok(hex(&hash.finalize()))
}

/// Names and lengths are hashed too: no two trees read the same.
fn add(hash: &mut Sha256, name: &str, contents: &[u8]) {
    for part in [name.as_bytes(), contents] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default();
    // Tests are not compiled into the component, so a new one needs no rebuild.
    if name == "tests" || name == "tests.rs" {
        return Ok(());
    }
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}

/// The lines of `[profile.guest]` in the workspace manifest.
fn profile(manifest: &str) -> Result<String, Box<dyn Error>> {
    let (_, rest) = manifest
        .split_once("[profile.guest]\n")
        .ok_or("Cargo.toml has no [profile.guest]")?;
    let lines = rest.lines().take_while(|line| !line.starts_with('['));
    Ok(lines.filter(|line| line.contains('=')).collect::<Vec<_>>().join("\n"))
}

/// Writes the component and its record.
pub(crate) fn write(
    root: &Path,
    built: &Built,
    sources: &str,
    wasm: &[u8],
) -> Result<(), Box<dyn Error>> {
    let record = format!(
        "# Where tein.wasm comes from. Written by `{COMMAND}`.\n\
         toolchain = \"{}\"\n\
         build = \"{}\"\n\
         sources-sha256 = \"{sources}\"\n\
         wasm-sha256 = \"{}\"\n\
         bytes-built = {}\n\
         bytes = {}\n",
        built.toolchain,
        built.command,
        digest(wasm),
        built.wasm.len(),
        wasm.len(),
    );
    fs::create_dir_all(root.join("guest/prebuilt"))?;
    fs::write(root.join(WASM), wasm)?;
    fs::write(root.join(RECORD), record)?;
    Ok(())
}

/// Fails, saying what to do, when the component is not what the sources make.
pub(crate) fn check(root: &Path) -> Result<(), Box<dyn Error>> {
    let record = fs::read_to_string(root.join(RECORD)).map_err(|e| format!("{RECORD}: {e}"))?;
    let wasm = fs::read(root.join(WASM)).map_err(|e| format!("{WASM}: {e}"))?;
    for (key, now) in [
        ("sources-sha256", sources(root)?),
        ("wasm-sha256", digest(&wasm)),
    ] {
        let line = format!("{key} = \"{now}\"");
        if !record.lines().any(|recorded| recorded == line) {
            return Err(format!(
                "{WASM} does not belong to these sources: {RECORD} has another {key} \
                 (now {now}); rebuild it with `{COMMAND}`"
            )
            .into());
        }
    }
    Ok(())
}

fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prebuilt_component_belongs_to_the_sources() {
        if let Err(error) = check(&crate::workspace()) {
            panic!("{error}");
        }
    }

    #[test]
    fn the_profile_is_cut_out_without_its_neighbours() {
        let text = "[profile.dev]\na = 1\n[profile.guest]\n# why\nb = 2\nc = 3\n\n[other]\nd = 4\n";
        assert_eq!(profile(text).unwrap(), "b = 2\nc = 3");
        assert!(profile("[profile.dev]\n").is_err());
    }
}
