//! What one call may use. Every limit has a named default with its reason, and is
//! named in the error of the call that reaches it.

#![forbid(unsafe_code)]

mod budget;

pub use budget::Budget;
pub(crate) use budget::Steps;

use std::time::Duration;

/// Wall-clock time of a call, including HTTP and nested calls: long enough for a slow
/// API, short enough that a person still waits.
pub const DEFAULT_WALL: Duration = Duration::from_secs(30);
/// CPU time of a call: a tool that computes longer than this is stuck.
pub const DEFAULT_CPU: Duration = Duration::from_secs(5);
/// Scheme steps of a load and of a call, each, at tier 1 (the reference's number).
pub const DEFAULT_STEPS: u64 = 10_000_000;
/// Linear memory of an instance, in bytes.
pub const DEFAULT_MEMORY: u64 = 64 << 20;
/// Bytes kept of the result, of stdout and of stderr, each.
pub const DEFAULT_OUTPUT: u32 = 256 << 10;
/// Bytes of one HTTP response body.
pub const DEFAULT_HTTP_BODY: u64 = 10 << 20;
/// Bytes of all HTTP request bodies of one call together: as much as one answer may have.
pub const DEFAULT_HTTP_SEND: u64 = 10 << 20;
/// HTTP requests of one call, redirects included.
pub const DEFAULT_HTTP_REQUESTS: u32 = 50;

/// The limits of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock deadline of the whole call.
    pub wall: Duration,
    /// CPU time, measured in epoch ticks while the guest runs.
    pub cpu: Duration,
    /// Scheme steps of a load and of a call, each; `None` is no limit (tier 2).
    pub steps: Option<u64>,
    /// Linear memory in bytes.
    pub memory: u64,
    /// Bytes kept of the result, of stdout and of stderr, each.
    pub output: u32,
    /// Bytes of one HTTP response body.
    pub http_body: u64,
    /// Bytes of all HTTP request bodies of one call, those of redirects included.
    pub http_send: u64,
    /// HTTP requests of one call, redirects included.
    pub http_requests: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall: DEFAULT_WALL,
            cpu: DEFAULT_CPU,
            steps: Some(DEFAULT_STEPS),
            memory: DEFAULT_MEMORY,
            output: DEFAULT_OUTPUT,
            http_body: DEFAULT_HTTP_BODY,
            http_send: DEFAULT_HTTP_SEND,
            http_requests: DEFAULT_HTTP_REQUESTS,
        }
    }
}

/// The limits that an operator wrote down; what is `None` stays as it was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LimitOverrides {
    /// Replaces [`Limits::wall`].
    pub wall: Option<Duration>,
    /// Replaces [`Limits::cpu`].
    pub cpu: Option<Duration>,
    /// Replaces [`Limits::steps`] by a limit; there is no way to write "none".
    pub steps: Option<u64>,
    /// Replaces [`Limits::memory`], in bytes.
    pub memory: Option<u64>,
    /// Replaces [`Limits::output`], in bytes.
    pub output: Option<u32>,
    /// Replaces [`Limits::http_body`], in bytes.
    pub http_body: Option<u64>,
    /// Replaces [`Limits::http_send`], in bytes.
    pub http_send: Option<u64>,
    /// Replaces [`Limits::http_requests`].
    pub http_requests: Option<u32>,
}

impl LimitOverrides {
    /// `limits` with what is written down here in place of what was there.
    #[must_use]
    pub fn apply(&self, limits: Limits) -> Limits {
        Limits {
            wall: self.wall.unwrap_or(limits.wall),
            cpu: self.cpu.unwrap_or(limits.cpu),
            steps: self.steps.or(limits.steps),
            memory: self.memory.unwrap_or(limits.memory),
            output: self.output.unwrap_or(limits.output),
            http_body: self.http_body.unwrap_or(limits.http_body),
            http_send: self.http_send.unwrap_or(limits.http_send),
            http_requests: self.http_requests.unwrap_or(limits.http_requests),
        }
    }
}

/// Calls at a time, unless the operator says otherwise: far more than processors, since
/// most of a call's time is waiting for a server.
pub const DEFAULT_CONCURRENT: u32 = 64;
/// Calls of one principal at a time: half of all, so that there is room beside it.
pub const DEFAULT_CONCURRENT_PER_PRINCIPAL: u32 = 32;
/// Calls of one principal that wait for a place: as many as a burst may have; a waiting
/// call costs next to nothing.
pub const DEFAULT_WAITING: u32 = 1024;

/// How many calls run at a time. What is more than that waits for its turn, up to its
/// wall-clock limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Concurrency {
    /// Calls that run at a time; 1 to 1024.
    pub in_all: u32,
    /// Calls of one principal that run at a time.
    pub per_principal: u32,
    /// Calls of one principal that wait; one more is refused at once.
    pub waiting: u32,
}

impl Default for Concurrency {
    fn default() -> Self {
        Self {
            in_all: DEFAULT_CONCURRENT,
            per_principal: DEFAULT_CONCURRENT_PER_PRINCIPAL,
            waiting: DEFAULT_WAITING,
        }
    }
}

/// What a call used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Scheme steps; 0 when the instance was stopped.
    pub steps: u64,
    /// CPU time of the instance, with that of calls nested in it.
    pub cpu: Duration,
    /// From the first moment to the last, waiting for a place included.
    pub wall: Duration,
    /// Bytes of linear memory at the end, which is the most there was.
    pub memory: u64,
}
