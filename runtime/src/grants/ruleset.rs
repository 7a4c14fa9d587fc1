//! The grants of one tool file, and the one decision about a request.

use std::collections::HashMap;
use std::fmt;

use super::request::{RequestError, RequestTarget};
use super::rule::{HostPattern, Mismatch, Rule};
use super::syntax::Host;

/// The HTTP grants of one tool file.
///
/// Absent and empty are the same here: with no rule, nothing is allowed. Whether a tool
/// file has an entry at all is the configuration's concern.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleSet {
    rules: Vec<Rule>,
    /// Where the rules for a host are.
    exact: HashMap<Host, Vec<usize>>,
    /// Where the rules for the names below a name are.
    below: HashMap<String, Vec<usize>>,
}

/// Why a request is refused, before any I/O.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The request can be read in more than one way.
    Ambiguous(RequestError),
    /// There is no HTTP grant at all.
    NoGrants,
    /// No rule covers the request. If one covers its host, it is named with the part
    /// that differs.
    NoGrant {
        /// The canonical text of the rule that comes closest, and what differs.
        nearest: Option<(String, Mismatch)>,
    },
    /// A rule covers the URL, but not the method.
    MethodNotAllowed {
        /// The request's method.
        method: String,
        /// The canonical text of the rule.
        rule: String,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ambiguous(error) => {
                write!(f, "the request can be read in more than one way: {error}")
            }
            Self::NoGrants => f.write_str("the tool has no HTTP grant"),
            Self::NoGrant { nearest: None } => f.write_str("no grant names its host"),
            Self::NoGrant {
                nearest: Some((rule, mismatch)),
            } => {
                let part = match mismatch {
                    Mismatch::Host => "host",
                    Mismatch::Scheme => "scheme",
                    Mismatch::Port => "port",
                    Mismatch::Path => "path",
                    Mismatch::Method => "method",
                };
                write!(f, "the grant {rule} is for another {part}")
            }
            Self::MethodNotAllowed { method, rule } => {
                write!(f, "the grant {rule} does not include {method}")
            }
        }
    }
}

impl std::error::Error for Refusal {}

impl From<RequestError> for Refusal {
    fn from(error: RequestError) -> Self {
        Self::Ambiguous(error)
    }
}

/// The text that a tool sees for a refused request. It is a contract: tools match on it.
pub fn refusal_text(url: &str) -> String {
    format!("http request blocked: URL not in allowlist: {url}")
}

impl RuleSet {
    /// The set of these rules.
    pub fn new(rules: Vec<Rule>) -> Self {
        let (mut exact, mut below) = (HashMap::<_, Vec<_>>::new(), HashMap::<_, Vec<_>>::new());
        for (index, rule) in rules.iter().enumerate() {
            match rule.host() {
                HostPattern::Exact(host) => exact.entry(host.clone()).or_default(),
                HostPattern::Below(name) => below.entry(name.clone()).or_default(),
            }
            .push(index);
        }
        Self {
            rules,
            exact,
            below,
        }
    }

    /// Whether nothing is allowed.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rules, in the order they were given.
    pub fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter()
    }

    /// The only decision: the first rule that covers the request, or why there is none.
    ///
    /// # Errors
    ///
    /// The refusal, with the rule that came closest.
    pub fn check(&self, target: &RequestTarget) -> Result<&Rule, Refusal> {
        if self.rules.is_empty() {
            return Err(Refusal::NoGrants);
        }
        let mut nearest: Option<(&Rule, Mismatch)> = None;
        for rule in self.about(target.host()) {
            match rule.matches(target) {
                Ok(()) => return Ok(rule),
                Err(mismatch) => {
                    if nearest.is_none_or(|(_, closest)| mismatch > closest) {
                        nearest = Some((rule, mismatch));
                    }
                }
            }
        }
        Err(match nearest {
            Some((rule, Mismatch::Method)) => Refusal::MethodNotAllowed {
                method: target.method().to_owned(),
                rule: rule.to_string(),
            },
            Some((rule, mismatch)) if mismatch != Mismatch::Host => Refusal::NoGrant {
                nearest: Some((rule.to_string(), mismatch)),
            },
            _ => Refusal::NoGrant { nearest: None },
        })
    }

    /// The rules whose host covers this one, in the order they were given.
    fn about(&self, host: &Host) -> impl Iterator<Item = &Rule> {
        let mut found: Vec<usize> = self
            .exact
            .get(host)
            .into_iter()
            .flatten()
            .copied()
            .collect();
        if let Host::Name(name) = host {
            // At least one label stands before the name that a pattern is about.
            let dots = name.match_indices('.').filter(|(at, _)| *at > 0);
            let below = dots.filter_map(|(at, _)| self.below.get(&name[at + 1..]));
            found.extend(below.flatten());
        }
        found.sort_unstable();
        found.into_iter().filter_map(|index| self.rules.get(index))
    }

    /// Reads a request and decides about it.
    ///
    /// # Errors
    ///
    /// The refusal; an ambiguous request is one.
    pub fn check_url(&self, method: &str, url: &str) -> Result<&Rule, Refusal> {
        self.check(&RequestTarget::parse(method, url)?)
    }
}

impl FromIterator<Rule> for RuleSet {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Self {
        Self::new(rules.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn looking_only_at_the_rules_about_a_host_decides_as_looking_at_all(
            rules in prop::collection::vec(
                "https?://(\\*\\.)?([ab]\\.){0,3}(example\\.com|[ab]\\.org|127\\.0\\.0\\.1|\\[::1\\])(:8443)?(/v1)?",
                0..12,
            ),
            url in "https?://([ab]\\.){0,3}(example\\.com|[ab]\\.org|com|127\\.0\\.0\\.1|\\[::1\\])(:8443)?/(v1)?",
        ) {
            let rules: Vec<Rule> = rules.iter().filter_map(|rule| Rule::parse(rule).ok()).collect();
            let set = RuleSet::new(rules.clone());
            if let Ok(target) = RequestTarget::parse("GET", &url) {
                let first = rules.iter().find(|rule| rule.matches(&target).is_ok());
                prop_assert_eq!(set.check(&target).ok(), first);
                let closest = rules.iter().filter_map(|rule| rule.matches(&target).err()).max();
                if let Err(Refusal::NoGrant { nearest }) = set.check(&target) {
                    let closest = closest.filter(|mismatch| *mismatch != Mismatch::Host);
                    prop_assert_eq!(nearest.map(|(_, mismatch)| mismatch), closest);
                }
            }
        }
    }

    fn set(rules: &[&str]) -> RuleSet {
        rules
            .iter()
            .map(|rule| Rule::parse(rule).unwrap())
            .collect()
    }

    #[test]
    fn a_refusal_names_the_rule_that_came_closest() {
        let rules = set(&[
            "https://other.example/",
            "https://api.example.com/v1/",
            "https://api.example.com:8443/",
        ]);
        for (url, expected) in [
            ("https://evil.net/", "no grant names its host"),
            (
                "http://api.example.com/v1/",
                "the grant https://api.example.com/v1/ is for another scheme",
            ),
            (
                "https://api.example.com:9/v1/",
                "the grant https://api.example.com/v1/ is for another port",
            ),
            (
                "https://api.example.com/v2/",
                "the grant https://api.example.com/v1/ is for another path",
            ),
            (
                "https://api.example.com/v1/../x",
                "the request can be read in more than one way: its path has a dot segment",
            ),
        ] {
            let refusal = rules.check_url("GET", url).unwrap_err();
            assert_eq!(refusal.to_string(), expected, "{url}");
        }
        assert_eq!(
            RuleSet::default().check_url("GET", "https://a.example/"),
            Err(Refusal::NoGrants)
        );
    }

    #[test]
    fn a_method_is_allowed_by_the_rule_that_has_it() {
        let read = Rule::parse("https://api.example.com/")
            .unwrap()
            .with_methods(["GET", "HEAD"])
            .unwrap();
        let orders = Rule::parse("https://api.example.com/orders")
            .unwrap()
            .with_methods(["POST"])
            .unwrap();
        let rules = RuleSet::new(vec![read, orders]);
        assert!(
            rules
                .check_url("GET", "https://api.example.com/orders")
                .is_ok()
        );
        assert!(
            rules
                .check_url("POST", "https://api.example.com/orders")
                .is_ok()
        );
        assert!(matches!(
            rules.check_url("POST", "https://api.example.com/users"),
            Err(Refusal::MethodNotAllowed { .. })
        ));
        assert!(matches!(
            rules.check_url("get", "https://api.example.com/users"),
            Err(Refusal::Ambiguous(RequestError::MethodSyntax))
        ));
    }
}
