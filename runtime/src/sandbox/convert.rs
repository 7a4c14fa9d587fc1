//! WIT types to the project's own and back.

use super::bindings::exports::holm::tool::guest as wit;
use super::types::{Capabilities, Manifest, Position, Problem, ProblemKind, Tool};
use crate::limits::Limits;

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
            message: from.message,
            file: from.file,
            at: from.at.map(|at| Position {
                line: at.line,
                column: at.column,
            }),
            trace: from.trace,
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
            warnings: from.warnings.into_iter().map(Into::into).collect(),
        }
    }
}
