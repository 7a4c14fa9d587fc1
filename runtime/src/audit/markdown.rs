//! A report for a pull request.

use std::fmt::Write as _;

use super::lock::{Change, Direction};
use super::report::Report;
use super::text::{counted, grant, place};

/// The report as Markdown, after what changed since the lock, if there is one.
#[must_use]
pub fn markdown(report: &Report, changes: Option<&[Change]>) -> String {
    let mut text = "## What the tools may reach\n\n".to_owned();
    if let Some(changes) = changes {
        changed(&mut text, changes);
    }
    text.push_str(
        "| file | tools | URLs | variables | tier | imports |\n|---|---|---|---|---|---|\n",
    );
    for file in &report.files {
        let tools: Vec<&str> = file.tools.iter().map(|tool| tool.name.as_str()).collect();
        let urls: Vec<String> = file.http.granted.iter().map(grant).collect();
        let imports: Vec<&str> = file
            .imports
            .keys()
            .map(|name| name.split('@').next().unwrap_or(name))
            .collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            code(&[&file.path]),
            code(&tools),
            code(&urls),
            code(&file.environment.granted),
            file.tier,
            code(&imports)
        );
    }
    let _ = writeln!(text, "\n{}\n", counted(report.findings.len(), "finding"));
    for finding in &report.findings {
        let by = finding.decided_by.as_ref().map(place);
        let by = by.map_or(String::new(), |by| format!(", by {}", code(&[by])));
        let _ = writeln!(
            text,
            "- **{}** ({}): {} {}{by}. {}.",
            finding.severity.word(),
            finding.rule,
            code(&[&finding.path]),
            escape(&finding.message),
            finding.advice
        );
    }
    text
}

fn changed(text: &mut String, changes: &[Change]) {
    if changes.is_empty() {
        text.push_str("Nothing changed since `holm.lock`.\n\n");
        return;
    }
    for (direction, heading) in [
        (Direction::Grew, "More may be reached"),
        (Direction::Review, "To be reviewed"),
        (Direction::Shrank, "Less may be reached"),
    ] {
        let of_it: Vec<&Change> = changes
            .iter()
            .filter(|change| change.direction == direction)
            .collect();
        if of_it.is_empty() {
            continue;
        }
        let _ = writeln!(text, "### {heading}\n");
        for change in of_it {
            let path = change.path.as_deref().unwrap_or("all files");
            let _ = writeln!(text, "- {}: {}", code(&[path]), escape(&change.message));
        }
        text.push('\n');
    }
}

/// Texts as code in a table cell. Backquotes and bars would end it.
fn code<S: AsRef<str>>(texts: &[S]) -> String {
    if texts.is_empty() {
        return "none".to_owned();
    }
    let shown: Vec<String> = texts
        .iter()
        .map(|text| {
            let text = crate::visible::line(text.as_ref());
            format!("`{}`", text.replace('`', "'").replace('|', "\\|"))
        })
        .collect();
    shown.join("<br>")
}

/// A text as text: nothing in it is markup.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in crate::visible::line(text).chars() {
        if "\\`*_{}[]<>()#+!|~&@".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
