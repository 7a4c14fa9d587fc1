//! All output of the command: data on stdout, everything else on stderr, colour and
//! progress on a terminal only, and nothing from a tool reaches a terminal unescaped.

use std::io::{self, IsTerminal, Write};

use crate::diagnostic::{Diagnostic, Severity};
use crate::visible;

/// Where output goes and how it looks.
#[derive(Debug, Clone)]
pub struct Printer {
    colour: bool,
    stdout_is_terminal: bool,
    stderr_is_terminal: bool,
}

/// What a piece of text is, for its colour.
#[derive(Debug, Clone, Copy)]
enum Style {
    Error,
    Warning,
    Hint,
    Faint,
    Strong,
}

impl Printer {
    /// A printer for the streams of this process. `NO_COLOR` turns colour off.
    #[must_use]
    pub fn for_process() -> Self {
        let stderr_is_terminal = io::stderr().is_terminal();
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Self {
            colour: stderr_is_terminal && !plain,
            stdout_is_terminal: io::stdout().is_terminal(),
            stderr_is_terminal,
        }
    }

    /// Data, with one line end after it. A pipe gets the exact text; a terminal gets control
    /// characters other than line end and tab as escapes.
    pub fn data(&self, text: &str) {
        let shown = if self.stdout_is_terminal {
            visible::block(text)
        } else {
            text.to_owned()
        };
        // A reader that went away is not a failure of the command.
        drop(writeln!(io::stdout().lock(), "{shown}"));
    }

    /// JSON data, indented for a person on a terminal and on one line for a program. It is
    /// valid JSON in both places: on a terminal, hidden characters are JSON escapes.
    pub fn json(&self, value: &serde_json::Value) {
        let text = if self.stdout_is_terminal {
            visible::json(&format!("{value:#}"))
        } else {
            value.to_string()
        };
        // A reader that went away is not a failure of the command.
        drop(writeln!(io::stdout().lock(), "{text}"));
    }

    /// One diagnostic with its excerpt, its trace and its hints.
    pub fn diagnostic(&self, diagnostic: &Diagnostic) {
        self.tell(&self.render(diagnostic));
    }

    /// One diagnostic on one line, where it is not what the command is about.
    pub fn brief(&self, diagnostic: &Diagnostic) {
        let line = visible::short_line(&diagnostic.to_string(), LONGEST_MESSAGE);
        self.tell(&format!("{} {line}\n", self.severity(diagnostic.severity)));
    }

    /// Diagnostics, each with everything about it, up to a number that a person would read.
    pub fn diagnostics(&self, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics.iter().take(MOST_DIAGNOSTICS) {
            self.diagnostic(diagnostic);
        }
        let left_out = diagnostics.len().saturating_sub(MOST_DIAGNOSTICS);
        if left_out > 0 {
            self.note(&format!("note: {left_out} more like these are not shown"));
        }
    }

    /// A remark.
    pub fn note(&self, text: &str) {
        self.tell(&format!("{}\n", visible::indented(text, INDENT)));
    }

    /// What holm is doing, when someone may be waiting.
    pub fn progress(&self, text: &str) {
        if self.stderr_is_terminal {
            self.tell(&format!("{}\n", self.paint(Style::Faint, text)));
        }
    }

    fn tell(&self, text: &str) {
        drop(io::stderr().lock().write_all(text.as_bytes()));
    }

    fn severity(&self, severity: Severity) -> String {
        let style = match severity {
            Severity::Error => Style::Error,
            Severity::Warning => Style::Warning,
        };
        self.paint(style, &format!("{}:", severity.word()))
    }

    fn render(&self, diagnostic: &Diagnostic) -> String {
        let mut text = format!(
            "{} {}\n",
            self.severity(diagnostic.severity),
            self.paint(Style::Strong, &message(&diagnostic.to_string()))
        );
        let position = diagnostic.place.as_ref().and_then(|place| place.position);
        if let (Some(excerpt), Some((line, column))) = (&diagnostic.excerpt, position) {
            text.push_str(&self.excerpt(excerpt, line, column));
        }
        for step in diagnostic.trace.iter().take(MOST_STEPS) {
            text.push_str(&format!(
                "  {} {}\n",
                self.paint(Style::Faint, "in"),
                visible::short_line(step, LONGEST_EXCERPT)
            ));
        }
        let left_out = diagnostic.trace.len().saturating_sub(MOST_STEPS);
        if left_out > 0 {
            text.push_str(&format!(
                "  {} {left_out} more\n",
                self.paint(Style::Faint, "in")
            ));
        }
        for hint in &diagnostic.hints {
            text.push_str(&format!(
                "{} {}\n",
                self.paint(Style::Hint, "hint:"),
                visible::line(hint)
            ));
        }
        text
    }

    /// The line of source with a caret under its column.
    fn excerpt(&self, source: &str, line: u32, column: u32) -> String {
        let column = usize::try_from(column).unwrap_or(1).saturating_sub(1);
        let start = column.saturating_sub(LONGEST_EXCERPT / 2);
        let window: String = source.chars().skip(start).take(LONGEST_EXCERPT).collect();
        let before: String = window.chars().take(column - start).collect();
        // Tabs stay tabs, so that the caret stands under its column whatever their width.
        let pad: String = visible::block(&before)
            .chars()
            .map(|character| if character == '\t' { '\t' } else { ' ' })
            .collect();
        let margin = line.to_string();
        let gutter = " ".repeat(margin.len());
        format!(
            "{bar_only}\n{numbered} {source}\n{bar_only} {pad}{caret}\n",
            bar_only = self.paint(Style::Faint, &format!("{gutter} |")),
            numbered = self.paint(Style::Faint, &format!("{margin} |")),
            source = visible::block(&window),
            caret = self.paint(Style::Error, "^"),
        )
    }

    fn paint(&self, style: Style, text: &str) -> String {
        if !self.colour {
            return text.to_owned();
        }
        let code = match style {
            Style::Error => "1;31",
            Style::Warning => "1;33",
            Style::Hint => "1;36",
            Style::Faint => "2",
            Style::Strong => "1",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// What stands before every line of a message after its first: a tool's text may have line
/// ends in it, and a line of it must not look like one of holm's.
const INDENT: &str = "  | ";

/// Characters of a message: a screen's worth. The text of a tool's error is a result, and
/// stands in full on stdout.
const LONGEST_MESSAGE: usize = 2000;

/// Lines of a message.
const MOST_LINES: usize = 20;

/// Diagnostics of one call: a tool that calls others may cause any number.
const MOST_DIAGNOSTICS: usize = 20;

/// Steps of a trace.
const MOST_STEPS: usize = 20;

/// A message of some lines.
fn message(text: &str) -> String {
    let mut kept: String = text.chars().take(LONGEST_MESSAGE).collect();
    let lines = kept
        .split_inclusive('\n')
        .take(MOST_LINES)
        .map(str::len)
        .sum();
    kept.truncate(lines);
    let left_out = text.chars().count() - kept.chars().count();
    if left_out > 0 {
        kept.push_str(&format!("... ({left_out} more characters)"));
    }
    visible::indented(&kept, INDENT)
}

/// Characters of a source line that an excerpt shows: a terminal's width, roughly.
const LONGEST_EXCERPT: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Place;

    fn plain() -> Printer {
        Printer {
            colour: false,
            stdout_is_terminal: false,
            stderr_is_terminal: false,
        }
    }

    #[test]
    fn a_diagnostic_has_message_excerpt_trace_and_hints() {
        let mut diagnostic = Diagnostic::error("`car` got 42")
            .place(Place::at("tools/a.scm", 12, 4))
            .hint("give it a pair");
        diagnostic.excerpt = Some("\t  (car 42)".to_owned());
        diagnostic.trace = vec!["handler at 3:1".to_owned()];
        assert_eq!(
            plain().render(&diagnostic),
            "error: tools/a.scm:12:4: `car` got 42\n   |\n12 | \t  (car 42)\n   | \t  ^\n  in handler at 3:1\nhint: give it a pair\n"
        );
    }

    #[test]
    fn a_long_line_is_cut_around_its_column() {
        let mut diagnostic = Diagnostic::error("x").place(Place::at("a", 1, 301));
        diagnostic.excerpt = Some(format!("{}!{}", "a".repeat(300), "b".repeat(300)));
        let text = plain().render(&diagnostic);
        let lines: Vec<&str> = text.lines().collect();
        let caret = lines.get(3).unwrap().find('^').unwrap();
        assert_eq!(lines.get(2).unwrap().as_bytes().get(caret), Some(&b'!'));
        assert!(lines.get(2).unwrap().len() < 120);
    }

    #[test]
    fn no_line_of_a_tool_looks_like_one_of_holms() {
        let text = plain().render(&Diagnostic::error("boom\nerror: forged\nhint: forged"));
        assert_eq!(text, "error: boom\n  | error: forged\n  | hint: forged\n");
        let mut many = Diagnostic::error("x\n".repeat(1000));
        many.trace = vec!["f".to_owned(); 1000];
        assert_eq!(plain().render(&many).lines().count(), 42);
        let long = plain().render(&Diagnostic::error("y".repeat(100_000)));
        assert!(long.len() < 2100 && long.ends_with("... (98000 more characters)\n"));
    }

    #[test]
    fn escapes_from_a_tool_stay_text() {
        let text = plain().render(&Diagnostic::error("\u{1b}[2J"));
        assert_eq!(text, "error: \\u{1b}[2J\n");
    }
}
