//! How the limits of a call are enforced, and how reaching one is told.
//!
//! | limit | enforced by |
//! |---|---|
//! | wall clock | a timer around the whole call; the instance is dropped where it stands |
//! | CPU time | this thread's CPU clock, read around every stretch that the guest runs; an epoch tick ends a stretch |
//! | memory | [`Meter`], asked before linear memory grows |
//! | stack | wasmtime, and a guard in the guest's own memory |
//! | steps, output | the guest, which says so in its answer |
//! | HTTP bodies both ways, HTTP requests | [`crate::egress`] |
//! | HTTP headers, handles, bytes per host call, random bytes | the host functions, which fail; fixed |
//! | memory, requests, request bodies, steps of nested calls too | [`crate::limits::Budget`] |

use super::call::HOSTCALL;
use super::host::{HANDLES, HEADERS, RANDOM};
use super::types::{Problem, ProblemKind};
use crate::limits::{Budget, Limits};
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use wasmtime::component::ResourceTableError;
use wasmtime::{ResourceLimiter, Trap};
use wasmtime_wasi_http::FieldMapError;

/// Core instances of one call: the guest, and two that the component format adds.
const INSTANCES: usize = 4;
/// Tables of one call: the guest's and one that the component format adds.
const TABLES: usize = 4;
/// Linear memories of one call.
const MEMORIES: usize = 1;
/// Elements of one table: the guest never grows its own.
const TABLE_ELEMENTS: usize = 20_000;

/// Something that a call may use only so much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Wall-clock time, waiting included.
    Wall,
    /// CPU time.
    Cpu,
    /// Scheme steps.
    Steps,
    /// Linear memory.
    Memory,
    /// Depth of the stack.
    Stack,
    /// Bytes of result, stdout and stderr.
    Output,
    /// Bytes of one HTTP response body.
    HttpBody,
    /// Bytes of all HTTP request bodies of one call.
    HttpSend,
    /// HTTP requests of one call.
    HttpRequests,
    /// Bytes of the headers of one request.
    HttpHeaders,
    /// Requests, responses, streams and the like that are alive at a time.
    Handles,
    /// Bytes that pass between guest and host at once.
    Transfer,
    /// Random bytes in one call of the host.
    Random,
}

impl Limit {
    /// The configuration key that sets this limit, or `None` for a fixed one.
    #[must_use]
    pub fn key(self) -> Option<&'static str> {
        match self {
            Self::Wall => Some("limits.wall"),
            Self::Cpu => Some("limits.cpu"),
            Self::Steps => Some("limits.steps"),
            Self::Memory => Some("limits.memory"),
            Self::Stack | Self::HttpHeaders | Self::Handles | Self::Transfer | Self::Random => None,
            Self::Output => Some("limits.output"),
            Self::HttpBody => Some("limits.http-body"),
            Self::HttpSend => Some("limits.http-send"),
            Self::HttpRequests => Some("limits.http-requests"),
        }
    }
}

/// A limit that a call reached, with the value that was in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitReached {
    /// Which one.
    pub limit: Limit,
    /// Its value with its unit (`64 MiB`, `5 s`); empty where the contract gives none.
    value: String,
}

impl LimitReached {
    pub(super) fn new(limit: Limit, limits: &Limits) -> Self {
        let value = match limit {
            Limit::Wall => seconds(limits.wall),
            Limit::Cpu => seconds(limits.cpu),
            Limit::Steps => limits
                .steps
                .map_or_else(String::new, |steps| steps.to_string()),
            Limit::Memory => bytes(limits.memory),
            Limit::Stack => String::new(),
            Limit::Output => bytes(limits.output.into()),
            Limit::HttpBody => bytes(limits.http_body),
            Limit::HttpSend => bytes(limits.http_send),
            Limit::HttpRequests => limits.http_requests.to_string(),
            Limit::HttpHeaders => bytes(HEADERS as u64),
            Limit::Handles => HANDLES.to_string(),
            Limit::Transfer => bytes(HOSTCALL as u64),
            Limit::Random => bytes(RANDOM),
        };
        Self { limit, value }
    }

    /// What the model reads, after `error: `.
    #[must_use]
    pub fn message(&self) -> String {
        let value = &self.value;
        match self.limit {
            Limit::Wall => format!("evaluation timed out ({value})"),
            Limit::Cpu => format!("CPU time limit exceeded ({value})"),
            Limit::Steps => "step limit exceeded".to_owned(),
            Limit::Memory => format!("memory limit exceeded ({value})"),
            Limit::Stack => "stack limit exceeded".to_owned(),
            Limit::Output => format!("output limit exceeded ({value})"),
            Limit::HttpBody => format!("http response body limit exceeded ({value})"),
            Limit::HttpSend => format!("http request body limit exceeded ({value})"),
            Limit::HttpRequests => format!("http request limit exceeded ({value})"),
            Limit::HttpHeaders => format!("http request header limit exceeded ({value})"),
            Limit::Handles => format!("resource handle limit exceeded ({value})"),
            Limit::Transfer => format!("host transfer limit exceeded ({value})"),
            Limit::Random => format!("random data limit exceeded ({value})"),
        }
    }
}

impl fmt::Display for LimitReached {
    /// What the operator reads: the message, the value and the key that changes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())?;
        match (self.limit, self.limit.key()) {
            (Limit::Steps, Some(key)) => write!(f, " ({} steps; set by `{key}`)", self.value),
            (_, Some(key)) => write!(f, "; set by `{key}`"),
            (_, None) => Ok(()),
        }
    }
}

pub(super) fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

fn bytes(count: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let exact = UNITS
        .iter()
        .find(|(size, _)| count >= *size && count.is_multiple_of(*size));
    match exact {
        Some((size, unit)) => format!("{} {unit}", count / size),
        None => format!("{count} bytes"),
    }
}

/// The limit behind a problem that the guest reports.
pub(super) fn of_problem(problem: &Problem, meter: &Meter) -> Option<Limit> {
    match problem.kind {
        ProblemKind::Steps => Some(Limit::Steps),
        // One budget in the guest's words, two in ours: only memory is asked for here.
        ProblemKind::Memory if meter.refused.is_none() && problem.message.contains("stack") => {
            Some(Limit::Stack)
        }
        ProblemKind::Memory => Some(Limit::Memory),
        _ => None,
    }
}

/// The limit behind an error of wasmtime's.
pub(super) fn of_error(error: &wasmtime::Error, meter: &Meter) -> Option<Limit> {
    let trap = error.downcast_ref::<Trap>();
    match trap {
        Some(Trap::StackOverflow) => Some(Limit::Stack),
        // The guest's own stack lies at the start of its memory and grows down: its
        // overflow is the one way that safe Rust gets to an address outside.
        Some(Trap::MemoryOutOfBounds) => Some(Limit::Stack),
        // Without memory the guest's allocator aborts.
        _ if meter.refused.is_some() => Some(Limit::Memory),
        Some(_) => None,
        None => of_host(error),
    }
}

/// The limit behind an error of a host function.
fn of_host(error: &wasmtime::Error) -> Option<Limit> {
    if let Some(ResourceTableError::Full) = error.downcast_ref() {
        return Some(Limit::Handles);
    }
    if let Some(FieldMapError::TooManyFields | FieldMapError::TotalSizeTooBig) =
        error.downcast_ref()
    {
        return Some(Limit::HttpHeaders);
    }
    // These two have no type of their own to be known by; tests hold their texts.
    let text = error.root_cause().to_string();
    if text.contains("fuel allocated for hostcalls has been exhausted") {
        return Some(Limit::Transfer);
    }
    if text.starts_with("requested len ") && text.contains(" exceeds limit ") {
        return Some(Limit::Random);
    }
    None
}

/// Watches what an instance allocates. Gives the memory back to the budget when it is
/// dropped, which is when the instance's store is.
#[derive(Debug)]
pub(super) struct Meter {
    limit: u64,
    budget: Budget,
    /// Bytes drawn from the budget.
    drawn: u64,
    /// Bytes to draw from the next budget.
    kept: u64,
    /// Bytes of linear memory now, which is also the most there was: it never shrinks.
    pub(super) memory: u64,
    /// The limit at which memory was refused, so that the trap that follows has a name.
    pub(super) refused: Option<u64>,
}

impl Meter {
    /// Allows `limit` bytes of linear memory, and no more than the budget has.
    pub(super) fn new(limit: u64, budget: Budget) -> Self {
        Self {
            limit,
            budget,
            drawn: 0,
            kept: 0,
            memory: 0,
            refused: None,
        }
    }

    /// Between two calls of a kept instance: no budget pays for it.
    pub(super) fn rest(&mut self) {
        self.budget.return_memory(self.drawn);
        self.kept = self.drawn;
        self.drawn = 0;
    }

    /// For the next call of a kept instance: what it holds is drawn from the new budget.
    ///
    /// # Errors
    ///
    /// The limit that there was, when the budget has not as much.
    pub(super) fn resume(&mut self, limit: u64, budget: Budget) -> Result<(), u64> {
        budget.draw_memory(self.kept)?;
        self.drawn = std::mem::take(&mut self.kept);
        self.limit = limit;
        self.budget = budget;
        self.refused = None;
        Ok(())
    }

    fn grow(&mut self, desired: u64) -> Result<(), u64> {
        if desired > self.limit {
            return Err(self.limit);
        }
        // What an instance begins with are the guest's own pages, which all instances
        // share until they write to them.
        if self.memory > 0 {
            let more = desired.saturating_sub(self.memory);
            self.budget.draw_memory(more)?;
            self.drawn = self.drawn.saturating_add(more);
        }
        self.memory = desired.max(self.memory);
        Ok(())
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.budget.return_memory(self.drawn);
    }
}

impl ResourceLimiter for Meter {
    fn memory_growing(
        &mut self,
        _: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if maximum.is_some_and(|maximum| desired > maximum) {
            self.refused = Some(self.limit);
            return Ok(false);
        }
        match self.grow(desired as u64) {
            Ok(()) => Ok(true),
            Err(limit) => {
                self.refused = Some(limit);
                Ok(false)
            }
        }
    }

    fn table_growing(
        &mut self,
        _: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(desired <= TABLE_ELEMENTS)
    }

    fn instances(&self) -> usize {
        INSTANCES
    }

    fn tables(&self) -> usize {
        TABLES
    }

    fn memories(&self) -> usize {
        MEMORIES
    }
}

/// A future that may use only so much CPU time.
///
/// The guest runs inside `poll` and waits outside it, so the time between entering and
/// leaving is what it used, and waiting costs nothing. A nested call that the host
/// awaits in here counts for its caller too.
pub(super) struct Metered<'a, F> {
    inner: Pin<&'a mut F>,
    budget: Duration,
    used: &'a mut Duration,
}

/// The CPU time is used up.
#[derive(Debug)]
pub(super) struct CpuExceeded;

impl<'a, F> Metered<'a, F> {
    pub(super) fn new(inner: Pin<&'a mut F>, budget: Duration, used: &'a mut Duration) -> Self {
        Self {
            inner,
            budget,
            used,
        }
    }
}

impl<F: Future> Future for Metered<'_, F> {
    type Output = Result<F::Output, CpuExceeded>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let before = cpu_now();
        let polled = this.inner.as_mut().poll(context);
        *this.used += cpu_now().saturating_sub(before);
        match polled {
            Poll::Ready(output) => Poll::Ready(Ok(output)),
            Poll::Pending if *this.used >= this.budget => Poll::Ready(Err(CpuExceeded)),
            Poll::Pending => Poll::Pending,
        }
    }
}

/// This thread's CPU time: unlike a clock on the wall, it stands still while the
/// machine does something else.
#[cfg(unix)]
fn cpu_now() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(now).unwrap_or_default()
}

/// Elsewhere the wall's clock stands in, which charges more than was used.
#[cfg(not(unix))]
fn cpu_now() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_name_the_value_and_the_key() {
        let limits = Limits::default();
        for (limit, message, display) in [
            (
                Limit::Wall,
                "evaluation timed out (30 s)",
                "evaluation timed out (30 s); set by `limits.wall`",
            ),
            (
                Limit::Cpu,
                "CPU time limit exceeded (5 s)",
                "CPU time limit exceeded (5 s); set by `limits.cpu`",
            ),
            (
                Limit::Steps,
                "step limit exceeded",
                "step limit exceeded (10000000 steps; set by `limits.steps`)",
            ),
            (
                Limit::Memory,
                "memory limit exceeded (64 MiB)",
                "memory limit exceeded (64 MiB); set by `limits.memory`",
            ),
            (Limit::Stack, "stack limit exceeded", "stack limit exceeded"),
        ] {
            let reached = LimitReached::new(limit, &limits);
            assert_eq!(reached.message(), message);
            assert_eq!(reached.to_string(), display);
        }
    }

    #[test]
    fn sizes_and_times_are_short_and_exact() {
        assert_eq!(bytes(0), "0 bytes");
        assert_eq!(bytes(1000), "1000 bytes");
        assert_eq!(bytes(256 << 10), "256 KiB");
        assert_eq!(bytes(3 << 29), "1536 MiB");
        assert_eq!(seconds(Duration::from_millis(1500)), "1.5 s");
    }

    #[test]
    fn memory_is_granted_up_to_the_limit_and_a_refusal_is_remembered() {
        let budget = Budget::new(&Limits {
            memory: 1 << 20,
            ..Limits::default()
        });
        const UNIT: usize = 1 << 18;
        let mut first = Meter::new(1 << 20, budget.clone());
        assert!(first.memory_growing(0, UNIT, None).unwrap());
        assert!(first.memory_growing(UNIT, 4 * UNIT, None).unwrap());
        assert_eq!(first.refused, None);
        assert!(!first.memory_growing(4 * UNIT, 5 * UNIT, None).unwrap());
        assert_eq!((first.refused, first.memory), (Some(1 << 20), 1 << 20));
        // Another instance has what the first one left, until that is gone.
        let mut second = Meter::new(2 << 20, budget.clone());
        assert!(second.memory_growing(0, 6 * UNIT, None).unwrap());
        assert!(second.memory_growing(6 * UNIT, 7 * UNIT, None).unwrap());
        assert!(!second.memory_growing(7 * UNIT, 8 * UNIT, None).unwrap());
        assert_eq!(second.refused, Some(1 << 20));
        drop(first);
        assert!(second.memory_growing(7 * UNIT, 8 * UNIT, None).unwrap());
    }

    #[test]
    fn waiting_is_not_cpu_time() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let mut used = Duration::ZERO;
        runtime.block_on(async {
            let wait = std::pin::pin!(tokio::time::sleep(Duration::from_millis(200)));
            Metered::new(wait, Duration::from_millis(100), &mut used)
                .await
                .unwrap();
        });
        assert!(used < Duration::from_millis(100), "{used:?}");
    }
}
