//! Errors of the engine as problems of the interface.

use tein::{Error, Failure, Limit};

use super::types::{Position, Problem, ProblemKind, Settings};

pub(super) fn new(
    kind: ProblemKind,
    message: String,
    at: Option<Position>,
    settings: &Settings,
) -> Problem {
    Problem {
        kind,
        message,
        file: settings.file.clone(),
        at,
        trace: Vec::new(),
    }
}

/// Something that the host asked for and that cannot be done.
pub(super) fn host(message: String, settings: &Settings) -> Problem {
    new(ProblemKind::Host, message, None, settings)
}

/// The problem that an engine error is, with the contract's text.
pub(super) fn engine(error: &Error, settings: &Settings) -> Problem {
    let kind = match error.kind {
        Failure::Read => ProblemKind::Read,
        Failure::Syntax => ProblemKind::Syntax,
        Failure::Evaluation | Failure::Image => ProblemKind::Evaluation,
        Failure::Sandbox => ProblemKind::Sandbox,
        Failure::Limit(Limit::Steps) => ProblemKind::Steps,
        Failure::Limit(Limit::Memory | Limit::Stack) => ProblemKind::Memory,
    };
    Problem {
        kind,
        message: error.to_string(),
        file: error
            .at
            .as_ref()
            .map_or_else(|| settings.file.clone(), |at| at.0.clone()),
        at: error.at.as_ref().map(|(_, line, column)| Position {
            line: *line,
            column: *column,
        }),
        trace: error.trace.clone(),
    }
}

/// The problem of a file whose top-level forms fail, at load or before a call.
pub(super) fn top_level(error: &Error, settings: &Settings) -> Problem {
    let mut problem = engine(error, settings);
    problem.message = format!("tein init: {}", problem.message);
    problem
}
