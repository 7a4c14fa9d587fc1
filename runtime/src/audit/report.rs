//! What each tool file can reach, as data. The JSON form of these types is a documented interface.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::permissions::Usual;

/// A whole audit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// What everything runs in.
    pub engine: Engine,
    /// The skill whose view this is, if one was asked for.
    pub skill: Option<String>,
    /// Address ranges beyond the global ones that the operator consents to, for every file.
    pub private_ranges: Vec<String>,
    /// Tools that anybody sees and may call, and so what a tool may call in turn. With a skill, its view.
    pub callable: Vec<String>,
    /// The files, in the order in which they define tools.
    pub files: Vec<FileReport>,
    /// What somebody should look at, worst first.
    pub findings: Vec<Finding>,
}

/// The parts that all tools share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Engine {
    /// Version of holm.
    pub holm: String,
    /// SHA-256 of the guest component's core module, in hexadecimal.
    pub guest_sha256: String,
    /// Version of the WebAssembly runtime.
    pub wasmtime: String,
}

/// One tool file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileReport {
    /// The file on this machine.
    pub file: String,
    /// Its virtual path, which grants go by.
    pub path: String,
    /// SHA-256 of its contents, in hexadecimal.
    pub sha256: String,
    /// 1 or 2.
    pub tier: u8,
    /// Interfaces that the component imports which is instantiated for it, with the functions of each: read
    /// from the component.
    pub imports: BTreeMap<String, Vec<String>>,
    /// URL prefixes.
    pub http: HttpReport,
    /// Names of variables.
    pub environment: EnvironmentReport,
    /// What one call may use.
    pub limits: LimitsReport,
    /// `fresh`, or `context` where an instance is kept.
    pub state: String,
    /// Hooks.
    pub hooks: HooksReport,
    /// Whether its tools may call others: those that are callable.
    pub calls_tools: bool,
    /// Its tools.
    pub tools: Vec<ToolReport>,
}

/// The URLs of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HttpReport {
    /// What its calls may reach.
    pub granted: Vec<Grant>,
    /// What it says that it needs.
    pub declared: Vec<String>,
    /// The configuration key that decides, and where it stands.
    pub decided_by: Option<Decision>,
    /// Whether the grants are the declaration.
    pub trusts_declaration: bool,
    /// Hosts that it reached, by the audit log: `None` without one.
    pub used: Option<Vec<String>>,
}

/// A granted URL prefix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// The prefix, in its normal form.
    pub prefix: String,
    /// Methods; `None` for all that are ever sent.
    pub methods: Option<Vec<String>>,
    /// Whether every path of the origin is covered.
    pub whole_origin: bool,
    /// Whether every sub-domain is covered.
    pub wildcard_host: bool,
}

/// A place in the configuration that decides something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// The dotted key.
    pub key: String,
    /// The file.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// Column in characters, from 1.
    pub column: Option<u32>,
}

/// The variables of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EnvironmentReport {
    /// Their names. Values are nowhere in a report.
    pub granted: Vec<String>,
    /// The configuration key that decides.
    pub decided_by: Option<Decision>,
}

/// Limits of one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitsReport {
    /// Milliseconds on the clock.
    pub wall_ms: u64,
    /// Milliseconds of CPU time.
    pub cpu_ms: u64,
    /// Scheme steps; `None` is no limit.
    pub steps: Option<u64>,
    /// Bytes of linear memory.
    pub memory: u64,
    /// Bytes of the result, of stdout and of stderr, each.
    pub output: u64,
    /// Bytes of a response body.
    pub http_body: u64,
    /// Bytes of all request bodies of a call.
    #[serde(default = "unlimited")]
    pub http_send: u64,
    /// Requests.
    pub http_requests: u32,
}

/// What a lock of before there was the limit allowed.
fn unlimited() -> u64 {
    u64::MAX
}

/// The hooks of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HooksReport {
    /// Those that it registers.
    pub registered: Vec<String>,
    /// Those of them that the operator lets run.
    pub active: Vec<String>,
}

/// One tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolReport {
    /// Its name.
    pub name: String,
    /// Its category.
    pub category: String,
    /// Arguments that the permission prompt shows.
    pub summary_params: Vec<String>,
    /// Whether calls of it run, ask or are refused.
    pub permission: Usual,
    /// Whether it can be seen and called, with the skill that was asked for.
    pub callable: bool,
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Wider than it probably has to be.
    Warning,
    /// Gives a tool more than the walls are for.
    Error,
}

impl Severity {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Something that somebody should look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How much it matters.
    pub severity: Severity,
    /// Which rule found it.
    pub rule: &'static str,
    /// Virtual path of the file that it is about.
    pub path: String,
    /// What was found.
    pub message: String,
    /// What to do about it.
    pub advice: &'static str,
    /// Where in the configuration, if it is there.
    pub decided_by: Option<Decision>,
}
