//! A report for people: a block per file that fits a terminal.

use std::fmt::Write as _;

use super::lock::Change;
use super::report::{Decision, FileReport, Finding, Grant, LimitsReport, Report};
use crate::permissions::Usual;
use crate::visible;

/// Columns that a line has, unless one word is longer.
const WIDTH: usize = 100;
/// Columns before the values.
const MARGIN: usize = 15;

/// The report as text.
#[must_use]
pub fn text(report: &Report) -> String {
    let mut text = String::new();
    for file in &report.files {
        block(&mut text, file);
        text.push('\n');
    }
    if !report.private_ranges.is_empty() {
        row(
            &mut text,
            "private ranges",
            report.private_ranges.iter().map(String::as_str),
        );
        text.push('\n');
    }
    for finding in &report.findings {
        describe(&mut text, finding);
    }
    let _ = write!(
        text,
        "{}; {}",
        counted(report.files.len(), "file"),
        counted(report.findings.len(), "finding")
    );
    text
}

fn block(text: &mut String, file: &FileReport) {
    let _ = writeln!(
        text,
        "{}  tier {}  {}  sha256 {}",
        visible::line(&file.path),
        file.tier,
        file.state,
        file.sha256.get(..16).unwrap_or(&file.sha256)
    );
    let tools: Vec<String> = file.tools.iter().map(tool).collect();
    row(text, "tools", tools.iter().map(String::as_str));
    row(text, "imports", file.imports.keys().map(String::as_str));
    let granted: Vec<String> = file.http.granted.iter().map(grant).collect();
    row(text, "may reach", granted.iter().map(String::as_str));
    decided(text, file.http.decided_by.as_ref());
    let declared: Vec<String> = file
        .http
        .declared
        .iter()
        .map(|d| visible::line(d))
        .collect();
    row(text, "declares", declared.iter().map(String::as_str));
    if let Some(used) = &file.http.used {
        row(text, "has reached", used.iter().map(String::as_str));
    }
    let variables = file.environment.granted.iter().map(String::as_str);
    row(text, "variables", variables);
    decided(text, file.environment.decided_by.as_ref());
    if !file.hooks.registered.is_empty() {
        let hooks: Vec<String> = file
            .hooks
            .registered
            .iter()
            .map(|name| match file.hooks.active.contains(name) {
                true => visible::line(name),
                false => format!("{} (inert)", visible::line(name)),
            })
            .collect();
        row(text, "hooks", hooks.iter().map(String::as_str));
    }
    let limits = limits(&file.limits);
    row(text, "limits", limits.iter().map(String::as_str));
}

fn tool(tool: &super::report::ToolReport) -> String {
    let mut notes = vec![visible::line(&tool.category)];
    match tool.permission {
        Usual::Allow => {}
        Usual::Ask => notes.push("asks".to_owned()),
        Usual::Depends => notes.push("asks by url".to_owned()),
        Usual::Deny => notes.push("denied".to_owned()),
    }
    if !tool.callable {
        notes.push("hidden".to_owned());
    }
    format!("{} ({})", visible::line(&tool.name), notes.join(", "))
}

/// A grant as text: methods, if they are restricted, and prefix.
pub(super) fn grant(grant: &Grant) -> String {
    match &grant.methods {
        Some(methods) => format!("{} {}", methods.join(","), grant.prefix),
        None => grant.prefix.clone(),
    }
}

/// Limits, one each.
fn limits(limits: &LimitsReport) -> Vec<String> {
    let seconds = |ms: u64| match ms % 1000 {
        0 => format!("{} s", ms / 1000),
        _ => format!("{ms} ms"),
    };
    let steps = limits.steps.map(|steps| format!("{steps} steps"));
    vec![
        seconds(limits.wall_ms),
        format!("{} CPU", seconds(limits.cpu_ms)),
        steps.unwrap_or_else(|| "any number of steps".to_owned()),
        format!("{} memory", bytes(limits.memory)),
        format!("{} output", bytes(limits.output)),
        format!("{} requests", limits.http_requests),
        format!("{} body", bytes(limits.http_body)),
        format!("{} sent", bytes(limits.http_send)),
    ]
}

fn bytes(n: u64) -> String {
    for (unit, size) in [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)] {
        if n >= size && n.is_multiple_of(size) {
            return format!("{} {unit}", n / size);
        }
    }
    format!("{n} bytes")
}

fn decided(text: &mut String, decision: Option<&Decision>) {
    if let Some(decision) = decision {
        let _ = writeln!(text, "  {:MARGIN$}by {}", "", place(decision));
    }
}

/// A key and where it stands.
pub(super) fn place(decision: &Decision) -> String {
    let key = visible::line(&decision.key);
    match (&decision.file, decision.line) {
        (Some(file), Some(line)) => format!("{key} ({}:{line})", visible::line(file)),
        _ => key,
    }
}

/// A heading and its values, over as many lines as it takes.
fn row<'a>(text: &mut String, heading: &str, values: impl Iterator<Item = &'a str>) {
    let mut line = format!("  {heading:MARGIN$}");
    let mut empty = true;
    for value in values {
        // The width in characters is near enough: names and URLs are ASCII.
        if !empty && line.chars().count() + 2 + value.chars().count() > WIDTH {
            let _ = writeln!(text, "{},", line.trim_end());
            line = format!("  {:MARGIN$}", "");
            empty = true;
        }
        if !empty {
            line.push_str(", ");
        }
        line.push_str(value);
        empty = false;
    }
    if empty {
        line.push_str("nothing");
    }
    let _ = writeln!(text, "{line}");
}

fn describe(text: &mut String, finding: &Finding) {
    let _ = writeln!(
        text,
        "{}[{}]: {} {}",
        finding.severity.word(),
        finding.rule,
        visible::line(&finding.path),
        visible::line(&finding.message)
    );
    if let Some(decision) = &finding.decided_by {
        let _ = writeln!(text, "  by {}", place(decision));
    }
    let _ = writeln!(text, "  {}", finding.advice);
}

/// Changes since a lock, a line each.
#[must_use]
pub fn changes(changes: &[Change]) -> String {
    let mut text = String::new();
    for change in changes {
        let path = change.path.as_deref().unwrap_or("all files");
        let _ = writeln!(
            text,
            "{:7} {}: {}",
            change.direction.word(),
            visible::line(path),
            visible::line(&change.message)
        );
    }
    text
}

/// A number of things.
pub(super) fn counted(n: usize, thing: &str) -> String {
    match n {
        0 => format!("no {thing}s"),
        1 => format!("1 {thing}"),
        n => format!("{n} {thing}s"),
    }
}
