//! Ties the prebuilt component to the sources that it was built from.

use crate::build::Built;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const WASM: &str = "guest/prebuilt/tein.wasm";
const RECORD: &str = "guest/prebuilt/provenance.toml";
const COMMAND: &str = "cargo run -p xtask -- guest";

/// Everything that decides what the component does.
const SOURCES: [&str; 6] = [
    "guest/Cargo.toml",
    "guest/src",
    "guest/tein/Cargo.toml",
    "guest/tein/build.rs",
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
        let name = file
            .strip_prefix(root)?
            .to_string_lossy()
            .replace('\\', "/");
        add(&mut hash, &name, &fs::read(&file)?);
    }
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    add(&mut hash, "profile", profile(&manifest)?.as_bytes());
    let lock = fs::read_to_string(root.join("Cargo.lock"))?;
    add(
        &mut hash,
        "dependencies",
        dependencies(&lock, "holm-guest").as_bytes(),
    );
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
    Ok(lines
        .filter(|line| line.contains('='))
        .collect::<Vec<_>>()
        .join("\n"))
}

/// The entries of a lock file that a package needs, itself included, in their order.
fn dependencies(lock: &str, package: &str) -> String {
    let entries: Vec<&str> = lock.split("[[package]]\n").skip(1).collect();
    let mut needed = vec![package];
    let mut found = BTreeSet::new();
    while let Some(wanted) = needed.pop() {
        // `name`, or `name version` where there are several.
        let (name, version) = match wanted.split_once(' ') {
            Some((name, version)) => (name, Some(version)),
            None => (wanted, None),
        };
        for (at, entry) in entries.iter().enumerate() {
            let is = |key, value| {
                entry
                    .lines()
                    .any(|line| line == format!("{key} = \"{value}\""))
            };
            let wanted = is("name", name) && version.is_none_or(|version| is("version", version));
            if wanted && found.insert(at) {
                let list = entry.lines().filter_map(|line| line.strip_prefix(" \""));
                needed.extend(list.filter_map(|line| line.strip_suffix("\",")));
            }
        }
    }
    found
        .iter()
        .map(|at| entries[*at].trim_end())
        .collect::<Vec<_>>()
        .join("\n")
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
    fn only_what_the_guest_needs_is_taken_from_the_lock_file() {
        let entry = |name: &str, version: &str, needs: &[&str]| {
            let needs: String = needs.iter().map(|need| format!(" \"{need}\",\n")).collect();
            format!(
                "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\ndependencies = [\n{needs}]\n\n"
            )
        };
        let lock = |deep: &str, other: &str| {
            let entries = [
                entry("a", "1", &[]),
                entry("a", deep, &[]),
                entry("guest", "1", &["b"]),
                entry("b", "1", &[&format!("a {deep}"), "guest"]),
                entry("other", other, &["a 1"]),
            ];
            format!("version = 4\n\n{}", entries.concat())
        };
        let needed = |deep, other| dependencies(&lock(deep, other), "guest");
        assert_eq!(needed("2", "1"), needed("2", "2"));
        assert_ne!(needed("2", "1"), needed("3", "1"));
        assert_eq!(needed("2", "1").matches("name = ").count(), 3);
    }

    #[test]
    fn the_profile_is_cut_out_without_its_neighbours() {
        let text = "[profile.dev]\na = 1\n[profile.guest]\n# why\nb = 2\nc = 3\n\n[other]\nd = 4\n";
        assert_eq!(profile(text).unwrap(), "b = 2\nc = 3");
        assert!(profile("[profile.dev]\n").is_err());
    }
}
