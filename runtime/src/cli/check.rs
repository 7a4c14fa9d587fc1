//! `holm check`: load files without calling anything, and say what is wrong with them.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::session::Session;
use super::{ExitStatus, Global, Printer};
use crate::config::{Hook, State};
use crate::diagnostic::Diagnostic;
use crate::policy::ToolPolicy;
use crate::registry::{HttpSource, Registry, Tool, ToolFile, scan_files};
use crate::visible;

/// Checks tool files.
#[derive(Debug, clap::Args)]
pub(super) struct Check {
    /// The tool files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Say which tools this skill sees: a name under `[skills]`, or a skill file
    #[arg(long, value_name = "SKILL")]
    skill: Option<String>,
}

impl Check {
    /// Runs the command. It fails when any file fails, after it has looked at all of them.
    pub(super) fn run(
        &self,
        global: &Global,
        printer: &Printer,
    ) -> Result<ExitStatus, Vec<Diagnostic>> {
        let session = Session::open(global, printer)?;
        let registry = session.load(scan_files(&session.config.mounts, &self.files));
        let policy = session.policy_of_some(&registry, self.skill.as_deref())?;
        let failed = registry.diagnostics().iter().any(Diagnostic::is_error);
        if global.json {
            let files: Vec<Value> = each(&registry)
                .map(|(file, tools)| describe(file, &tools, &policy))
                .collect();
            let diagnostics = super::json::diagnostics(registry.diagnostics());
            printer.json(&json!({ "ok": !failed, "files": files, "diagnostics": diagnostics }));
        } else {
            for (file, tools) in each(&registry) {
                printer.data(&summary(file, &tools, &policy, self.skill.as_deref()));
            }
            for problem in registry.diagnostics() {
                printer.diagnostic(problem);
            }
        }
        Ok(if registry.is_missing_something() {
            ExitStatus::Usage
        } else if failed {
            ExitStatus::ToolError
        } else {
            ExitStatus::Success
        })
    }
}

/// Every file that loaded, with its tools.
fn each(registry: &Registry) -> impl Iterator<Item = (&ToolFile, Vec<&Tool>)> {
    registry
        .files()
        .iter()
        .enumerate()
        .map(|(index, file)| (file.as_ref(), registry.tools_of(index).collect()))
}

/// What a file defines, declares and is granted.
fn summary(file: &ToolFile, tools: &[&Tool], policy: &ToolPolicy, skill: Option<&str>) -> String {
    let mut lines = vec![format!(
        "{}: ok, {} at tier {}",
        visible::line(&file.source.origin),
        file.source.path,
        file.grants.tier.number()
    )];
    for tool in tools {
        let hidden = match skill {
            Some(skill) if !policy.permits(&tool.name) => {
                format!(", hidden from {}", visible::line(skill))
            }
            _ => String::new(),
        };
        lines.push(format!(
            "  tool {} ({}){}{}{hidden}",
            visible::line(&tool.name),
            tool.category,
            parameters(&tool.parameters),
            shows(&tool.summary_params)
        ));
    }
    lines.push(format!(
        "  declares {}",
        urls(&file.loaded.manifest.http_allow)
    ));
    let granted: Vec<String> = file.grants.http.iter().map(ToString::to_string).collect();
    let source = match &file.grants.http_source {
        HttpSource::Listed(written) => format!(", by `{}` ({})", written.key, written.place),
        HttpSource::Declared(Some(written)) => {
            format!(", as declared, by `{}` ({})", written.key, written.place)
        }
        HttpSource::Declared(None) => ", as declared, by `tools.http.trust-declared`".to_owned(),
        HttpSource::Nothing => String::new(),
    };
    lines.push(format!("  granted {}{source}", urls(&granted)));
    lines.extend(trusting(file));
    if let Some(written) = &file.grants.environment_key {
        lines.push(format!(
            "  variables {}, by `{}` ({})",
            file.grants.environment.join(" "),
            written.key,
            written.place
        ));
    }
    let hooks = &file.loaded.manifest.hooks;
    if !hooks.is_empty() {
        let state = |name: &String| match counts(file, name) {
            true => visible::line(name),
            false => format!("{} (no effect)", visible::line(name)),
        };
        let hooks: Vec<String> = hooks.iter().map(state).collect();
        lines.push(format!("  hooks {}", hooks.join(", ")));
    }
    if file.grants.state == State::Context {
        lines.push("  keeps its state between calls of one caller".to_owned());
    }
    lines.join("\n")
}

/// Whether a hook that the file registers counts.
fn counts(file: &ToolFile, name: &str) -> bool {
    Hook::named(name).is_some_and(|hook| file.grants.hooks.contains(&hook))
}

/// The arguments that a permission prompt shows.
fn shows(names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let names: Vec<String> = names.iter().map(|name| visible::line(name)).collect();
    format!("; a prompt shows {}", names.join(" "))
}

/// What the file's declaration would change if it were trusted, where it is not.
fn if_trusted(file: &ToolFile) -> Option<Trust> {
    let declared = &file.loaded.manifest.http_allow;
    if declared.is_empty() || file.grants.trusts_declaration() {
        return None;
    }
    let (would, refused) = file.grants.if_trusted(declared);
    let now: Vec<String> = file.grants.http.iter().map(ToString::to_string).collect();
    let without = |some: &[String], others: &[String]| -> Vec<String> {
        let left = some.iter().filter(|one| !others.contains(one));
        left.cloned().collect()
    };
    Some(Trust {
        gains: without(&would, &now),
        loses: without(&now, &would),
        refused,
    })
}

/// What trusting a declaration would change.
struct Trust {
    gains: Vec<String>,
    loses: Vec<String>,
    refused: Vec<String>,
}

/// The same, in words.
fn trusting(file: &ToolFile) -> Vec<String> {
    let Some(trust) = if_trusted(file) else {
        return Vec::new();
    };
    let mut parts = Vec::new();
    if !trust.gains.is_empty() {
        parts.push(format!("add {}", urls(&trust.gains)));
    }
    if !trust.loses.is_empty() {
        parts.push(format!("take away {}", urls(&trust.loses)));
    }
    if parts.is_empty() {
        parts.push("change nothing".to_owned());
    }
    let mut lines = vec![format!(
        "  \"trust-declared\" would {}",
        parts.join(" and ")
    )];
    for refused in &trust.refused {
        lines.push(format!("    and leave out: {}", visible::line(refused)));
    }
    lines
}

/// The parameters of a schema: names, types, and a question mark where optional.
fn parameters(schema: &Value) -> String {
    let required = schema.get("required").and_then(Value::as_array);
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return String::new();
    };
    let words: Vec<String> = properties
        .iter()
        .map(|(name, property)| {
            let optional =
                !required.is_some_and(|names| names.iter().any(|required| required == name));
            let mark = if optional { "?" } else { "" };
            let kind = property
                .get("type")
                .and_then(Value::as_str)
                .unwrap_or("any");
            format!("{}{mark}: {}", visible::line(name), visible::line(kind))
        })
        .collect();
    if words.is_empty() {
        String::new()
    } else {
        format!(" {}", words.join(", "))
    }
}

/// Prefixes in a row, or the word for none.
fn urls(prefixes: &[String]) -> String {
    if prefixes.is_empty() {
        "no URLs".to_owned()
    } else {
        let shown: Vec<String> = prefixes
            .iter()
            .map(|prefix| visible::line(prefix))
            .collect();
        shown.join(" ")
    }
}

/// A file as JSON.
fn describe(file: &ToolFile, tools: &[&Tool], policy: &ToolPolicy) -> Value {
    let tools: Vec<Value> = tools
        .iter()
        .map(|tool| {
            json!({
                "name": tool.name,
                "category": tool.category.as_str(),
                "description": tool.description,
                "parameters": tool.parameters,
                "permitted": policy.permits(&tool.name),
                "summary_params": tool.summary_params,
            })
        })
        .collect();
    let trust = if_trusted(file).map(
        |trust| json!({ "gains": trust.gains, "loses": trust.loses, "refused": trust.refused }),
    );
    json!({
        "file": file.source.origin,
        "path": file.source.path,
        "tier": file.grants.tier.number(),
        "tools": tools,
        "http_declared": file.loaded.manifest.http_allow,
        "http_granted": file.grants.http.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "http_if_trusted": trust,
        "environment": file.grants.environment,
        "hooks": file
            .loaded
            .manifest
            .hooks
            .iter()
            .map(|name| json!({ "name": name, "counts": counts(file, name) }))
            .collect::<Vec<_>>(),
        "state": match file.grants.state {
            State::Fresh => "fresh",
            State::Context => "context",
        },
    })
}
