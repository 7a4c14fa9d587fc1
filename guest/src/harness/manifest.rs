//! What a loaded file says about itself: its tools in either format, declared prefixes, hooks.

use tein::{Context, Value};

use super::types::{Manifest, Position, Problem, ProblemKind, Settings, Tool};
use super::schema;

/// Categories that a tool may declare; anything else is `synthesised`.
const CATEGORIES: [&str; 9] =
    ["memory", "fs_read", "fs_write", "shell", "network", "index", "flow", "vfs", "eval"];
/// What a tool without a category of its own is.
const DEFAULT_CATEGORY: &str = "synthesised";
/// Longest name that every model interface accepts.
const MAX_NAME: usize = 64;

/// Reads the manifest of the file that was just evaluated.
///
/// # Errors
/// The contract's texts for what is missing or of the wrong type.
pub(super) fn extract(
    context: &mut Context,
    source: &str,
    settings: &Settings,
) -> Result<Manifest, Problem> {
    let mut reader = Reader { context, source, settings, manifest: Manifest::default() };
    match reader.context.global("%tool-registry%") {
        Some(Value::List(entries)) => reader.registry(&entries)?,
        _ => reader.convention()?,
    }
    reader.manifest.http_allow = strings(reader.context.global("tool-http-allow").as_ref());
    reader.hooks();
    Ok(reader.manifest)
}

/// The procedure that handles a tool, looked up anew for every call.
pub(super) fn handler(context: &mut Context, tool: &str) -> Option<Value> {
    if let Some(Value::List(entries)) = context.global("%tool-registry%") {
        return entries.iter().find_map(|entry| match entry {
            Value::List(parts) => match parts.as_slice() {
                [Value::String(name), _, _, f @ Value::Procedure(_), ..] if name == tool => Some(f.clone()),
                _ => None,
            },
            _ => None,
        });
    }
    match (context.global("tool-name"), context.global("tool-execute")) {
        (Some(Value::String(name)), Some(f @ Value::Procedure(_))) if name == tool => Some(f),
        _ => None,
    }
}

/// The strings of a list; nothing for anything that is not a list.
fn strings(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::List(items)) => items
            .iter()
            .filter_map(|i| match i {
                Value::String(s) => Some(s.clone()),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

struct Reader<'a> {
    context: &'a mut Context,
    source: &'a str,
    settings: &'a Settings,
    manifest: Manifest,
}

impl Reader<'_> {
    fn problem(&self, message: impl Into<String>, at: Option<Position>) -> Problem {
        Problem {
            kind: ProblemKind::Manifest,
            message: message.into(),
            file: self.settings.file.clone(),
            at,
            trace: Vec::new(),
        }
    }

    fn warn(&mut self, message: impl Into<String>, at: Option<Position>) {
        let problem = self.problem(message, at);
        self.manifest.warnings.push(problem);
    }

    /// Where the text defines a name: the head of the form, by its first words.
    fn locate(&self, head: &str, name: &str) -> Option<Position> {
        let mut from = 0;
        while let Some(i) = self.source[from..].find(head) {
            let start = from + i;
            let rest = self.source[start + head.len()..].trim_start_matches([' ', '\t', '\n', '\r', '(']);
            let ends = |c: char| c.is_whitespace() || c == ')' || c == '(';
            if rest.strip_prefix(name).is_some_and(|r| r.is_empty() || r.starts_with(ends)) {
                let before = &self.source[..start];
                let line = before.matches('\n').count() as u32 + 1;
                let column = before.chars().rev().take_while(|c| *c != '\n').count() as u32 + 1;
                return Some(Position { line, column });
            }
            from = start + head.len();
        }
        None
    }

    // --- one tool per file ---

    fn convention(&mut self) -> Result<(), Problem> {
        let name = self.text("tool-name")?;
        let description = self.text("tool-description")?;
        let parameters = self.binding("tool-parameters")?;
        let at = self.locate("(define", "tool-parameters");
        let parameters = self.schema(&parameters, at)?;
        let execute = self.binding("tool-execute")?;
        if !matches!(execute, Value::Procedure(_)) {
            let at = self.locate("(define", "tool-execute");
            return Err(self.problem("tool-execute is not a procedure", at));
        }
        let at = self.locate("(define", "tool-category");
        let category = self.context.global("tool-category");
        let category = self.category(category.as_ref(), &name, at);
        let summary_params = strings(self.context.global("tool-summary-params").as_ref());
        let at = self.locate("(define", "tool-name");
        self.push(Tool { name, description, parameters, category, summary_params }, at);
        Ok(())
    }

    fn binding(&mut self, name: &str) -> Result<Value, Problem> {
        match self.context.global(name) {
            Some(v) => Ok(v),
            None => {
                // A place to put it: the head of the file.
                let at = Some(Position { line: 1, column: 1 });
                Err(self.problem(
                    format!("missing {name}: scheme evaluation error: undefined variable: ({name})"),
                    at,
                ))
            }
        }
    }

    fn text(&mut self, name: &str) -> Result<String, Problem> {
        match self.binding(name)? {
            Value::String(s) => Ok(s),
            _ => {
                let at = self.locate("(define", name);
                Err(self.problem(format!("{name} is not a string"), at))
            }
        }
    }

    // --- several tools per file ---

    fn registry(&mut self, entries: &[Value]) -> Result<(), Problem> {
        // The newest entry stands first.
        for entry in entries.iter().rev() {
            let Value::List(parts) = entry else {
                return Err(self.problem(format!("define-tool entry has unexpected shape: {entry}"), None));
            };
            let [name, description, parameters, execute, optional @ ..] = parts.as_slice() else {
                return Err(self.problem(format!("define-tool entry has unexpected shape: {entry}"), None));
            };
            let Value::String(name) = name else {
                return Err(self.problem("define-tool: name not a string", None));
            };
            let at = self.locate("(define-tool", name);
            let Value::String(description) = description else {
                return Err(self.problem("define-tool: description not a string", at));
            };
            let parameters = self.schema(parameters, at)?;
            if !matches!(execute, Value::Procedure(_)) {
                return Err(self.problem(format!("define-tool {name}: execute is not a procedure"), at));
            }
            if name.chars().any(|c| c.is_whitespace() || c == '(' || c == ')') {
                return Err(self.problem(
                    format!("define-tool: name \"{name}\" contains invalid characters (whitespace or parens)"),
                    at,
                ));
            }
            let category = self.category(optional.first(), name, at);
            let summary_params = strings(optional.get(1));
            let tool = Tool {
                name: name.clone(),
                description: description.clone(),
                parameters,
                category,
                summary_params,
            };
            self.push(tool, at);
        }
        Ok(())
    }

    // --- shared ---

    fn schema(&mut self, parameters: &Value, at: Option<Position>) -> Result<String, Problem> {
        let mut warnings = Vec::new();
        let schema = schema::convert(parameters, &mut warnings).map_err(|m| self.problem(m, at))?;
        for w in warnings {
            self.warn(w, at);
        }
        Ok(schema.to_string())
    }

    fn category(&mut self, declared: Option<&Value>, tool: &str, at: Option<Position>) -> String {
        match declared {
            Some(Value::String(c)) if CATEGORIES.contains(&c.as_str()) => c.clone(),
            Some(Value::String(c)) if c != DEFAULT_CATEGORY => {
                let known = CATEGORIES.join(", ");
                self.warn(
                    format!("tool `{tool}`: unknown category `{c}`, taken as {DEFAULT_CATEGORY}; the categories are {known}"),
                    at,
                );
                DEFAULT_CATEGORY.to_owned()
            }
            None | Some(Value::String(_) | Value::Boolean(false)) => DEFAULT_CATEGORY.to_owned(),
            Some(other) => {
                self.warn(format!("tool `{tool}`: the category is a string, not {other}"), at);
                DEFAULT_CATEGORY.to_owned()
            }
        }
    }

    /// Adds a tool; of two with one name the later one counts, where the earlier one stood.
    fn push(&mut self, tool: Tool, at: Option<Position>) {
        let fits = !tool.name.is_empty()
            && tool.name.len() <= MAX_NAME
            && tool.name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if !fits {
            self.warn(
                format!(
                    "tool name `{}` is not made of 1 to {MAX_NAME} letters, digits, `_` and `-`: some clients will not take it",
                    tool.name
                ),
                at,
            );
        }
        let properties: Vec<String> = serde_json::from_str::<serde_json::Value>(&tool.parameters)
            .ok()
            .and_then(|s| s.get("properties").and_then(|p| p.as_object()).map(|p| p.keys().cloned().collect()))
            .unwrap_or_default();
        for p in &tool.summary_params {
            if !properties.contains(p) {
                self.warn(format!("tool `{}`: summary parameter `{p}` names no parameter", tool.name), at);
            }
        }
        match self.manifest.tools.iter().position(|t| t.name == tool.name) {
            Some(i) => {
                self.warn(format!("tool `{}` is defined twice: the last one counts", tool.name), at);
                self.manifest.tools[i] = tool;
            }
            None => self.manifest.tools.push(tool),
        }
    }

    fn hooks(&mut self) {
        let Some(Value::List(entries)) = self.context.global("%hook-registry%") else { return };
        for entry in entries.iter().rev() {
            match entry {
                Value::List(parts) => match parts.as_slice() {
                    [Value::String(name), Value::Procedure(_)] => {
                        if !self.manifest.hooks.contains(name) {
                            self.manifest.hooks.push(name.clone());
                        }
                    }
                    _ => self.warn(format!("hook entry has unexpected shape: {entry}"), None),
                },
                _ => self.warn(format!("hook entry has unexpected shape: {entry}"), None),
            }
        }
    }
}
