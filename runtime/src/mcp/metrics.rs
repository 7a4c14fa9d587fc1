//! Numbers about a server, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// Upper bounds of the histogram's buckets, in seconds: from a trivial call to the longest
/// that waits for a slow API.
const BUCKETS: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0, 30.0, 120.0,
];

/// Counters of one server. Nothing in them names a principal or a tool: whoever may read
/// them may read no more than that.
#[derive(Debug)]
pub struct Metrics {
    started: Instant,
    calls: Mutex<BTreeMap<&'static str, Calls>>,
    running: watch::Sender<u64>,
    denied_requests: AtomicU64,
    reloads: AtomicU64,
    unwritten_records: AtomicU64,
    refused_connections: Mutex<BTreeMap<&'static str, u64>>,
}

#[derive(Debug, Default)]
struct Calls {
    count: u64,
    seconds: f64,
    buckets: [u64; BUCKETS.len()],
}

/// A call that is running; it is over when this is dropped.
#[derive(Debug)]
pub struct Running<'a>(&'a Metrics);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running.send_modify(|running| *running -= 1);
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            started: Instant::now(),
            calls: Mutex::default(),
            running: watch::Sender::new(0),
            denied_requests: AtomicU64::new(0),
            reloads: AtomicU64::new(0),
            unwritten_records: AtomicU64::new(0),
            refused_connections: Mutex::default(),
        }
    }
}

impl Metrics {
    /// Counts a call as running.
    pub fn begin(&self) -> Running<'_> {
        self.running.send_modify(|running| *running += 1);
        Running(self)
    }

    /// Calls that are running now.
    #[must_use]
    pub fn running(&self) -> u64 {
        *self.running.borrow()
    }

    /// Waits until no call is running.
    pub async fn idle(&self) {
        // The sender lives as long as this borrow of it.
        drop(
            self.running
                .subscribe()
                .wait_for(|running| *running == 0)
                .await,
        );
    }

    /// Seconds since the server started.
    #[must_use]
    pub fn uptime(&self) -> Duration {
        self.started.elapsed()
    }

    /// Counts a call that is over.
    pub fn call(&self, outcome: &'static str, took: Duration, denied_requests: usize) {
        let seconds = took.as_secs_f64();
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = calls.entry(outcome).or_default();
        calls.count += 1;
        calls.seconds += seconds;
        for (bucket, bound) in calls.buckets.iter_mut().zip(BUCKETS) {
            *bucket += u64::from(seconds <= bound);
        }
        let denied = u64::try_from(denied_requests).unwrap_or(u64::MAX);
        self.denied_requests.fetch_add(denied, Ordering::Relaxed);
    }

    /// Counts a reload that changed something.
    pub fn reload(&self) {
        self.reloads.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a record that could not be written at once.
    pub fn unwritten_record(&self) {
        self.unwritten_records.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts an HTTP request that was refused before it was read.
    pub fn refused(&self, why: &'static str) {
        let mut refused = self
            .refused_connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *refused.entry(why).or_default() += 1;
    }

    /// Everything, as Prometheus reads it.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut family = |name: &str, kind: &str, help: &str, lines: &[(String, String)]| {
            // Writing to a string does not fail.
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
            for (labels, value) in lines {
                let _ = writeln!(text, "{name}{labels} {value}");
            }
        };
        let one = |value: String| vec![(String::new(), value)];
        let count = |counter: &AtomicU64| one(counter.load(Ordering::Relaxed).to_string());
        family(
            "holm_uptime_seconds",
            "gauge",
            "Seconds since the server started.",
            &one(self.uptime().as_secs().to_string()),
        );
        family(
            "holm_calls_running",
            "gauge",
            "Calls that are running.",
            &one(self.running().to_string()),
        );
        {
            let calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
            let counted: Vec<(String, String)> = calls
                .iter()
                .map(|(outcome, calls)| {
                    (
                        format!("{{outcome=\"{outcome}\"}}"),
                        calls.count.to_string(),
                    )
                })
                .collect();
            family(
                "holm_calls_total",
                "counter",
                "Calls that are over, by how they ended.",
                &counted,
            );
            let mut lines = Vec::new();
            for (outcome, calls) in calls.iter() {
                for (bucket, bound) in calls.buckets.iter().zip(BUCKETS) {
                    let labels = format!("_bucket{{outcome=\"{outcome}\",le=\"{bound}\"}}");
                    lines.push((labels, bucket.to_string()));
                }
                let labels = format!("_bucket{{outcome=\"{outcome}\",le=\"+Inf\"}}");
                lines.push((labels, calls.count.to_string()));
                lines.push((
                    format!("_sum{{outcome=\"{outcome}\"}}"),
                    calls.seconds.to_string(),
                ));
                lines.push((
                    format!("_count{{outcome=\"{outcome}\"}}"),
                    calls.count.to_string(),
                ));
            }
            family(
                "holm_call_seconds",
                "histogram",
                "Seconds that calls took, waiting included.",
                &lines,
            );
        }
        family(
            "holm_requests_denied_total",
            "counter",
            "HTTP requests of tools that the wall refused.",
            &count(&self.denied_requests),
        );
        family(
            "holm_reloads_total",
            "counter",
            "Reloads that changed something.",
            &count(&self.reloads),
        );
        family(
            "holm_audit_failures_total",
            "counter",
            "Records of calls that could not be written at once.",
            &count(&self.unwritten_records),
        );
        let refused: Vec<(String, String)> = {
            let refused = self
                .refused_connections
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            refused
                .iter()
                .map(|(why, count)| (format!("{{reason=\"{why}\"}}"), count.to_string()))
                .collect()
        };
        family(
            "holm_http_refused_total",
            "counter",
            "HTTP requests to this server that were refused before they were read.",
            &refused,
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_by_outcome_and_time() {
        let metrics = Metrics::default();
        let running = metrics.begin();
        metrics.call("ok", Duration::from_millis(3), 0);
        metrics.call("ok", Duration::from_secs(500), 2);
        metrics.call("denied", Duration::ZERO, 0);
        metrics.refused("host");
        let text = metrics.text();
        for line in [
            "holm_calls_running 1",
            "holm_calls_total{outcome=\"ok\"} 2",
            "holm_calls_total{outcome=\"denied\"} 1",
            "holm_call_seconds_bucket{outcome=\"ok\",le=\"0.0025\"} 0",
            "holm_call_seconds_bucket{outcome=\"ok\",le=\"0.005\"} 1",
            "holm_call_seconds_bucket{outcome=\"ok\",le=\"120\"} 1",
            "holm_call_seconds_bucket{outcome=\"ok\",le=\"+Inf\"} 2",
            "holm_call_seconds_count{outcome=\"ok\"} 2",
            "holm_requests_denied_total 2",
            "holm_http_refused_total{reason=\"host\"} 1",
            "# TYPE holm_call_seconds histogram",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        drop(running);
        assert_eq!(metrics.running(), 0);
    }

    #[tokio::test]
    async fn idle_waits_for_the_last_call() {
        let metrics = Metrics::default();
        metrics.idle().await;
        let running = metrics.begin();
        let mut idle = std::pin::pin!(metrics.idle());
        assert!(futures_now(idle.as_mut()).is_none());
        drop(running);
        idle.await;
    }

    /// The output of a future that is ready.
    fn futures_now<F: Future>(future: std::pin::Pin<&mut F>) -> Option<F::Output> {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match future.poll(&mut context) {
            std::task::Poll::Ready(output) => Some(output),
            std::task::Poll::Pending => None,
        }
    }
}
