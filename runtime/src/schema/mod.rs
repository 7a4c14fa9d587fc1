//! What a model is told about tools, and whether its arguments fit.
//!
//! | file | answers |
//! |---|---|
//! | `names` | what is a tool called where names are restricted? |
//! | `normal` | what does a tool's author mean, in valid JSON Schema 2020-12? |
//! | `arguments` | do these arguments fit, and if not, what has to be changed? |
//!
//! All three forms are made from one [`Declaration`], sorted by name, so that the same tools
//! always give the same bytes.

#![forbid(unsafe_code)]

mod arguments;
mod names;
mod normal;

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::diagnostic::{Diagnostic, Place};
use crate::policy::ToolPolicy;
use crate::registry::{OwnGrants, Registry, Tool};

pub use arguments::{Missing, check, invalid};
pub use names::{LONGEST_NAME, wire_name};
pub use normal::normalise;

/// Which client the declarations are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `{"type":"function","function":{...}}`
    OpenAi,
    /// `{"name","description","input_schema"}`
    Anthropic,
    /// `{"name","description","inputSchema","annotations"}`
    Mcp,
}

/// What a tool can touch, as far as its grants say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// It changes nothing: no URL, no variable, no kept state.
    pub read_only: bool,
    /// It can reach something outside this machine.
    pub open_world: bool,
}

/// A tool as a model is told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Declaration {
    /// Its name in the registry.
    pub tool: String,
    /// The name that clients accept.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Valid JSON Schema of an object.
    pub parameters: Arc<Map<String, Value>>,
    /// What it can touch.
    pub reach: Reach,
}

/// The tools of a principal as a model is told of them.
#[derive(Debug, Clone, Default)]
pub struct Declarations {
    /// Sorted by name; no two of one name.
    pub tools: Vec<Declaration>,
    /// Tools that cannot be told of, because clients would not accept or could not tell apart
    /// their names. They cannot be called over MCP either.
    pub problems: Vec<Diagnostic>,
}

impl Declarations {
    /// The declarations of what a policy permits, for a principal with these grants of its own.
    #[must_use]
    pub fn new(registry: &Registry, policy: &ToolPolicy, own: Option<&OwnGrants>) -> Self {
        let mut declarations = Self::default();
        let tools: Vec<&Tool> = registry.tools(policy).collect();
        let named = names::assign(tools.iter().map(|tool| tool.name.as_str()));
        for (tool, name) in tools.into_iter().zip(named) {
            let place = registry
                .file_of(tool)
                .map(|file| Place::file(&file.source.origin));
            match name {
                Ok(name) => declarations.tools.push(Declaration {
                    tool: tool.name.clone(),
                    name,
                    description: tool.description.clone(),
                    parameters: Arc::clone(&tool.schema),
                    reach: reach(registry, tool, own),
                }),
                Err(message) => {
                    let mut problem = Diagnostic::error(message)
                        .hint("give the tool a name of at most 64 letters, digits, `_` and `-`");
                    problem.place = place;
                    declarations.problems.push(problem);
                }
            }
        }
        declarations.tools.sort_by(|a, b| a.name.cmp(&b.name));
        declarations
    }

    /// The tool that a client calls `name`.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Declaration> {
        self.tools
            .binary_search_by(|tool| tool.name.as_str().cmp(name))
            .ok()
            .and_then(|index| self.tools.get(index))
    }

    /// The declarations in a client's form.
    #[must_use]
    pub fn to_json(&self, form: Form) -> Value {
        self.tools.iter().map(|tool| tool.to_json(form)).collect()
    }
}

impl Declaration {
    /// The declaration in a client's form.
    #[must_use]
    pub fn to_json(&self, form: Form) -> Value {
        let Self {
            name,
            description,
            parameters,
            ..
        } = self;
        match form {
            Form::OpenAi => json!({
                "type": "function",
                "function": {
                    "name": name,
                    "description": description,
                    "parameters": **parameters,
                },
            }),
            Form::Anthropic => json!({
                "name": name,
                "description": description,
                "input_schema": **parameters,
            }),
            Form::Mcp => json!({
                "name": name,
                "description": description,
                "inputSchema": **parameters,
                "annotations": {
                    "readOnlyHint": self.reach.read_only,
                    "destructiveHint": !self.reach.read_only,
                    "idempotentHint": self.reach.read_only,
                    "openWorldHint": self.reach.open_world,
                },
            }),
        }
    }
}

/// What the grants of a tool's own file let it touch. A tool whose file is not there is taken
/// to touch everything.
fn reach(registry: &Registry, tool: &Tool, own: Option<&OwnGrants>) -> Reach {
    let Some(file) = registry.file_of(tool) else {
        return Reach {
            read_only: false,
            open_world: true,
        };
    };
    let grants = file.grants_of(own);
    let http = !grants.http.is_empty();
    let environment = !grants.environment.is_empty();
    Reach {
        read_only: !http && !environment,
        open_world: http || environment,
    }
}
