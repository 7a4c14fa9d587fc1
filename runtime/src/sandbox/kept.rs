//! Entering an instance: once, or again and again.
//!
//! An instance that is kept between calls gets everything else anew for each of them:
//! variables, grants, deadline, budget, journal. It is kept only when the guest came back by
//! itself. After a trap, or when holm stopped it at a limit, it is dropped where it stands.

use super::Sandbox;
use super::bindings::Base;
use super::bindings::exports::holm::tool::guest as wit;
use super::call::{Bounded, End, Run, Running, bounded};
use super::host::Host;
use super::limits::Limit;
use super::session::{Evaluated, Said, SessionExports};
use super::types::{CallRequest, Entry, EvaluateRequest, Evaluation, Failure, Outcome};
use super::variants::Variant;
use crate::egress::{Journal, Phase};
use std::fmt;
use std::sync::Arc;
use wasmtime::component::Instance;
use wasmtime::{Result as WasmResult, Store};

/// What the guest of this build would have to have.
const NO_SESSION: &str = "the guest in this build of holm has no `session` interface: \
     rebuild it with `cargo run -p xtask -- guest`";
/// How the message of a file whose top level failed starts.
const INIT: &str = "tein init: ";

/// A place for an instance that outlives a call. Empty at first, and whenever the instance ended.
#[derive(Default)]
pub struct Kept(Option<Held>);

impl Kept {
    /// Whether there is an instance.
    #[must_use]
    pub fn is_begun(&self) -> bool {
        self.0.is_some()
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kept").field(&self.is_begun()).finish()
    }
}

/// An instance with its store.
struct Held {
    running: Running,
    inside: Option<Inside>,
}

/// The way into an instance.
struct Inside {
    base: Base,
    instance: Instance,
    session: Option<SessionExports>,
}

impl Inside {
    async fn new(variant: &Variant, store: &mut Store<Host>) -> WasmResult<Self> {
        let pre = variant.pre.instance_pre();
        let instance = pre.instantiate_async(&mut *store).await?;
        Ok(Self {
            base: variant.indices.load(&mut *store, &instance)?,
            instance,
            session: variant.session,
        })
    }

    fn session(&self) -> WasmResult<&SessionExports> {
        let session = self.session.as_ref();
        session.ok_or_else(|| wasmtime::Error::msg(NO_SESSION))
    }
}

/// What to do inside.
enum Job<'a> {
    Call(&'a CallRequest<'a>, Entry),
    Evaluate(&'a EvaluateRequest<'a>),
    IsComplete(&'a EvaluateRequest<'a>),
}

/// What came back.
enum Done {
    Outcome(wit::Outcome),
    Evaluated(Evaluated),
    Complete(bool),
}

impl Job<'_> {
    fn run(&self) -> Run<'_> {
        match self {
            Self::Call(request, _) => Run {
                file: request.file,
                grants: request.grants,
                limits: request.limits,
                nested: Arc::clone(request.nested),
                phase: Phase::Call,
                principal: request.principal,
                budget: request.budget,
                journal: request.journal.clone(),
                provided: request.image.1.as_ref(),
            },
            Self::Evaluate(request) | Self::IsComplete(request) => Run {
                file: request.file,
                grants: request.grants,
                limits: request.limits,
                nested: Arc::clone(request.nested),
                phase: Phase::Call,
                principal: request.principal,
                budget: None,
                journal: request.journal.clone(),
                provided: None,
            },
        }
    }

    fn is_unrestricted(&self) -> bool {
        match self {
            Self::Call(request, _) => request.unrestricted,
            Self::Evaluate(request) | Self::IsComplete(request) => request.unrestricted,
        }
    }

    /// Enters the instance; a fresh one runs the file's image first.
    async fn enter(
        &self,
        store: &mut Store<Host>,
        inside: &Inside,
        fresh: bool,
        settings: &wit::Settings,
    ) -> Said<Done> {
        let instance = &inside.instance;
        match self {
            Self::Call(request, entry) => {
                let image = fresh.then_some(&*request.image.0);
                let (tool, arguments) = (request.tool, request.arguments);
                let context_name = request.context_name;
                let said = match entry {
                    Entry::Text => {
                        let guest = inside.base.holm_tool_guest();
                        guest
                            .call_call(store, image, tool, arguments, context_name, settings)
                            .await
                    }
                    Entry::Value => {
                        let call = (tool, arguments, context_name);
                        let session = inside.session()?;
                        session
                            .call_for_value(store, instance, image, call, settings)
                            .await
                    }
                    Entry::Hook => {
                        let call = (tool, arguments);
                        let session = inside.session()?;
                        session
                            .run_hook(store, instance, image, call, settings)
                            .await
                    }
                };
                Ok(said?.map(Done::Outcome))
            }
            Self::Evaluate(request) => {
                let (source, context_name) = (request.source, request.context_name);
                let session = inside.session()?;
                let said = session
                    .evaluate(store, instance, source, context_name, settings)
                    .await?;
                Ok(said.map(Done::Evaluated))
            }
            Self::IsComplete(request) => {
                let session = inside.session()?;
                let said = session
                    .is_complete(store, instance, request.source, settings)
                    .await?;
                Ok(said.map(Done::Complete))
            }
        }
    }
}

impl Sandbox {
    /// Calls one tool or hook.
    pub(super) async fn call_in(
        &self,
        request: &CallRequest<'_>,
        entry: Entry,
        kept: Option<&mut Kept>,
    ) -> Result<Outcome, Failure> {
        let mut only_now = Kept::default();
        let keeps = kept.is_some();
        let kept = kept.unwrap_or(&mut only_now);
        let fresh = !kept.is_begun();
        let job = Job::Call(request, entry);
        let (mut held, ended) = self.enter(&job, kept).await?;
        let came_back = matches!(ended, Ok(_) | Err(End::Problem(_)));
        let answer = match ended {
            Ok(Done::Outcome(answer)) => Ok(held.running.answered(answer)),
            Ok(_) => Err(another_answer()),
            Err(End::Limit(limit)) => Ok(held.running.stopped(limit)),
            Err(End::Problem(problem)) => match held.running.limit_of(&problem) {
                Some(limit) => Ok(held.running.stopped(limit)),
                None => Err(Failure::Problem(problem)),
            },
            Err(End::Failure(failure)) => Err(failure),
        };
        // A file whose top level did not run to its end is no state to go on from.
        let begun = match &answer {
            Ok(outcome) => !outcome
                .failure
                .as_ref()
                .is_some_and(|problem| problem.message.starts_with(INIT)),
            Err(_) => false,
        };
        if keeps && came_back && (begun || !fresh) {
            held.keep(kept);
        }
        answer
    }

    /// Evaluates text.
    pub(super) async fn evaluate_in(
        &self,
        request: &EvaluateRequest<'_>,
        kept: &mut Kept,
    ) -> Result<Evaluation, Failure> {
        let (mut held, ended) = self.enter(&Job::Evaluate(request), kept).await?;
        match ended {
            Ok(Done::Evaluated(evaluated)) => {
                let (outcome, has_value, exit) = evaluated.split();
                let outcome = held.running.answered(outcome);
                held.keep(kept);
                Ok(Evaluation::new(outcome, has_value, exit))
            }
            Ok(_) => Err(another_answer()),
            Err(End::Limit(limit)) => {
                let outcome = held.running.stopped(limit);
                Ok(Evaluation::new(outcome, false, None))
            }
            Err(End::Problem(problem)) => Err(Failure::Problem(problem)),
            Err(End::Failure(failure)) => Err(failure),
        }
    }

    /// Whether a text is complete.
    pub(super) async fn is_complete_in(
        &self,
        request: &EvaluateRequest<'_>,
        kept: &mut Kept,
    ) -> Result<bool, Failure> {
        let (held, ended) = self.enter(&Job::IsComplete(request), kept).await?;
        match ended {
            Ok(Done::Complete(complete)) => {
                held.keep(kept);
                Ok(complete)
            }
            Ok(_) => Err(another_answer()),
            Err(End::Limit(limit)) => Err(Failure::Limit(held.running.reached(limit))),
            Err(End::Problem(problem)) => Err(Failure::Problem(problem)),
            Err(End::Failure(failure)) => Err(failure),
        }
    }

    /// One entry, in the kept instance or in a new one. Whatever the instance ends in, `kept` is
    /// empty afterwards; a place that was not to be had leaves it alone.
    async fn enter(
        &self,
        job: &Job<'_>,
        kept: &mut Kept,
    ) -> Result<(Held, Result<Done, End>), Failure> {
        let run = job.run();
        let begun = self.begin(&run).await?;
        let mut held = match kept.0.take() {
            Some(mut held) => {
                if held.running.resume(begun).is_err() {
                    let ended = Err(End::Limit(Limit::Memory));
                    return Ok((held, ended));
                }
                held
            }
            None => Held {
                running: self.start(begun),
                inside: None,
            },
        };
        let settings = held.running.settings(&run, job.is_unrestricted());
        let fresh = held.inside.is_none();
        let ended: Bounded<Said<Done>> = {
            let Held { running, inside } = &mut held;
            let Running {
                store,
                variant,
                deadline,
                cpu,
                ..
            } = running;
            let entered = async {
                let inside = match inside {
                    Some(inside) => inside,
                    None => inside.insert(Inside::new(variant, store).await?),
                };
                job.enter(store, inside, fresh, &settings).await
            };
            bounded(entered, *deadline, run.limits.cpu, cpu).await
        };
        let ended = held.running.end(ended);
        Ok((held, ended))
    }
}

impl Held {
    /// Puts the instance back until the next call.
    fn keep(mut self, kept: &mut Kept) {
        self.running.rest(Journal::default());
        kept.0 = Some(self);
    }
}

/// What cannot happen, as an end of the call.
fn another_answer() -> Failure {
    Failure::Host("the guest gave another answer than was asked for".to_owned())
}
