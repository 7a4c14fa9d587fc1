//! holm as an MCP server: over stdio for one client, or over HTTP for several principals.
//!
//! | file | answers |
//! |---|---|
//! | `served` | who is served, and which tools does each of them see now? |
//! | `handler` | what does the server say to each request of the protocol? |
//! | `call` | the way of one `tools/call`, and what ends it early |
//! | `approval` | how is the person behind the client asked? |
//! | `metrics` | what can be counted? ([`crate::call_log`] keeps a record of every call) |
//! | `stdio`, `http` | how do messages get in and out, and who may send them? |
//!
//! Invariants:
//!
//! - What a principal lists is what it can call: both come from one [`View`].
//! - A principal's sessions, tools and questions are its own; nothing is shared between two of
//!   them but the processor.
//! - Every call leaves one record, also when it is refused, cancelled, or the server goes down
//!   in an orderly way. When records cannot be written, nothing runs.

#![forbid(unsafe_code)]

mod approval;
mod call;
mod handler;
pub mod http;
mod metrics;
mod served;
mod stdio;

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

pub use handler::Session;
pub use metrics::Metrics;
pub use served::{Served, View};
pub use stdio::serve as serve_stdio;

use crate::call_log::{CallLog, Unwritten};
use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::registry::LiveRegistry;

/// Tools on one page of a list: most clients never ask for a second page.
pub const DEFAULT_PAGE: usize = 500;
/// How long running calls may take to end when the server stops.
pub const DEFAULT_SHUTDOWN: Duration = Duration::from_secs(10);

/// What every session of a server shares.
pub struct Host {
    /// What the operator decided.
    pub config: Arc<Config>,
    /// The tools, as they are now.
    pub tools: Arc<LiveRegistry>,
    /// Where records of calls go.
    pub log: Arc<CallLog>,
    /// Numbers for whoever watches the server.
    pub metrics: Metrics,
    /// Tools on one page of a list.
    pub page: usize,
    /// Cancelled when the server begins to stop: nothing new starts.
    pub draining: CancellationToken,
    /// Cancelled when what still runs has to end.
    pub stopping: CancellationToken,
    /// Told what the operator should know.
    pub report: Arc<dyn Fn(&Diagnostic) + Send + Sync>,
}

impl Host {
    /// What a principal sees now.
    pub async fn view(&self, served: &Served) -> Arc<View> {
        served.view(&self.config, &self.tools.current()).await
    }

    /// What is done about a record that could not be written.
    fn unwritten(self: &Arc<Self>) -> Unwritten {
        let host = Arc::downgrade(self);
        Arc::new(move |error| {
            let Some(host) = host.upgrade() else { return };
            host.metrics.unwritten_record();
            let message = format!("the log of calls cannot be written: {error}");
            (host.report)(&Diagnostic::error(message).hint("no call starts until it can be"));
        })
    }

    /// Stops in order: nothing new starts, what runs has `bound` to end, and what runs then is
    /// cancelled and gets a moment to say so.
    pub async fn stop(&self, bound: Duration) {
        self.draining.cancel();
        drop(tokio::time::timeout(bound, self.metrics.idle()).await);
        self.stopping.cancel();
        drop(tokio::time::timeout(LAST_WORDS, self.metrics.idle()).await);
    }
}

/// How long cancelled calls may take to be over: they stop at their next step.
const LAST_WORDS: Duration = Duration::from_secs(2);
