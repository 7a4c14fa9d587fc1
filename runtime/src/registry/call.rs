//! The way of a call: policy, permission, grants, instance, record.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::record::{Audit, Recording};
use super::state::{self, Holding};
use super::{Answer, FileGrants, Missing, OwnGrants, Principal, Registry, Tool, ToolFile};
use crate::config::State;
use crate::diagnostic::Diagnostic;
use crate::egress::{Asked, Denial, Journal, Reason, Source};
use crate::limits::Budget;
use crate::permissions::{self, Approver, Gate, Question, Subject};
use crate::policy::{REFUSAL, ToolPolicy};
use crate::sandbox::{BoxFuture, CallRequest, Entry, Failure, Kept, NestedCalls};
use crate::schema::{self, Missing as MissingArguments};
use crate::visible;

/// Calls of tools by tools, one in the other. A tool may call itself, so there has to
/// be an end; nothing sensible is this deep.
pub const MAX_NESTED: u32 = 8;

/// How long a call waits for its turn with a kept instance when its file has no limit to speak of.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);
/// Characters that are kept of the name of a tool that may not be called.
const LONGEST_NAME: usize = 128;
/// Diagnostics of nested calls that are kept for the operator.
const MOST_DIAGNOSTICS: usize = 100;

/// Who calls, and who answers for it.
#[derive(Clone)]
pub struct Call {
    /// Whoever calls, and the calls nested in it.
    pub principal: Principal,
    /// The name of the caller, as tools see it.
    pub context: String,
    /// Who is asked before a tool of an asking category runs; without anyone it does not.
    pub approver: Option<Arc<dyn Approver>>,
    /// Which tools the caller may reach, and the tools that they call in turn.
    pub policy: Arc<ToolPolicy>,
    /// Who keeps a record of it.
    pub audit: Option<Arc<dyn Audit>>,
    /// What the principal is given in place of what the files are given for all.
    pub own: Option<Arc<OwnGrants>>,
    /// What is done about arguments that the tool requires and the caller leaves out.
    pub missing: MissingArguments,
}

impl Call {
    /// A call of this principal, under this policy, with nobody to ask and no record kept.
    #[must_use]
    pub fn new(principal: Principal, policy: Arc<ToolPolicy>) -> Self {
        Self {
            context: principal.name().to_owned(),
            principal,
            policy,
            approver: None,
            audit: None,
            own: None,
            missing: MissingArguments::Refused,
        }
    }

    /// Lets the tool itself cope with required arguments that are not there.
    #[must_use]
    pub fn passing_missing(mut self) -> Self {
        self.missing = MissingArguments::Passed;
        self
    }

    /// Says who is asked.
    #[must_use]
    pub fn approver(mut self, approver: Arc<dyn Approver>) -> Self {
        self.approver = Some(approver);
        self
    }

    /// Says who keeps a record.
    #[must_use]
    pub fn audit(mut self, audit: Arc<dyn Audit>) -> Self {
        self.audit = Some(audit);
        self
    }
}

/// Why a call gave no answer.
#[derive(Debug)]
pub enum CallError {
    /// It was not allowed to start. The text is for the caller.
    Refused(String),
    /// It could not be made.
    Failed(Failure),
}

/// What is the same for a call and everything that it leads to.
pub(super) struct Way<'a> {
    pub(super) tool: &'a Tool,
    pub(super) file: &'a ToolFile,
    pub(super) grants: &'a FileGrants,
    pub(super) call: &'a Call,
    pub(super) budget: Option<&'a Budget>,
    entry: Entry,
    depth: u32,
    journal: &'a Journal,
    /// The kept instances that the calls around this one are in.
    held: &'a [Holding],
}

impl Registry {
    /// Calls a tool of this registry in a fresh instance.
    ///
    /// # Errors
    ///
    /// Only when there is no answer: an error of the tool, arguments that do not fit its schema, and
    /// a limit that it reached, are answers.
    pub async fn call(
        self: &Arc<Self>,
        tool: &Tool,
        arguments: &Map<String, Value>,
        call: &Call,
    ) -> Result<Answer, CallError> {
        // What a tool passes to another is the tool author's affair, as the format has it.
        if call.policy.permits(&tool.name)
            && let Some(file) = self.file_of(tool)
            && let Err(faults) = schema::check(&tool.schema, arguments, call.missing)
        {
            return Ok(Answer::invalid(file, &faults));
        }
        self.call_at_depth(tool, arguments, call, Entry::Text, &Around::default())
            .await
    }

    /// Makes a call and its record.
    async fn call_at_depth(
        self: &Arc<Self>,
        tool: &Tool,
        arguments: &Map<String, Value>,
        call: &Call,
        entry: Entry,
        around: &Around<'_>,
    ) -> Result<Answer, CallError> {
        // The guard: whoever found the tool may have looked at another policy.
        if !call.policy.permits(&tool.name) {
            return Err(CallError::Refused(REFUSAL.to_owned()));
        }
        let Some(file) = self.file_of(tool) else {
            return Err(CallError::Failed(Failure::Host(
                "the tool is of another registry".to_owned(),
            )));
        };
        let grants = file.grants_of(call.own.as_deref());
        let journal = Journal::without(&grants.read_environment());
        let recording = Recording::begin(tool, file, &grants, call, around.depth, &journal);
        let way = Way {
            tool,
            file,
            grants: &grants,
            call,
            budget: around.budget,
            entry,
            depth: around.depth,
            journal: &journal,
            held: around.held,
        };
        let ended = self.make(&way, arguments).await;
        recording.end(&ended);
        ended
    }

    /// Asks whoever is to be asked, runs the tool, and tells whoever is to be told.
    async fn make(
        self: &Arc<Self>,
        way: &Way<'_>,
        arguments: &Map<String, Value>,
    ) -> Result<Answer, CallError> {
        let tool = way.tool;
        // Everything from here on is about the arguments that will run.
        let changed = self.pre_tool(way, arguments).await?;
        let arguments = changed.as_ref().unwrap_or(arguments);
        let subject = Subject {
            tool: &tool.name,
            category: tool.category,
            summary_params: &tool.summary_params,
            path: &way.file.source.path,
            digest: &way.file.digest,
        };
        match self.permissions.gate(&subject, arguments) {
            Gate::Pass => {}
            Gate::Refuse(text) => return Err(CallError::Refused(text)),
            Gate::Check(check) => {
                self.gate_hooks(way, &check).await?;
                if check.ask {
                    ask(way.call.approver.clone(), check.question).await?;
                }
            }
        }
        let mut answer = self.run(way, arguments).await?;
        let output = way.output(&answer);
        if let Some(replaced) = self.pre_tool_output(way, arguments, &output).await? {
            answer.replace(match way.entry {
                Entry::Value => scheme_string(&replaced),
                Entry::Text | Entry::Hook => replaced,
            });
        }
        let seen = way.output(&answer);
        let told = self.post_tool(way, arguments, &output, &seen).await;
        answer.diagnostics.extend(told);
        Ok(answer)
    }

    /// Runs the tool with what its file is given, in a fresh instance or in the kept one.
    async fn run(
        self: &Arc<Self>,
        way: &Way<'_>,
        arguments: &Map<String, Value>,
    ) -> Result<Answer, CallError> {
        if way.grants.state == State::Fresh {
            return self.enter(way, arguments, way.held.to_vec(), None).await;
        }
        let holding = self.states.of(&way.call.principal, way.file);
        if way.held.iter().any(|held| held.is(&holding)) {
            return Err(CallError::Refused(state::REENTRANT.to_owned()));
        }
        let deadline = Instant::now() + way.grants.limits.wall.min(LONGEST_WAIT);
        let mut state = holding.wait(deadline).await.map_err(CallError::Failed)?;
        let held = way.held.iter().cloned().chain([holding.clone()]).collect();
        let begun = state.kept.is_begun();
        let missing = std::mem::take(&mut state.given_up);
        // If the caller does not wait, the instance ends with the call.
        let mut answer = self
            .enter(way, arguments, held, Some(&mut state.kept))
            .await;
        let lost = begun && !state.kept.is_begun();
        match &mut answer {
            Ok(answer) if lost => answer
                .outcome
                .result
                .push_str(&format!(" ({})", state::LOST)),
            Ok(answer) if missing => {
                let stderr = &mut answer.outcome.stderr;
                let line = if stderr.is_empty() { "" } else { "\n" };
                stderr.push_str(&format!("{line}[{}]", state::MISSING));
            }
            Err(CallError::Failed(Failure::Trap(reason))) if lost => {
                reason.push_str(&format!(" ({})", state::LOST));
            }
            _ => {}
        }
        answer
    }

    /// Enters an instance.
    async fn enter(
        self: &Arc<Self>,
        way: &Way<'_>,
        arguments: &Map<String, Value>,
        held: Vec<Holding>,
        kept: Option<&mut Kept>,
    ) -> Result<Answer, CallError> {
        let file = way.file;
        let below = Nested::below(self, way.call, way.depth, held, way.caller());
        let nested: Arc<dyn NestedCalls> = Arc::<Nested>::clone(&below);
        let grants = way.grants.for_instance();
        // What was looked at is what is sent, not another reading of the same text.
        let arguments = Value::Object(arguments.clone()).to_string();
        let request = CallRequest {
            image: &file.loaded.image,
            file: &file.source.path,
            tool: &way.tool.name,
            arguments: &arguments,
            context_name: &way.call.context,
            unrestricted: way.grants.is_unrestricted(),
            grants: &grants,
            limits: &way.grants.limits,
            nested: &nested,
            principal: way.call.principal.name(),
            budget: way.budget,
            journal: way.journal,
        };
        let outcome = self
            .sandbox
            .call_as(request, way.entry, kept)
            .await
            .map_err(CallError::Failed)?;
        Ok(Answer::new(
            outcome,
            file,
            way.grants,
            &grants.env,
            below.take_diagnostics(),
            &self.configuration,
        ))
    }
}

impl Way<'_> {
    /// Who calls, when the tool calls others.
    fn caller(&self) -> Caller {
        Caller {
            path: self.file.source.path.clone(),
            journal: self.journal.clone(),
        }
    }

    /// What the caller of a tool gets to see.
    fn output(&self, answer: &Answer) -> String {
        match self.entry {
            Entry::Text | Entry::Hook => answer.text(),
            Entry::Value => answer.outcome.result.clone(),
        }
    }
}

/// The external representation of a string.
fn scheme_string(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

/// The calls that a call is in.
#[derive(Default)]
struct Around<'a> {
    depth: u32,
    budget: Option<&'a Budget>,
    held: &'a [Holding],
}

/// Asks whoever answers. They may take a minute, and other calls go on.
async fn ask(approver: Option<Arc<dyn Approver>>, question: Question) -> Result<(), CallError> {
    let Some(approver) = approver else {
        return Err(CallError::Refused(permissions::NOBODY.to_owned()));
    };
    let answer = tokio::task::spawn_blocking(move || approver.approve(&question));
    if answer.await.unwrap_or(false) {
        Ok(())
    } else {
        Err(CallError::Refused(permissions::DENIED.to_owned()))
    }
}

/// The file that calls other tools, and where it is noted what it may not call.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) path: String,
    pub(super) journal: Journal,
}

impl Caller {
    fn refused(&self, name: &str, reason: Reason) {
        let name = self.journal.redact(name);
        self.journal.push(Denial {
            tool: self.path.clone(),
            asked: Asked::Tool(visible::short_line(&name, LONGEST_NAME)),
            reason,
            source: Source::Host,
            rules: Vec::new(),
            hint: None,
        });
    }
}

/// `call-tool` of a running tool. The callee gets its own grants and limits, within what is left of
/// the caller's, and the caller's permission to start nothing: it is asked again.
pub(super) struct Nested {
    registry: Arc<Registry>,
    call: Call,
    depth: u32,
    held: Vec<Holding>,
    caller: Caller,
    diagnostics: Mutex<Vec<Diagnostic>>,
}

impl Nested {
    /// The tools that a tool called at this depth may call.
    pub(super) fn below(
        registry: &Arc<Registry>,
        call: &Call,
        depth: u32,
        held: Vec<Holding>,
        caller: Caller,
    ) -> Arc<Self> {
        Arc::new(Self {
            registry: Arc::clone(registry),
            call: call.clone(),
            depth: depth + 1,
            held,
            caller,
            diagnostics: Mutex::default(),
        })
    }

    /// What there is to say about the calls that were made.
    pub(super) fn take_diagnostics(&self) -> Vec<Diagnostic> {
        let mut diagnostics = self
            .diagnostics
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *diagnostics)
    }

    async fn run(
        &self,
        name: &str,
        arguments: &str,
        entry: Entry,
        budget: &Budget,
    ) -> Result<String, String> {
        if self.depth > MAX_NESTED {
            self.caller.refused(name, Reason::Nesting(MAX_NESTED));
            return Err(format!(
                "tool error: call-tool nested more than {MAX_NESTED} deep"
            ));
        }
        let tool =
            self.registry
                .find(&self.call.policy, name)
                .map_err(|missing| match missing {
                    Missing::NotPermitted => {
                        self.caller.refused(name, Reason::Policy);
                        format!("tool error: {REFUSAL}")
                    }
                    // A tool that is left out is as unknown as one that never was.
                    Missing::Excluded | Missing::Unknown => format!("unknown tool: {name}"),
                })?;
        let arguments: Map<String, Value> =
            serde_json::from_str(arguments).map_err(|error| format!("args conversion: {error}"))?;
        let around = Around {
            depth: self.depth,
            budget: Some(budget),
            held: &self.held,
        };
        let answer = self
            .registry
            .call_at_depth(tool, &arguments, &self.call, entry, &around)
            .await;
        let answer = match answer {
            Ok(answer) => answer,
            Err(CallError::Refused(text)) if text == state::REENTRANT => return Err(text),
            Err(CallError::Refused(text)) => return Err(format!("tool error: {text}")),
            Err(CallError::Failed(failure)) => return Err(format!("tool error: {failure}")),
        };
        let said = match entry {
            Entry::Text | Entry::Hook => Ok(answer.text()),
            Entry::Value if answer.is_success() => Ok(answer.outcome.result),
            Entry::Value => {
                let result = &answer.outcome.result;
                let error = result.strip_prefix("error: ").unwrap_or(result);
                Err(format!("tool error: {error}"))
            }
        };
        let mut diagnostics = self
            .diagnostics
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // A tool may call others any number of times.
        let room = MOST_DIAGNOSTICS.saturating_sub(diagnostics.len());
        diagnostics.extend(answer.diagnostics.into_iter().take(room));
        said
    }
}

impl NestedCalls for Nested {
    fn call_tool<'a>(
        &'a self,
        name: &'a str,
        arguments: &'a str,
        budget: &'a Budget,
    ) -> BoxFuture<'a, Result<String, String>> {
        Box::pin(self.run(name, arguments, Entry::Text, budget))
    }

    fn call_tool_value<'a>(
        &'a self,
        name: &'a str,
        arguments: &'a str,
        budget: &'a Budget,
    ) -> BoxFuture<'a, Result<String, String>> {
        Box::pin(self.run(name, arguments, Entry::Value, budget))
    }
}
