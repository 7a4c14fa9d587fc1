//! The way of a call: configuration, permission, grants, instance.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};

use super::{Answer, Registry, Tool};
use crate::diagnostic::Diagnostic;
use crate::egress::Journal;
use crate::limits::Budget;
use crate::permissions::{self, Approver, Gate, Question, Subject};
use crate::sandbox::{BoxFuture, CallRequest, Failure, NestedCalls};

/// Calls of tools by tools, one in the other. A tool may call itself, so there has to
/// be an end; nothing sensible is this deep.
pub const MAX_NESTED: u32 = 8;

/// Who calls, and who answers for it.
#[derive(Clone)]
pub struct Call {
    /// The name of the caller, as tools see it.
    pub context: String,
    /// Who is asked before a tool of an asking category runs; without anyone it does not.
    pub approver: Option<Arc<dyn Approver>>,
}

/// Why a call gave no answer.
#[derive(Debug)]
pub enum CallError {
    /// It was not allowed to start. The text is for the caller.
    Refused(String),
    /// It could not be made.
    Failed(Failure),
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
        self.call_at_depth(tool, arguments, call, 0, None).await
    }

    async fn call_at_depth(
        self: &Arc<Self>,
        tool: &Tool,
        arguments: &Map<String, Value>,
        call: &Call,
        depth: u32,
        budget: Option<&Budget>,
    ) -> Result<Answer, CallError> {
        let Some(file) = self.file_of(tool) else {
            return Err(CallError::Failed(Failure::Host(
                "the tool is of another registry".to_owned(),
            )));
        };
        let subject = Subject {
            tool: &tool.name,
            category: tool.category,
            summary_params: &tool.summary_params,
            path: &file.source.path,
            text: &file.source.text,
        };
        match self.permissions.gate(&subject, arguments) {
            Gate::Pass => {}
            Gate::Refuse(text) => return Err(CallError::Refused(text)),
            Gate::Check(check) if check.ask => ask(call.approver.clone(), check.question).await?,
            Gate::Check(_) => {}
        }
        let below = Arc::new(Nested {
            registry: Arc::clone(self),
            call: call.clone(),
            depth: depth + 1,
            diagnostics: Mutex::default(),
        });
        let nested: Arc<dyn NestedCalls> = Arc::<Nested>::clone(&below);
        let grants = file.grants.for_instance();
        // What was looked at is what is sent, not another reading of the same text.
        let arguments = Value::Object(arguments.clone()).to_string();
        let request = CallRequest {
            image: &file.loaded.image,
            file: &file.source.path,
            tool: &tool.name,
            arguments: &arguments,
            context_name: &call.context,
            unrestricted: file.grants.is_unrestricted(),
            grants: &grants,
            limits: &file.grants.limits,
            nested: &nested,
            principal: &call.context,
            budget,
            journal: &Journal::without(&grants.env),
        };
        let outcome = self
            .sandbox
            .call(request)
            .await
            .map_err(CallError::Failed)?;
        let nested = std::mem::take(
            &mut *below
                .diagnostics
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        );
        Ok(Answer::new(
            outcome,
            file,
            &grants.env,
            nested,
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

/// `call-tool` of a running tool. The callee gets its own grants and limits, and the
/// caller's permission to start nothing: it is asked again.
struct Nested {
    registry: Arc<Registry>,
    call: Call,
    depth: u32,
    diagnostics: Mutex<Vec<Diagnostic>>,
}

impl Nested {
    async fn run(&self, name: &str, arguments: &str, budget: &Budget) -> Result<String, String> {
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
        match self
            .registry
            .call_at_depth(tool, &arguments, &self.call, self.depth, Some(budget))
            .await
        {
            Ok(answer) => {
                let text = answer.text();
                let mut diagnostics = self
                    .diagnostics
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                diagnostics.extend(answer.diagnostics);
                Ok(text)
            }
            Err(CallError::Refused(text)) => Err(format!("tool error: {text}")),
            Err(CallError::Failed(failure)) => Err(format!("tool error: {failure}")),
        }
    }
}

impl NestedCalls for Nested {
    fn call_tool<'a>(
        &'a self,
        name: &'a str,
        arguments: &'a str,
        budget: &'a Budget,
    ) -> BoxFuture<'a, Result<String, String>> {
        Box::pin(self.run(name, arguments, budget))
    }
}
