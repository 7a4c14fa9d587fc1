//! The way of a call: configuration, permission, grants, instance, record.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};

use super::record::{Audit, Recording};
use super::{Answer, Principal, Registry, Tool, ToolFile};
use crate::diagnostic::Diagnostic;
use crate::egress::Journal;
use crate::limits::Budget;
use crate::permissions::{self, Approver, Gate, Question, Subject};
use crate::sandbox::{BoxFuture, CallRequest, Entry, Failure, NestedCalls};

/// Calls of tools by tools, one in the other. A tool may call itself, so there has to
/// be an end; nothing sensible is this deep.
pub const MAX_NESTED: u32 = 8;

/// Who calls, and who answers for it.
#[derive(Clone)]
pub struct Call {
    /// Whoever calls, and the calls nested in it.
    pub principal: Principal,
    /// The name of the caller, as tools see it.
    pub context: String,
    /// Who is asked before a tool of an asking category runs; without anyone it does not.
    pub approver: Option<Arc<dyn Approver>>,
    /// Who keeps a record of it.
    pub audit: Option<Arc<dyn Audit>>,
}

impl Call {
    /// A call of this principal, with nobody to ask and no record kept.
    #[must_use]
    pub fn new(principal: Principal) -> Self {
        Self {
            context: principal.name().to_owned(),
            principal,
            approver: None,
            audit: None,
        }
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
struct Way<'a> {
    tool: &'a Tool,
    file: &'a ToolFile,
    call: &'a Call,
    entry: Entry,
    depth: u32,
    budget: Option<&'a Budget>,
    journal: &'a Journal,
}

impl Registry {
    /// Calls a tool of this registry in a fresh instance.
    ///
    /// # Errors
    ///
    /// Only when there is no answer: an error of the tool, and a limit that it reached, are
    /// answers.
    pub async fn call(
        self: &Arc<Self>,
        tool: &Tool,
        arguments: &Map<String, Value>,
        call: &Call,
    ) -> Result<Answer, CallError> {
        self.call_at_depth(tool, arguments, call, Entry::Text, 0, None)
            .await
    }

    /// Makes a call and its record.
    async fn call_at_depth(
        self: &Arc<Self>,
        tool: &Tool,
        arguments: &Map<String, Value>,
        call: &Call,
        entry: Entry,
        depth: u32,
        budget: Option<&Budget>,
    ) -> Result<Answer, CallError> {
        let Some(file) = self.file_of(tool) else {
            return Err(CallError::Failed(Failure::Host(
                "the tool is of another registry".to_owned(),
            )));
        };
        let journal = Journal::without(&file.grants.read_environment());
        let recording = Recording::begin(tool, file, call, depth, journal.clone());
        let way = Way {
            tool,
            file,
            call,
            entry,
            depth,
            budget,
            journal: &journal,
        };
        let ended = self.make(&way, arguments).await;
        recording.end(&ended);
        ended
    }

    /// Asks whoever is to be asked, and runs the tool.
    async fn make(
        self: &Arc<Self>,
        way: &Way<'_>,
        arguments: &Map<String, Value>,
    ) -> Result<Answer, CallError> {
        let tool = way.tool;
        let subject = Subject {
            tool: &tool.name,
            category: tool.category,
            summary_params: &tool.summary_params,
            path: &way.file.source.path,
            text: &way.file.source.text,
        };
        match self.permissions.gate(&subject, arguments) {
            Gate::Pass => {}
            Gate::Refuse(text) => return Err(CallError::Refused(text)),
            Gate::Check(check) if check.ask => {
                ask(way.call.approver.clone(), check.question).await?;
            }
            Gate::Check(_) => {}
        }
        self.run(way, arguments).await
    }

    /// Runs the tool with what its file is given.
    async fn run(
        self: &Arc<Self>,
        way: &Way<'_>,
        arguments: &Map<String, Value>,
    ) -> Result<Answer, CallError> {
        let file = way.file;
        let below = Nested::below(self, way.call, way.depth);
        let nested: Arc<dyn NestedCalls> = Arc::<Nested>::clone(&below);
        let grants = file.grants.for_instance();
        // What was looked at is what is sent, not another reading of the same text.
        let arguments = Value::Object(arguments.clone()).to_string();
        let request = CallRequest {
            image: &file.loaded.image,
            file: &file.source.path,
            tool: &way.tool.name,
            arguments: &arguments,
            context_name: &way.call.context,
            unrestricted: file.grants.is_unrestricted(),
            grants: &grants,
            limits: &file.grants.limits,
            nested: &nested,
            principal: way.call.principal.name(),
            budget: way.budget,
            journal: way.journal,
        };
        let outcome = self
            .sandbox
            .call_as(request, way.entry, None)
            .await
            .map_err(CallError::Failed)?;
        Ok(Answer::new(
            outcome,
            file,
            &grants.env,
            below.take_diagnostics(),
            &self.configuration,
        ))
    }
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

/// `call-tool` of a running tool. The callee gets its own grants and limits, within what is left of
/// the caller's, and the caller's permission to start nothing: it is asked again.
pub(super) struct Nested {
    registry: Arc<Registry>,
    call: Call,
    depth: u32,
    diagnostics: Mutex<Vec<Diagnostic>>,
}

impl Nested {
    /// The tools that a tool called at this depth may call.
    pub(super) fn below(registry: &Arc<Registry>, call: &Call, depth: u32) -> Arc<Self> {
        Arc::new(Self {
            registry: Arc::clone(registry),
            call: call.clone(),
            depth: depth + 1,
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
            return Err(format!(
                "tool error: call-tool nested more than {MAX_NESTED} deep"
            ));
        }
        // A tool that is left out is as unknown as one that never was.
        let tool = self
            .registry
            .find(name)
            .map_err(|_| format!("unknown tool: {name}"))?;
        let arguments: Map<String, Value> =
            serde_json::from_str(arguments).map_err(|error| format!("args conversion: {error}"))?;
        let answer = self
            .registry
            .call_at_depth(
                tool,
                &arguments,
                &self.call,
                entry,
                self.depth,
                Some(budget),
            )
            .await;
        let answer = match answer {
            Ok(answer) => answer,
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
        diagnostics.extend(answer.diagnostics);
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
