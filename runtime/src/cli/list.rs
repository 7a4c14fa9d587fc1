//! `holm list`: the tools that there are.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::session::Session;
use super::{ExitStatus, Global, Printer};
use crate::diagnostic::Diagnostic;
use crate::registry::{Registry, Tool, scan};
use crate::visible;

/// Lists tools.
#[derive(Debug, clap::Args)]
pub(super) struct List {
    /// A tool file to load beside the mounted ones
    #[arg(long = "file", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// List what this skill sees: a name under `[skills]`, or a skill file
    #[arg(long, value_name = "SKILL")]
    skill: Option<String>,
}

impl List {
    /// Runs the command. A file that does not load is reported and hides nothing else.
    pub(super) fn run(
        &self,
        global: &Global,
        printer: &Printer,
    ) -> Result<ExitStatus, Vec<Diagnostic>> {
        let session = Session::open(global, printer)?;
        let registry = session.load(scan(&session.config.mounts, &self.files));
        session.require_lock(&registry)?;
        let policy = session.policy(&registry, self.skill.as_deref(), printer)?;
        session.tell_count(&registry, &policy, printer);
        if global.json {
            let tools: Vec<Value> = registry
                .tools(&policy)
                .map(|tool| describe(&registry, tool))
                .collect();
            let diagnostics: Vec<Value> = registry
                .diagnostics()
                .iter()
                .map(super::json::diagnostic)
                .collect();
            printer.json(&json!({
                "tools": tools,
                "diagnostics": diagnostics,
                "skill": self.skill,
                "warnings": policy.warnings(),
            }));
            return Ok(ExitStatus::Success);
        }
        for tool in registry.tools(&policy) {
            printer.data(&line(&registry, tool));
        }
        for problem in registry.diagnostics() {
            printer.brief(problem);
        }
        if registry.tools(&policy).next().is_none() {
            printer.note(match &self.skill {
                Some(_) => "the skill sees no tools",
                None => {
                    "there are no tools; `[mount]` in holm.toml names the folders with tool files"
                }
            });
        }
        Ok(ExitStatus::Success)
    }
}

/// Name, category, description and file, with tabs between: for a person and for `cut`.
fn line(registry: &Registry, tool: &Tool) -> String {
    let origin = registry
        .file_of(tool)
        .map(|file| file.source.origin.as_str())
        .unwrap_or_default();
    format!(
        "{}\t{}\t{}\t{}",
        visible::line(&tool.name),
        tool.category,
        visible::line(&tool.description),
        visible::line(origin),
    )
}

/// A tool as JSON.
fn describe(registry: &Registry, tool: &Tool) -> Value {
    let file = registry.file_of(tool);
    json!({
        "name": tool.name,
        "category": tool.category.as_str(),
        "description": tool.description,
        "parameters": tool.parameters,
        "path": file.map(|file| &file.source.path),
        "file": file.map(|file| &file.source.origin),
    })
}
