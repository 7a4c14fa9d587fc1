//! How the person behind a client is asked whether a call may start.
//!
//! | the client | is asked |
//! |---|---|
//! | speaks 2025-06-18 or 2025-11-25 and offers elicitation | with `elicitation/create`, while the call waits |
//! | speaks 2026-07-28 and offers elicitation | with an `input_required` result; it sends the call again, with the answer |
//! | offers no elicitation | not at all, and the answer is no |
//!
//! The model cannot answer: a question goes to the client, which shows it to a person. An
//! answer that comes with a second call is for the same principal, tool and arguments, counts
//! once, and only for a few minutes.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitationAction,
    ElicitationSchema, InputRequest, InputRequiredResult,
};
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use serde_json::{Map, Value};
use tokio::sync::{mpsc, oneshot};
use tokio_rustls::rustls::crypto::ring::default_provider;

use crate::permissions::{Approver, Question};

/// How long a person may take to answer, in which nothing of the call runs.
pub(super) const PATIENCE: Duration = Duration::from_secs(300);
/// Questions of one principal that wait for a second call: the oldest make room.
const MOST_WAITING: usize = 64;
/// The name of the one question in an `input_required` result.
const INPUT: &str = "permission";

/// What a client is able to be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Not at all.
    Nobody,
    /// With a request of the server's, while the call waits.
    Request,
    /// With a result that asks for a second call.
    Result,
}

impl Way {
    /// The way for the client of a request.
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let forms = context
            .client_capabilities()
            .and_then(|capabilities| capabilities.elicitation)
            // A client that names neither form nor URL means forms.
            .is_some_and(|elicitation| elicitation.form.is_some() || elicitation.url.is_none());
        if !forms {
            return Self::Nobody;
        }
        let newest = context
            .protocol_version()
            .is_some_and(|version| version.as_str() >= "2026-07-28");
        if newest { Self::Result } else { Self::Request }
    }
}

/// Passes questions from the thread that a call waits in to the task that talks to the client.
pub(super) struct Relay(mpsc::UnboundedSender<Asked>);

/// A question that waits for its answer.
pub(super) struct Asked {
    pub(super) question: Question,
    pub(super) answer: oneshot::Sender<bool>,
}

impl Relay {
    pub(super) fn new() -> (Self, mpsc::UnboundedReceiver<Asked>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (Self(sender), receiver)
    }
}

impl Approver for Relay {
    fn approve(&self, question: &Question) -> bool {
        let (answer, answered) = oneshot::channel();
        let asked = Asked {
            question: question.clone(),
            answer,
        };
        // Nobody there to pass it on, and nobody there to answer, both mean no.
        self.0.send(asked).is_ok() && answered.blocking_recv().unwrap_or(false)
    }
}

/// Asks the client now, and waits.
pub(super) async fn ask(peer: &Peer<RoleServer>, question: &Question) -> bool {
    let asked = peer.create_elicitation_with_timeout(form(question), Some(PATIENCE));
    matches!(asked.await, Ok(answer) if answer.action == ElicitationAction::Accept)
}

fn form(question: &Question) -> ElicitRequestParams {
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message(question),
        // Yes is to accept, no is everything else: there is nothing to fill in.
        requested_schema: ElicitationSchema::new(BTreeMap::new()),
    }
}

fn message(question: &Question) -> String {
    format!("[{}] {}", question.tool, question.details)
}

/// The questions of one principal that wait for a second call.
#[derive(Default)]
pub(super) struct Pending(Mutex<VecDeque<Waiting>>);

struct Waiting {
    state: String,
    call: String,
    message: String,
    until: Instant,
}

/// What a second call brings.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Brought {
    /// It is no second call.
    Nothing,
    /// A yes to the question with this text.
    Yes(String),
    /// A no, or something that is no answer of this principal to a question about this call.
    No,
}

impl Pending {
    /// A result that asks.
    pub(super) fn ask(
        &self,
        request: &CallToolRequestParams,
        question: &Question,
    ) -> Option<InputRequiredResult> {
        let mut random = [0; 32];
        default_provider().secure_random.fill(&mut random).ok()?;
        let state: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        waiting.retain(|question| question.until > now);
        while waiting.len() >= MOST_WAITING {
            waiting.pop_front();
        }
        waiting.push_back(Waiting {
            state: state.clone(),
            call: call(request),
            message: message(question),
            until: now + PATIENCE,
        });
        let request = InputRequest::Elicitation(ElicitRequest::new(form(question)));
        let requests = BTreeMap::from([(INPUT.to_owned(), request)]);
        Some(InputRequiredResult::new(Some(requests), Some(state)))
    }

    /// The answer that a call brings. Whatever it is, it does not count again.
    pub(super) fn answer(&self, request: &CallToolRequestParams) -> Brought {
        let Some(state) = &request.request_state else {
            return match &request.input_responses {
                None => Brought::Nothing,
                Some(_) => Brought::No,
            };
        };
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = waiting
            .iter()
            .position(|waiting| waiting.state == *state)
            .and_then(|index| waiting.remove(index));
        let accepted = request
            .input_responses
            .as_ref()
            .and_then(|responses| responses.get(INPUT))
            .and_then(|response| response.get("action"))
            .is_some_and(|action| action == "accept");
        match found {
            Some(found)
                if accepted && found.until > Instant::now() && found.call == call(request) =>
            {
                Brought::Yes(found.message)
            }
            _ => Brought::No,
        }
    }
}

/// Tool and arguments of a call; keys are sorted, so that equal calls have equal texts.
fn call(request: &CallToolRequestParams) -> String {
    let none = Map::new();
    let arguments = request.arguments.as_ref().unwrap_or(&none);
    let name = Value::from(request.name.as_ref());
    serde_json::json!([name, arguments]).to_string()
}

/// Whether a yes was to this question.
pub(super) fn is_answered(answer: &str, question: &Question) -> bool {
    answer == message(question)
}
