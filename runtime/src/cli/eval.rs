//! `holm eval`: Scheme in the sandbox, from the command line, a file or stdin.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::session::Session;
use super::{ExitStatus, Global, Printer, prompt};
use crate::config::{COMMAND_LINE, Tier};
use crate::diagnostic::{Diagnostic, Place};
use crate::registry::{
    Call, Evaluated, Evaluator, FileGrants, Principal, Source, scan, scan_files,
};
use crate::sandbox::Failure;

/// The virtual path of text that is in no file.
const PATH: &str = "eval";
/// What messages call it.
const NAME: &str = "<eval>";

/// How text is evaluated, in one go or form by form.
#[derive(Debug, clap::Args)]
pub(super) struct How {
    /// Evaluate at tier 1 (safe libraries, step limit) or 2, in place of what `[tools.tiers]` says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=2))]
    tier: Option<u8>,
    /// Evaluate with the grants and limits of this virtual path
    #[arg(long, value_name = "VIRTUAL-PATH")]
    path: Option<String>,
    /// Answer the permission prompts of called tools with yes
    #[arg(long, short)]
    yes: bool,
}

impl How {
    /// Something to evaluate with. `path` is where the text is, when no other path is asked for.
    ///
    /// # Errors
    ///
    /// The skill of `[user]` is not there.
    pub(super) fn evaluator(
        &self,
        session: &Session,
        printer: &Printer,
        path: &str,
    ) -> Result<Evaluator, Vec<Diagnostic>> {
        let path = self.path.as_deref().unwrap_or(path);
        let mut grants = FileGrants::resolve(&session.config, path);
        if let Some(tier) = self.tier {
            grants.tier = match tier {
                2 => Tier::Unrestricted,
                _ => Tier::Sandboxed,
            };
            grants.limits = session.config.limits_for(path, grants.tier);
        }
        // Nobody is told of files that do not load here: `holm check` is for that.
        let registry = session.load(scan(&session.config.mounts, &[]));
        let policy = Arc::new(session.policy_of_some(&registry, None)?);
        let principal = Principal::new(session.config.user.name.as_str());
        let approver = prompt::approver(self.yes, &session.config, printer);
        let call = Call::new(principal, policy).approver(approver);
        Ok(Evaluator::new(&registry, grants, path, call))
    }
}

/// The virtual path of text that was given to holm directly.
pub(super) fn default_path() -> String {
    format!("{COMMAND_LINE}/{PATH}")
}

/// Evaluates text.
#[derive(Debug, clap::Args)]
pub(super) struct Eval {
    /// Scheme expressions, or `-` to read them from stdin; the value of each argument is printed
    #[arg(
        value_name = "EXPR",
        required_unless_present = "files",
        allow_hyphen_values = true
    )]
    expressions: Vec<String>,
    /// A file to evaluate first, with the grants of its virtual path
    #[arg(long = "file", value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    how: How,
}

impl Eval {
    /// Runs the command. It ends at the first text that ends in an error.
    pub(super) fn run(
        &self,
        global: &Global,
        printer: &Printer,
    ) -> Result<ExitStatus, Vec<Diagnostic>> {
        let session = Session::open(global, printer)?;
        let texts = self.texts(&session)?;
        let path = texts.first().map(|text| text.path.clone());
        let path = path.unwrap_or_else(default_path);
        let mut evaluator = self.how.evaluator(&session, printer, &path)?;
        for Source { origin, text, .. } in &texts {
            let evaluated = session.runtime.block_on(evaluator.evaluate(origin, text));
            let status = match evaluated {
                Ok(evaluated) => {
                    show(&evaluated, global, printer);
                    status(&evaluated)
                }
                Err(failure) => {
                    printer.diagnostic(&evaluator.explain(origin, &failure));
                    Some(failed(&failure))
                }
            };
            if let Some(status) = status {
                return Ok(status);
            }
        }
        Ok(ExitStatus::Success)
    }

    /// What to evaluate, in order.
    fn texts(&self, session: &Session) -> Result<Vec<Source>, Vec<Diagnostic>> {
        let found = scan_files(&session.config.mounts, &self.files);
        if !found.diagnostics.is_empty() {
            return Err(found.diagnostics);
        }
        let mut texts = found.sources;
        if let Some(file) = texts.iter().find(|file| file.component.is_some()) {
            let problem = Diagnostic::error("it is a component, and no text to evaluate");
            return Err(vec![problem.place(Place::file(&file.origin))]);
        }
        for (index, expression) in self.expressions.iter().enumerate() {
            let text = if expression == "-" {
                super::standard_input()?
            } else {
                expression.clone()
            };
            let origin = match (expression.as_str(), self.expressions.len()) {
                ("-", _) => "<stdin>".to_owned(),
                (_, 1) => NAME.to_owned(),
                _ => format!("<eval {}>", index + 1),
            };
            texts.push(Source {
                path: default_path(),
                origin,
                text,
                component: None,
            });
        }
        Ok(texts)
    }
}

/// Prints what a text wrote, its value, and what went wrong.
pub(super) fn show(evaluated: &Evaluated, global: &Global, printer: &Printer) {
    let evaluation = &evaluated.evaluation;
    if global.json {
        printer.json(&describe(evaluated));
    } else {
        if !evaluation.outcome.stdout.is_empty() {
            printer.data(trimmed(&evaluation.outcome.stdout));
        }
        if let Some(value) = &evaluation.value {
            printer.data(value);
        }
    }
    if !global.json && !evaluation.outcome.stderr.is_empty() {
        printer.note(trimmed(&evaluation.outcome.stderr));
    }
    for diagnostic in &evaluated.diagnostics {
        printer.diagnostic(diagnostic);
    }
}

/// Output without its last line end, since the printer adds one.
fn trimmed(text: &str) -> &str {
    text.strip_suffix('\n').unwrap_or(text)
}

/// What a text gave, for a program.
fn describe(evaluated: &Evaluated) -> Value {
    let evaluation = &evaluated.evaluation;
    let outcome = &evaluation.outcome;
    json!({
        "success": evaluated.is_success(),
        "value": evaluation.value,
        "exit": evaluation.exit,
        "stdout": outcome.stdout,
        "stderr": outcome.stderr,
        "failure": outcome.failure.as_ref().map(|problem| json!({
            "message": problem.message,
            "line": problem.at.map(|at| at.line),
            "column": problem.at.map(|at| at.column),
            "trace": problem.trace,
        })),
        "limit": outcome.limit.as_ref().map(|reached| reached.message()),
        "steps": outcome.usage.steps,
    })
}

/// How the command ends after this text, if it ends.
pub(super) fn status(evaluated: &Evaluated) -> Option<ExitStatus> {
    if let Some(code) = evaluated.evaluation.exit {
        // What a shell would make of it.
        let code = u8::try_from(code & 0xff).unwrap_or(u8::MAX);
        return Some(ExitStatus::Program(code));
    }
    if evaluated.is_success() {
        return None;
    }
    Some(match evaluated.evaluation.outcome.limit {
        Some(_) => ExitStatus::Limit,
        None => ExitStatus::ToolError,
    })
}

/// How the command ends when nothing could be evaluated.
pub(super) fn failed(failure: &Failure) -> ExitStatus {
    match failure {
        Failure::Problem(_) | Failure::Trap(_) => ExitStatus::ToolError,
        Failure::Limit(_) | Failure::Busy(_) => ExitStatus::Limit,
        Failure::Host(_) => ExitStatus::Usage,
    }
}
