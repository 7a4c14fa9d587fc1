//! What a loaded file says about itself: its tools in either format, declared prefixes, hooks.
//!
//! A file whose `%tool-registry%` is a non-empty list defines the tools in it; any other file is
//! one tool, by the variables `tool-name`, `tool-description`, `tool-parameters`, `tool-execute`
//! and the optional ones.

use tein::{Context, Value};

use super::place;
use super::problem;
use super::schema::{self, Schema};
use super::types::{Manifest, Position, Problem, ProblemKind, Settings, Tool};

/// Categories that a tool may declare; anything else is `synthesised`. Two more words would let a
/// tool pass as something that is not gated, and are not here.
const CATEGORIES: [&str; 9] = [
    "memory", "fs_read", "fs_write", "shell", "network", "index", "flow", "vfs", "eval",
];
/// What a tool without a category of its own is.
const DEFAULT_CATEGORY: &str = "synthesised";
/// Longest name that every model interface accepts.
const MAX_NAME: usize = 64;

/// The list that `define-tool` adds to, newest first.
const REGISTRY: &str = "%tool-registry%";
/// The list that `register-hook` adds to, newest first.
const HOOKS: &str = "%hook-registry%";
/// The variable that holds a single tool's procedure.
const EXECUTE: &str = "tool-execute";
/// What a file that uses `define-tool` need not define.
const CONVENTION: [&str; 6] = [
    "tool-name",
    "tool-description",
    "tool-parameters",
    EXECUTE,
    "tool-category",
    "tool-summary-params",
];

/// The events that a harness may tell hooks of.
const HOOK_NAMES: [&str; 33] = [
    "on_start",
    "on_end",
    "pre_message",
    "post_message",
    "pre_system_prompt",
    "post_system_prompt",
    "pre_tool",
    "post_tool",
    "pre_tool_output",
    "post_tool_output",
    "pre_api_tools",
    "pre_api_request",
    "pre_agentic_loop",
    "post_tool_batch",
    "pre_file_read",
    "pre_file_write",
    "pre_shell_exec",
    "pre_fetch_url",
    "pre_spawn_agent",
    "post_spawn_agent",
    "pre_cache_output",
    "post_cache_output",
    "pre_send_message",
    "post_send_message",
    "post_index_file",
    "pre_vfs_write",
    "post_vfs_write",
    "pre_clear",
    "post_clear",
    "pre_compact",
    "post_compact",
    "pre_rolling_compact",
    "post_rolling_compact",
];

/// Reads the manifest of the file that was just evaluated.
///
/// # Errors
/// The contract's texts for what is missing or of the wrong type.
pub(super) fn extract(
    context: &mut Context,
    source: &str,
    settings: &Settings,
) -> Result<Manifest, Problem> {
    let mut reader = Reader {
        context,
        source,
        settings,
        manifest: Manifest::default(),
    };
    match reader.context.global(REGISTRY) {
        Some(Value::List(entries)) => reader.registry(&entries)?,
        _ => reader.convention()?,
    }
    let at = reader.locate("tool-http-allow");
    let declared = reader.context.global("tool-http-allow");
    reader.manifest.http_allow = reader.strings(declared.as_ref(), "tool-http-allow", at);
    reader.hooks();
    Ok(reader.manifest)
}

/// What handles a tool, looked up anew for every call, since a tool may assign it.
///
/// # Errors
/// The file defines no such tool.
pub(super) fn handler(
    context: &mut Context,
    tool: &str,
    settings: &Settings,
) -> Result<Value, Problem> {
    // The newest entry stands first.
    if let Some(execute) = context.lookup(REGISTRY, tool, 3) {
        return Ok(execute);
    }
    let (variable, found) = match context.global(REGISTRY) {
        Some(Value::List(_)) => (format!("%tool-execute-{tool}%"), None),
        _ => (EXECUTE.to_owned(), context.global(EXECUTE)),
    };
    found.ok_or_else(|| {
        problem::host(
            format!("resolve {variable}: {}", undefined(&variable)),
            settings,
        )
    })
}

/// The procedure that handles a hook: of several the newest, which stands first.
///
/// # Errors
/// The file registers no procedure for it.
pub(super) fn hook(
    context: &mut Context,
    hook: &str,
    settings: &Settings,
) -> Result<Value, Problem> {
    match context.lookup(HOOKS, hook, 1) {
        Some(handler @ Value::Procedure(_)) => Ok(handler),
        _ => {
            let variable = format!("%hook-{hook}%");
            let message = format!("resolve {variable}: {}", undefined(&variable));
            Err(problem::host(message, settings))
        }
    }
}

fn undefined(variable: &str) -> String {
    format!("scheme evaluation error: undefined variable: ({variable})")
}

struct Reader<'a> {
    context: &'a mut Context,
    source: &'a str,
    settings: &'a Settings,
    manifest: Manifest,
}

impl Reader<'_> {
    fn problem(&self, message: impl Into<String>, at: Option<Position>) -> Problem {
        problem::new(ProblemKind::Manifest, message.into(), at, self.settings)
    }

    fn warn(&mut self, message: impl Into<String>, at: Option<Position>) {
        let problem = self.problem(message, at);
        self.manifest.warnings.push(problem);
    }

    /// Where the file defines a variable; the last definition is the one that counts.
    fn locate(&self, variable: &str) -> Option<Position> {
        place::definitions(self.source, "define", variable)
            .last()
            .copied()
    }

    // --- one tool per file ---

    fn convention(&mut self) -> Result<(), Problem> {
        let name = self.text("tool-name")?;
        let description = self.text("tool-description")?;
        let parameters = self.required("tool-parameters")?;
        let at = self.locate("tool-parameters");
        let schema = self.schema(&parameters, &name, at)?;
        if !matches!(self.required(EXECUTE)?, Value::Procedure(_)) {
            return Err(self.problem("tool-execute is not a procedure", self.locate(EXECUTE)));
        }
        let category = self.context.global("tool-category");
        let category = self.category(category.as_ref(), &name, self.locate("tool-category"));
        let summary = self.context.global("tool-summary-params");
        let at = self.locate("tool-summary-params");
        let summary_params = self.summary(summary.as_ref(), &schema, &name, at);
        let at = self.locate("tool-name");
        self.push(
            Tool {
                name,
                description,
                parameters: schema.text,
                category,
                summary_params,
            },
            at,
        );
        Ok(())
    }

    fn required(&mut self, name: &str) -> Result<Value, Problem> {
        // What is missing has no place: the head of the file is where to put it.
        let at = Some(Position { line: 1, column: 1 });
        self.context
            .global(name)
            .ok_or_else(|| self.problem(format!("missing {name}: {}", undefined(name)), at))
    }

    fn text(&mut self, name: &str) -> Result<String, Problem> {
        match self.required(name)? {
            Value::String(s) => Ok(s),
            _ => Err(self.problem(format!("{name} is not a string"), self.locate(name))),
        }
    }

    // --- several tools per file ---

    fn registry(&mut self, entries: &[Value]) -> Result<(), Problem> {
        for name in CONVENTION {
            if self.context.global(name).is_some() {
                let at = self.locate(name);
                self.warn(
                    format!("{name} is ignored: this file defines its tools with define-tool"),
                    at,
                );
            }
        }
        let mut seen: Vec<&str> = Vec::new();
        for entry in entries.iter().rev() {
            let parts = match entry {
                Value::List(parts) => parts.as_slice(),
                _ => &[],
            };
            let [name, description, parameters, execute, optional @ ..] = parts else {
                return Err(self.problem(
                    format!("define-tool entry has unexpected shape: {entry}"),
                    None,
                ));
            };
            let Value::String(name) = name else {
                return Err(self.problem("define-tool: name not a string", None));
            };
            // The same name again is the next definition of it in the text.
            let earlier = seen.iter().filter(|n| *n == name).count();
            seen.push(name);
            let places = place::definitions(self.source, "define-tool", name);
            let at = places.get(earlier).or(places.last()).copied();
            let Value::String(description) = description else {
                return Err(self.problem("define-tool: description not a string", at));
            };
            let schema = self.schema(parameters, name, at)?;
            if !matches!(execute, Value::Procedure(_)) {
                return Err(self.problem(
                    format!("define-tool {name}: execute is not a procedure"),
                    at,
                ));
            }
            if name.contains(|c: char| c.is_whitespace() || c == '(' || c == ')') {
                return Err(self.problem(
                    format!("define-tool: name \"{name}\" contains invalid characters (whitespace or parens)"),
                    at,
                ));
            }
            let category = self.category(optional.first(), name, at);
            let summary_params = self.summary(optional.get(1), &schema, name, at);
            let tool = Tool {
                name: name.clone(),
                description: description.clone(),
                parameters: schema.text,
                category,
                summary_params,
            };
            self.push(tool, at);
        }
        Ok(())
    }

    // --- shared ---

    fn schema(
        &mut self,
        parameters: &Value,
        tool: &str,
        at: Option<Position>,
    ) -> Result<Schema, Problem> {
        let schema = schema::convert(parameters).map_err(|message| self.problem(message, at))?;
        for warning in &schema.warnings {
            self.warn(format!("tool `{tool}`: {warning}"), at);
        }
        Ok(schema)
    }

    fn category(&mut self, declared: Option<&Value>, tool: &str, at: Option<Position>) -> String {
        let wrong = match declared {
            None | Some(Value::Boolean(false)) => return DEFAULT_CATEGORY.to_owned(),
            Some(Value::String(c)) if CATEGORIES.contains(&c.as_str()) => return c.clone(),
            Some(Value::String(c)) if c == DEFAULT_CATEGORY => return c.clone(),
            Some(Value::String(c)) => format!("unknown category `{c}`"),
            Some(other) => format!("a category is a string, not {other}"),
        };
        let known = CATEGORIES.join(", ");
        self.warn(
            format!(
                "tool `{tool}`: {wrong}, taken as {DEFAULT_CATEGORY}; the categories are {known}"
            ),
            at,
        );
        DEFAULT_CATEGORY.to_owned()
    }

    fn summary(
        &mut self,
        declared: Option<&Value>,
        schema: &Schema,
        tool: &str,
        at: Option<Position>,
    ) -> Vec<String> {
        let names = self.strings(declared, &format!("tool `{tool}`: summary-params"), at);
        for name in names.iter().filter(|n| !schema.names.contains(n)) {
            self.warn(
                format!("tool `{tool}`: summary parameter `{name}` names no parameter"),
                at,
            );
        }
        names
    }

    /// The strings of an optional list.
    fn strings(&mut self, value: Option<&Value>, what: &str, at: Option<Position>) -> Vec<String> {
        let items = match value {
            None | Some(Value::Nil | Value::Boolean(false)) => return Vec::new(),
            Some(Value::List(items)) => items,
            Some(other) => {
                self.warn(
                    format!("{what} is a list of strings, not {other}; it is ignored"),
                    at,
                );
                return Vec::new();
            }
        };
        let mut strings = Vec::new();
        for item in items {
            match item {
                Value::String(s) => strings.push(s.clone()),
                other => self.warn(
                    format!("{what} is a list of strings; {other} is left out"),
                    at,
                ),
            }
        }
        strings
    }

    /// Adds a tool; of two with one name the later one counts, where the earlier one stood.
    fn push(&mut self, tool: Tool, at: Option<Position>) {
        let fits = (1..=MAX_NAME).contains(&tool.name.len())
            && tool
                .name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if !fits {
            self.warn(
                format!(
                    "tool name `{}` is not 1 to {MAX_NAME} letters, digits, `_` and `-`: some clients do not take it",
                    tool.name
                ),
                at,
            );
        }
        match self.manifest.tools.iter().position(|t| t.name == tool.name) {
            Some(i) => {
                self.warn(
                    format!(
                        "tool `{}` is defined more than once, the last one counts",
                        tool.name
                    ),
                    at,
                );
                self.manifest.tools[i] = tool;
            }
            None => self.manifest.tools.push(tool),
        }
    }

    fn hooks(&mut self) {
        let Some(Value::List(entries)) = self.context.global(HOOKS) else {
            return;
        };
        for entry in entries.iter().rev() {
            let parts = match entry {
                Value::List(parts) => parts.as_slice(),
                _ => &[],
            };
            match parts {
                [Value::String(name), Value::Procedure(_)]
                    if !HOOK_NAMES.contains(&name.as_str()) =>
                {
                    self.warn(format!("unknown hook `{name}` is ignored"), None);
                }
                [Value::String(name), Value::Procedure(_)] => {
                    if !self.manifest.hooks.contains(name) {
                        self.manifest.hooks.push(name.clone());
                    }
                }
                [Value::String(name), other] => {
                    self.warn(
                        format!(
                            "hook `{name}` is ignored: its handler is not a procedure but {other}"
                        ),
                        None,
                    );
                }
                _ => self.warn(
                    format!("hook entry has unexpected shape and is ignored: {entry}"),
                    None,
                ),
            }
        }
    }
}
