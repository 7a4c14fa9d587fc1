//! The way of one `tools/call`: name, policy, arguments, permission, instance, record.

use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, MetaObject,
    ProgressNotificationParam, ProgressToken,
};
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use serde_json::{Map, Value, json};
use tokio::sync::{SemaphorePermit, mpsc};

use super::Host;
use super::approval::{self, Asked, Brought, Relay, Way};
use super::handler::Session;
use super::served::View;
use crate::call_log::Scribe;
use crate::diagnostic::Diagnostic;
use crate::egress::Denial;
use crate::policy::REFUSAL;
use crate::registry::{Answer, Call, CallError, Principal, Tool};
use crate::sandbox::{Failure, ProblemKind};

/// How often a client that asked for it hears that a call goes on.
const PROGRESS_EVERY: std::time::Duration = std::time::Duration::from_secs(1);

/// What a client hears that calls while the server stops.
const STOPPING: &str = "the server is stopping";

/// How a call ended, before it is told to the client.
enum Ended {
    /// With an answer of the tool.
    Answered(Box<Answer>),
    /// It did not start.
    Refused(&'static str, String),
    /// It could not be made. The text is for the client.
    Failed(String),
    /// The client or the server ended it.
    Cancelled,
    /// A person has to be asked first.
    Ask(Box<rmcp::model::InputRequiredResult>),
    /// There is no such tool, or none that this principal may know of.
    Unknown,
}

/// Sees to it that a call is counted and has a record when it is over, however it ends.
struct Ending<'a> {
    host: &'a Host,
    principal: &'a str,
    tool: &'a str,
    scribe: Arc<Scribe>,
    start: Instant,
    /// How it ended; dropping the call where it stands is what a client does that goes away.
    outcome: &'static str,
    reason: Option<String>,
    denied_requests: usize,
    _running: super::metrics::Running<'a>,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        let took = self.start.elapsed();
        self.host
            .metrics
            .call(self.outcome, took, self.denied_requests);
        if !self.scribe.has_written() {
            let reason = self.reason.as_deref();
            self.scribe
                .not_run(self.principal, self.tool, self.outcome, reason);
        }
    }
}

impl Session {
    /// Makes a call.
    pub(super) async fn call(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let host = self.host();
        let served = self.served();
        let view = self.view().await;
        let skill = served.skill.as_ref().map(|skill| skill.name.clone());
        let unwritten = host.unwritten();
        let scribe = Scribe::new(
            Arc::clone(&host.log),
            skill,
            Arc::clone(&view.policy),
            unwritten,
        );
        let mut ending = Ending {
            host,
            principal: &served.name,
            tool: &request.name,
            scribe: Arc::new(scribe),
            start: Instant::now(),
            outcome: "abandoned",
            reason: None,
            denied_requests: 0,
            _running: host.metrics.begin(),
        };
        if let Err(error) = host.log.ready() {
            ending.outcome = "failed";
            (host.unwritten())(&error);
            return Err(ErrorData::internal_error(
                "the server cannot keep records",
                None,
            ));
        }
        let ended = self
            .run(&request, &view, &context, Arc::clone(&ending.scribe))
            .await;
        tell(&request, ended, &view, &mut ending)
    }

    async fn run(
        &self,
        request: &CallToolRequestParams,
        view: &View,
        context: &RequestContext<RoleServer>,
        scribe: Arc<Scribe>,
    ) -> Ended {
        let host = self.host();
        let none = Map::new();
        let arguments = request.arguments.as_ref().unwrap_or(&none);
        if host.draining.is_cancelled() {
            return Ended::Refused("refused", STOPPING.to_owned());
        }
        let Some(declaration) = view.declarations.find(&request.name) else {
            return Ended::Unknown;
        };
        let Ok(tool) = view.registry.find(&view.policy, &declaration.tool) else {
            return Ended::Unknown;
        };
        let way = Way::of(context);
        let brought = self.pending().answer(request);
        if brought == Brought::No {
            return Ended::Refused("refused", crate::permissions::DENIED.to_owned());
        }
        let (relay, mut questions) = Relay::new();
        let principal = Principal::new(self.served().name.as_str());
        let mut call = Call::new(principal, Arc::clone(&view.policy)).audit(scribe);
        call.own.clone_from(&self.served().own);
        if way != Way::Nobody || brought != Brought::Nothing {
            call = call.approver(Arc::new(relay));
        }
        let wall = view
            .registry
            .file_of(tool)
            .map(|file| file.grants_of(call.own.as_deref()).limits.wall)
            .unwrap_or_default();
        let running = async {
            let _place = match self.place(wall).await {
                Ok(place) => place,
                Err(busy) => return Err(CallError::Failed(busy)),
            };
            view.registry.call(tool, arguments, &call).await
        };
        let going = Going {
            peer: &context.peer,
            token: context.meta.get_progress_token(),
            limit: wall.as_secs_f64(),
        };
        let answering = self.answer_questions(request, way, brought, context, &mut questions);
        // Dropping the call drops its instance, wherever it stands.
        let ended = tokio::select! {
            biased;
            () = context.ct.cancelled() => return Ended::Cancelled,
            () = host.stopping.cancelled() => return Ended::Refused("abandoned", STOPPING.to_owned()),
            asked = answering => return asked,
            ended = running => ended,
            never = going.tell() => match never {},
        };
        self.sort(tool, view, ended, context).await
    }

    /// A place among the calls that the principal may have at a time; it is waited for as long as
    /// the call itself may take.
    async fn place(&self, wall: Duration) -> Result<Option<SemaphorePermit<'_>>, Failure> {
        let Some(places) = &self.served().places else {
            return Ok(None);
        };
        match tokio::time::timeout(wall, places.acquire()).await {
            Ok(Ok(place)) => Ok(Some(place)),
            // The semaphore is never closed.
            Ok(Err(_)) | Err(_) => Err(Failure::Busy(format!(
                "limit `concurrent` of the principal `{}` reached: as many calls as it may have were running",
                self.served().name
            ))),
        }
    }

    /// Passes questions on until the call is over; ends only with a question that needs
    /// a second call.
    async fn answer_questions(
        &self,
        request: &CallToolRequestParams,
        way: Way,
        mut brought: Brought,
        context: &RequestContext<RoleServer>,
        questions: &mut mpsc::UnboundedReceiver<Asked>,
    ) -> Ended {
        let mut is_first = true;
        while let Some(Asked { question, answer }) = questions.recv().await {
            let asks_itself = is_first && question.tool == crate::visible::line(&request.name);
            is_first = false;
            let yes = match (way, std::mem::replace(&mut brought, Brought::Nothing)) {
                (_, Brought::Yes(text)) => approval::is_answered(&text, &question),
                (Way::Request, _) => approval::ask(&context.peer, &question).await,
                // Before anything ran the call can be made a second time, and not later.
                (Way::Result, _) if asks_itself => match self.pending().ask(request, &question) {
                    Some(asking) => return Ended::Ask(Box::new(asking)),
                    None => false,
                },
                _ => false,
            };
            // The call may be gone.
            let _ = answer.send(yes);
        }
        std::future::pending().await
    }

    /// What the registry said, and what the operator and the client's log are told of it.
    async fn sort(
        &self,
        tool: &Tool,
        view: &View,
        ended: Result<Answer, CallError>,
        context: &RequestContext<RoleServer>,
    ) -> Ended {
        match ended {
            Ok(answer) => {
                for diagnostic in &answer.diagnostics {
                    self.tell_log(context, diagnostic).await;
                }
                Ended::Answered(Box::new(answer))
            }
            Err(CallError::Refused(text)) if text == REFUSAL => Ended::Unknown,
            Err(CallError::Refused(text)) => Ended::Refused("refused", text),
            Err(CallError::Failed(failure)) => {
                (self.host().report)(&view.registry.explain(tool, &failure));
                Ended::Failed(match failure {
                    Failure::Problem(problem) => problem.message,
                    Failure::Limit(reached) => reached.message(),
                    Failure::Busy(reason) => reason,
                    // About this machine, and nobody's at the other end.
                    Failure::Trap(_) | Failure::Host(_) => "the call could not be made".to_owned(),
                })
            }
        }
    }

    /// Tells the client's log what the operator's diagnostics say.
    async fn tell_log(&self, context: &RequestContext<RoleServer>, diagnostic: &Diagnostic) {
        // Places of files and keys of the configuration are the operator's.
        let text = if self.served().is_operator {
            let mut text = diagnostic.to_string();
            for hint in &diagnostic.hints {
                text.push_str("\nhint: ");
                text.push_str(hint);
            }
            text
        } else {
            diagnostic.message.clone()
        };
        self.log(context, diagnostic.is_error(), text).await;
    }
}

/// A call that goes on, for a client that wants to know.
struct Going<'a> {
    peer: &'a Peer<RoleServer>,
    token: Option<ProgressToken>,
    limit: f64,
}

/// There is none: the type of something that does not end.
enum Never {}

impl Going<'_> {
    /// Tells the client every second, for as long as the call goes on.
    fn tell(self) -> impl Future<Output = Never> {
        let Self { peer, token, limit } = self;
        async move {
            let Some(token) = token else {
                return std::future::pending().await;
            };
            let start = Instant::now();
            let mut ticks = tokio::time::interval(PROGRESS_EVERY);
            loop {
                ticks.tick().await;
                let mut progress =
                    ProgressNotificationParam::new(token.clone(), start.elapsed().as_secs_f64());
                progress.total = Some(limit);
                progress.message = Some("running".to_owned());
                // A client that went away is noticed elsewhere.
                drop(peer.notify_progress(progress).await);
            }
        }
    }
}

/// The answer to the client, and how the record says that it ended.
fn tell(
    request: &CallToolRequestParams,
    ended: Ended,
    view: &View,
    ending: &mut Ending<'_>,
) -> Result<CallToolResponse, ErrorData> {
    let result = match ended {
        Ended::Answered(answer) => {
            let failure = answer.outcome.failure.as_ref();
            ending.outcome = match (&answer.outcome.limit, failure.map(|problem| problem.kind)) {
                (Some(_), _) => "limit",
                (None, None) => "result",
                (None, Some(ProblemKind::Arguments)) => "invalid",
                (None, Some(_)) => "error",
            };
            // What is wrong with arguments quotes them.
            ending.reason = failure
                .filter(|problem| problem.kind != ProblemKind::Arguments)
                .map(|problem| problem.message.clone());
            let denials = answer.outcome.denials.iter();
            ending.denied_requests = denials.filter(|denial| denial.url().is_some()).count();
            answered(&answer)
        }
        Ended::Refused(outcome, text) => {
            ending.outcome = outcome;
            ending.reason = Some(text.clone());
            failed(text)
        }
        Ended::Failed(text) => {
            ending.outcome = "failed";
            ending.reason = Some(text.clone());
            failed(text)
        }
        Ended::Cancelled => {
            ending.outcome = "abandoned";
            failed("cancelled".to_owned())
        }
        Ended::Ask(asking) => {
            ending.outcome = "asked";
            return Ok(CallToolResponse::InputRequired(*asking));
        }
        Ended::Unknown if view.policy.is_under_skill() => {
            ending.outcome = "refused";
            let mut result = failed(REFUSAL.to_owned());
            result.structured_content = serde_json::from_str(REFUSAL).ok();
            result
        }
        Ended::Unknown => {
            ending.outcome = "unknown";
            let name = crate::visible::short_line(&request.name, 128);
            return Err(ErrorData::invalid_params(
                format!("Unknown tool: {name}"),
                None,
            ));
        }
    };
    Ok(CallToolResponse::Complete(result))
}

/// The key of a result's `_meta` with what the call was refused.
const DENIALS: &str = "holm/denials";

fn answered(answer: &Answer) -> CallToolResult {
    let content = vec![ContentBlock::text(answer.text())];
    let mut result = if answer.is_success() {
        CallToolResult::success(content)
    } else {
        CallToolResult::error(content)
    };
    result.structured_content = Some(json!({
        "result": answer.outcome.result,
        "stdout": answer.outcome.stdout,
        "stderr": answer.outcome.stderr,
    }));
    let denials: Vec<Value> = answer.denials().map(Denial::to_json).collect();
    if !denials.is_empty() {
        let mut meta = MetaObject::default();
        meta.0.insert(DENIALS.to_owned(), Value::Array(denials));
        result.meta = Some(meta);
    }
    result
}

fn failed(text: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}
