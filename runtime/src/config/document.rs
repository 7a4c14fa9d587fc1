//! Reading a TOML document so that every complaint has a line and a key.
//!
//! The sections of the configuration walk the parsed document themselves instead of
//! deriving it, so that one run reports every mistake in the file, an unknown key gets a
//! suggestion, and a value of the wrong type is told which forms are accepted.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

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

    /// Refuses the keys of `table` that are not in `known`.
    pub(super) fn known_keys(&mut self, at: &Key, table: &DeTable<'_>, known: &[&str]) {
        for key in table.keys() {
            let name = key.get_ref().as_ref();
            if known.contains(&name) {
                continue;
            }
            let hint = match did_you_mean(name, known.iter().copied()) {
                Some(candidate) => format!("did you mean `{candidate}`?"),
                None => format!("the keys here are {}", list(known)),
            };
            self.error(&key.span(), &at.child(name), "unknown key", hint);
        }
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
