//! `holm.toml`: what the operator decided, read once and checked whole.
//!
//! The file is found upwards from the working directory, or named with `--config`. No
//! file at all is a configuration too: nothing mounted, nothing granted, default limits.
//!
//! | section | says |
//! |---|---|
//! | `[mount]` | which folders of this machine hold tool files, and under which virtual path |
//! | `[tools]` | which tools exist: `include`, `exclude`, `exclude-categories` |
//! | `[tools.tiers]` | 1 (sandboxed, the default) or 2 (every module of the engine), per path |
//! | `[tools.http]` | `trust-declared`, and `allow` with URL prefixes per path |
//! | `[tools.env]` | names of environment variables, per path |
//! | `[limits]`, `[tools.limits]` | limits of a call, for all and per path |
//! | `[network]` | `private`: address ranges that are not global and may be reached by name |
//! | `[cache]` | `dir`: where compiled code is kept |
//!
//! Paths in keys are virtual. The longest key that covers a file wins, by whole path
//! components, and nothing is merged between levels.
//!
//! Everything that can be wrong is found here, with file, line and key, and all of it in
//! one run. What comes out is typed: nothing behind this module compares strings to
//! decide a grant.

#![forbid(unsafe_code)]

mod document;
mod limits;
mod mounts;
mod network;
mod paths;
mod tools;
mod units;

use std::path::{Path, PathBuf};

use toml::de::DeTable;

use crate::diagnostic::{Diagnostic, Place};
use crate::grants::Cidr;
use crate::limits::LimitOverrides;
use document::{Key, Reader};

pub use mounts::Mount;

pub use paths::{PathEntry, PathMap};
pub use tools::{HttpGrant, Tier, ToolFilter, Tools};

/// The name of the file that is looked for.
pub const FILE_NAME: &str = "holm.toml";

/// The configuration in force.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The file it came from; `None` when there was none.
    pub file: Option<PathBuf>,
    /// `[mount]`, sorted by virtual path.
    pub mounts: Vec<Mount>,
    /// `[tools]` and everything below it.
    pub tools: Tools,
    /// `[limits]`.
    pub limits: LimitOverrides,
    /// `[network] private`.
    pub private: Vec<Cidr>,
    /// `[cache] dir`.
    pub cache_dir: Option<PathBuf>,
    /// What is probably not meant, but not wrong.
    pub warnings: Vec<Diagnostic>,
}

impl Config {
    /// Reads the configuration at `named`, or else the first [`FILE_NAME`] in `folder`
    /// and the folders above it.
    ///
    /// # Errors
    ///
    /// Every error in the file, with the warnings between them, in the order of the file.
    pub fn load(named: Option<&Path>, folder: &Path) -> Result<Self, Vec<Diagnostic>> {
        let Some(file) = named.map(Path::to_owned).or_else(|| find(folder)) else {
            return Ok(Self::default());
        };
        let name = file.display().to_string();
        let text = std::fs::read_to_string(&file).map_err(|error| {
            vec![
                Diagnostic::error(format!("the configuration cannot be read: {error}"))
                    .place(Place::file(&name))
                    .hint("`holm init` writes a commented one"),
            ]
        })?;
        // The folder of a path without one is the working directory.
        let base = file
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .map_or_else(|| folder.to_owned(), |parent| folder.join(parent));
        let mut config = Self::parse(&name, &text, &base)?;
        config.file = Some(file);
        Ok(config)
    }

    /// Reads a configuration from `text`. `name` is how messages call it; relative paths
    /// in it are relative to `base`.
    ///
    /// # Errors
    ///
    /// Every error in the text, with the warnings between them, in the order of the text.
    pub fn parse(name: &str, text: &str, base: &Path) -> Result<Self, Vec<Diagnostic>> {
        let mut reader = Reader::new(name, text);
        let root = Key::root();
        let (document, errors) = DeTable::parse_recoverable(text);
        if !errors.is_empty() {
            for error in &errors {
                let span = error.span().unwrap_or(0..0);
                reader.note(
                    &span,
                    &root,
                    Diagnostic::error(format!("not valid TOML: {}", error.message())),
                );
            }
            return Err(reader.into_problems());
        }
        let document = document.get_ref();
        let mut config = Self::default();
        reader.known_keys(
            &root,
            document,
            &["mount", "tools", "limits", "network", "cache"],
        );
        for (name, value) in document {
            let name = name.get_ref().as_ref();
            let key = root.child(name);
            if !matches!(name, "mount" | "tools" | "limits" | "network" | "cache") {
                continue;
            }
            let Some(table) = reader.table(&key, value) else {
                continue;
            };
            match name {
                "mount" => config.mounts = mounts::read(&mut reader, &key, table, base),
                "tools" => config.tools = tools::read(&mut reader, &key, table),
                "limits" => config.limits = limits::read(&mut reader, &key, table),
                "network" => config.private = network::read(&mut reader, &key, table),
                _ => config.cache_dir = cache_dir(&mut reader, &key, table, base),
            }
        }
        let problems = reader.into_problems();
        if problems.iter().any(Diagnostic::is_error) {
            return Err(problems);
        }
        config.warnings = problems;
        Ok(config)
    }

    /// The limits of a file: the defaults of its tier, under `[limits]`, under the entry
    /// of `[tools.limits]` that covers it.
    #[must_use]
    pub fn limits_for(&self, path: &str, tier: Tier) -> crate::limits::Limits {
        let mut limits = self.limits.apply(crate::limits::Limits::default());
        if tier == Tier::Unrestricted {
            // `[limits] steps` speaks of tier 1; a tier 2 file has a step limit only by name.
            limits.steps = None;
        }
        match self.tools.limits.resolve(path) {
            Some(entry) => entry.value.apply(limits),
            None => limits,
        }
    }

    /// How messages call the file that grants are written in.
    #[must_use]
    pub fn name(&self) -> String {
        self.file
            .as_ref()
            .map_or_else(|| FILE_NAME.to_owned(), |file| file.display().to_string())
    }
}

/// The nearest configuration at `folder` or above it.
fn find(folder: &Path) -> Option<PathBuf> {
    let found = folder
        .ancestors()
        .map(|ancestor| ancestor.join(FILE_NAME))
        .find(|candidate| candidate.is_file())?;
    // The shorter name reads better in every message.
    match found.strip_prefix(folder) {
        Ok(short) => Some(short.to_owned()),
        Err(_) => Some(found),
    }
}

/// Reads `[cache]`.
fn cache_dir(
    reader: &mut Reader<'_>,
    at: &Key,
    table: &DeTable<'_>,
    base: &Path,
) -> Option<PathBuf> {
    reader.known_keys(at, table, &["dir"]);
    let value = table.get("dir")?;
    let key = at.child("dir");
    let dir = reader.string(&key, value, "the path of a folder")?;
    if dir.is_empty() {
        let hint = "name a folder, or leave the key out for the user's cache folder";
        reader.error(&value.span(), &key, "the path is empty", hint);
        return None;
    }
    Some(base.join(dir))
}

#[cfg(test)]
mod tests;
