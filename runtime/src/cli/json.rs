//! Diagnostics for programs.

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
