//! Hooks of tool files: asked before a call, told after it.
//!
//! A file's handler counts only at the points that `[tools.hooks]` lists for it. It runs in a fresh
//! instance with what its own file is given, within that file's limits and the budget of the
//! call, and can call no tool.
//!
//! | point | may answer | a handler that fails |
//! |---|---|---|
//! | `pre_tool` | `arguments`; `block`, `message` | refuses the call |
//! | `pre_fetch_url` and the other points of the gate | `denied`, `reason` | refuses the call |
//! | `pre_tool_output` | `output`; `block`, `message` | withholds the output |
//! | `pre_api_tools` | `include`, `exclude` | leaves no tool |
//! | `post_tool`, `post_tool_output` | nothing that counts | is reported |
//!
//! No answer is `'()`, `#f` or no particular value. An answer of another form, or with a key that
//! the point does not know, is a failure: a refusal that is spelled wrong must not be lost.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::call::Way;
use super::{Call, CallError, Registry, ToolFile, redact};
use crate::config::Hook;
use crate::diagnostic::{Diagnostic, Place};
use crate::egress::Journal;
use crate::limits::Budget;
use crate::permissions::Check;
use crate::sandbox::{CallRequest, Entry, NestedCalls, NoNestedCalls};

/// What is said when a handler blocks without a message.
const BLOCKED: &str = "blocked by a hook";
/// What is said when a handler denies without a reason, in the words of the reference.
const DENIED: &str = "denied by plugin";

/// Which tools a `pre_api_tools` handler leaves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Narrowing {
    /// Only these, when there is a list.
    pub include: Option<BTreeSet<String>>,
    /// Not these.
    pub exclude: BTreeSet<String>,
}

impl Narrowing {
    /// Whether it leaves the tool of this name.
    #[must_use]
    pub fn leaves(&self, name: &str) -> bool {
        let included = self
            .include
            .as_ref()
            .is_none_or(|names| names.contains(name));
        included && !self.exclude.contains(name)
    }
}

/// On whose behalf handlers run.
struct Asker<'a> {
    call: &'a Call,
    budget: Option<&'a Budget>,
}

impl Registry {
    /// The files whose handlers count at a point.
    fn hooking(&self, hook: Hook) -> Vec<Arc<ToolFile>> {
        let counts = |file: &&Arc<ToolFile>| {
            let registered = &file.loaded.manifest.hooks;
            file.grants.hooks.contains(&hook) && registered.iter().any(|name| name == hook.as_str())
        };
        self.hook_files.iter().filter(counts).cloned().collect()
    }

    /// What `pre_tool` makes of the arguments.
    pub(super) async fn pre_tool(
        &self,
        way: &Way<'_>,
        arguments: &Map<String, Value>,
    ) -> Result<Option<Map<String, Value>>, CallError> {
        let mut changed: Option<Map<String, Value>> = None;
        for file in self.hooking(Hook::PreTool) {
            let now = changed.as_ref().unwrap_or(arguments);
            let payload = json!({ "tool_name": way.tool.name, "arguments": now });
            let answer = self.ask(&way.asker(), &file, Hook::PreTool, &payload).await;
            let judged = answer.and_then(|answer| {
                let answer = Keys::new(answer, &["arguments", "block", "message"])?;
                let blocked = answer.flag("block")?;
                let message = answer.text("message")?;
                Ok((blocked, message, answer.object("arguments")?))
            });
            match judged {
                Ok((true, message, _)) => {
                    return Err(CallError::Refused(
                        message.unwrap_or_else(|| BLOCKED.to_owned()),
                    ));
                }
                Ok((false, _, Some(replaced))) => changed = Some(replaced),
                Ok((false, _, None)) => {}
                Err(error) => return Err(refusal(&file, Hook::PreTool, &error)),
            }
        }
        Ok(changed)
    }

    /// Whether the hooks of the gate let a call through.
    pub(super) async fn gate_hooks(&self, way: &Way<'_>, check: &Check) -> Result<(), CallError> {
        // That point was asked already, with the arguments.
        let point = Hook::named(check.hook).filter(|hook| *hook != Hook::PreTool);
        let Some(hook) = point else {
            return Ok(());
        };
        for file in self.hooking(hook) {
            let answer = self.ask(&way.asker(), &file, hook, &check.payload).await;
            let judged = answer.and_then(|answer| {
                let answer = Keys::new(answer, &["denied", "reason"])?;
                Ok((answer.flag("denied")?, answer.text("reason")?))
            });
            match judged {
                Ok((true, reason)) => {
                    let reason = reason.unwrap_or_else(|| DENIED.to_owned());
                    return Err(CallError::Refused(format!("Permission denied: {reason}")));
                }
                Ok((false, _)) => {}
                Err(error) => return Err(refusal(&file, hook, &error)),
            }
        }
        Ok(())
    }

    /// What `pre_tool_output` makes of the output, if anything.
    pub(super) async fn pre_tool_output(
        &self,
        way: &Way<'_>,
        arguments: &Map<String, Value>,
        output: &str,
    ) -> Result<Option<String>, CallError> {
        let hook = Hook::PreToolOutput;
        let mut changed: Option<String> = None;
        for file in self.hooking(hook) {
            let now = changed.as_deref().unwrap_or(output);
            let payload =
                json!({ "tool_name": way.tool.name, "arguments": arguments, "output": now });
            let answer = self.ask(&way.asker(), &file, hook, &payload).await;
            let judged = answer.and_then(|answer| {
                let answer = Keys::new(answer, &["output", "block", "message"])?;
                let blocked = answer.flag("block")?;
                Ok((blocked, answer.text("message")?, answer.text("output")?))
            });
            match judged {
                Ok((true, message, _)) => {
                    return Err(CallError::Refused(
                        message.unwrap_or_else(|| BLOCKED.to_owned()),
                    ));
                }
                Ok((false, _, Some(replaced))) => changed = Some(replaced),
                Ok((false, _, None)) => {}
                Err(error) => return Err(refusal(&file, hook, &error)),
            }
        }
        Ok(changed)
    }

    /// Tells `post_tool_output` and `post_tool`. What goes wrong there is for the operator.
    pub(super) async fn post_tool(
        &self,
        way: &Way<'_>,
        arguments: &Map<String, Value>,
        output: &str,
        seen: &str,
    ) -> Vec<Diagnostic> {
        let told = [
            (
                Hook::PostToolOutput,
                json!({
                    "tool_name": way.tool.name, "arguments": arguments,
                    "output": output, "final_output": seen, "cached": false,
                }),
            ),
            (
                Hook::PostTool,
                json!({
                    "tool_name": way.tool.name, "arguments": arguments,
                    "result": seen, "cached": false,
                }),
            ),
        ];
        let mut problems = Vec::new();
        for (hook, payload) in told {
            for file in self.hooking(hook) {
                if let Err(error) = self.ask(&way.asker(), &file, hook, &payload).await {
                    let message = format!("the hook `{hook}` failed: {error}");
                    let place = Place::file(&file.source.origin);
                    problems.push(Diagnostic::warning(message).place(place));
                }
            }
        }
        problems
    }

    /// What the handlers of `pre_api_tools` leave of `tools` for this caller, one answer for each
    /// that has one. Every one of them narrows; a handler that fails leaves nothing.
    pub async fn pre_api_tools<'a>(
        &self,
        call: &Call,
        tools: impl IntoIterator<Item = &'a super::Tool>,
    ) -> Vec<Narrowing> {
        let files = self.hooking(Hook::PreApiTools);
        if files.is_empty() {
            return Vec::new();
        }
        let tools: Vec<Value> = tools
            .into_iter()
            .map(|tool| json!({ "name": tool.name, "type": tool.category.as_str() }))
            .collect();
        let payload = json!({ "context_name": call.context, "tools": tools });
        let asker = Asker { call, budget: None };
        let mut answers = Vec::new();
        for file in files {
            let answer = self.ask(&asker, &file, Hook::PreApiTools, &payload).await;
            let judged = answer.and_then(|answer| {
                let answer = Keys::new(answer, &["include", "exclude"])?;
                Ok(Narrowing {
                    include: answer.names("include")?,
                    exclude: answer.names("exclude")?.unwrap_or_default(),
                })
            });
            answers.push(judged.unwrap_or_else(|_| Narrowing {
                include: Some(BTreeSet::new()),
                exclude: BTreeSet::new(),
            }));
        }
        answers
    }

    /// One handler's answer: nothing, or an object.
    async fn ask(
        &self,
        asker: &Asker<'_>,
        file: &ToolFile,
        hook: Hook,
        payload: &Value,
    ) -> Result<Map<String, Value>, String> {
        let grants = file.grants.for_instance();
        let nested: Arc<dyn NestedCalls> = Arc::new(NoNestedCalls);
        let journal = Journal::without(&grants.env);
        let request = CallRequest {
            image: &file.loaded.image,
            file: &file.source.path,
            tool: hook.as_str(),
            arguments: &payload.to_string(),
            context_name: &asker.call.context,
            unrestricted: file.grants.is_unrestricted(),
            grants: &grants,
            limits: &file.grants.limits,
            nested: &nested,
            principal: asker.call.principal.name(),
            budget: asker.budget,
            journal: &journal,
        };
        let outcome = self
            .sandbox
            .call_as(request, Entry::Hook, None)
            .await
            .map_err(|failure| redact(&failure.to_string(), &grants.env))?;
        if let Some(reached) = &outcome.limit {
            return Err(reached.message());
        }
        if let Some(problem) = &outcome.failure {
            return Err(redact(&problem.message, &grants.env));
        }
        if outcome.result.is_empty() {
            return Ok(Map::new());
        }
        match serde_json::from_str(&outcome.result) {
            Ok(Value::Object(answer)) => Ok(answer),
            _ => Err("it answers with something that is no list of keys and values".to_owned()),
        }
    }
}

impl Way<'_> {
    fn asker(&self) -> Asker<'_> {
        Asker {
            call: self.call,
            budget: self.budget,
        }
    }
}

/// A failing handler's refusal. Values of granted variables are not in the error.
fn refusal(file: &ToolFile, hook: Hook, error: &str) -> CallError {
    CallError::Refused(format!(
        "Permission denied: the hook `{hook}` of {} failed: {error}",
        file.source.path
    ))
}

/// The answer of a handler, with the keys that its point knows.
struct Keys(Map<String, Value>);

impl Keys {
    fn new(answer: Map<String, Value>, known: &[&str]) -> Result<Self, String> {
        match answer.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(format!("it answers with the unknown key `{key}`")),
            None => Ok(Self(answer)),
        }
    }

    fn wrong<T>(key: &str, wanted: &str) -> Result<T, String> {
        Err(format!("its `{key}` is not {wanted}"))
    }

    fn flag(&self, key: &str) -> Result<bool, String> {
        match self.0.get(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Self::wrong(key, "a boolean"),
        }
    }

    fn text(&self, key: &str) -> Result<Option<String>, String> {
        match self.0.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Self::wrong(key, "a string"),
        }
    }

    fn object(&self, key: &str) -> Result<Option<Map<String, Value>>, String> {
        match self.0.get(key) {
            None => Ok(None),
            Some(Value::Object(object)) => Ok(Some(object.clone())),
            // The empty list is the empty object, too.
            Some(Value::Array(items)) if items.is_empty() => Ok(Some(Map::new())),
            Some(_) => Self::wrong(key, "a list of keys and values"),
        }
    }

    fn names(&self, key: &str) -> Result<Option<BTreeSet<String>>, String> {
        let items = match self.0.get(key) {
            None => return Ok(None),
            Some(Value::Array(items)) => items,
            Some(_) => return Self::wrong(key, "a list of names"),
        };
        let names: Option<BTreeSet<String>> = items
            .iter()
            .map(|item| item.as_str().map(str::to_owned))
            .collect();
        match names {
            Some(names) => Ok(Some(names)),
            None => Self::wrong(key, "a list of names"),
        }
    }
}
