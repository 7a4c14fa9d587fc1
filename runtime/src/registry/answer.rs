//! What a call gave, for the caller and for the operator.

use serde_json::{Value, json};

use super::load::located;
use super::{FileGrants, Secret, ToolFile, redact};
use crate::diagnostic::{Diagnostic, Place};
use crate::egress::{Asked, Denial, Reason};
use crate::grants::Refusal;
use crate::limits::Usage;
use crate::sandbox::{Outcome, Problem, ProblemKind};
use crate::schema;

/// The answer of a call.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What came back from the instance: the caller's.
    pub outcome: Outcome,
    /// What a hook put in the place of the three lines.
    pub(super) replaced: Option<String>,
    /// What the operator should know: where it failed, what was refused and which key would
    /// allow it. Values of granted variables are replaced by their names.
    pub diagnostics: Vec<Diagnostic>,
}

/// What stands for output that is not there.
const EMPTY: &str = "(empty)";

impl Answer {
    /// Puts an outcome together with what is to be said about it, after what nested
    /// calls had to say.
    pub(super) fn new(
        outcome: Outcome,
        file: &ToolFile,
        grants: &FileGrants,
        secrets: &[Secret],
        nested: Vec<Diagnostic>,
        configuration: &str,
    ) -> Self {
        let mut diagnostics = nested;
        if let Some(problem) = outcome.failure.as_ref().filter(|_| outcome.limit.is_none()) {
            diagnostics.push(located(
                &file.source,
                problem,
                Diagnostic::error(&problem.message),
            ));
        }
        if let Some(reached) = &outcome.limit {
            let mut diagnostic = Diagnostic::error(reached.to_string());
            if let Some(problem) = &outcome.failure {
                diagnostic = located(&file.source, problem, diagnostic);
            } else {
                diagnostic = diagnostic.place(Place::file(&file.source.origin));
            }
            diagnostics.push(diagnostic);
        }
        diagnostics.extend(outcome.denials.iter().map(|denial| {
            refused(
                denial,
                grants,
                &file.source.path,
                &file.source.origin,
                configuration,
            )
        }));
        for diagnostic in &mut diagnostics {
            diagnostic.map_text(|text| redact(text, secrets));
        }
        Self {
            outcome,
            replaced: None,
            diagnostics,
        }
    }

    /// Puts a text in the place of everything that the tool said.
    pub(super) fn replace(&mut self, text: String) {
        self.outcome.result.clone_from(&text);
        self.outcome.stdout.clear();
        self.outcome.stderr.clear();
        if let Some(problem) = &mut self.outcome.failure {
            problem.message.clone_from(&text);
            problem.trace.clear();
        }
        self.replaced = Some(text);
    }

    /// The answer to arguments that do not fit the tool's schema.
    pub(super) fn invalid(file: &ToolFile, faults: &[String]) -> Self {
        let message = schema::invalid(faults);
        let outcome = Outcome {
            result: format!("error: {message}"),
            stdout: String::new(),
            stderr: String::new(),
            failure: Some(Problem {
                kind: ProblemKind::Arguments,
                message,
                file: file.source.path.clone(),
                at: None,
                trace: Vec::new(),
            }),
            limit: None,
            denials: Vec::new(),
            traffic: Vec::new(),
            usage: Usage::default(),
        };
        Self {
            outcome,
            // The caller's fault, and nothing that the operator could mend.
            diagnostics: Vec::new(),
            replaced: None,
        }
    }

    /// What was refused, for whoever called: nothing where a hook put something else in the
    /// place of what the tool said, since there may be some of that in it.
    pub fn denials(&self) -> impl Iterator<Item = &Denial> {
        let hidden = self.replaced.is_some();
        self.outcome.denials.iter().filter(move |_| !hidden)
    }

    /// Whether the call ended in a result.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.outcome.failure.is_none() && self.outcome.limit.is_none()
    }

    /// The three lines that a model reads, without a line end after the last.
    #[must_use]
    pub fn text(&self) -> String {
        if let Some(text) = &self.replaced {
            return text.clone();
        }
        let Outcome {
            result,
            stdout,
            stderr,
            ..
        } = &self.outcome;
        format!(
            "result: {result}\nstdout: {}\nstderr: {}",
            or_empty(stdout),
            or_empty(stderr)
        )
    }

    /// The answer for a program: the parts of the text, and what else is known.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let failure = self.outcome.failure.as_ref().map(|problem| {
            json!({
                "message": problem.message,
                "line": problem.at.map(|at| at.line),
                "column": problem.at.map(|at| at.column),
                "trace": problem.trace,
            })
        });
        json!({
            "success": self.is_success(),
            "result": self.outcome.result,
            "stdout": self.outcome.stdout,
            "stderr": self.outcome.stderr,
            "failure": failure,
            "limit": self.outcome.limit.as_ref().map(|reached| reached.message()),
            "denials": self.denials().map(Denial::to_json).collect::<Vec<_>>(),
            "steps": self.outcome.usage.steps,
        })
    }
}

fn or_empty(text: &str) -> &str {
    if text.is_empty() { EMPTY } else { text }
}

/// Something that was refused, with the key that would allow it.
pub(super) fn refused(
    denial: &Denial,
    grants: &FileGrants,
    path: &str,
    origin: &str,
    configuration: &str,
) -> Diagnostic {
    let diagnostic = match &denial.asked {
        Asked::Request { .. } => Diagnostic::error(format!("request refused: {denial}")),
        Asked::Tool(_) => Diagnostic::error(format!("call refused: {denial}")),
        // Many a program looks for a variable that it can do without.
        Asked::Variable(_) => Diagnostic::warning(format!("not there: {denial}")),
    };
    let diagnostic = diagnostic.place(Place::file(origin));
    let advice = match (&denial.reason, &denial.asked) {
        (
            Reason::Refused(Refusal::NoGrants | Refusal::NoGrant { .. }),
            Asked::Request { method, url },
        ) => grants.advice(path, configuration, method, url),
        _ => denial
            .hint
            .as_ref()
            .map(|hint| format!("`{hint}` in {configuration} would allow it")),
    };
    match advice {
        Some(advice) => diagnostic.hint(advice),
        None => diagnostic,
    }
}
