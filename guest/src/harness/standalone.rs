//! A component that holds its tool file: what the build puts into its memory, and how the entries use it.
//!
//! The build passes the file's image and what it says about itself. If the image reaches nothing outside,
//! it is run there and then, and every instance starts behind its top level; otherwise the build begins
//! again, and the first call of an instance runs it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value as Json};
use tein::Form;
use tein::world::{HttpError, HttpRequest, HttpResponse, World};

use super::types::{Call, Capabilities, Loaded, Manifest, Problem, Settings, Tool};
use super::{call, enter, problem, start, with_instance};

thread_local! {
    static STANDALONE: RefCell<Option<Rc<Standalone>>> = const { RefCell::new(None) };
    /// The image that the first call of this instance has to run.
    static IMAGE: RefCell<Option<Vec<u8>>> = const { RefCell::new(None) };
}

/// The tool file that this component holds.
#[derive(Debug)]
struct Standalone {
    manifest: Manifest,
    /// For entries whose caller brings no settings.
    settings: Settings,
    tools: Vec<Signature>,
}

/// The typed export of one tool.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// Name of the tool.
    pub tool: String,
    /// In the order of the function's parameters.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a typed export.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// The argument's name, as the tool has it.
    pub name: String,
    /// What the function takes for it.
    pub kind: Kind,
    /// Whether it is an `option`.
    pub optional: bool,
}

/// Types of parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// `bool`
    Bool,
    /// `s64`
    S64,
    /// `f64`
    F64,
    /// `string`
    String,
    /// A `string` that holds JSON text: for what WIT has no type for.
    Json,
    /// `list<bool>`
    ListBool,
    /// `list<s64>`
    ListS64,
    /// `list<f64>`
    ListF64,
    /// `list<string>`
    ListString,
}

/// An argument of a typed export.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// `bool`
    Bool(bool),
    /// `s64`
    S64(i64),
    /// `f64`
    F64(f64),
    /// `string`, or JSON text
    String(String),
    /// A list of them.
    List(Vec<Argument>),
}

/// What the build passes beside the image, as JSON.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    file: String,
    steps: Option<u64>,
    unrestricted: bool,
    http: bool,
    environment: bool,
    harness: bool,
    output_limit: usize,
    tools: Vec<ToolDescription>,
    http_allow: Vec<String>,
    hooks: Vec<String>,
    signatures: Vec<Signature>,
    /// Whether to run the image now.
    ahead: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToolDescription {
    name: String,
    description: String,
    parameters: String,
    category: String,
    summary_params: Vec<String>,
}

/// Puts a tool file into this instance, which is then kept as the component's first state. False when its
/// top-level forms were to run now and asked for something outside: the instance is then of no use.
///
/// # Errors
/// The description is not what the build writes, or the image does not run.
pub fn embed(description: &str, image: &[u8]) -> Result<bool, String> {
    let from: Description = serde_json::from_str(description).map_err(|e| e.to_string())?;
    let settings = Settings {
        file: from.file,
        steps: from.steps,
        unrestricted: from.unrestricted,
        capabilities: Capabilities {
            http: from.http,
            environment: from.environment,
            harness: from.harness,
        },
        output_limit: from.output_limit,
    };
    let tools = from.tools.into_iter().map(|tool| Tool {
        name: tool.name,
        description: tool.description,
        parameters: tool.parameters,
        category: tool.category,
        summary_params: tool.summary_params,
    });
    let manifest = Manifest {
        tools: tools.collect(),
        http_allow: from.http_allow,
        hooks: from.hooks,
        warnings: Vec::new(),
    };
    if !from.ahead {
        IMAGE.set(Some(image.to_vec()));
    } else if !run_ahead(image, &settings)? {
        return Ok(false);
    }
    STANDALONE.set(Some(Rc::new(Standalone {
        manifest,
        settings,
        tools: from.signatures,
    })));
    Ok(true)
}

/// Runs an image in a world that only notes whether something asks for it. True when nothing did.
fn run_ahead(image: &[u8], settings: &Settings) -> Result<bool, String> {
    let reached = Rc::new(Cell::new(false));
    let world = Box::new(Nowhere {
        reached: Rc::clone(&reached),
        environment: settings.capabilities.environment,
    });
    let run = with_instance(settings, |instance| {
        instance.used = true;
        enter(&mut instance.context, settings, world);
        let run = start(&mut instance.context, image, settings)?;
        instance.context.take_output();
        instance.context.release();
        Ok(run)
    });
    match run {
        Err(problem) => Err(problem.message),
        // An error may come from what this world answers.
        Ok(_) if reached.get() => Ok(false),
        Ok(Err(problem)) => Err(problem.message),
        Ok(Ok(())) => Ok(true),
    }
}

/// A world without answers.
struct Nowhere {
    reached: Rc<Cell<bool>>,
    /// Whether calls see variables: then their absence here decides nothing.
    environment: bool,
}

impl World for Nowhere {
    fn http(&mut self, _: &HttpRequest) -> Result<HttpResponse, HttpError> {
        self.reached.set(true);
        Err(HttpError::Denied)
    }

    fn env_var(&mut self, name: &str) -> Option<String> {
        if name == crate::world::SANDBOX_MARK.0 {
            return Some(crate::world::SANDBOX_MARK.1.to_owned());
        }
        if self.environment {
            self.reached.set(true);
        }
        None
    }

    fn env_vars(&mut self) -> Vec<(String, String)> {
        if self.environment {
            self.reached.set(true);
        }
        let (name, value) = crate::world::SANDBOX_MARK;
        vec![(name.to_owned(), value.to_owned())]
    }

    fn wall_clock(&mut self) -> Duration {
        self.reached.set(true);
        Duration::ZERO
    }

    fn monotonic_nanos(&mut self) -> u64 {
        self.reached.set(true);
        0
    }

    fn random(&mut self, bytes: &mut [u8]) {
        self.reached.set(true);
        bytes.fill(0);
    }

    fn call_tool(&mut self, _: &str, _: &str) -> Result<String, String> {
        self.reached.set(true);
        Err("call-tool is not available here".to_owned())
    }

    fn call_tool_value(&mut self, _: &str, _: &str) -> Result<String, String> {
        self.reached.set(true);
        Err("call-tool/value is not available here".to_owned())
    }
}

fn held() -> Option<Rc<Standalone>> {
    STANDALONE.with_borrow(Clone::clone)
}

/// What `load` answers in a component that holds its file: the file cannot be replaced.
pub(super) fn loaded(source: &str, settings: &Settings) -> Option<Result<Loaded, Problem>> {
    let held = held()?;
    if !source.is_empty() {
        let message = "this component holds its tool file and loads no other".to_owned();
        return Some(Err(problem::host(message, settings)));
    }
    Some(Ok(Loaded {
        manifest: held.manifest.clone(),
        image: Vec::new(),
        steps_used: 0,
    }))
}

/// How a call enters a component that holds its file.
pub(super) struct Entry {
    /// The caller's, within what this component has.
    pub(super) settings: Settings,
    /// The image to run first.
    pub(super) image: Option<Vec<u8>>,
}

/// The entry of a call; nothing in a component that holds no file.
///
/// # Errors
/// The caller brings an image to one that does.
pub(super) fn entry(image: Option<&[u8]>, settings: &Settings) -> Result<Option<Entry>, Problem> {
    let Some(held) = held() else {
        return Ok(None);
    };
    if image.is_some_and(|image| !image.is_empty()) {
        let message = "this component holds its tool file and runs no other image".to_owned();
        return Err(problem::host(message, settings));
    }
    let has = held.settings.capabilities;
    let wanted = settings.capabilities;
    let settings = Settings {
        capabilities: Capabilities {
            http: has.http && wanted.http,
            environment: has.environment && wanted.environment,
            harness: has.harness && wanted.harness,
        },
        ..settings.clone()
    };
    let image = IMAGE.take();
    Ok(Some(Entry { settings, image }))
}

/// Settings and image of an entry: the component's own, if it holds its file.
pub(super) fn parts<'a>(
    held: Option<&'a Entry>,
    settings: &'a Settings,
    image: Option<&'a [u8]>,
) -> (&'a Settings, Option<&'a [u8]>) {
    match held {
        Some(entry) => (&entry.settings, entry.image.as_deref()),
        None => (settings, image),
    }
}

/// A component that holds its file evaluates no other text.
///
/// # Errors
/// It does hold one.
pub(super) fn refuse_text(settings: &Settings) -> Result<(), Problem> {
    match held() {
        None => Ok(()),
        Some(_) => {
            let message = "this component holds its tool file and evaluates no text".to_owned();
            Err(problem::host(message, settings))
        }
    }
}

/// The parameters of the typed export with this number.
pub fn signature(index: usize) -> Option<Signature> {
    held()?.tools.get(index).cloned()
}

/// Calls the tool behind a typed export: the text of its value, or of its error.
///
/// # Errors
/// The tool's error, without the word `error`.
pub fn call_typed(
    signature: &Signature,
    arguments: Vec<Option<Argument>>,
    world: Box<dyn World>,
) -> Result<String, String> {
    let held = held().ok_or("this component holds no tool file")?;
    let mut object = Map::new();
    for (parameter, argument) in signature.parameters.iter().zip(arguments) {
        if let Some(argument) = argument {
            let value = json(argument, parameter.kind)
                .map_err(|why| format!("argument `{}`: {why}", parameter.name))?;
            object.insert(parameter.name.clone(), value);
        }
    }
    let arguments = Json::Object(object).to_string();
    let one = Call {
        image: None,
        tool: &signature.tool,
        arguments: &arguments,
        context_name: "component",
    };
    let outcome =
        call(&one, Form::Text, &held.settings, world).map_err(|problem| problem.message)?;
    match outcome.failure {
        None => Ok(outcome.result),
        Some(failure) => Err(failure.message),
    }
}

/// The capabilities that the build gave this component.
pub fn capabilities() -> Capabilities {
    held().map_or_else(Capabilities::default, |held| held.settings.capabilities)
}

fn json(argument: Argument, kind: Kind) -> Result<Json, String> {
    Ok(match argument {
        Argument::Bool(b) => Json::from(b),
        Argument::S64(n) => Json::from(n),
        Argument::F64(x) => {
            let number = serde_json::Number::from_f64(x);
            Json::Number(number.ok_or("JSON has no such number")?)
        }
        Argument::String(s) if kind == Kind::Json => {
            serde_json::from_str(&s).map_err(|e| format!("not JSON: {e}"))?
        }
        Argument::String(s) => Json::from(s),
        Argument::List(items) => Json::Array(
            items
                .into_iter()
                .map(|item| json(item, Kind::String))
                .collect::<Result<_, _>>()?,
        ),
    })
}
