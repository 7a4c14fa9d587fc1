//! One instance, from its first moment to its last.

use super::Sandbox;
use super::bindings::exports::holm::tool::guest as wit;
use super::bounds;
use super::convert::{cut, settings};
use super::host::Host;
use super::limits::{self, CpuExceeded, Limit, LimitReached, Metered};
use super::places::Place;
use super::provided::Provided;
use super::types::{
    Code, Failure, Grants, Image, LoadRequest, Loaded, Manifest, NestedCalls, NoNestedCalls,
    Outcome, Problem, ProblemKind,
};
use super::variants::Variant;
use crate::egress::{Denial, Egress, EgressConfig, EgressLimits, Journal, Phase, Reason, Reports};
use crate::limits::{Budget, Limits, Usage};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::timeout_at;
use wasmtime::{PoolConcurrencyLimitError, Store};

/// Bytes that the guest may pass to the host in one call, and in its answer beside its
/// output: twice the largest piece it has a use for, a file's image.
pub(super) const HOSTCALL: usize = 32 << 20;

/// What is the same for loading and calling.
pub(super) struct Run<'a> {
    pub(super) file: &'a str,
    pub(super) grants: &'a Grants,
    pub(super) limits: &'a Limits,
    pub(super) nested: Arc<dyn NestedCalls>,
    pub(super) phase: Phase,
    pub(super) principal: &'a str,
    pub(super) budget: Option<&'a Budget>,
    pub(super) journal: Journal,
    /// The component, when it is not holm's guest.
    pub(super) provided: Option<&'a Arc<Provided>>,
}

/// What an entry begins with, whichever instance it enters.
pub(super) struct Begun {
    variant: Arc<Variant>,
    host: Host,
    journal: Journal,
    budget: Budget,
    own: Limits,
    start: Instant,
    deadline: Instant,
    place: Option<Place>,
}

/// An instance's store and its surroundings, while the call runs.
pub(super) struct Running {
    pub(super) store: Store<Host>,
    pub(super) variant: Arc<Variant>,
    journal: Journal,
    budget: Budget,
    /// What is in force: the call's own limits, within the budget.
    limits: Limits,
    /// What the guest says that it used.
    steps: u64,
    start: Instant,
    pub(super) deadline: Instant,
    pub(super) cpu: Duration,
    /// Given back when the call is over.
    place: Option<Place>,
}

/// Why an entry into the guest gave no answer.
pub(super) enum End {
    Limit(Limit),
    Problem(Problem),
    Failure(Failure),
}

/// How a future ended that may use only so much.
pub(super) enum Bounded<T> {
    Done(T),
    Over(Limit),
}

impl Sandbox {
    /// Runs a tool file once and keeps what it says about itself.
    pub(super) async fn load_fresh(&self, request: &LoadRequest<'_>) -> Result<Loaded, Failure> {
        let run = Run {
            file: request.file,
            grants: request.grants,
            limits: request.limits,
            nested: Arc::new(NoNestedCalls),
            phase: Phase::Load,
            // Loading is the operator's own doing.
            principal: "",
            budget: None,
            journal: Journal::without(&request.grants.env),
            provided: match request.code {
                Code::Scheme(_) => None,
                Code::Component(provided) => Some(provided),
            },
        };
        let source = match request.code {
            Code::Scheme(source) => source,
            // It holds its file, and says so when it is asked to load nothing.
            Code::Component(_) => "",
        };
        let mut running = self.start(self.begin(&run).await?);
        let settings = running.settings(&run, request.unrestricted);
        let ended = {
            let Running {
                store,
                variant,
                deadline,
                cpu,
                ..
            } = &mut running;
            let entered = async {
                let guest = variant.pre.instantiate_async(&mut *store).await?;
                let guest = guest.holm_tool_guest();
                guest.call_load(&mut *store, source, &settings).await
            };
            bounded(entered, *deadline, run.limits.cpu, cpu).await
        };
        let ended = running.end(ended);
        match ended {
            Ok(loaded) if let Some(excess) = bounds::excess(&loaded) => {
                Err(Failure::Problem(Problem {
                    kind: ProblemKind::Manifest,
                    message: running.journal.redact(&excess),
                    file: run.file.to_owned(),
                    at: None,
                    trace: Vec::new(),
                }))
            }
            Ok(loaded) => Ok(Loaded {
                manifest: Arc::new(Manifest::from(loaded.manifest)),
                image: Image(loaded.image.into(), run.provided.cloned()),
                steps_used: loaded.steps_used,
            }),
            Err(End::Limit(limit)) => Err(Failure::Limit(running.reached(limit))),
            Err(End::Problem(problem)) => Err(match running.limit_of(&problem) {
                Some(limit) => Failure::Limit(running.reached(limit)),
                None => Failure::Problem(problem),
            }),
            Err(End::Failure(failure)) => Err(failure),
        }
    }

    /// Everything that an entry needs but the instance.
    pub(super) async fn begin(&self, run: &Run<'_>) -> Result<Begun, Failure> {
        // Before the clock starts: compiling is not the tool's doing.
        let variant = match run.provided {
            None => self.variant(run.grants.capabilities).await?,
            Some(provided) => self.provided(provided, run).await?,
        };
        let start = Instant::now();
        let budget = match run.budget {
            Some(budget) => budget.clone(),
            None => Budget::new(run.limits),
        };
        let deadline = budget.deadline(run.limits);
        let place = match run.budget {
            Some(_) => None,
            None => Some(self.places().take(run.principal, deadline).await?),
        };
        let hooks = self.egress(run, deadline, &budget)?;
        let nested = Arc::clone(&run.nested);
        Ok(Begun {
            variant,
            host: Host::new(
                run.grants,
                run.limits,
                hooks,
                nested,
                reports(run),
                budget.clone(),
            ),
            journal: run.journal.clone(),
            own: run.limits.clone(),
            budget,
            start,
            deadline,
            place,
        })
    }

    /// A store with everything in it but the instance.
    pub(super) fn start(&self, begun: Begun) -> Running {
        let mut store = Store::new(self.engine(), begun.host);
        store.limiter(|host| &mut host.meter);
        allow(&mut store, &begun.own);
        Running {
            store,
            variant: begun.variant,
            journal: begun.journal,
            limits: within(begun.own, &begun.budget),
            budget: begun.budget,
            steps: 0,
            start: begun.start,
            deadline: begun.deadline,
            cpu: Duration::ZERO,
            place: begun.place,
        }
    }

    /// The wall for this call's requests.
    fn egress(
        &self,
        run: &Run<'_>,
        deadline: Instant,
        budget: &Budget,
    ) -> Result<Option<Egress>, Failure> {
        if !run.grants.capabilities.http {
            return Ok(None);
        }
        let mut egress = Egress::new(EgressConfig {
            client: self.client()?,
            rules: Arc::clone(&run.grants.rules),
            consent: self.consent(),
            limits: EgressLimits {
                deadline,
                requests: run.limits.http_requests,
                response_body: run.limits.http_body,
                request_bodies: run.limits.http_send,
            },
            tool: run.file.to_owned(),
            principal: run.principal.to_owned(),
            budget: budget.clone(),
            journal: run.journal.clone(),
        });
        egress.set_phase(run.phase);
        Ok(Some(egress))
    }
}

/// Where the guest of this call says what it refused itself.
fn reports(run: &Run<'_>) -> Reports {
    let set = run.grants.env.iter().map(|secret| secret.name().to_owned());
    Reports {
        tool: run.file.to_owned(),
        rules: Arc::clone(&run.grants.rules),
        variables: set.chain(run.grants.unset.iter().cloned()).collect(),
        phase: run.phase,
        journal: run.journal.clone(),
    }
}

/// What a store may do before the next entry into it ends.
fn allow(store: &mut Store<Host>, limits: &Limits) {
    store.set_epoch_deadline(1);
    // Ends the stretch that `Metered` measures, and lets timers and other calls run.
    store.epoch_deadline_async_yield_and_update(1);
    // Result, stdout and stderr.
    let output = usize::try_from(limits.output).unwrap_or(usize::MAX);
    store.set_hostcall_fuel(HOSTCALL.saturating_add(output.saturating_mul(3)));
}

/// What is in force: a call's own limits, within the budget.
fn within(own: Limits, budget: &Budget) -> Limits {
    Limits {
        steps: budget.steps(own.steps),
        wall: own.wall.min(budget.limits().wall),
        ..own
    }
}

impl Running {
    /// Makes a kept instance ready for the next entry.
    ///
    /// # Errors
    ///
    /// The budget has not as much memory as the instance holds.
    pub(super) fn resume(&mut self, begun: Begun) -> Result<(), u64> {
        let mut before = std::mem::replace(self.store.data_mut(), begun.host);
        allow(&mut self.store, &begun.own);
        let resumed = self.store.data_mut().succeed(&mut before, &begun.own);
        self.journal = begun.journal;
        self.limits = within(begun.own, &begun.budget);
        self.budget = begun.budget;
        self.steps = 0;
        self.start = begun.start;
        self.deadline = begun.deadline;
        self.cpu = Duration::ZERO;
        self.place = begun.place;
        resumed
    }

    /// Ends an entry into an instance that is kept; what is noted from now on goes into `journal`.
    pub(super) fn rest(&mut self, journal: Journal) {
        self.journal.used(self.usage());
        self.journal = journal;
        self.place = None;
        self.store.data_mut().meter.rest();
    }

    pub(super) fn settings(&self, run: &Run<'_>, unrestricted: bool) -> wit::Settings {
        settings(
            run.file,
            unrestricted,
            run.grants.capabilities,
            &self.limits,
        )
    }

    /// A limit that was reached, with the value that was in force.
    pub(super) fn reached(&self, limit: Limit) -> LimitReached {
        let refused = self.store.data().meter.refused;
        let limits = Limits {
            memory: refused.unwrap_or(self.limits.memory),
            ..self.limits.clone()
        };
        LimitReached::new(limit, &limits)
    }

    /// Sorts the ways in which an entry can end.
    pub(super) fn end<T>(
        &self,
        ended: Bounded<wasmtime::Result<Result<T, wit::Problem>>>,
    ) -> Result<T, End> {
        let error = match ended {
            Bounded::Done(Ok(Ok(answer))) => return Ok(answer),
            Bounded::Done(Ok(Err(problem))) => {
                return Err(End::Problem(self.without_secrets(problem.into())));
            }
            Bounded::Over(limit) => return Err(End::Limit(limit)),
            Bounded::Done(Err(error)) => error,
        };
        Err(match limits::of_error(&error, &self.store.data().meter) {
            Some(limit) => End::Limit(limit),
            None => End::Failure(failure(&error)),
        })
    }

    fn without_secrets(&self, mut problem: Problem) -> Problem {
        problem.message = self.journal.redact(&problem.message);
        for line in &mut problem.trace {
            *line = self.journal.redact(line);
        }
        problem
    }

    pub(super) fn limit_of(&self, problem: &Problem) -> Option<Limit> {
        limits::of_problem(problem, &self.store.data().meter)
    }

    fn usage(&self) -> Usage {
        Usage {
            steps: self.steps,
            cpu: self.cpu,
            wall: self.start.elapsed(),
            memory: self.store.data().meter.memory,
        }
    }

    /// The outcome of a call that ended at a limit.
    pub(super) fn stopped(&mut self, limit: Limit) -> Outcome {
        if limit == Limit::Steps {
            // It used what it had, and the budget has that much less.
            let all = self.limits.steps.unwrap_or(0);
            self.steps = self.store.data_mut().steps.end(all).0;
        }
        self.outcome(
            format!("error: {}", self.reached(limit).message()),
            Some(limit),
        )
    }

    /// The outcome of a call that ended by itself.
    pub(super) fn answered(&mut self, answer: wit::Outcome) -> Outcome {
        let (steps, within) = self.store.data_mut().steps.end(answer.steps_used);
        self.steps = steps;
        let failure = answer.failure.map(Problem::from);
        let failure = failure.map(|problem| self.without_secrets(problem));
        let mut limit = failure
            .as_ref()
            .and_then(|problem| limits::of_problem(problem, &self.store.data().meter));
        // Nested calls used the steps that this one then used as well.
        if limit.is_none() && !within {
            limit = Some(Limit::Steps);
        }
        let output = usize::try_from(self.limits.output).unwrap_or(usize::MAX);
        let result = match limit {
            Some(limit) => format!("error: {}", self.reached(limit).message()),
            // What a tool says is its own; an error's text has holm's words around its URL.
            None if failure.is_some() => cut(self.journal.redact(&answer.result), output),
            None => cut(answer.result, output),
        };
        let mut outcome = self.outcome(result, limit);
        outcome.stdout = cut(answer.stdout, output);
        outcome.stderr = cut(answer.stderr, output);
        if let (Some(failure), None) = (&failure, limit) {
            // The text stays as the tool's error has it.
            let limit = of_denials(&outcome.denials, failure);
            outcome.limit = limit.map(|limit| self.reached(limit));
        }
        outcome.failure = failure;
        outcome
    }

    fn outcome(&self, result: String, limit: Option<Limit>) -> Outcome {
        let entries = self.journal.entries();
        Outcome {
            result,
            stdout: String::new(),
            stderr: String::new(),
            failure: None,
            limit: limit.map(|limit| self.reached(limit)),
            denials: entries.denials,
            traffic: entries.traffic,
            usage: self.usage(),
        }
    }
}

impl Drop for Running {
    /// However the call ends, what it used is known.
    fn drop(&mut self) {
        self.journal.used(self.usage());
    }
}

/// Runs a future within a deadline and a budget of CPU time.
pub(super) async fn bounded<F: Future>(
    future: F,
    deadline: Instant,
    cpu: Duration,
    used: &mut Duration,
) -> Bounded<F::Output> {
    let future = pin!(future);
    match timeout_at(deadline.into(), Metered::new(future, cpu, used)).await {
        Ok(Ok(output)) => Bounded::Done(output),
        Ok(Err(CpuExceeded)) => Bounded::Over(Limit::Cpu),
        Err(_) => Bounded::Over(Limit::Wall),
    }
}

/// What an error of wasmtime's that is no limit means.
fn failure(error: &wasmtime::Error) -> Failure {
    if let Some(trap) = error.downcast_ref::<wasmtime::Trap>() {
        return Failure::Trap(trap.to_string());
    }
    if error.is::<PoolConcurrencyLimitError>() {
        return Failure::Busy("too many calls are nested in each other".to_owned());
    }
    Failure::Host(format!("{error:#}"))
}

/// The egress limit behind a tool's error, when that is what the error says.
fn of_denials(denials: &[Denial], failure: &Problem) -> Option<Limit> {
    let found = denials.iter().rev().find_map(|one| of_reason(&one.reason));
    let (limit, text) = found?;
    failure.message.contains(&text).then_some(limit)
}

/// The limit that a refusal is about, and what a tool's error says then.
fn of_reason(reason: &Reason) -> Option<(Limit, String)> {
    Some(match reason {
        Reason::RequestLimit(_) => (Limit::HttpRequests, reason.to_string()),
        Reason::ResponseBody(_) => (Limit::HttpBody, "response body larger than".to_owned()),
        Reason::RequestBody(_) => (Limit::HttpSend, "request body too large".to_owned()),
        _ => return None,
    })
}
