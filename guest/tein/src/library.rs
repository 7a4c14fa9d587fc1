//! Libraries: names, sources, policy, and what `import` binds (R7RS 5.2, 5.6).

use std::collections::{BTreeMap, BTreeSet};

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

/// The embedded files by path: where each begins and ends in [`PACKED`], and its length unpacked.
const INDEX: &[(&str, usize, usize, usize)] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// The embedded files, each deflated.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sources.bin"));

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
    "srfi/27",
    "srfi/69",
    "srfi/95",
    "srfi/125",
    "srfi/128",
    "srfi/130",
    "srfi/132",
    "srfi/133",
    "chibi/match",
    "tein/docs",
    "tein/http",
    "tein/introspect",
    "tein/json",
    "tein/process",
    "tein/safe-regexp",
    "tein/time",
    "harness/docs",
    "harness/hooks",
    "harness/tool-file",
    "harness/tools",
];

/// What a tool file finds without importing it, in this order: of two libraries with a name in
/// common the later one's is meant.
pub(crate) const TOOL_PRELUDE: &[&str] = &[
    "scheme/base",
    "scheme/write",
    "scheme/read",
    "scheme/char",
    "scheme/case-lambda",
    "scheme/inexact",
    "scheme/complex",
    "tein/json",
    "tein/safe-regexp",
    "tein/docs",
    "tein/introspect",
    "srfi/1",
    "srfi/27",
    "srfi/69",
    "srfi/95",
    "srfi/125",
    "srfi/128",
    "srfi/130",
    "srfi/132",
    "srfi/133",
    "chibi/match",
    "harness/tools",
    "harness/docs",
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
    /// Libraries that the program defined itself: it may always import them.
    pub(crate) own: BTreeSet<String>,
    /// Set while an embedded library is loaded: it may import anything embedded.
    pub(crate) trusted: u32,
}

impl Libraries {
    /// May the program, or the embedded library that is being loaded, import this path?
    pub(crate) fn allowed(&self, path: &str) -> bool {
        self.trusted > 0
            || self.policy.admits(path)
            || self.own.contains(path)
            || self.extra.iter().any(|p| p == path) && Modules::All.admits(path)
    }

    /// Can this path be imported?
    pub(crate) fn is_available(&self, path: &str) -> bool {
        self.allowed(path) && (self.loaded.contains_key(path) || is_embedded(path))
    }

    /// The paths that can be imported, sorted.
    pub(crate) fn available(&self) -> Vec<String> {
        let embedded = INDEX.iter().map(|f| f.0).filter(|p| is_embedded(p));
        let mut all: Vec<String> = embedded
            .chain(self.own.iter().map(String::as_str))
            .filter(|p| self.allowed(p))
            .map(str::to_owned)
            .collect();
        all.sort();
        all
    }

    /// The library, in parentheses, that would provide a name but may not be imported.
    pub(crate) fn withheld(&self, name: &str) -> Option<String> {
        crate::sandbox::registry()
            .map(|(path, _)| path)
            .filter(|path| !self.allowed(path))
            .find(|path| source(path).is_some_and(|text| exports_name(&text, name)))
            .map(shown)
    }
}

/// Is there an embedded library of this path?
pub(crate) fn is_embedded(path: &str) -> bool {
    !path.ends_with(".scm") && INDEX.iter().any(|f| f.0 == path)
}

/// The text of an embedded file.
fn unpack(path: &str) -> Option<String> {
    let (_, start, end, length) = *INDEX.iter().find(|f| f.0 == path)?;
    let packed = PACKED.get(start..end)?;
    let text = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, length).ok()?;
    String::from_utf8(text).ok()
}

/// The embedded source of a library.
pub(crate) fn source(path: &str) -> Option<String> {
    if is_embedded(path) {
        unpack(path)
    } else {
        None
    }
}

/// True when a name stands in an export list of a library text: good enough for a hint.
fn exports_name(text: &str, name: &str) -> bool {
    let mut rest = text;
    while let Some(start) = rest.find("(export") {
        rest = &rest[start + "(export".len()..];
        let mut depth = 1usize;
        let end = rest.find(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let names = &rest[..end.unwrap_or(rest.len())];
        if names
            .split(|c: char| c.is_whitespace() || c == '(' || c == ')')
            .any(|n| n == name)
        {
            return true;
        }
    }
    false
}

/// The text of a file that an embedded library includes, beside it.
pub(crate) fn included(library: &str, file: &str) -> Option<String> {
    let folder = library.rsplit_once('/').map_or("", |(f, _)| f);
    if folder.is_empty() {
        unpack(file)
    } else {
        unpack(&format!("{folder}/{file}"))
    }
}

/// `scheme/base` as `(scheme base)`.
pub(crate) fn shown(path: &str) -> String {
    format!("({})", path.replace('/', " "))
}

/// `srfi/1` as the list `(srfi 1)`.
pub(crate) fn name_of(heap: &mut Heap, path: &str) -> Word {
    let parts: Vec<Word> = path
        .split('/')
        .map(|part| match part.parse::<i64>() {
            Ok(n) if n.to_string() == part => Word::fix(n),
            _ => heap.symbol(part),
        })
        .collect();
    heap.list(&parts)
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
