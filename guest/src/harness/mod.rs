//! What loading and calling a tool file mean: both tool formats, arguments, results, output.
//!
//! ```text
//! mod       load and call on the one context of this instance
//! manifest  what a loaded file says about itself
//! schema    parameter lists as JSON Schema
//! output    texts of bounded length
//! ```

mod manifest;
mod output;
mod schema;
mod types;

pub use types::{
    Call, Capabilities, Loaded, Manifest, Outcome, Position, Problem, ProblemKind, Settings, Tool,
};

use std::cell::RefCell;

use tein::sandbox::Modules;
use tein::world::World;
use tein::{Context, Failure, Limit, Value};

thread_local! {
    /// The engine with its prelude: in the snapshot, so every instance starts with it.
    static CONTEXT: RefCell<Option<Context>> = const { RefCell::new(None) };
}

/// Prepares the engine and its prelude. Runs once, when the component is built,
/// and must not reach outside.
pub fn initialize() {
    if let Ok(context) = build() {
        CONTEXT.set(Some(context));
    }
}

fn build() -> tein::Result<Context> {
    Context::builder().tool_env().sandboxed(Modules::Safe).build()
}

/// Reads, expands, compiles and runs a tool file once.
///
/// # Errors
/// The file does not load, or does not define what a tool must define.
pub fn load(
    source: &str,
    settings: &Settings,
    world: Box<dyn World>,
) -> Result<Loaded, Problem> {
    with_context(settings, |context| {
        prepare(context, settings, world);
        if let Err(e) = context.evaluate_file(&settings.file, source) {
            let mut found = problem(&e, settings);
            found.message = format!("tein init: {}", found.message);
            if found.kind == ProblemKind::Sandbox && e.message.starts_with("http request blocked") {
                found.message.push_str(
                    " (no request is sent while a file loads: make it in the handler)",
                );
            }
            return Err(found);
        }
        let steps_used = used(context, settings.steps);
        let manifest = manifest::extract(context, source, settings)?;
        let image = context.image().map_err(|e| problem(&e, settings))?;
        Ok(Loaded { manifest, image, steps_used })
    })
}

/// Calls one tool.
///
/// # Errors
/// The image, the tool or the arguments are not usable; an error of the tool itself is an outcome.
pub fn call(
    call: &Call<'_>,
    settings: &Settings,
    world: Box<dyn World>,
) -> Result<Outcome, Problem> {
    with_context(settings, |context| {
        prepare(context, settings, world);
        if let Some(image) = call.image {
            if let Err(e) = context.run_image(image) {
                if e.message.starts_with("bad image") {
                    return Err(host_problem(e.message.clone(), settings));
                }
                let mut found = problem(&e, settings);
                found.message = format!("tein init: {}", found.message);
                return Ok(outcome(context, Err(found), settings));
            }
            // What the top level printed is not this call's output.
            context.take_output();
            // The top level and the handler share one budget.
            context.set_step_limit(context.steps_left().or(settings.steps));
        }
        context.define("%context-name%", &Value::String(call.context_name.to_owned()));
        let Some(handler) = manifest::handler(context, call.tool) else {
            return Err(host_problem(
                format!("resolve {}: the file defines no such tool", call.tool),
                settings,
            ));
        };
        if serde_json::from_str::<serde::de::IgnoredAny>(call.arguments).is_err() {
            return Err(host_problem("args conversion: the arguments are not JSON".to_owned(), settings));
        }
        let result = context.call_with_json(&handler, call.arguments);
        let result = result.map_err(|e| problem(&e, settings));
        Ok(outcome(context, result, settings))
    })
}

/// Runs `f` on this instance's context; without a snapshot it is built now.
fn with_context<T>(
    settings: &Settings,
    f: impl FnOnce(&mut Context) -> Result<T, Problem>,
) -> Result<T, Problem> {
    CONTEXT.with_borrow_mut(|slot| {
        if slot.is_none() {
            *slot = Some(build().map_err(|e| problem(&e, settings))?);
        }
        match slot.as_mut() {
            Some(context) => f(context),
            None => Err(host_problem("the engine did not start".to_owned(), settings)),
        }
    })
}

fn prepare(context: &mut Context, settings: &Settings, world: Box<dyn World>) {
    context.set_world(world);
    context.set_step_limit(settings.steps);
    context.set_output_limit(settings.output_limit);
    context.set_modules(if settings.unrestricted { Modules::All } else { Modules::Safe });
    context.set_extra_modules(if settings.capabilities.http { &["tein/http"] } else { &[] });
}

/// Steps that the present entry has used of its budget.
fn used(context: &Context, limit: Option<u64>) -> u64 {
    match (limit, context.steps_left()) {
        (Some(limit), Some(left)) => limit.saturating_sub(left),
        _ => 0,
    }
}

fn outcome(
    context: &mut Context,
    result: Result<String, Problem>,
    settings: &Settings,
) -> Outcome {
    let steps_used = used(context, settings.steps);
    let [stdout, stderr] = context.take_output();
    let (text, failure) = match result {
        Ok(text) => (text, None),
        Err(found) => (format!("error: {}", found.message), Some(found)),
    };
    Outcome {
        result: output::bounded(&text, settings.output_limit),
        stdout: output::captured(stdout, settings.output_limit),
        stderr: output::captured(stderr, settings.output_limit),
        failure,
        steps_used,
    }
}

/// The problem that an engine error is, with the contract's text.
fn problem(e: &tein::Error, settings: &Settings) -> Problem {
    let kind = match e.kind {
        Failure::Read => ProblemKind::Read,
        Failure::Syntax => ProblemKind::Syntax,
        Failure::Evaluation => ProblemKind::Evaluation,
        Failure::Sandbox => ProblemKind::Sandbox,
        Failure::Limit(Limit::Steps) => ProblemKind::Steps,
        Failure::Limit(Limit::Memory | Limit::Stack) => ProblemKind::Memory,
    };
    Problem {
        kind,
        message: e.to_string(),
        file: e.at.as_ref().map_or_else(|| settings.file.clone(), |at| at.0.clone()),
        at: e.at.as_ref().map(|(_, line, column)| Position { line: *line, column: *column }),
        trace: e.trace.clone(),
    }
}

fn host_problem(message: String, settings: &Settings) -> Problem {
    Problem {
        kind: ProblemKind::Host,
        message,
        file: settings.file.clone(),
        at: None,
        trace: Vec::new(),
    }
}

