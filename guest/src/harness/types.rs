//! The exported interface's types (`wit/world.wit` has their meaning), as plain
//! Rust, so that the harness compiles and is tested without wasm.

/// A place in a tool file; lines and columns count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// What kind of thing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemKind {
    /// The source is not well-formed data.
    Read,
    /// The source does not expand or compile.
    Syntax,
    /// An error or an uncaught `raise` while running.
    Evaluation,
    /// Something the sandbox refuses.
    Sandbox,
    /// The step limit was reached.
    Steps,
    /// The memory or stack budget was used up.
    Memory,
    /// The file does not define what a tool must define.
    Manifest,
    /// The host passed something unusable.
    Host,
}

/// An error or a warning, with where it happened when that is known.
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

/// Which imports this component really has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// `wasi:http/outgoing-handler` and what it needs.
    pub http: bool,
    /// `wasi:cli/environment`.
    pub environment: bool,
    /// `holm:tool/harness`.
    pub harness: bool,
}

/// How one entry runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Virtual path of the tool file, for messages.
    pub file: String,
    /// Scheme steps that this entry may use; none is no limit.
    pub steps: Option<u64>,
    /// True at tier 2: no module restriction.
    pub unrestricted: bool,
    /// What the component can reach.
    pub capabilities: Capabilities,
    /// Bytes kept of the result, of stdout and of stderr, each.
    pub output_limit: usize,
}

/// One tool that a file defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Name, as the model calls it.
    pub name: String,
    /// What the model reads about it.
    pub description: String,
    /// JSON Schema of the arguments, with sorted keys.
    pub parameters: String,
    /// Declared category, or `synthesised`.
    pub category: String,
    /// Arguments that the permission prompt shows.
    pub summary_params: Vec<String>,
}

/// What a file says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifest {
    /// In order of definition.
    pub tools: Vec<Tool>,
    /// URL prefixes that the file declares.
    pub http_allow: Vec<String>,
    /// Names of the hooks that the file registers.
    pub hooks: Vec<String>,
    /// What the author should look at.
    pub warnings: Vec<Problem>,
}

/// A loaded file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// What the file says about itself.
    pub manifest: Manifest,
    /// The compiled file, valid for this guest build only.
    pub image: Vec<u8>,
    /// Scheme steps that loading used.
    pub steps_used: u64,
}

/// One tool call.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The compiled file; none when an earlier call started this instance.
    pub image: Option<&'a [u8]>,
    /// Name of the tool.
    pub tool: &'a str,
    /// A JSON object.
    pub arguments: &'a str,
    /// Name of the calling context.
    pub context_name: &'a str,
}

/// What a call gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Text of the value, or `error: ...`.
    pub result: String,
    /// Captured output, without the `(empty)` marker.
    pub stdout: String,
    /// Captured error output, likewise.
    pub stderr: String,
    /// Set when the call ended in an error.
    pub failure: Option<Problem>,
    /// Scheme steps that the call used.
    pub steps_used: u64,
}

/// What a text gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// The last form's value in external representation, unless it has no particular one.
    pub value: Option<String>,
    /// The exit code, when the program called `exit`.
    pub exit: Option<i32>,
    /// Captured output, without the `(empty)` marker.
    pub stdout: String,
    /// Captured error output, likewise.
    pub stderr: String,
    /// Set when the text ended in an error.
    pub failure: Option<Problem>,
    /// Scheme steps that it used.
    pub steps_used: u64,
}
