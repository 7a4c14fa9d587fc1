//! The exported interface: WIT types to the harness's types and back.

use crate::bindings::exports::holm::tool::guest as wit;
use crate::bindings::exports::holm::tool::session;
use crate::harness::{self, Call, Capabilities, Form, Problem, ProblemKind, Settings};
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
        crate::memory::fill_holes();
        crate::memory::is_complete();
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
        let call = Call {
            image: image.as_deref(),
            tool: &tool,
            arguments: &arguments,
            context_name: &context_name,
        };
        enter_call(&call, settings, Form::Text)
    }
}

impl session::Guest for Component {
    fn evaluate(
        source: String,
        context_name: String,
        settings: wit::Settings,
    ) -> Result<session::Evaluation, wit::Problem> {
        let settings = Settings::from(settings);
        let world = Box::new(HostWorld::new(settings.capabilities));
        harness::evaluate(&source, &context_name, &settings, world)
            .map(session::Evaluation::from)
            .map_err(wit::Problem::from)
    }

    fn is_complete(source: String, settings: wit::Settings) -> Result<bool, wit::Problem> {
        harness::is_complete(&source, &Settings::from(settings)).map_err(wit::Problem::from)
    }

    fn call_for_value(
        image: Option<Vec<u8>>,
        tool: String,
        arguments: String,
        context_name: String,
        settings: wit::Settings,
    ) -> Result<wit::Outcome, wit::Problem> {
        let call = Call {
            image: image.as_deref(),
            tool: &tool,
            arguments: &arguments,
            context_name: &context_name,
        };
        enter_call(&call, settings, Form::Datum)
    }

    fn run_hook(
        image: Option<Vec<u8>>,
        hook: String,
        payload: String,
        settings: wit::Settings,
    ) -> Result<wit::Outcome, wit::Problem> {
        let settings = Settings::from(settings);
        let world = Box::new(HostWorld::new(settings.capabilities));
        harness::run_hook(image.as_deref(), &hook, &payload, &settings, world)
            .map(wit::Outcome::from)
            .map_err(wit::Problem::from)
    }
}

fn enter_call(
    call: &Call<'_>,
    settings: wit::Settings,
    form: Form,
) -> Result<wit::Outcome, wit::Problem> {
    let settings = Settings::from(settings);
    let world = Box::new(HostWorld::new(settings.capabilities));
    harness::call(call, form, &settings, world)
        .map(wit::Outcome::from)
        .map_err(wit::Problem::from)
}

impl From<harness::Evaluation> for session::Evaluation {
    fn from(from: harness::Evaluation) -> Self {
        Self {
            value: from.value,
            exit: from.exit,
            stdout: from.stdout,
            stderr: from.stderr,
            failure: from.failure.map(Into::into),
            steps_used: from.steps_used,
        }
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
