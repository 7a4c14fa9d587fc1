//! `holm schema`: the tools as a model is told of them.

use std::path::PathBuf;

use super::session::Session;
use super::{ExitStatus, Global, Printer};
use crate::diagnostic::Diagnostic;
use crate::schema::{Declarations, Form};

/// Prints the declarations of tools.
#[derive(Debug, clap::Args)]
pub(super) struct Schema {
    /// Whose form: OpenAI functions, Anthropic tools or MCP tools
    #[arg(long, value_enum, default_value = "openai")]
    format: Format,
    /// A tool file to load beside the mounted ones
    #[arg(long = "file", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Declare what this skill sees: a name under `[skills]`, or a skill file
    #[arg(long, value_name = "SKILL")]
    skill: Option<String>,
}

/// The forms that there are.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Format {
    /// `{"type":"function","function":{...}}`
    Openai,
    /// `{"name","description","input_schema"}`
    Anthropic,
    /// `{"name","description","inputSchema","annotations"}`
    Mcp,
}

impl From<Format> for Form {
    fn from(format: Format) -> Self {
        match format {
            Format::Openai => Self::OpenAi,
            Format::Anthropic => Self::Anthropic,
            Format::Mcp => Self::Mcp,
        }
    }
}

impl Schema {
    /// Runs the command. Tools that no client would accept are an error, after the others
    /// are printed.
    pub(super) fn run(
        &self,
        global: &Global,
        printer: &Printer,
    ) -> Result<ExitStatus, Vec<Diagnostic>> {
        let (registry, policy) =
            Session::tools(global, printer, &self.files, self.skill.as_deref())?;
        for problem in registry.diagnostics() {
            printer.brief(problem);
        }
        let declarations = Declarations::new(&registry, &policy, None);
        printer.json(&declarations.to_json(self.format.into()));
        for problem in &declarations.problems {
            printer.diagnostic(problem);
        }
        Ok(if declarations.problems.is_empty() {
            ExitStatus::Success
        } else {
            ExitStatus::ToolError
        })
    }
}
