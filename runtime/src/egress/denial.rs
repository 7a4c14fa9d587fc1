//! What was refused during a call, and which key of the configuration would allow it.
//!
//! One value carries the reason: the audit record, the structured result and the text for
//! the operator are all made from it. Nothing in it comes from a header; of the URL only
//! what [`redact`](crate::grants::redact) leaves is kept. A path may still hold a secret, so
//! whoever prints a denial passes it through the same replacement of granted
//! variables as every other diagnostic.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::grants::{AddressRefusal, Cidr, Refusal, RequestTarget, Rule, refusal_text};

/// Denials kept for one call; the rest is counted. A guest in a loop must not fill the
/// host's memory with them.
pub const MAX_DENIALS: usize = 64;

/// One refused request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// The method, with anything but plain characters escaped.
    pub method: String,
    /// The URL without userinfo and query values.
    pub url: String,
    /// Why.
    pub reason: Reason,
    /// The configuration key that would allow it, where there is one.
    pub hint: Option<String>,
}

impl Denial {
    /// The text that the tool sees.
    pub fn contract_text(&self) -> String {
        refusal_text(&self.url)
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.method, self.url, self.reason)
    }
}

/// Why a request was refused, or its response cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// No grant allows it.
    Refused(Refusal),
    /// The tool file was being loaded: its declaration is read without running requests.
    DuringLoad,
    /// The host's name has an address that there is no consent to.
    Address(AddressRefusal),
    /// The grant lists methods, and a header asks the server to act on another one.
    MethodOverride(&'static str),
    /// `Content-Length` is there twice, or is not a number.
    ContentLength,
    /// The call has made as many requests as it may.
    RequestLimit(u32),
    /// The response body is larger than this many bytes.
    ResponseBody(u64),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => write!(f, "{refusal}"),
            Self::DuringLoad => f.write_str("during load; move the request into the handler"),
            Self::Address(refusal) => write!(f, "{refusal}"),
            Self::MethodOverride(header) => write!(
                f,
                "the grant lists methods, and `{header}` would change the method"
            ),
            Self::ContentLength => f.write_str("`content-length` is not one number"),
            Self::RequestLimit(limit) => write!(
                f,
                "limit `http-requests` reached: {limit} requests in one call"
            ),
            Self::ResponseBody(limit) => write!(
                f,
                "limit `http-body` reached: more than {limit} bytes in one response"
            ),
        }
    }
}

/// The denials of one call, shared between its egress and whoever reports the outcome.
#[derive(Debug, Clone, Default)]
pub struct DenialLog {
    kept: Arc<Mutex<Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    denials: Vec<Denial>,
    dropped: u64,
}

impl DenialLog {
    /// An empty log.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a denial, or counts it if [`MAX_DENIALS`] are there.
    pub fn push(&self, denial: Denial) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.denials.len() < MAX_DENIALS {
            kept.denials.push(denial);
        } else {
            kept.dropped = kept.dropped.saturating_add(1);
        }
    }

    /// The denials so far, in order.
    pub fn denials(&self) -> Vec<Denial> {
        self.kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .denials
            .clone()
    }

    /// How many denials there were beyond those kept.
    pub fn dropped(&self) -> u64 {
        self.kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .dropped
    }
}

/// What to write into the configuration, if anything allows the request.
pub(super) fn hint(reason: &Reason, target: Option<&RequestTarget>, tool: &str) -> Option<String> {
    match reason {
        Reason::Refused(Refusal::NoGrants | Refusal::NoGrant { .. }) => {
            // A path that no rule can name, such as one with encoded letters, has no hint.
            let rule = Rule::for_target(target?).ok()?;
            Some(format!("[tools.http.allow] {tool:?} = [\"{rule}\"]"))
        }
        Reason::Refused(Refusal::MethodNotAllowed { method, rule }) => Some(format!(
            "[tools.http.allow] {tool:?} = [{{ prefix = \"{rule}\", methods = [..., \"{method}\"] }}]"
        )),
        Reason::Address(refusal) => {
            let range = Cidr::single(refusal.address);
            Some(format!("[network] private = [\"{range}\"]"))
        }
        Reason::RequestLimit(_) => Some("[limits] http-requests".to_owned()),
        Reason::ResponseBody(_) => Some("[limits] http-body".to_owned()),
        Reason::Refused(Refusal::Ambiguous(_))
        | Reason::DuringLoad
        | Reason::MethodOverride(_)
        | Reason::ContentLength => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_bounded_and_says_so() {
        let log = DenialLog::new();
        for _ in 0..MAX_DENIALS + 5 {
            log.clone().push(Denial {
                method: "GET".to_owned(),
                url: "https://h.example/".to_owned(),
                reason: Reason::DuringLoad,
                hint: None,
            });
        }
        assert_eq!((log.denials().len(), log.dropped()), (MAX_DENIALS, 5));
    }

    #[test]
    fn the_hint_is_the_narrowest_rule_that_would_allow_it() {
        let target = RequestTarget::parse(
            "POST",
            "https://API.example.com:443/v1/a%e2%82%ac?key=s3cret",
        )
        .unwrap();
        let hinted = hint(
            &Reason::Refused(Refusal::NoGrants),
            Some(&target),
            "/tools/a.scm",
        )
        .unwrap();
        assert_eq!(
            hinted,
            "[tools.http.allow] \"/tools/a.scm\" = [\"https://api.example.com/v1/a%E2%82%AC\"]"
        );
        let address = AddressRefusal {
            address: [10, 0, 0, 7].into(),
            range: crate::grants::AddressRange::Private,
        };
        assert_eq!(
            hint(&Reason::Address(address), Some(&target), "/tools/a.scm").unwrap(),
            "[network] private = [\"10.0.0.7/32\"]"
        );
    }
}
