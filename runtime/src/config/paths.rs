//! Keys that are virtual paths: what a path may look like, and which key wins.

use std::collections::HashSet;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::document::{Key, Reader};
use crate::diagnostic::Place;
use crate::grants;

/// Where a file named on the command line appears, unless a mount has it.
pub const COMMAND_LINE: &str = "/tools/command-line";

/// Where the mounts of a configuration that is not the operator's own appear.
pub const LOCAL: &str = "/tools/local";

/// Folders whose files the operator did not mount. No key above them reaches in.
pub const CONFINED: [&str; 2] = [COMMAND_LINE, LOCAL];

/// The confined folder that `path` is in.
pub(super) fn confinement(path: &str) -> Option<&'static str> {
    CONFINED
        .into_iter()
        .find(|folder| is_at_or_below(path, folder))
}

/// Whether `path` is `folder` or in it, by whole components.
pub(super) fn is_at_or_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Values by virtual path. For a file, the longest key that covers it wins, by whole
/// path components, and nothing is merged between levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathMap<T> {
    /// Sorted by path.
    entries: Vec<PathEntry<T>>,
}

/// One key of a [`PathMap`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathEntry<T> {
    /// The virtual path of a file or a folder, as it is spelled in the configuration.
    pub path: String,
    /// The dotted key in the configuration, to name it in messages.
    pub key: String,
    /// Where the key stands.
    pub place: Place,
    /// What it gives.
    pub value: T,
}

impl<T> PathEntry<T> {
    /// Whether it covers `file`, though a longer key may decide.
    #[must_use]
    pub fn covers(&self, file: &str) -> bool {
        self.reaches_into(confinement(file))
            && grants::resolve([(self.path.as_str(), self)], file).is_some()
    }

    /// Whether it may say something about files in a confined folder.
    fn reaches_into(&self, folder: Option<&str>) -> bool {
        folder.is_none_or(|folder| is_at_or_below(&self.path, folder))
    }
}

impl<T> Default for PathMap<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
        }
    }
}

impl<T> PathMap<T> {
    /// The entry that decides for `file`, a virtual path.
    ///
    /// For a file below one of the [`CONFINED`] folders, only keys at or below that folder
    /// count: a key such as `/tools` was written for files that the operator mounted.
    #[must_use]
    pub fn resolve(&self, file: &str) -> Option<&PathEntry<T>> {
        let folder = confinement(file);
        grants::covering_keys(file)
            .filter_map(|key| self.entry(key))
            .find(|entry| entry.reaches_into(folder))
    }

    /// The entry that is spelled like this.
    fn entry(&self, path: &str) -> Option<&PathEntry<T>> {
        let found = self
            .entries
            .binary_search_by(|entry| entry.path.as_str().cmp(path));
        self.entries.get(found.ok()?)
    }

    /// Every entry, sorted by path.
    pub fn iter(&self) -> std::slice::Iter<'_, PathEntry<T>> {
        self.entries.iter()
    }
}

/// Reads a table whose keys are virtual paths; `read_value` returns `None` after it
/// has noted a problem.
pub(super) fn read_map<T>(
    reader: &mut Reader<'_>,
    at: &Key,
    table: &DeTable<'_>,
    mut read_value: impl FnMut(&mut Reader<'_>, &Key, &Spanned<DeValue<'_>>) -> Option<T>,
) -> PathMap<T> {
    let mut entries: Vec<PathEntry<T>> = Vec::new();
    let mut seen = HashSet::new();
    for (name, value) in table {
        let key = at.child(name.get_ref());
        let path = read_path(reader, &key, name.get_ref(), &name.span());
        let value = read_value(reader, &key, value);
        let (Some(path), Some(value)) = (path, value) else {
            continue;
        };
        let canonical = grants::canonical_key(&path).map(str::to_owned);
        if !seen.insert(canonical) {
            reader.error(
                &name.span(),
                &key,
                "the same path stands twice, with and without a slash at its end",
                "keep one of the two",
            );
            continue;
        }
        entries.push(PathEntry {
            path,
            key: key.as_str().to_owned(),
            place: reader.place(&name.span()),
            value,
        });
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    PathMap { entries }
}

/// A virtual path from a key, or a noted problem.
pub(super) fn read_path(
    reader: &mut Reader<'_>,
    key: &Key,
    text: &str,
    span: &Range<usize>,
) -> Option<String> {
    match check(text) {
        Ok(()) => Some(text.to_owned()),
        Err(message) => {
            reader.error(
                span,
                key,
                message,
                "write the virtual path of a folder or file, for example \"/tools/shared\" or \"/tools/shared/hello.scm\"",
            );
            None
        }
    }
}

/// Accepts an absolute path of plain components.
fn check(text: &str) -> Result<(), &'static str> {
    if text == "/" {
        return Ok(());
    }
    let Some(rest) = text.strip_prefix('/') else {
        return Err("a virtual path starts with `/`");
    };
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    for component in rest.split('/') {
        match component {
            "" => return Err("a virtual path has no empty components"),
            "." | ".." => return Err("a virtual path has no `.` and `..` components"),
            _ if component.contains(['\\', '*', '?']) => {
                return Err("a virtual path has no backslash and no wildcard");
            }
            _ if component.chars().any(char::is_control) => {
                return Err("a virtual path has no control characters");
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn map(paths: &[String]) -> PathMap<()> {
        let mut entries: Vec<PathEntry<()>> = paths
            .iter()
            .map(|path| PathEntry {
                path: path.clone(),
                key: String::new(),
                place: Place::file("holm.toml"),
                value: (),
            })
            .collect();
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        entries.dedup_by(|a, b| grants::canonical_key(&a.path) == grants::canonical_key(&b.path));
        PathMap { entries }
    }

    proptest! {
        #[test]
        fn the_entry_found_is_the_one_that_covers_most(
            keys in prop::collection::vec("(/(tools|a|b|command-line|local)){0,4}/?", 0..12),
            path in "(/(tools|a|b|command-line|local|\\.\\.)?){0,5}",
        ) {
            let keys: Vec<String> = keys.into_iter().filter(|key| check(key).is_ok()).collect();
            let map = map(&keys);
            let folder = confinement(&path);
            let entries = map
                .iter()
                .filter(|entry| entry.reaches_into(folder))
                .map(|entry| (entry.path.as_str(), entry));
            let expected = grants::resolve(entries, &path).map(|(key, _)| key);
            prop_assert_eq!(map.resolve(&path).map(|entry| entry.path.as_str()), expected);
        }
    }

    #[test]
    fn paths_are_absolute_and_plain() {
        for right in ["/", "/tools/shared", "/tools/shared/"] {
            assert_eq!(check(right), Ok(()), "{right}");
        }
        for wrong in [
            "", "//", "tools", "/a//b", "/a/../b", "/a/.", "/a\\b", "/a/*", "/a/\u{7}", "/a//",
        ] {
            assert!(check(wrong).is_err(), "{wrong:?}");
        }
    }
}
