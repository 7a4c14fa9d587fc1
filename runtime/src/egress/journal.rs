//! What one call did outside and what it was refused, for whoever answers for it.
//!
//! The caller makes a [`Journal`] and keeps a clone: what is in it is there whether the
//! call ends by itself, at a limit, in a trap, or because the caller gave up on it.
//!
//! Values of granted variables are replaced by `[env:NAME]` on the way in, so that no
//! reader of a journal can forget to.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Asked, Denial};
use crate::limits::Usage;
use crate::registry::{Secret, redact};

/// Denials kept for one call; the rest is counted. A guest in a loop must not fill the
/// host's memory with them.
pub const MAX_DENIALS: usize = 64;
/// Origins kept for one call; traffic with more of them is added up in the last.
pub const MAX_ORIGINS: usize = 64;
/// What stands for the origins beyond [`MAX_ORIGINS`].
pub const OTHER_ORIGINS: &str = "(others)";

/// What one call did outside. Cheap to clone; clones share everything.
#[derive(Clone, Default)]
pub struct Journal {
    secrets: Arc<[Secret]>,
    entries: Arc<Mutex<Entries>>,
}

/// What is in a journal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entries {
    /// Refused requests and limits reached, in order; [`MAX_DENIALS`] at most.
    pub denials: Vec<Denial>,
    /// How many there were beyond those kept.
    pub denials_dropped: u64,
    /// Who was reached, in the order of the first request.
    pub traffic: Vec<Traffic>,
    /// What the call used; set when its instance is gone.
    pub usage: Option<Usage>,
}

/// Exchanges with one origin. Bytes are those of bodies, without their heads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Scheme, host and port, such as `https://api.example.com`.
    pub origin: String,
    /// Requests that a connection was made or found for.
    pub requests: u64,
    /// Bytes of request bodies.
    pub sent: u64,
    /// Bytes of response bodies.
    pub received: u64,
}

impl Entries {
    /// All traffic together.
    #[must_use]
    pub fn total(&self) -> Traffic {
        let mut total = Traffic::default();
        for traffic in &self.traffic {
            total.requests = total.requests.saturating_add(traffic.requests);
            total.sent = total.sent.saturating_add(traffic.sent);
            total.received = total.received.saturating_add(traffic.received);
        }
        total
    }
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lock().fmt(f)
    }
}

impl Journal {
    /// An empty journal of a call without secrets.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty journal in which these values never appear.
    #[must_use]
    pub fn without(secrets: &[Secret]) -> Self {
        Self {
            secrets: secrets.into(),
            entries: Arc::default(),
        }
    }

    /// What is in it now.
    #[must_use]
    pub fn entries(&self) -> Entries {
        self.lock().clone()
    }

    /// The denials so far, in order.
    #[must_use]
    pub fn denials(&self) -> Vec<Denial> {
        self.lock().denials.clone()
    }

    /// `text` without the values of the call's secrets.
    pub(crate) fn redact(&self, text: &str) -> String {
        redact(text, &self.secrets)
    }

    /// Adds a denial, or counts it if [`MAX_DENIALS`] are there.
    pub(crate) fn push(&self, mut denial: Denial) {
        denial.map_text(|text| self.redact(text));
        let mut entries = self.lock();
        // A program may look for the same variable any number of times.
        if matches!(denial.asked, Asked::Variable(_)) && entries.denials.contains(&denial) {
            return;
        }
        if entries.denials.len() < MAX_DENIALS {
            entries.denials.push(denial);
        } else {
            entries.denials_dropped = entries.denials_dropped.saturating_add(1);
        }
    }

    /// Adds to what was exchanged with an origin.
    pub(crate) fn exchanged(&self, origin: &str, requests: u64, sent: u64, received: u64) {
        let mut entries = self.lock();
        let known = entries.traffic.iter().position(|one| one.origin == origin);
        let at = known.unwrap_or_else(|| {
            let full = entries.traffic.len() >= MAX_ORIGINS;
            if !full {
                let origin = match entries.traffic.len() + 1 {
                    MAX_ORIGINS => OTHER_ORIGINS.to_owned(),
                    _ => self.redact(origin),
                };
                entries.traffic.push(Traffic {
                    origin,
                    ..Traffic::default()
                });
            }
            entries.traffic.len() - 1
        });
        if let Some(traffic) = entries.traffic.get_mut(at) {
            traffic.requests = traffic.requests.saturating_add(requests);
            traffic.sent = traffic.sent.saturating_add(sent);
            traffic.received = traffic.received.saturating_add(received);
        }
    }

    /// Notes what the call used.
    pub(crate) fn used(&self, usage: Usage) {
        self.lock().usage = Some(usage);
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        // A panic while it was held left whole entries behind.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::egress::{Reason, Source};

    fn denial(url: &str) -> Denial {
        Denial {
            tool: "/tools/a.scm".to_owned(),
            asked: Asked::Request {
                method: "GET".to_owned(),
                url: url.to_owned(),
            },
            reason: Reason::DuringLoad,
            source: Source::Host,
            rules: Vec::new(),
            hint: None,
        }
    }

    #[test]
    fn it_is_bounded_and_says_so() {
        let journal = Journal::new();
        for _ in 0..MAX_DENIALS + 5 {
            journal.clone().push(denial("https://h.example/"));
        }
        for n in 0..MAX_ORIGINS as u64 + 5 {
            journal.exchanged(&format!("https://h{n}.example"), 1, 2, 3);
            journal.exchanged(&format!("https://h{n}.example"), 0, 0, 1);
        }
        let entries = journal.entries();
        assert_eq!(
            (entries.denials.len(), entries.denials_dropped),
            (MAX_DENIALS, 5)
        );
        assert_eq!(entries.traffic.len(), MAX_ORIGINS);
        let last = entries.traffic.last().unwrap();
        assert_eq!((last.origin.as_str(), last.requests), (OTHER_ORIGINS, 6));
        let total = entries.total();
        let many = MAX_ORIGINS as u64 + 5;
        assert_eq!(
            (total.requests, total.sent, total.received),
            (many, 2 * many, 4 * many)
        );
    }

    #[test]
    fn no_secret_gets_in() {
        let journal = Journal::without(&[Secret::new("KEY", "hunter22/x")]);
        let mut one = denial("https://h.example/hunter22/x?a=hunter22%2Fx");
        one.hint = Some("allow hunter22/x".to_owned());
        one.rules = vec!["https://hunter22/x/".to_owned()];
        journal.push(one);
        journal.exchanged("https://hunter22/x", 1, 0, 0);
        let text = format!("{journal:?} {:?}", journal.entries());
        assert!(!text.contains("hunter22"), "{text}");
        assert_eq!(
            journal.denials().remove(0).url(),
            Some("https://h.example/[env:KEY]?a=[env:KEY]")
        );
    }
}
