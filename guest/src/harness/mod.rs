//! What loading and calling a tool file mean: both tool formats, arguments, results, output.
//!
//! ```text
//! mod       load, call, hooks and evaluation on the one context of this instance
//! manifest  what a loaded file says about itself, and which procedure handles a tool
//! schema    parameter lists as JSON Schema
//! place     where the text defines a name
//! problem   engine errors as problems
//! standalone  a component that holds its tool file
//! output    texts of bounded length
//! types     the exported interface's types
//! ```
//!
//! An instance loads one file, or runs one image and is then called any number of times.

mod manifest;
mod output;
mod place;
mod problem;
mod schema;
pub mod standalone;
#[cfg(test)]
mod tests;
mod types;

pub use types::{
    Call, Capabilities, Evaluation, Loaded, Manifest, Outcome, Position, Problem, ProblemKind,
    Settings, Tool,
};

use std::cell::RefCell;

use tein::sandbox::Modules;
use tein::world::World;
use tein::{Context, Evaluated, Failure, Value};

pub use tein::Form;

/// A step limit that nothing reaches, so that steps are counted without one too.
const UNLIMITED: u64 = i64::MAX as u64;

thread_local! {
    /// The engine with its prelude: in the snapshot, so every instance starts with it.
    static INSTANCE: RefCell<Option<Instance>> = const { RefCell::new(None) };
}

struct Instance {
    context: Context,
    /// A file was loaded into the context, or an image run.
    used: bool,
}

/// Prepares the engine and its prelude. Runs once, when the component is built,
/// and must not reach outside.
pub fn initialize() {
    // An engine that does not start says so at the first load or call.
    INSTANCE.set(build().ok());
}

fn build() -> tein::Result<Instance> {
    let context = Context::builder()
        .tool_env()
        .sandboxed(Modules::Safe)
        .build()?;
    Ok(Instance {
        context,
        used: false,
    })
}

/// Reads, expands, compiles and runs a tool file once, under one budget of steps.
///
/// # Errors
/// The file does not load, or does not define what a tool must define.
pub fn load(source: &str, settings: &Settings, world: Box<dyn World>) -> Result<Loaded, Problem> {
    if let Some(held) = standalone::loaded(source, settings) {
        return held;
    }
    with_instance(settings, |Instance { context, used }| {
        if std::mem::replace(used, true) {
            return Err(problem::host(
                "this instance has run a file already".to_owned(),
                settings,
            ));
        }
        enter(context, settings, world);
        let value = context.evaluate_file(&settings.file, source).map_err(|e| {
            let mut found = problem::top_level(&e, settings);
            if e.kind == Failure::Sandbox && e.message.starts_with("http request blocked") {
                found
                    .message
                    .push_str(" (no request is sent while a file loads: make it in the handler)");
            }
            found
        })?;
        let steps_used = steps_used(context, settings);
        let mut manifest = manifest::extract(context, source, settings)?;
        if matches!(value, Value::Exit(_)) {
            let message = "the file exits while it loads: what follows never runs".to_owned();
            manifest
                .warnings
                .push(problem::new(ProblemKind::Manifest, message, None, settings));
        }
        let image = context.image().map_err(|e| problem::engine(&e, settings))?;
        Ok(Loaded {
            manifest,
            image,
            steps_used,
        })
    })
}

/// Calls one tool. The top-level forms of an image and the handler share one budget of steps.
///
/// # Errors
/// The image, the tool or the arguments are not usable; an error of the tool itself is an outcome.
pub fn call(
    call: &Call<'_>,
    form: Form,
    settings: &Settings,
    world: Box<dyn World>,
) -> Result<Outcome, Problem> {
    let held = standalone::entry(call.image, settings)?;
    let (settings, image) = standalone::parts(held.as_ref(), settings, call.image);
    with_instance(settings, |instance| {
        if let Some(failed) = begin(instance, image, settings, world)? {
            return Ok(failed);
        }
        let context = &mut instance.context;
        name_context(context, call.context_name);
        let handler = manifest::handler(context, call.tool, settings)?;
        answer(context, &handler, call.arguments, form, settings)
    })
}

/// Calls the handler of a hook with a JSON payload. The result is JSON, or empty when the handler
/// has nothing to say.
///
/// # Errors
/// As [`call`].
pub fn run_hook(
    image: Option<&[u8]>,
    hook: &str,
    payload: &str,
    settings: &Settings,
    world: Box<dyn World>,
) -> Result<Outcome, Problem> {
    let held = standalone::entry(image, settings)?;
    let (settings, image) = standalone::parts(held.as_ref(), settings, image);
    with_instance(settings, |instance| {
        if let Some(failed) = begin(instance, image, settings, world)? {
            return Ok(failed);
        }
        let context = &mut instance.context;
        let handler = manifest::hook(context, hook, settings)?;
        answer(context, &handler, payload, Form::Json, settings)
    })
}

/// Evaluates text as a tool file's top level.
///
/// # Errors
/// The engine does not start; an error of the text is an evaluation.
pub fn evaluate(
    source: &str,
    context_name: &str,
    settings: &Settings,
    world: Box<dyn World>,
) -> Result<Evaluation, Problem> {
    standalone::refuse_text(settings)?;
    with_instance(settings, |Instance { context, used }| {
        *used = true;
        enter(context, settings, world);
        name_context(context, context_name);
        let (value, exit, failure) = match context.evaluate_written(&settings.file, source) {
            Ok(Evaluated::Unspecified) => (None, None, None),
            Ok(Evaluated::Written(text)) => {
                let text = output::bounded(&text, settings.output_limit);
                (Some(text), None, None)
            }
            Ok(Evaluated::Exited(code)) => (None, Some(code), None),
            Err(e) => {
                let mut found = problem::engine(&e, settings);
                found.message = output::bounded(&found.message, settings.output_limit);
                (None, None, Some(found))
            }
        };
        let steps_used = steps_used(context, settings);
        let [stdout, stderr] = captured(context, settings);
        Ok(Evaluation {
            value,
            exit,
            stdout,
            stderr,
            failure,
            steps_used,
        })
    })
}

/// Whether a text ends between two data.
///
/// # Errors
/// The engine does not start.
pub fn is_complete(source: &str, settings: &Settings) -> Result<bool, Problem> {
    with_instance(settings, |Instance { context, .. }| {
        Ok(context.is_complete(source))
    })
}

/// Begins a call: with an image, runs its top-level forms. An outcome is one that failed there.
fn begin(
    Instance { context, used }: &mut Instance,
    image: Option<&[u8]>,
    settings: &Settings,
    world: Box<dyn World>,
) -> Result<Option<Outcome>, Problem> {
    enter(context, settings, world);
    let Some(image) = image else {
        return Ok(None);
    };
    *used = true;
    let run = start(context, image, settings)?;
    // What the top level printed is not this call's output.
    context.take_output();
    if let Err(found) = run {
        return Ok(Some(outcome(context, Err(found), settings)));
    }
    context.set_step_limit(context.steps_left());
    Ok(None)
}

/// Calls a procedure with a JSON argument.
fn answer(
    context: &mut Context,
    handler: &Value,
    arguments: &str,
    form: Form,
    settings: &Settings,
) -> Result<Outcome, Problem> {
    let result = context.call_with_json_as(handler, arguments, form);
    context.release();
    let result = match result {
        // Half a datum is no datum.
        Ok(text) if form != Form::Text && text.len() > settings.output_limit => {
            let message = format!(
                "scheme evaluation error: the value is larger than the output limit of {} bytes",
                settings.output_limit
            );
            let kind = ProblemKind::Evaluation;
            Err(problem::new(kind, message, None, settings))
        }
        Ok(text) => Ok(text),
        Err(e) => {
            refuse_arguments(&e, arguments, settings)?;
            Err(problem::engine(&e, settings))
        }
    };
    Ok(outcome(context, result, settings))
}

fn name_context(context: &mut Context, name: &str) {
    context.define("%context-name%", &Value::String(name.to_owned()));
}

/// Runs an image. The inner error is the tool's, the outer one the host's.
fn start(
    context: &mut Context,
    image: &[u8],
    settings: &Settings,
) -> Result<Result<(), Problem>, Problem> {
    let Err(e) = context.run_image(image) else {
        return Ok(Ok(()));
    };
    let of_the_engine = e.kind == Failure::Evaluation && e.at.is_none();
    if e.kind == Failure::Image {
        return Err(problem::host(e.message, settings));
    }
    let code = e.message.strip_prefix("exit ").filter(|_| of_the_engine);
    if code.is_some_and(|n| n.parse::<i32>().is_ok()) {
        // Not an error, as at load: what was defined before is what the file defines.
        return Ok(Ok(()));
    }
    Ok(Err(problem::top_level(&e, settings)))
}

/// The host's error when the arguments were what stopped a call.
fn refuse_arguments(e: &tein::Error, arguments: &str, settings: &Settings) -> Result<(), Problem> {
    // A tool may raise such a text itself, so the arguments decide.
    if !e.message.starts_with("args conversion: ") {
        return Ok(());
    }
    match serde_json::from_str::<serde_json::Value>(arguments) {
        Ok(_) => Ok(()),
        Err(why) => Err(problem::host(format!("args conversion: {why}"), settings)),
    }
}

/// Runs `f` on this instance; without a snapshot its engine is built now.
fn with_instance<T>(
    settings: &Settings,
    f: impl FnOnce(&mut Instance) -> Result<T, Problem>,
) -> Result<T, Problem> {
    INSTANCE.with(|slot| {
        let Ok(mut slot) = slot.try_borrow_mut() else {
            let message = "call-tool: re-entrant call into the same tool file".to_owned();
            return Err(problem::host(message, settings));
        };
        let instance = match slot.take() {
            Some(instance) => instance,
            None => build().map_err(|e| problem::engine(&e, settings))?,
        };
        f(slot.insert(instance))
    })
}

/// Begins an entry of the host: its world, its limits, and no output of an earlier one.
fn enter(context: &mut Context, settings: &Settings, world: Box<dyn World>) {
    context.set_world(world);
    context.set_step_limit(Some(settings.steps.unwrap_or(UNLIMITED)));
    context.set_output_limit(settings.output_limit);
    context.set_modules(if settings.unrestricted {
        Modules::All
    } else {
        Modules::Safe
    });
    context.set_extra_modules(if settings.capabilities.http {
        &["tein/http"]
    } else {
        &[]
    });
    context.take_output();
}

/// Steps that the present entry has used.
fn steps_used(context: &Context, settings: &Settings) -> u64 {
    let limit = settings.steps.unwrap_or(UNLIMITED);
    limit.saturating_sub(context.steps_left().unwrap_or(limit))
}

fn outcome(context: &mut Context, result: Result<String, Problem>, settings: &Settings) -> Outcome {
    let steps_used = steps_used(context, settings);
    let limit = settings.output_limit;
    let [stdout, stderr] = captured(context, settings);
    let (text, failure) = match result {
        Ok(text) => (text, None),
        Err(mut found) => {
            let text = format!("error: {}", found.message);
            found.message = output::bounded(&found.message, limit);
            (text, Some(found))
        }
    };
    Outcome {
        result: output::bounded(&text, limit),
        stdout,
        stderr,
        failure,
        steps_used,
    }
}

/// What was written to the current output and error ports since it was last asked for.
fn captured(context: &mut Context, settings: &Settings) -> [String; 2] {
    let limit = settings.output_limit;
    context
        .take_output()
        .map(|kept| output::captured(kept, limit))
}
