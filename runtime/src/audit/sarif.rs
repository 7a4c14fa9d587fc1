//! A report for code hosts: SARIF 2.1.0 (OASIS standard).

use serde_json::{Value, json};

use super::findings::RULES;
use super::report::{Finding, Report};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The findings as SARIF.
#[must_use]
pub fn sarif(report: &Report) -> Value {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|rule| {
            json!({
                "id": rule.name,
                "shortDescription": { "text": rule.looks_for },
                "help": { "text": rule.advice },
                "defaultConfiguration": { "level": rule.severity.word() },
            })
        })
        .collect();
    let results: Vec<Value> = report
        .findings
        .iter()
        .map(|finding| result(report, finding))
        .collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": {
                    "name": "holm",
                    "version": report.engine.holm,
                    "rules": rules,
                },
            },
            "results": results,
        }],
    })
}

fn result(report: &Report, finding: &Finding) -> Value {
    let decided = finding.decided_by.as_ref();
    let of_configuration = decided.and_then(|decision| decision.file.as_deref());
    let of_tool = report.files.iter().find(|file| file.path == finding.path);
    // The configuration where that decides, else the tool file.
    let uri = of_configuration.or(of_tool.map(|file| file.file.as_str()));
    let line = decided.and_then(|decision| decision.line);
    let column = decided.and_then(|decision| decision.column);
    let mut physical = json!({ "artifactLocation": { "uri": uri.map(reference) } });
    if let (Some(_), Some(line)) = (of_configuration, line) {
        physical["region"] = json!({ "startLine": line, "startColumn": column.unwrap_or(1) });
    }
    json!({
        "ruleId": finding.rule,
        "level": finding.severity.word(),
        "message": { "text": format!("{} {}. {}.", finding.path, finding.message, finding.advice) },
        "locations": [{ "physicalLocation": physical }],
    })
}

/// A path as a URI reference (RFC 3986, section 4.1).
fn reference(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            b'\\' => uri.push('/'),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    if uri.starts_with('/') {
        uri.insert_str(0, "file://");
    }
    uri
}
