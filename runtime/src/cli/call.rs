//! `holm call`: one call of one tool.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::prompt::{self, TerminalPrompt};
use super::session::Session;
use super::{ExitStatus, Global, Printer, json};
use crate::call_log::{CallLog, Scribe};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::permissions;
use crate::policy::{REFUSAL, ToolPolicy};
use crate::registry::{self, Answer, CallError, Missing, Principal, Registry, scan, shown};
use crate::sandbox::Failure;

/// Calls a tool.
#[derive(Debug, clap::Args)]
pub(super) struct Call {
    /// The name of the tool
    tool: String,
    /// A JSON object with the arguments, or `-` to read it from stdin
    #[arg(value_name = "ARGS-JSON", default_value = "{}")]
    arguments: String,
    /// A tool file to load beside the mounted ones
    #[arg(long = "file", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Call as this skill: a name under `[skills]`, or a skill file
    #[arg(long, value_name = "SKILL")]
    skill: Option<String>,
    /// Answer the permission prompt with yes
    #[arg(long, short)]
    yes: bool,
}

impl Call {
    /// Runs the command.
    pub(super) fn run(
        &self,
        global: &Global,
        printer: &Printer,
    ) -> Result<ExitStatus, Vec<Diagnostic>> {
        let arguments = self.read_arguments()?;
        let session = Session::open(global, printer)?;
        let found = scan(&session.config.mounts, &self.files);
        // A file that was named here and is not there is a mistake of this command.
        let named = |problem: &&Diagnostic| {
            let place = problem.place.as_ref().map(|place| place.file.as_str());
            let is_named = |file: &PathBuf| place == Some(shown(file).as_str());
            self.files.iter().any(is_named)
        };
        if found.missing {
            let problems: Vec<_> = found.diagnostics.iter().filter(named).cloned().collect();
            if !problems.is_empty() {
                return Err(problems);
            }
        }
        let registry = session.load(found);
        session.require_lock(&registry)?;
        // What is wrong with other files is worth a line, and no more.
        for problem in registry
            .diagnostics()
            .iter()
            .filter(|problem| problem.is_error())
        {
            printer.brief(problem);
        }
        let policy = session.policy(&registry, self.skill.as_deref(), printer)?;
        let log = Arc::new(session.call_log(None)?);
        log.ready().map_err(unwritable)?;
        let scribe = self.scribe(log, &session, Arc::clone(&policy), printer);
        let who = session.config.user.name.as_str();
        let tool = match registry.find(&policy, &self.tool) {
            Ok(tool) => tool,
            Err(missing) => {
                let outcome = match missing {
                    Missing::Unknown => "unknown",
                    Missing::Excluded | Missing::NotPermitted => "refused",
                };
                scribe.not_run(who, &self.tool, outcome, None);
                return self.missing(missing, &registry, &policy, global, printer);
            }
        };
        let call = registry::Call::new(Principal::new(who), policy)
            .passing_missing()
            .approver(prompt::approver(self.yes, &session.config, printer))
            .audit(Arc::<Scribe>::clone(&scribe));
        match session
            .runtime
            .block_on(registry.call(tool, &arguments, &call))
        {
            Ok(answer) => {
                if !scribe.has_written() {
                    scribe.not_run(who, &self.tool, "invalid", None);
                }
                report(&answer, global, printer);
                Ok(status(&answer))
            }
            Err(CallError::Refused(text)) => {
                refuse(&text, global, printer);
                let asked = text == permissions::DENIED && !self.yes;
                if asked && !TerminalPrompt::is_possible() {
                    printer
                        .note("hint: there is no terminal to ask on; `--yes` answers in advance");
                }
                Ok(ExitStatus::Refused)
            }
            Err(CallError::Failed(failure)) => {
                let problem = registry.explain(tool, &failure);
                if global.json {
                    printer.json(&json::failure(std::slice::from_ref(&problem)));
                }
                printer.diagnostic(&problem);
                Ok(match failure {
                    Failure::Problem(_) | Failure::Trap(_) => ExitStatus::ToolError,
                    Failure::Limit(_) | Failure::Busy(_) => ExitStatus::Limit,
                    Failure::Host(_) => ExitStatus::Usage,
                })
            }
        }
    }

    /// Who writes the record of the call.
    fn scribe(
        &self,
        log: Arc<CallLog>,
        session: &Session,
        policy: Arc<ToolPolicy>,
        printer: &Printer,
    ) -> Arc<Scribe> {
        let skill = self.skill.as_ref().or(session.config.user.skill.as_ref());
        let printer = printer.clone();
        let told = Arc::new(move |error: &io::Error| {
            for problem in unwritable(error) {
                printer.diagnostic(&problem);
            }
        });
        Arc::new(Scribe::new(log, skill.cloned(), policy, told))
    }

    /// The arguments as an object.
    fn read_arguments(&self) -> Result<Map<String, Value>, Vec<Diagnostic>> {
        let text = if self.arguments == "-" {
            super::standard_input()?
        } else {
            self.arguments.clone()
        };
        let message = match serde_json::from_str(&text) {
            Ok(Value::Object(arguments)) => return Ok(arguments),
            Ok(_) => "the arguments are JSON, but not an object".to_owned(),
            Err(error) => format!("the arguments are not JSON: {error}"),
        };
        let hint = "give one JSON object, for example '{\"name\":\"Ada\"}'";
        Err(vec![Diagnostic::error(message).hint(hint)])
    }

    /// Says why there is no such tool.
    fn missing(
        &self,
        missing: Missing,
        registry: &Registry,
        policy: &ToolPolicy,
        global: &Global,
        printer: &Printer,
    ) -> Result<ExitStatus, Vec<Diagnostic>> {
        match missing {
            Missing::NotPermitted => {
                // The same text for a program, for a model and for a hidden or unknown name.
                printer.data(REFUSAL);
                Ok(ExitStatus::Refused)
            }
            Missing::Excluded => {
                let text = format!("the configuration leaves `{}` out", self.tool);
                refuse(&text, global, printer);
                printer.note(
                    "hint: see `include`, `exclude` and `exclude-categories` under `[tools]`",
                );
                Ok(ExitStatus::Refused)
            }
            Missing::Unknown => {
                let problem = Diagnostic::error(format!("there is no tool `{}`", self.tool));
                let hint = match did_you_mean(
                    &self.tool,
                    registry.tools(policy).map(|tool| tool.name.as_str()),
                ) {
                    Some(name) => format!("did you mean `{name}`?"),
                    None => "`holm list` shows the tools that there are".to_owned(),
                };
                Err(vec![problem.hint(hint)])
            }
        }
    }
}

/// What there is to say about a log that takes no record.
fn unwritable(error: impl std::borrow::Borrow<io::Error>) -> Vec<Diagnostic> {
    let error = error.borrow();
    vec![Diagnostic::error(format!(
        "the log of calls cannot be written: {error}"
    ))]
}

/// Prints a call that was not made.
fn refuse(text: &str, global: &Global, printer: &Printer) {
    if global.json {
        printer.json(&json::refusal(text));
    } else {
        printer.data(text);
    }
}

/// Prints what came back, and beside it what the operator should know.
fn report(answer: &Answer, global: &Global, printer: &Printer) {
    if global.json {
        printer.json(&answer.to_json());
    } else {
        printer.data(&answer.text());
    }
    printer.diagnostics(&answer.diagnostics);
}

/// The exit status of a call that was made.
fn status(answer: &Answer) -> ExitStatus {
    if answer.outcome.limit.is_some() {
        ExitStatus::Limit
    } else if answer.is_success() {
        ExitStatus::Success
    } else {
        ExitStatus::ToolError
    }
}
