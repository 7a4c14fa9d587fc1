//! What goes into a sandbox and what comes out, in the project's own types.

use super::limits::LimitReached;
use super::provided::Provided;
use crate::egress::{Client, Denial, Journal, Traffic};
use crate::grants::{Consent, RuleSet};
use crate::limits::{Budget, Concurrency, Limits, Usage};
use crate::registry::Secret;
use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// What a component can import beyond time, randomness and other tools.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Capabilities {
    /// `wasi:http/outgoing-handler` and what it needs: granted with any URL prefix.
    pub http: bool,
    /// `wasi:cli/environment`: granted with any variable.
    pub environment: bool,
}

impl Capabilities {
    /// Every set there is.
    pub const ALL: [Self; 4] = [
        Self {
            http: false,
            environment: false,
        },
        Self {
            http: false,
            environment: true,
        },
        Self {
            http: true,
            environment: false,
        },
        Self {
            http: true,
            environment: true,
        },
    ];
}

impl fmt::Display for Capabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.http, self.environment) {
            (false, false) => "no capabilities",
            (false, true) => "environment",
            (true, false) => "http",
            (true, true) => "http and environment",
        })
    }
}

/// What one tool file was granted.
#[derive(Debug, Clone, Default)]
pub struct Grants {
    /// URL prefixes. Consulted only with [`Capabilities::http`].
    pub rules: Arc<RuleSet>,
    /// Variables and their values. Visible only with [`Capabilities::environment`].
    pub env: Vec<Secret>,
    /// Names of granted variables that are not set.
    pub unset: Vec<String>,
    /// What the instance imports.
    pub capabilities: Capabilities,
}

/// What is in a tool file.
#[derive(Debug, Clone, Copy)]
pub enum Code<'a> {
    /// Scheme text.
    Scheme(&'a str),
    /// A component with its tools in it.
    Component(&'a Arc<Provided>),
}

/// A tool file to load.
#[derive(Debug, Clone, Copy)]
pub struct LoadRequest<'a> {
    /// What is in the file.
    pub code: Code<'a>,
    /// Its virtual path, for messages.
    pub file: &'a str,
    /// True at tier 2: no module restriction.
    pub unrestricted: bool,
    /// What it may see while it loads. No request is sent, whatever the rules say.
    pub grants: &'a Grants,
    /// What loading may use.
    pub limits: &'a Limits,
}

/// A tool to call.
#[derive(Clone, Copy)]
pub struct CallRequest<'a> {
    /// The loaded file.
    pub image: &'a Image,
    /// Its virtual path, for messages.
    pub file: &'a str,
    /// Name of the tool in it.
    pub tool: &'a str,
    /// A JSON object.
    pub arguments: &'a str,
    /// Name of the calling context, as the tool sees it.
    pub context_name: &'a str,
    /// True at tier 2: no module restriction.
    pub unrestricted: bool,
    /// What the call may reach.
    pub grants: &'a Grants,
    /// What the call may use.
    pub limits: &'a Limits,
    /// Other tools, for `call-tool`.
    pub nested: &'a Arc<dyn NestedCalls>,
    /// On whose behalf. Calls of one principal share connections and a number of places,
    /// and no two principals do.
    pub principal: &'a str,
    /// The budget that [`NestedCalls::call_tool`] was given, if another call waits for
    /// this one. It then takes no place of its own among the concurrent calls, so that
    /// calls cannot wait for each other in a circle. `None` begins a new budget.
    pub budget: Option<&'a Budget>,
    /// Where the call notes what it reached, what it was refused and what it used. Keep
    /// a clone for the audit record: it is filled in also when there is no outcome.
    pub journal: &'a Journal,
}

/// What a call enters, and in which form its value comes back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Entry {
    /// A tool; the result is the text that a model reads.
    #[default]
    Text,
    /// A tool; the result is what `read` makes the value of again, for another program.
    Value,
    /// The file's handler of the hook that [`CallRequest::tool`] names, with the payload in
    /// [`CallRequest::arguments`]. The result is JSON, or empty when it has nothing to say.
    Hook,
}

/// Text to evaluate as a tool file's top level.
#[derive(Clone, Copy)]
pub struct EvaluateRequest<'a> {
    /// The text.
    pub source: &'a str,
    /// What messages call it: the virtual path of a file, or a name.
    pub file: &'a str,
    /// Name of the calling context, as the program sees it.
    pub context_name: &'a str,
    /// True at tier 2: no module restriction.
    pub unrestricted: bool,
    /// What it may reach.
    pub grants: &'a Grants,
    /// What it may use.
    pub limits: &'a Limits,
    /// Other tools, for `call-tool`.
    pub nested: &'a Arc<dyn NestedCalls>,
    /// On whose behalf.
    pub principal: &'a str,
    /// Where it notes what it reached, what it was refused and what it used.
    pub journal: &'a Journal,
}

/// What a text gave.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// The last form's value in external representation (`write`); `None` when it has no
    /// particular value or the text ended in an error.
    pub value: Option<String>,
    /// The exit code, when the program called `exit`.
    pub exit: Option<i32>,
    /// Everything else.
    pub outcome: Outcome,
}

/// A compiled tool file, valid for the guest in this build of holm. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub struct Image(
    pub(super) Arc<[u8]>,
    /// The component that runs it, when that is not holm's guest.
    pub(super) Option<Arc<Provided>>,
);

impl Image {
    /// An image from elsewhere; the guest checks it when it runs it.
    #[cfg(test)]
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes.into(), None)
    }

    /// The image itself.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.len()
    }
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image({} bytes)", self.0.len())
    }
}

/// A loaded tool file. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// What the file says about itself.
    pub manifest: Arc<Manifest>,
    /// What a call runs.
    pub image: Image,
    /// Scheme steps that loading used.
    pub steps_used: u64,
}

/// What a file says about itself. None of it grants anything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifest {
    /// In order of definition.
    pub tools: Vec<Tool>,
    /// URL prefixes that the file declares.
    pub http_allow: Vec<String>,
    /// Names of the hooks that the file registers.
    pub hooks: Vec<String>,
    /// What its author should look at.
    pub warnings: Vec<Problem>,
}

/// One tool that a file defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Name, as the model calls it.
    pub name: String,
    /// What the model reads about it.
    pub description: String,
    /// JSON Schema of the arguments, as JSON text with sorted keys.
    pub parameters: String,
    /// Declared category, or `synthesised`.
    pub category: String,
    /// Arguments that the permission prompt shows.
    pub summary_params: Vec<String>,
}

/// What kind of thing went wrong in a tool file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProblemKind {
    /// The source is not well-formed data.
    Read,
    /// The source does not expand or compile.
    Syntax,
    /// An error or an uncaught `raise` while running.
    Evaluation,
    /// Something the sandbox refuses: an import, a URL, a file.
    Sandbox,
    /// The step limit was reached.
    Steps,
    /// The memory or stack budget was used up.
    Memory,
    /// The file does not define what a tool must define.
    Manifest,
    /// The guest could not use what holm passed.
    Host,
    /// The arguments do not fit the tool's schema, so that it did not run.
    Arguments,
}

/// A place in a tool file; lines and columns count from 1, columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

/// An error or a warning of a tool file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What kind of thing went wrong.
    pub kind: ProblemKind,
    /// The contract text, without position.
    pub message: String,
    /// Virtual path of the file.
    pub file: String,
    /// Where, when that is known.
    pub at: Option<Position>,
    /// Procedure names and positions, innermost first.
    pub trace: Vec<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(at) => write!(
                f,
                "{}:{}:{}: {}",
                self.file, at.line, at.column, self.message
            ),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

/// What a call gave: an error of the tool and a limit are answers too, for the model.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Text of the value, or `error: ...`.
    pub result: String,
    /// Captured output, without the `(empty)` marker. Lost when the instance was stopped.
    pub stdout: String,
    /// Captured error output, likewise.
    pub stderr: String,
    /// Set when the call ended in an error of the tool.
    pub failure: Option<Problem>,
    /// Set when the call ended at a limit.
    pub limit: Option<LimitReached>,
    /// Requests that the wall refused, in order.
    pub denials: Vec<Denial>,
    /// Who was reached over HTTP.
    pub traffic: Vec<Traffic>,
    /// What the call used.
    pub usage: Usage,
}

/// Why there is no outcome.
#[derive(Debug)]
pub enum Failure {
    /// The file does not load, or the call could not begin.
    Problem(Problem),
    /// A limit was reached while loading.
    Limit(LimitReached),
    /// The guest broke off for a reason that is no limit: a fault of holm's.
    Trap(String),
    /// As many calls as are allowed were running until the wall-clock limit.
    Busy(String),
    /// This machine could not do it.
    Host(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Problem(problem) => problem.fmt(f),
            Self::Limit(reached) => reached.fmt(f),
            Self::Trap(reason) => write!(f, "the tool's instance broke off: {reason}"),
            Self::Busy(reason) | Self::Host(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Failure {}

/// Why there is no sandbox.
#[derive(Debug)]
pub struct SandboxError(pub(super) String);

impl fmt::Display for SandboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the sandbox cannot start: {}", self.0)
    }
}

impl std::error::Error for SandboxError {}

/// What the caller may want to show while a component is made ready.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// Compiling for a set of capabilities, which takes seconds.
    Compiling(Capabilities),
    /// Done, after this long.
    Compiled(Capabilities, Duration),
    /// Compiled code cannot be kept or was not taken, and why. Nothing else is wrong.
    CacheUnused(String),
}

/// Where to report [`Progress`].
pub type ProgressFn = Arc<dyn Fn(Progress) + Send + Sync>;

/// How to build a sandbox.
#[derive(Clone, Default)]
pub struct SandboxOptions {
    /// Folder for compiled code; `None` is `holm` in the user's cache folder.
    pub cache_dir: Option<PathBuf>,
    /// Calls that run at a time.
    pub concurrency: Concurrency,
    /// Told when something takes long.
    pub progress: Option<ProgressFn>,
    /// The HTTP client; `None` makes the usual one when the first call needs it.
    pub client: Option<Client>,
    /// The operator's consent to addresses that are not global (`[network] private`).
    pub consent: Arc<Consent>,
}

/// A future that may move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Other tools, as a running tool reaches them. Whoever implements this decides what
/// may be called: the sandbox passes every call on.
pub trait NestedCalls: Send + Sync {
    /// Runs `name` with a JSON object of arguments, or says why not.
    ///
    /// `budget` is the caller's: pass it on in [`CallRequest::budget`].
    fn call_tool<'a>(
        &'a self,
        name: &'a str,
        arguments: &'a str,
        budget: &'a Budget,
    ) -> BoxFuture<'a, Result<String, String>>;

    /// As [`Self::call_tool`], but gives the value alone, as [`Entry::Value`] has it. A tool that
    /// ends in an error is one of the reasons why not.
    fn call_tool_value<'a>(
        &'a self,
        name: &'a str,
        arguments: &'a str,
        budget: &'a Budget,
    ) -> BoxFuture<'a, Result<String, String>> {
        let _ = (name, arguments, budget);
        Box::pin(async { Err("call-tool/value is not available here".to_owned()) })
    }
}

/// No other tools.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoNestedCalls;

impl NestedCalls for NoNestedCalls {
    fn call_tool<'a>(
        &'a self,
        _: &'a str,
        _: &'a str,
        _: &'a Budget,
    ) -> BoxFuture<'a, Result<String, String>> {
        Box::pin(async { Err("call-tool is not available here".to_owned()) })
    }
}
