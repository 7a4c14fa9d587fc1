//! The exported interface: WIT types to the harness's types and back.

use crate::bindings::exports::holm::tool::guest as wit;
use crate::harness::{self, Call, Capabilities, Problem, ProblemKind, Settings};
use crate::world::HostWorld;

struct Component;

#[allow(unsafe_code)] // the generated export symbols
mod glue {
    use super::Component;
    crate::bindings::export!(Component with_types_in crate::bindings);

    /// Run once when the component is built: whatever this leaves in memory is
    /// what every instance starts with. No import can be called here.
    #[unsafe(export_name = "wizer-initialize")]
    extern "C" fn initialize() {
        crate::harness::initialize();
    }
}

impl wit::Guest for Component {
    fn load(source: String, settings: wit::Settings) -> Result<wit::Loaded, wit::Problem> {
        let settings = Settings::from(settings);
        let world = Box::new(HostWorld::new(settings.capabilities));
        harness::load(&source, &settings, world)
            .map(wit::Loaded::from)
            .map_err(wit::Problem::from)
    }

    fn call(
        image: Option<Vec<u8>>,
        tool: String,
        arguments: String,
        context_name: String,
        settings: wit::Settings,
    ) -> Result<wit::Outcome, wit::Problem> {
        let settings = Settings::from(settings);
        let world = Box::new(HostWorld::new(settings.capabilities));
        let call = Call {
            image: image.as_deref(),
            tool: &tool,
            arguments: &arguments,
            context_name: &context_name,
        };
        harness::call(&call, &settings, world)
            .map(wit::Outcome::from)
            .map_err(wit::Problem::from)
    }
}

impl From<wit::Settings> for Settings {
    fn from(from: wit::Settings) -> Self {
        Self {
            file: from.file,
            steps: from.steps,
            unrestricted: from.unrestricted,
            capabilities: Capabilities {
                http: from.capabilities.contains(wit::Capabilities::HTTP),
                environment: from.capabilities.contains(wit::Capabilities::ENVIRONMENT),
                harness: from.capabilities.contains(wit::Capabilities::HARNESS),
            },
            output_limit: usize::try_from(from.output_limit).unwrap_or(usize::MAX),
        }
    }
}

impl From<Problem> for wit::Problem {
    fn from(from: Problem) -> Self {
        Self {
            kind: match from.kind {
                ProblemKind::Read => wit::ProblemKind::Read,
                ProblemKind::Syntax => wit::ProblemKind::Syntax,
                ProblemKind::Evaluation => wit::ProblemKind::Evaluation,
                ProblemKind::Sandbox => wit::ProblemKind::Sandbox,
                ProblemKind::Steps => wit::ProblemKind::Steps,
                ProblemKind::Memory => wit::ProblemKind::Memory,
                ProblemKind::Manifest => wit::ProblemKind::Manifest,
                ProblemKind::Host => wit::ProblemKind::Host,
            },
            message: from.message,
            file: from.file,
            at: from.at.map(|at| wit::Position {
                line: at.line,
                column: at.column,
            }),
            trace: from.trace,
        }
    }
}

impl From<harness::Loaded> for wit::Loaded {
    fn from(from: harness::Loaded) -> Self {
        let tools = from.manifest.tools.into_iter().map(|tool| wit::Tool {
            name: tool.name,
            description: tool.description,
            parameters: tool.parameters,
            category: tool.category,
            summary_params: tool.summary_params,
        });
        Self {
            manifest: wit::Manifest {
                tools: tools.collect(),
                http_allow: from.manifest.http_allow,
                hooks: from.manifest.hooks,
                warnings: from.manifest.warnings.into_iter().map(Into::into).collect(),
            },
            image: from.image,
            steps_used: from.steps_used,
        }
    }
}

impl From<harness::Outcome> for wit::Outcome {
    fn from(from: harness::Outcome) -> Self {
        Self {
            result: from.result,
            stdout: from.stdout,
            stderr: from.stderr,
            failure: from.failure.map(Into::into),
            steps_used: from.steps_used,
        }
    }
}
