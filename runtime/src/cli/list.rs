//! `holm list`: the tools that there are.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::session::Session;
use super::{ExitStatus, Global, Printer};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::grants::resolve;
use crate::permissions::Category;
use crate::registry::{Registry, Tool};
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
    /// Only tools of this category; may be given more than once
    #[arg(long = "category", value_name = "CATEGORY", value_parser = category)]
    categories: Vec<Category>,
    /// Only tools of files at or below this virtual path
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
}

/// A category from the command line.
fn category(word: &str) -> Result<Category, String> {
    Category::named(word).ok_or_else(|| {
        let known = Category::ALL.map(Category::as_str);
        match did_you_mean(word, known) {
            Some(candidate) => format!("did you mean `{candidate}`?"),
            None => format!("the categories are {}", known.join(", ")),
        }
    })
}

impl List {
    /// Runs the command. A file that does not load is reported and hides nothing else.
    pub(super) fn run(
        &self,
        global: &Global,
        printer: &Printer,
    ) -> Result<ExitStatus, Vec<Diagnostic>> {
        let (registry, policy) =
            Session::tools(global, printer, &self.files, self.skill.as_deref())?;
        let tools: Vec<&Tool> = registry
            .tools(&policy)
            .filter(|tool| self.is_wanted(&registry, tool))
            .collect();
        if global.json {
            let tools: Vec<Value> = tools.iter().map(|tool| describe(&registry, tool)).collect();
            let diagnostics = super::json::diagnostics(registry.diagnostics());
            printer.json(&json!({
                "tools": tools,
                "diagnostics": diagnostics,
                "skill": self.skill,
                "warnings": policy.warnings(),
            }));
        } else {
            for tool in &tools {
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
            } else if tools.is_empty() {
                printer.note("no tool is of this category and path");
            }
        }
        // What is there was listed; what was asked for and is not there is a mistake.
        Ok(if registry.is_missing_something() {
            ExitStatus::Usage
        } else {
            ExitStatus::Success
        })
    }

    fn is_wanted(&self, registry: &Registry, tool: &Tool) -> bool {
        let category = self.categories.is_empty() || self.categories.contains(&tool.category);
        let path = self.path.as_ref().is_none_or(|folder| {
            let file = registry.file_of(tool);
            file.is_some_and(|file| resolve([(folder.as_str(), &())], &file.source.path).is_some())
        });
        category && path
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
        "summary_params": tool.summary_params,
        "path": file.map(|file| &file.source.path),
        "file": file.map(|file| &file.source.origin),
    })
}
