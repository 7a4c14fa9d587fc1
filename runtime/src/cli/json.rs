//! What programs read. `docs/json.md` describes these shapes.

use serde_json::{Value, json};

use crate::diagnostic::Diagnostic;

/// A diagnostic as an object. Keys without a value are there with `null`.
pub(super) fn diagnostic(diagnostic: &Diagnostic) -> Value {
    let place = diagnostic.place.as_ref();
    let position = place.and_then(|place| place.position);
    json!({
        "severity": diagnostic.severity.word(),
        "message": diagnostic.message,
        "file": place.map(|place| &place.file),
        "line": position.map(|(line, _)| line),
        "column": position.map(|(_, column)| column),
        "trace": diagnostic.trace,
        "hints": diagnostic.hints,
    })
}

/// Diagnostics as an array.
pub(super) fn diagnostics(diagnostics: &[Diagnostic]) -> Value {
    diagnostics.iter().map(diagnostic).collect()
}

/// A call that was refused.
pub(super) fn refusal(text: &str) -> Value {
    json!({ "success": false, "error": text })
}

/// A command that did not do what it was asked for, and why.
pub(super) fn failure(problems: &[Diagnostic]) -> Value {
    let first = problems.iter().find(|problem| problem.is_error());
    json!({
        "success": false,
        "error": first.or(problems.first()).map(ToString::to_string),
        "diagnostics": diagnostics(problems),
    })
}
