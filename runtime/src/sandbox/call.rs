//! One instance, from its first moment to its last.

use super::Sandbox;
use super::bindings::exports::holm::tool::guest as wit;
use super::convert::{cut, settings};
use super::host::Host;
use super::limits::{self, CpuExceeded, Limit, LimitReached, Metered};
use super::types::{
    CallRequest, Failure, Grants, Image, LoadRequest, Loaded, Manifest, NestedCalls, NoNestedCalls,
    Outcome, Problem, Usage,
};
use super::variants::Variant;
use crate::egress::{Denial, DenialLog, Egress, EgressConfig, EgressLimits, Phase, Reason};
use crate::limits::Limits;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout_at;
use wasmtime::{PoolConcurrencyLimitError, Store};

/// Bytes that the guest may pass to the host in one call, and in its answer beside its
/// output: twice the largest piece it has a use for, a file's image.
const HOSTCALL: usize = 32 << 20;
/// Longest time that a clock can be set to, for limits that mean "none".
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// What is the same for loading and calling.
struct Run<'a> {
    file: &'a str,
    grants: &'a Grants,
    limits: &'a Limits,
    nested: Arc<dyn NestedCalls>,
    phase: Phase,
    is_nested: bool,
}

/// An instance's store and its surroundings, while the call runs.
struct Running {
    store: Store<Host>,
    variant: Arc<Variant>,
    denials: DenialLog,
    start: Instant,
    deadline: Instant,
    cpu: Duration,
    /// Given back when the call is over.
    _place: Option<OwnedSemaphorePermit>,
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
            is_nested: false,
        };
        let mut running = self.start(&run).await?;
        let settings = run.settings(request.unrestricted);
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
        match running.end(ended) {
            Ok(loaded) => Ok(Loaded {
                manifest: Arc::new(Manifest::from(loaded.manifest)),
                image: Image(loaded.image.into()),
                steps_used: loaded.steps_used,
            }),
            Err(End::Limit(limit)) => Err(Failure::Limit(LimitReached::new(limit, run.limits))),
            Err(End::Problem(problem)) => Err(match running.limit_of(&problem) {
                Some(limit) => Failure::Limit(LimitReached::new(limit, run.limits)),
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
            is_nested: request.is_nested,
        };
        let mut running = self.start(&run).await?;
        let settings = run.settings(request.unrestricted);
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
            Ok(answer) => Ok(running.answered(answer, run.limits)),
            Err(End::Limit(limit)) => Ok(running.stopped(limit, run.limits)),
            Err(End::Problem(problem)) => match running.limit_of(&problem) {
                Some(limit) => Ok(running.stopped(limit, run.limits)),
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
        let deadline = start + run.limits.wall.min(FOREVER);
        let place = match run.is_nested {
            true => None,
            false => Some(self.place(deadline).await?),
        };
        let denials = DenialLog::new();
        let hooks = self.egress(run, deadline, denials.clone())?;
        let host = Host::new(run.grants, run.limits, hooks, Arc::clone(&run.nested));
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
            denials,
            start,
            deadline,
            cpu: Duration::ZERO,
            _place: place,
        })
    }

    /// A place among the calls that run at a time.
    async fn place(&self, deadline: Instant) -> Result<OwnedSemaphorePermit, Failure> {
        let busy = || {
            Failure::Busy(format!(
                "{} calls were running already and none ended in time",
                self.max_concurrent()
            ))
        };
        let place = Arc::clone(self.places()).acquire_owned();
        match timeout_at(deadline.into(), place).await {
            Ok(Ok(place)) => Ok(place),
            // The semaphore is never closed.
            Ok(Err(_)) | Err(_) => Err(busy()),
        }
    }

    /// The wall for this call's requests.
    fn egress(
        &self,
        run: &Run<'_>,
        deadline: Instant,
        denials: DenialLog,
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
            denials,
        });
        egress.set_phase(run.phase);
        Ok(Some(egress))
    }
}

impl Run<'_> {
    fn settings(&self, unrestricted: bool) -> wit::Settings {
        settings(
            self.file,
            unrestricted,
            self.grants.capabilities,
            self.limits,
        )
    }
}

impl Running {
    /// Sorts the ways in which an entry can end.
    fn end<T>(&self, ended: Bounded<wasmtime::Result<Result<T, wit::Problem>>>) -> Result<T, End> {
        let error = match ended {
            Bounded::Done(Ok(Ok(answer))) => return Ok(answer),
            Bounded::Done(Ok(Err(problem))) => return Err(End::Problem(problem.into())),
            Bounded::Over(limit) => return Err(End::Limit(limit)),
            Bounded::Done(Err(error)) => error,
        };
        Err(match limits::of_error(&error, &self.store.data().meter) {
            Some(limit) => End::Limit(limit),
            None => End::Failure(failure(&error)),
        })
    }

    fn limit_of(&self, problem: &Problem) -> Option<Limit> {
        limits::of_problem(problem, &self.store.data().meter)
    }

    fn usage(&self) -> Usage {
        Usage {
            steps: 0,
            cpu: self.cpu,
            wall: self.start.elapsed(),
            memory: self.store.data().meter.memory as u64,
        }
    }

    /// The outcome of a call that ended at a limit.
    fn stopped(&self, limit: Limit, limits: &Limits) -> Outcome {
        let reached = LimitReached::new(limit, limits);
        Outcome {
            result: format!("error: {}", reached.message()),
            stdout: String::new(),
            stderr: String::new(),
            failure: None,
            limit: Some(reached),
            denials: self.denials.denials(),
            usage: self.usage(),
        }
    }

    /// The outcome of a call that ended by itself.
    fn answered(&self, answer: wit::Outcome, limits: &Limits) -> Outcome {
        let output = usize::try_from(limits.output).unwrap_or(usize::MAX);
        let mut outcome = Outcome {
            result: cut(answer.result, output),
            stdout: cut(answer.stdout, output),
            stderr: cut(answer.stderr, output),
            failure: answer.failure.map(Problem::from),
            limit: None,
            denials: self.denials.denials(),
            usage: Usage {
                steps: answer.steps_used,
                ..self.usage()
            },
        };
        if let Some(failure) = &outcome.failure {
            if let Some(limit) = self.limit_of(failure) {
                let reached = LimitReached::new(limit, limits);
                outcome.result = format!("error: {}", reached.message());
                outcome.limit = Some(reached);
            } else {
                // The text stays as the tool's error has it.
                let limit = of_denial(outcome.denials.last(), failure);
                outcome.limit = limit.map(|limit| LimitReached::new(limit, limits));
            }
        }
        outcome
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
