//! WIT types to the project's own and back.

use super::bindings::exports::holm::tool::guest as wit;
use super::bounds::MAX_WARNINGS;
use super::types::{Capabilities, Manifest, Position, Problem, ProblemKind, Tool};
use crate::limits::Limits;

/// Bytes kept of a problem's message. The engine puts the offending datum into it, which
/// can be as large as the tool file.
const MESSAGE: usize = 8 << 10;
/// Bytes kept of one line of a trace: a procedure's name and its place.
const TRACE: usize = 1 << 10;
/// Note at the end of text that was cut here.
const CUT: &str = "\n[truncated]";

/// Text of at most `limit` bytes. The guest cuts its output itself, with a better note:
/// this is for what it does not cut.
pub(super) fn cut(mut text: String, limit: usize) -> String {
    // Room for the guest's note.
    const SLACK: usize = 256;
    if text.len() > limit.saturating_add(SLACK) {
        text.truncate(text.floor_char_boundary(limit));
        text.push_str(CUT);
    }
    text
}

pub(super) fn settings(
    file: &str,
    unrestricted: bool,
    capabilities: Capabilities,
    limits: &Limits,
) -> wit::Settings {
    let mut flags = wit::Capabilities::HARNESS;
    if capabilities.http {
        flags |= wit::Capabilities::HTTP;
    }
    if capabilities.environment {
        flags |= wit::Capabilities::ENVIRONMENT;
    }
    wit::Settings {
        file: file.to_owned(),
        steps: limits.steps,
        unrestricted,
        capabilities: flags,
        output_limit: limits.output,
    }
}

impl From<wit::Problem> for Problem {
    fn from(from: wit::Problem) -> Self {
        Self {
            kind: match from.kind {
                wit::ProblemKind::Read => ProblemKind::Read,
                wit::ProblemKind::Syntax => ProblemKind::Syntax,
                wit::ProblemKind::Evaluation => ProblemKind::Evaluation,
                wit::ProblemKind::Sandbox => ProblemKind::Sandbox,
                wit::ProblemKind::Steps => ProblemKind::Steps,
                wit::ProblemKind::Memory => ProblemKind::Memory,
                wit::ProblemKind::Manifest => ProblemKind::Manifest,
                wit::ProblemKind::Host => ProblemKind::Host,
            },
            message: cut(from.message, MESSAGE),
            file: from.file,
            at: from.at.map(|at| Position {
                line: at.line,
                column: at.column,
            }),
            trace: from
                .trace
                .into_iter()
                .map(|line| cut(line, TRACE))
                .collect(),
        }
    }
}

impl From<wit::Manifest> for Manifest {
    fn from(from: wit::Manifest) -> Self {
        let tools = from.tools.into_iter().map(|tool| Tool {
            name: tool.name,
            description: tool.description,
            parameters: tool.parameters,
            category: tool.category,
            summary_params: tool.summary_params,
        });
        Self {
            tools: tools.collect(),
            http_allow: from.http_allow,
            hooks: from.hooks,
            warnings: from
                .warnings
                .into_iter()
                .take(MAX_WARNINGS)
                .map(Into::into)
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_between_characters_and_says_so() {
        assert_eq!(cut("a".repeat(300), 100), "a".repeat(300));
        assert_eq!(
            cut("é".repeat(300), 101),
            format!("{}{CUT}", "é".repeat(50))
        );
        assert_eq!(cut(String::new(), 0), "");
    }
}
