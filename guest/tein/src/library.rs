//! Libraries: names, sources, policy, and what `import` binds (R7RS 5.2, 5.6).

use std::collections::BTreeMap;

use crate::heap::Heap;
use crate::sandbox::Modules;
use crate::syntax::Denotation;
use crate::value::{Kind, Word};

/// Features of `cond-expand` and `(features)`.
pub(crate) const FEATURES: &[&str] = &[
    "r7rs",
    "exact-closed",
    "exact-complex",
    "ieee-float",
    "full-unicode",
    "ratios",
    "tein",
    "holm",
];

/// The engine's own library: every primitive. Only embedded libraries may import it.
pub(crate) const CORE: &str = "tein/core";

/// A library that is loaded.
#[derive(Debug, Clone, Default)]
pub(crate) struct Library {
    /// External name and what it means.
    pub(crate) exports: Vec<(Word, Denotation)>,
}

/// Source texts of the embedded libraries by path, and of the files that they include.
pub(crate) const SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// Libraries that are in every context from the start, and so in the snapshot: the prelude of a
/// tool file and what tools import most. The others are loaded when a program imports them.
pub(crate) const PRELOADED: &[&str] = &[
    "scheme/base",
    "scheme/case-lambda",
    "scheme/char",
    "scheme/complex",
    "scheme/cxr",
    "scheme/eval",
    "scheme/inexact",
    "scheme/lazy",
    "scheme/process-context",
    "scheme/read",
    "scheme/time",
    "scheme/write",
    "srfi/1",
    "srfi/95",
    "tein/http",
    "tein/json",
    "tein/process",
    "tein/time",
    "harness/docs",
    "harness/hooks",
    "harness/tool-file",
    "harness/tools",
];

/// Libraries that `Modules::Safe` leaves out although they are embedded.
const UNSAFE: &[&str] = &["tein/http"];
/// Libraries that no program may import.
const INTERNAL: &[&str] = &[
    CORE,
    "harness/tool-file",
    "srfi/125/tables",
    "srfi/99/records/rtd",
];

/// The libraries of a context.
#[derive(Debug, Default)]
pub(crate) struct Libraries {
    pub(crate) loaded: BTreeMap<String, Library>,
    /// Libraries being loaded, to notice cycles.
    pub(crate) loading: Vec<String>,
    /// What programs may import.
    pub(crate) policy: Modules,
    /// Paths allowed besides the policy.
    pub(crate) extra: Vec<String>,
    /// Set while an embedded library is loaded: it may import anything embedded.
    pub(crate) trusted: u32,
}

impl Libraries {
    /// May the program, or the embedded library that is being loaded, import this path?
    pub(crate) fn allowed(&self, path: &str) -> bool {
        if self.trusted > 0 {
            return true;
        }
        if INTERNAL.contains(&path) {
            return false;
        }
        self.extra.iter().any(|p| p == path)
            || match &self.policy {
                Modules::All => true,
                Modules::Safe => !UNSAFE.contains(&path),
                Modules::None => false,
                Modules::Only(list) => list.iter().any(|p| p == path),
            }
    }

    /// Can this path be imported?
    pub(crate) fn is_available(&self, path: &str) -> bool {
        self.allowed(path) && (self.loaded.contains_key(path) || source(path).is_some())
    }

    /// The library, in parentheses, that would provide a name but may not be imported.
    pub(crate) fn withheld(&self, name: &str) -> Option<String> {
        let found = SOURCES
            .iter()
            .filter(|(path, _)| {
                !path.ends_with(".scm") && !INTERNAL.contains(path) && !self.allowed(path)
            })
            .find(|(_, text)| exports_name(text, name))?;
        Some(shown(found.0))
    }
}

/// The embedded source of a library.
pub(crate) fn source(path: &str) -> Option<&'static str> {
    SOURCES
        .iter()
        .find(|(p, _)| *p == path && !p.ends_with(".scm"))
        .map(|(_, s)| *s)
}

/// True when a name stands in the export list of a library text: good enough for a hint.
fn exports_name(text: &str, name: &str) -> bool {
    let Some(start) = text.find("(export") else {
        return false;
    };
    let Some(end) = text[start..].find(')') else {
        return false;
    };
    text[start + "(export".len()..start + end]
        .split_whitespace()
        .any(|n| n == name)
}

/// The text of a file that an embedded library includes, beside it.
pub(crate) fn included(library: &str, file: &str) -> Option<&'static str> {
    let folder = library.rsplit_once('/').map_or("", |(f, _)| f);
    let path = if folder.is_empty() {
        file.to_owned()
    } else {
        format!("{folder}/{file}")
    };
    SOURCES.iter().find(|(p, _)| *p == path).map(|(_, s)| *s)
}

/// `scheme/base` as `(scheme base)`.
pub(crate) fn shown(path: &str) -> String {
    format!("({})", path.replace('/', " "))
}

/// The path of a library name: its parts, joined by slashes.
pub(crate) fn path_of(heap: &Heap, name: Word) -> Option<String> {
    let parts = heap.list_items(name)?;
    if parts.is_empty() {
        return None;
    }
    let mut path = String::new();
    for (i, p) in parts.iter().enumerate() {
        if i > 0 {
            path.push('/');
        }
        match p.as_fix() {
            Some(n) if n >= 0 => path.push_str(&n.to_string()),
            Some(_) => return None,
            None => {
                let symbol = if p.is(Kind::Alias) {
                    crate::syntax::Syntax::symbol_of(heap, *p)
                } else {
                    *p
                };
                let part = heap.symbol_name(symbol)?;
                // A slash inside a part would name another library.
                if part.contains('/') {
                    return None;
                }
                path.push_str(part);
            }
        }
    }
    Some(path)
}
