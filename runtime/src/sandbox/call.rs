//! One instance, from its first moment to its last.

use super::Sandbox;
use super::bindings::exports::holm::tool::guest as wit;
use super::convert::{cut, settings};
use super::host::Host;
use super::limits::{self, CpuExceeded, Limit, LimitReached, Metered};
use super::places::Place;
use super::types::{
    CallRequest, Failure, Grants, Image, LoadRequest, Loaded, Manifest, NestedCalls, NoNestedCalls,
    Outcome, Problem,
};
use super::variants::Variant;
use crate::egress::{Denial, Egress, EgressConfig, EgressLimits, Journal, Phase, Reason};
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
struct Run<'a> {
    file: &'a str,
    grants: &'a Grants,
    limits: &'a Limits,
    nested: Arc<dyn NestedCalls>,
    phase: Phase,
    principal: &'a str,
    budget: Option<&'a Budget>,
    journal: Journal,
}

/// An instance's store and its surroundings, while the call runs.
struct Running {
    store: Store<Host>,
    variant: Arc<Variant>,
    journal: Journal,
    budget: Budget,
    /// What is in force: the call's own limits, within the budget.
    limits: Limits,
    /// What the guest says that it used.
    steps: u64,
    start: Instant,
    deadline: Instant,
    cpu: Duration,
    /// Given back when the call is over.
    _place: Option<Place>,
}

/// Why an entry into the guest gave no answer.
enum End {
    Limit(Limit),
    Problem(Problem),
    Failure(Failure),
}

/// How a future ended that may use only so much.
enum Bounded<T> {
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
        };
        let mut running = self.start(&run).await?;
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
                guest
                    .call_load(&mut *store, request.source, &settings)
                    .await
            };
            bounded(entered, *deadline, run.limits.cpu, cpu).await
        };
        let ended = running.end(ended);
        match ended {
            Ok(loaded) => Ok(Loaded {
                manifest: Arc::new(Manifest::from(loaded.manifest)),
                image: Image(loaded.image.into()),
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

    /// Calls one tool in an instance of its own.
    pub(super) async fn call_fresh(&self, request: &CallRequest<'_>) -> Result<Outcome, Failure> {
        let run = Run {
            file: request.file,
            grants: request.grants,
            limits: request.limits,
            nested: Arc::clone(request.nested),
            phase: Phase::Call,
            principal: request.principal,
            budget: request.budget,
            journal: request.journal.clone(),
        };
        let mut running = self.start(&run).await?;
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
                guest
                    .call_call(
                        &mut *store,
                        Some(&request.image.0),
                        request.tool,
                        request.arguments,
                        request.context_name,
                        &settings,
                    )
                    .await
            };
            bounded(entered, *deadline, run.limits.cpu, cpu).await
        };
        match running.end(ended) {
            Ok(answer) => Ok(running.answered(answer)),
            Err(End::Limit(limit)) => Ok(running.stopped(limit)),
            Err(End::Problem(problem)) => match running.limit_of(&problem) {
                Some(limit) => Ok(running.stopped(limit)),
                None => Err(Failure::Problem(problem)),
            },
            Err(End::Failure(failure)) => Err(failure),
        }
    }

    /// A store with everything in it but the instance.
    async fn start(&self, run: &Run<'_>) -> Result<Running, Failure> {
        // Before the clock starts: compiling is not the tool's doing.
        let variant = self.variant(run.grants.capabilities).await?;
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
        let host = Host::new(run.grants, run.limits, hooks, nested, budget.clone());
        let mut store = Store::new(self.engine(), host);
        store.limiter(|host| &mut host.meter);
        store.set_epoch_deadline(1);
        // Ends the stretch that `Metered` measures, and lets timers and other calls run.
        store.epoch_deadline_async_yield_and_update(1);
        // Result, stdout and stderr.
        let output = usize::try_from(run.limits.output).unwrap_or(usize::MAX);
        store.set_hostcall_fuel(HOSTCALL.saturating_add(output.saturating_mul(3)));
        Ok(Running {
            store,
            variant,
            journal: run.journal.clone(),
            limits: Limits {
                steps: budget.steps(run.limits.steps),
                wall: run.limits.wall.min(budget.limits().wall),
                ..run.limits.clone()
            },
            budget,
            steps: 0,
            start,
            deadline,
            cpu: Duration::ZERO,
            _place: place,
        })
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

impl Running {
    fn settings(&self, run: &Run<'_>, unrestricted: bool) -> wit::Settings {
        settings(
            run.file,
            unrestricted,
            run.grants.capabilities,
            &self.limits,
        )
    }

    /// A limit that was reached, with the value that was in force.
    fn reached(&self, limit: Limit) -> LimitReached {
        let refused = self.store.data().meter.refused;
        let limits = Limits {
            memory: refused.unwrap_or(self.limits.memory),
            ..self.limits.clone()
        };
        LimitReached::new(limit, &limits)
    }

    /// Sorts the ways in which an entry can end.
    fn end<T>(&self, ended: Bounded<wasmtime::Result<Result<T, wit::Problem>>>) -> Result<T, End> {
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

    fn limit_of(&self, problem: &Problem) -> Option<Limit> {
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
    fn stopped(&mut self, limit: Limit) -> Outcome {
        if limit == Limit::Steps {
            // It used what it had, and the budget has that much less.
            self.steps = self.limits.steps.unwrap_or(0);
            self.budget.charge_steps(self.steps);
        }
        self.outcome(
            format!("error: {}", self.reached(limit).message()),
            Some(limit),
        )
    }

    /// The outcome of a call that ended by itself.
    fn answered(&mut self, answer: wit::Outcome) -> Outcome {
        self.steps = answer.steps_used;
        let within = self.budget.charge_steps(answer.steps_used);
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
            let limit = of_denial(outcome.denials.last(), failure);
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
async fn bounded<F: Future>(
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
fn of_denial(last: Option<&Denial>, failure: &Problem) -> Option<Limit> {
    let (limit, text) = match &last?.reason {
        reason @ Reason::RequestLimit(_) => (Limit::HttpRequests, reason.to_string()),
        Reason::ResponseBody(_) => (Limit::HttpBody, "response body larger than".to_owned()),
        _ => return None,
    };
    failure.message.contains(&text).then_some(limit)
}
