//! What a program may import.
//!
//! Which libraries there are for programs, and which of them `Modules::Safe` admits, is the list in
//! `registry.txt`. Paths are compared as wholes: `srfi/1` admits neither `srfi/115` nor
//! `srfi/1/immutable`. What the list does not name is refused.

/// The list of libraries, one a line.
const REGISTRY: &str = include_str!("registry.txt");

/// The set of libraries that a context lets its program import (whole paths, slash-joined).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Modules {
    /// Everything that does not reach outside by itself: the default.
    #[default]
    Safe,
    /// Every library there is.
    All,
    /// Only syntax and `import` itself.
    None,
    /// Just these, such as `scheme/base`.
    Only(Vec<String>),
}

impl Modules {
    /// Just these libraries.
    pub fn only(paths: &[&str]) -> Self {
        Self::Only(paths.iter().map(|p| (*p).to_owned()).collect())
    }

    /// Does this set admit a library? One that is not for programs is never admitted.
    pub fn admits(&self, path: &str) -> bool {
        match self {
            Self::Safe => is_safe(path) == Some(true),
            Self::All => is_safe(path).is_some(),
            Self::None => false,
            Self::Only(list) => is_safe(path).is_some() && list.iter().any(|p| p == path),
        }
    }
}

/// The libraries that there may be for programs, and whether `Modules::Safe` admits each.
pub fn registry() -> impl Iterator<Item = (&'static str, bool)> {
    REGISTRY
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
        .map(|l| match l.split_once(' ') {
            Some((path, _)) => (path, false),
            None => (l, true),
        })
}

/// True for a library that `Modules::Safe` admits, none for one that is not for programs.
fn is_safe(path: &str) -> Option<bool> {
    registry().find(|(p, _)| *p == path).map(|(_, safe)| safe)
}

#[cfg(test)]
mod tests {
    use super::Modules;

    #[test]
    fn paths_are_compared_as_wholes() {
        let only = Modules::only(&["srfi/1", "tein/core", "made/up"]);
        for (path, safe, all, listed) in [
            ("srfi/1", true, true, true),
            ("srfi/115", false, true, false),
            ("srfi/1/immutable", true, true, false),
            ("srfi", false, false, false),
            ("srfi/1/", false, false, false),
            ("SRFI/1", false, false, false),
            ("", false, false, false),
            ("tein/http", false, true, false),
            ("tein/modules", false, true, false),
            ("tein/core", false, false, false),
            ("harness/tools", true, true, false),
            ("harness/tool-file", false, false, false),
            ("made/up", false, false, false),
            ("scheme/r5rs", false, false, false),
        ] {
            assert_eq!(Modules::Safe.admits(path), safe, "{path}");
            assert_eq!(Modules::All.admits(path), all, "{path}");
            assert_eq!(only.admits(path), listed, "{path}");
            assert!(!Modules::None.admits(path), "{path}");
        }
    }
}
