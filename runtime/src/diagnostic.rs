//! What holm tells the person who runs it: one message, where it is about, and what
//! to do next. Configuration, registry and commands all produce this type, and
//! only the command line's printer turns it into text on a terminal.
//!
//! A diagnostic is for the operator or the tool's author. It is never what a tool or
//! a model sees; that is the result text of a call.

#![forbid(unsafe_code)]

use std::fmt;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something that was asked for did not happen.
    Error,
    /// Everything happened, but probably not what the author meant.
    Warning,
}

impl Severity {
    /// The word that starts the message.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A place in a text file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file as the user would open it: a path on this machine where there is one.
    pub file: String,
    /// Line and column, counted from 1, the column in characters.
    pub position: Option<(u32, u32)>,
}

impl Place {
    /// A file as a whole.
    pub fn file(file: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            position: None,
        }
    }

    /// A position in a file; both numbers count from 1.
    pub fn at(file: impl Into<String>, line: u32, column: u32) -> Self {
        Self {
            file: file.into(),
            position: Some((line, column)),
        }
    }

    /// The place of a byte offset in `text`. An offset past the end is the end.
    pub fn of_offset(file: impl Into<String>, text: &str, offset: usize) -> Self {
        let before = text
            .char_indices()
            .take_while(|(index, _)| *index < offset)
            .fold((1_u32, 1_u32), |(line, column), (_, character)| {
                if character == '\n' {
                    (line.saturating_add(1), 1)
                } else {
                    (line, column.saturating_add(1))
                }
            });
        Self::at(file, before.0, before.1)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some((line, column)) = self.position {
            write!(f, ":{line}:{column}")?;
        }
        Ok(())
    }
}

/// One message for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// What it is about, when it is about a file.
    pub place: Option<Place>,
    /// What was wrong or refused: one sentence without a full stop.
    pub message: String,
    /// The line of source that the place points into, without its line end.
    pub excerpt: Option<String>,
    /// What led there, innermost first.
    pub trace: Vec<String>,
    /// What to do about it, one step each.
    pub hints: Vec<String>,
}

impl Diagnostic {
    /// An error about nothing in particular.
    pub fn error(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            place: None,
            message: message.into(),
            excerpt: None,
            trace: Vec::new(),
            hints: Vec::new(),
        }
    }

    /// A warning about nothing in particular.
    pub fn warning(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(message)
        }
    }

    /// Says where.
    #[must_use]
    pub fn place(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Adds a next step.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Takes the line that the place points to out of `source`.
    #[must_use]
    pub fn excerpt_from(mut self, source: &str) -> Self {
        let line = self
            .place
            .as_ref()
            .and_then(|place| place.position)
            .and_then(|(line, _)| usize::try_from(line).ok()?.checked_sub(1));
        self.excerpt = line
            .and_then(|line| source.lines().nth(line))
            .map(str::to_owned);
        self
    }

    /// Replaces every text in it that is not the user's own source.
    pub fn map_text(&mut self, change: impl Fn(&str) -> String) {
        self.message = change(&self.message);
        for text in self.trace.iter_mut().chain(&mut self.hints) {
            *text = change(text);
        }
    }

    /// True for an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// `place: message`, the form of compilers and editors, without severity and hints.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// The word in `known` that `word` was probably meant to be.
#[must_use]
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.replace('_', "-").to_lowercase();
    known
        .into_iter()
        .map(|candidate| {
            let likeness = strsim::jaro_winkler(&word, &candidate.replace('_', "-").to_lowercase());
            (likeness, candidate)
        })
        .filter(|(likeness, _)| *likeness >= LIKE_ENOUGH)
        // The first of equals: lists of known words start with the preferred one.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, candidate)| candidate)
}

/// Jaro-Winkler likeness from which a suggestion helps more than it confuses: one slip
/// in a word of five letters is above it, two unrelated words are below.
const LIKE_ENOUGH: f64 = 0.82;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_become_lines_and_columns_in_characters() {
        let text = "a\nöü = 1\n";
        let at = |offset| Place::of_offset("f", text, offset).position;
        assert_eq!(at(0), Some((1, 1)));
        assert_eq!(at(2), Some((2, 1)));
        assert_eq!(at(4), Some((2, 2)));
        assert_eq!(at(999), Some((3, 1)));
    }

    #[test]
    fn a_diagnostic_reads_as_place_and_message() {
        let diagnostic = Diagnostic::error("no")
            .place(Place::at("f.scm", 2, 3))
            .excerpt_from("one\ntwo\n");
        assert_eq!(diagnostic.to_string(), "f.scm:2:3: no");
        assert_eq!(diagnostic.excerpt.as_deref(), Some("two"));
    }

    #[test]
    fn suggestions_need_likeness() {
        let known = ["include", "exclude", "exclude-categories"];
        assert_eq!(did_you_mean("incldue", known), Some("include"));
        assert_eq!(
            did_you_mean("exclude_category", known),
            Some("exclude-categories")
        );
        assert_eq!(did_you_mean("zebra", known), None);
    }
}
