//! What the benchmarks share.

#![allow(dead_code, reason = "each benchmark uses a part")]

pub(crate) mod project;
pub(crate) mod series;

use std::time::Duration;

pub(crate) type Failed = Box<dyn std::error::Error>;

/// Measures this thread's CPU time from one lap to the next.
pub(crate) struct Clock(Duration);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(Self::now())
    }

    pub(crate) fn lap(&mut self) -> Duration {
        let now = Self::now();
        now.saturating_sub(std::mem::replace(&mut self.0, now))
    }

    #[cfg(unix)]
    fn now() -> Duration {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::try_from(now).unwrap_or_default()
    }

    #[cfg(not(unix))]
    fn now() -> Duration {
        std::time::SystemTime::UNIX_EPOCH
            .elapsed()
            .unwrap_or_default()
    }
}

/// The time below which `per_mille` of a thousand calls are.
pub(crate) fn quantile(times: &mut [Duration], per_mille: usize) -> Duration {
    times.sort_unstable();
    let index = times.len().saturating_sub(1) * per_mille / 1000;
    times.get(index).copied().unwrap_or_default()
}

pub(crate) fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Resident memory of this process in bytes, where the system says.
pub(crate) fn resident() -> u64 {
    resident_of("self")
}

/// Resident memory of a process in bytes, where the system says.
pub(crate) fn resident_of(process: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages = status
        .split_whitespace()
        .nth(1)
        .and_then(|n| n.parse().ok());
    pages.unwrap_or(0_u64) * 4096
}

/// One row: a name, the median, the 99th percentile, and the median's ratio to a baseline. Gives the median.
pub(crate) fn row(name: &str, times: &mut [Duration], base: Option<Duration>) -> Duration {
    let (p50, p99) = (quantile(times, 500), quantile(times, 990));
    let ratio = base.map_or_else(String::new, |base| {
        format!("{:>8.2} x", p50.as_secs_f64() / base.as_secs_f64())
    });
    println!(
        "  {name:<44}{:>11.1} us{:>11.1} us{ratio}",
        micros(p50),
        micros(p99)
    );
    p50
}
