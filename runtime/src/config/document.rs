//! Reading a TOML document so that every complaint has a line and a key.
//!
//! The sections of the configuration walk the parsed document themselves instead of
//! deriving it, so that one run reports every mistake in the file, an unknown key gets a
//! suggestion, and a value of the wrong type is told which forms are accepted.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::Entry;
use crate::diagnostic::{Diagnostic, Place, did_you_mean};

/// The dotted name of a key, spelled as TOML would have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key(String);

impl Key {
    /// The document itself.
    pub(super) fn root() -> Self {
        Self(String::new())
    }

    /// A key below this one.
    pub(super) fn child(&self, name: &str) -> Self {
        let bare = !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        let dot = if self.0.is_empty() { "" } else { "." };
        if bare {
            Self(format!("{}{dot}{name}", self.0))
        } else {
            Self(format!("{}{dot}{name:?}", self.0))
        }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// One key of a table with its value.
pub(super) struct Field<'v, 'i> {
    /// The key's name, however it was spelled.
    pub(super) name: &'static str,
    /// The dotted key, as it was spelled.
    pub(super) key: Key,
    /// The value.
    pub(super) value: &'v Spanned<DeValue<'i>>,
}

/// Collects the problems of one document while its sections are read.
pub(super) struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    problems: Vec<(usize, Diagnostic)>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Self {
        Self {
            file,
            text,
            problems: Vec::new(),
        }
    }

    /// What was found, in the order of the file.
    pub(super) fn into_problems(mut self) -> Vec<Diagnostic> {
        self.problems.sort_by_key(|(offset, _)| *offset);
        self.problems
            .into_iter()
            .map(|(_, problem)| problem)
            .collect()
    }

    /// Where a span starts.
    pub(super) fn place(&self, span: &Range<usize>) -> Place {
        Place::of_offset(self.file, self.text, span.start)
    }

    /// Notes a problem with `key`, at `span`.
    pub(super) fn note(&mut self, span: &Range<usize>, key: &Key, problem: Diagnostic) {
        let mut problem = problem.place(self.place(span)).excerpt_from(self.text);
        if !key.as_str().is_empty() {
            problem.message = format!("`{}`: {}", key.as_str(), problem.message);
        }
        self.problems.push((span.start, problem));
    }

    /// Notes an error with `key`, at `span`, with a next step.
    pub(super) fn error(
        &mut self,
        span: &Range<usize>,
        key: &Key,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.note(span, key, Diagnostic::error(message).hint(hint));
    }

    /// Notes a value of the wrong type.
    fn wrong_type(&mut self, key: &Key, value: &Spanned<DeValue<'_>>, accepted: &str) {
        self.error(
            &value.span(),
            key,
            format!("{} is not accepted here", kind(value.get_ref())),
            format!("give {accepted}"),
        );
    }

    /// The fields of a table by the names of its keys in `entries`, in the order of the
    /// file. An unknown key is noted, and so are two spellings of one key with different values.
    pub(super) fn fields<'v, 'i>(
        &mut self,
        at: &Key,
        table: &'v DeTable<'i>,
        entries: &'static [Entry],
    ) -> Vec<Field<'v, 'i>> {
        let mut fields: Vec<Field<'v, 'i>> = Vec::new();
        for (spelled, value) in table {
            let name = spelled.get_ref().as_ref();
            let key = at.child(name);
            let found = entries
                .iter()
                .find(|entry| entry.name == name || entry.alias == Some(name));
            let Some(entry) = found else {
                let known: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
                let hint = match did_you_mean(name, known.iter().copied()) {
                    Some(candidate) => format!("did you mean `{candidate}`?"),
                    None => format!("the keys here are {}", list(&known)),
                };
                self.error(&spelled.span(), &key, "unknown key", hint);
                continue;
            };
            match fields.iter().find(|earlier| earlier.name == entry.name) {
                Some(earlier) if !same(earlier.value.get_ref(), value.get_ref()) => self.error(
                    &value.span(),
                    &key,
                    "both spellings of this key are there, with different values",
                    format!("keep `{}`", entry.name),
                ),
                Some(_) => {}
                None => fields.push(Field {
                    name: entry.name,
                    key,
                    value,
                }),
            }
        }
        fields
    }

    /// The fields of a value that has to be a table.
    pub(super) fn fields_of<'v, 'i>(
        &mut self,
        at: &Key,
        value: &'v Spanned<DeValue<'i>>,
        entries: &'static [Entry],
    ) -> Vec<Field<'v, 'i>> {
        match self.table(at, value) {
            Some(table) => self.fields(at, table, entries),
            None => Vec::new(),
        }
    }

    /// One of `words`, or a noted problem that says which there are.
    pub(super) fn word<'w>(
        &mut self,
        key: &Key,
        value: &Spanned<DeValue<'_>>,
        words: &[&'w str],
    ) -> Option<&'w str> {
        let given = self.string(key, value, &format!("one of {}", list(words)))?;
        let found = words.iter().find(|word| **word == given).copied();
        if found.is_none() {
            let hint = match did_you_mean(given, words.iter().copied()) {
                Some(candidate) => format!("did you mean `{candidate}`?"),
                None => format!("give one of {}", list(words)),
            };
            self.error(
                &value.span(),
                key,
                format!("{given:?} is not accepted here"),
                hint,
            );
        }
        found
    }

    /// The path of a file or folder that is relative to `base`, or a noted problem.
    pub(super) fn path(
        &mut self,
        key: &Key,
        value: &Spanned<DeValue<'_>>,
        base: &Path,
        hint: &str,
    ) -> Option<PathBuf> {
        let path = self.string(
            key,
            value,
            "the path of a file or folder, relative to this file",
        )?;
        if path.is_empty() {
            self.error(&value.span(), key, "the path is empty", hint);
            return None;
        }
        Some(base.join(path))
    }

    /// A table, or a noted problem.
    pub(super) fn table<'v, 'i>(
        &mut self,
        key: &Key,
        value: &'v Spanned<DeValue<'i>>,
    ) -> Option<&'v DeTable<'i>> {
        if let DeValue::Table(table) = value.get_ref() {
            return Some(table);
        }
        self.wrong_type(key, value, "a table");
        None
    }

    /// A string, or a noted problem that says what is accepted.
    pub(super) fn string<'v>(
        &mut self,
        key: &Key,
        value: &'v Spanned<DeValue<'_>>,
        accepted: &str,
    ) -> Option<&'v str> {
        if let DeValue::String(text) = value.get_ref() {
            return Some(text.as_ref());
        }
        self.wrong_type(key, value, accepted);
        None
    }

    /// A boolean, or a noted problem.
    pub(super) fn boolean(&mut self, key: &Key, value: &Spanned<DeValue<'_>>) -> Option<bool> {
        if let DeValue::Boolean(flag) = value.get_ref() {
            return Some(*flag);
        }
        self.wrong_type(key, value, "`true` or `false`");
        None
    }

    /// The elements of an array, or a noted problem that says what is accepted.
    pub(super) fn array<'v, 'i>(
        &mut self,
        key: &Key,
        value: &'v Spanned<DeValue<'i>>,
        accepted: &str,
    ) -> Option<&'v [Spanned<DeValue<'i>>]> {
        if let DeValue::Array(items) = value.get_ref() {
            return Some(items);
        }
        self.wrong_type(key, value, accepted);
        None
    }

    /// The strings of an array with their places; elements that are not strings are noted and left out.
    pub(super) fn strings(
        &mut self,
        key: &Key,
        value: &Spanned<DeValue<'_>>,
        accepted: &str,
    ) -> Option<Vec<(String, Range<usize>)>> {
        let items = self.array(key, value, accepted)?;
        let mut strings = Vec::with_capacity(items.len());
        for item in items {
            if let Some(text) = self.string(key, item, accepted) {
                strings.push((text.to_owned(), item.span()));
            }
        }
        Some(strings)
    }

    /// As [`Self::strings`], without their places; none where it is no array.
    pub(super) fn texts(
        &mut self,
        key: &Key,
        value: &Spanned<DeValue<'_>>,
        accepted: &str,
    ) -> Vec<String> {
        let strings = self.strings(key, value, accepted).unwrap_or_default();
        strings.into_iter().map(|(text, _)| text).collect()
    }

    /// A whole number from `least` to `most`, or a noted problem.
    pub(super) fn integer(
        &mut self,
        key: &Key,
        value: &Spanned<DeValue<'_>>,
        (least, most): (u64, u64),
    ) -> Option<u64> {
        let accepted = format!("a whole number from {least} to {most}");
        let DeValue::Integer(integer) = value.get_ref() else {
            self.wrong_type(key, value, &accepted);
            return None;
        };
        match u64::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(number) if (least..=most).contains(&number) => Some(number),
            _ => {
                self.error(
                    &value.span(),
                    key,
                    format!("{integer} is out of range"),
                    format!("give {accepted}"),
                );
                None
            }
        }
    }
}

/// Whether two values mean the same; where they stand does not matter.
fn same(a: &DeValue<'_>, b: &DeValue<'_>) -> bool {
    match (a, b) {
        (DeValue::String(a), DeValue::String(b)) => a == b,
        (DeValue::Boolean(a), DeValue::Boolean(b)) => a == b,
        (DeValue::Array(a), DeValue::Array(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b.iter())
                    .all(|(a, b)| same(a.get_ref(), b.get_ref()))
        }
        // Two tables, or numbers in two spellings: let the operator choose.
        _ => false,
    }
}

/// Words in code quotes, with commas.
pub(super) fn list(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// What a value is, with its article.
fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
