//! What a guest says that it refused, or looked for in vain, so that the host never saw it.
//!
//! tein does not hand over what it cannot even cut into the parts of a request, a method that
//! it does not know, or a header that it may not set; and it answers questions about
//! variables from what it was given. Those are refusals too, and their operator should hear of them.
//!
//! The guest may be an attacker, so a report is not taken at its word:
//!
//! - The host judges what is reported by its own rules, and the reason in the record is the host's.
//! - Texts are bounded and escaped, values of granted variables taken out, userinfo and query values too.
//! - The record says that it comes from the guest ([`Source::Guest`]).
//!
//! What an attacker gains is to add denials to the record of its own call, as many
//! as it could by asking in earnest.

use std::sync::Arc;

use http::HeaderName;

use super::denial::{self, Asked, Denial, Source};
use super::{Journal, Phase, Reason, headers};
use crate::grants::{RequestError, RequestTarget, RuleSet, UrlError, redact};
use crate::visible;

/// Bytes of a URL that are looked at: no server takes a longer one.
const LONGEST_URL: usize = 64 << 10;
/// Characters of a name that are kept.
const LONGEST_NAME: usize = 128;

/// Takes the reports of one call's guest.
#[derive(Debug, Clone)]
pub struct Reports {
    /// The tool file's virtual path.
    pub tool: String,
    /// The tool file's grants.
    pub rules: Arc<RuleSet>,
    /// Names of the variables that were granted, set or not.
    pub variables: Vec<String>,
    /// What the call is doing.
    pub phase: Phase,
    /// Where denials are noted.
    pub journal: Journal,
}

impl Reports {
    /// A request that the guest did not hand over; `header` names the one that was not taken, if it
    /// was one.
    pub fn request(&self, method: &str, url: &str, header: Option<&str>) {
        let target = match url.len() <= LONGEST_URL {
            true => RequestTarget::parse(method, url),
            false => Err(RequestError::Url(UrlError::NotAbsolute)),
        };
        let reason = match (self.phase, &target) {
            (Phase::Load, _) => Reason::DuringLoad,
            (Phase::Call, Err(error)) => Reason::Refused((*error).into()),
            (Phase::Call, Ok(target)) => match (self.rules.check(target), header) {
                (Err(refusal), _) => Reason::Refused(refusal),
                (Ok(_), Some(name)) if is_refused(name) => Reason::Header(self.name(name)),
                (Ok(_), _) => Reason::NotSent,
            },
        };
        let target = target.ok();
        let method = self.name(method);
        // Values are looked for in the text as the guest has it, before it is escaped and cut.
        let url = redact(&self.journal.redact(head(url, LONGEST_URL)));
        self.push(Asked::Request { method, url }, reason, target.as_ref());
    }

    /// A variable that the guest looked for and did not find. One that was granted and is not set
    /// was not refused.
    pub fn variable(&self, name: &str) {
        if !self.variables.iter().any(|granted| granted == name) {
            self.push(Asked::Variable(self.name(name)), Reason::Variable, None);
        }
    }

    fn push(&self, asked: Asked, reason: Reason, target: Option<&RequestTarget>) {
        let rules = match &asked {
            Asked::Variable(_) => self.variables.clone(),
            _ => denial::named_rules(&self.rules),
        };
        let hint = match &asked {
            Asked::Variable(name) => denial::variable_hint(name, &self.tool),
            _ => denial::hint(&reason, target, &self.tool),
        };
        self.journal.push(Denial {
            tool: self.tool.clone(),
            asked,
            hint,
            reason,
            source: Source::Guest,
            rules,
        });
    }

    /// A name as it may be kept.
    fn name(&self, name: &str) -> String {
        let name = self.journal.redact(head(name, LONGEST_URL));
        visible::short_line(&name, LONGEST_NAME)
    }
}

/// Whether the host would refuse a header of this name.
fn is_refused(name: &str) -> bool {
    HeaderName::from_bytes(name.as_bytes()).map_or(true, |name| headers::is_forbidden(&name))
}

/// The beginning of a text, of so many bytes at most.
fn head(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::egress::MAX_DENIALS;
    use crate::registry::Secret;

    fn reports(phase: Phase) -> Reports {
        Reports {
            tool: "/tools/a.scm".to_owned(),
            rules: Arc::new(
                ["https://a.example/v1/".parse().unwrap()]
                    .into_iter()
                    .collect(),
            ),
            variables: vec!["KEY".to_owned(), "UNSET".to_owned()],
            phase,
            journal: Journal::without(&[Secret::new("KEY", "hunter22")]),
        }
    }

    #[test]
    fn the_reason_is_the_hosts_own_and_not_the_guests() {
        for (method, url, header, kind) in [
            ("GET", "ftp://a.example/v1/", None, "ambiguous"),
            ("GET", "/v1/x", None, "ambiguous"),
            ("GET", "", None, "ambiguous"),
            ("GET", "https:///v1/", None, "ambiguous"),
            ("GET", "https://u:p@a.example/v1/", None, "ambiguous"),
            ("GET", "https://a.example/v1/\r\nx: y", None, "ambiguous"),
            ("G T", "https://a.example/v1/", None, "ambiguous"),
            ("BREW", "https://a.example/v1/", None, "not-sent"),
            ("GET", "https://b.example/v1/", None, "no-grant"),
            ("GET", "https://a.example/v1/", Some("Host"), "header"),
            ("GET", "https://a.example/v1/", Some("a\nb"), "header"),
            // A guest that makes a refusal up says so itself.
            ("GET", "https://a.example/v1/", Some("accept"), "not-sent"),
            ("GET", "https://a.example/v1/", None, "not-sent"),
        ] {
            let reports = reports(Phase::Call);
            reports.request(method, url, header);
            let denials = reports.journal.denials();
            let found: Vec<_> = denials.iter().map(|one| one.reason.kind()).collect();
            assert_eq!(found, [kind], "{method} {url:?} {header:?}");
            assert_eq!(denials[0].source, Source::Guest);
            assert_eq!(denials[0].rules, ["https://a.example/v1/"]);
        }
        let reports = reports(Phase::Load);
        reports.request("GET", "ftp://x", None);
        assert_eq!(reports.journal.denials()[0].reason, Reason::DuringLoad);
    }

    #[test]
    fn what_was_granted_is_no_refusal_when_it_is_not_set() {
        let reports = reports(Phase::Call);
        for name in ["KEY", "UNSET", "OTHER", "OTHER", "key"] {
            reports.variable(name);
        }
        let denials = reports.journal.denials();
        let names: Vec<_> = denials.iter().map(ToString::to_string).collect();
        assert_eq!(
            names,
            [
                "variable OTHER: the tool file is not granted it",
                "variable key: the tool file is not granted it"
            ],
            "each name once"
        );
        assert_eq!(
            denials[0].hint.as_deref(),
            Some("[tools.env] \"/tools/a.scm\" = [\"OTHER\"]")
        );
    }

    #[test]
    fn an_attackers_text_is_bounded_escaped_and_without_secrets() {
        let long = "x".repeat(10 << 20);
        for hostile in [
            long.as_str(),
            "a\n{\"kind\":\"forged\"}",
            "\u{1b}[2J\u{202e}",
            "hunter22",
            "https://a.example/hunter22?q=hunter22#hunter22",
            "https://hunter22@a.example/",
        ] {
            let reports = reports(Phase::Call);
            reports.request(hostile, "https://a.example/v1/", None);
            reports.request("GET", hostile, None);
            reports.request("GET", "https://a.example/v1/", Some(hostile));
            reports.variable(hostile);
            let denials = reports.journal.denials();
            assert_eq!(denials.len(), 4);
            for denial in denials {
                let text = format!("{denial} {}", denial.hint.clone().unwrap_or_default());
                assert!(!text.contains("hunter22"), "{text}");
                assert!(!text.contains(['\n', '\u{1b}', '\u{202e}']), "{text:?}");
                assert!(text.len() < 2048, "{}", text.len());
            }
        }
    }

    #[test]
    fn reports_without_end_hold_nothing() {
        let reports = reports(Phase::Call);
        for n in 0..10_000 {
            reports.request("GET", "x", None);
            reports.variable(&n.to_string());
        }
        let entries = reports.journal.entries();
        assert_eq!(entries.denials.len(), MAX_DENIALS);
        assert_eq!(entries.denials_dropped, 20_000 - MAX_DENIALS as u64);
    }
}
