//! What was refused during a call, and which key of the configuration would allow it.
//!
//! One value carries the reason: the audit record, the structured result and the text for
//! the operator are all made from it. Nothing in it comes from a header; of the URL only
//! what [`redact`](crate::grants::redact) leaves is kept. A path may still hold a secret:
//! [`Journal`](super::Journal) replaces the values of granted variables before it keeps
//! a denial.

use std::fmt;

use serde_json::{Value, json};

use crate::grants::{AddressRefusal, Cidr, Refusal, RequestTarget, Rule, RuleSet, refusal_text};

/// Rules that a denial names; a file with more of them has its own list to look at.
const MAX_RULES: usize = 16;

/// One refused request, or a response that was cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// Virtual path of the tool file whose grants were in force.
    pub tool: String,
    /// The method, with anything but plain characters escaped.
    pub method: String,
    /// The URL without userinfo and query values.
    pub url: String,
    /// Why.
    pub reason: Reason,
    /// The rules that were in force, the first sixteen of them.
    pub rules: Vec<String>,
    /// What to write into the configuration to allow it, where there is something.
    pub hint: Option<String>,
}

impl Denial {
    /// The text that the tool sees.
    pub fn contract_text(&self) -> String {
        refusal_text(&self.url)
    }

    /// The denial for a program: an audit record, or a caller's structured result.
    ///
    /// `kind` is one of the words of [`Reason::kind`]; `key` is a configuration key or null.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "kind": self.reason.kind(),
            "tool": self.tool,
            "method": self.method,
            "url": self.url,
            "reason": self.reason.to_string(),
            "rules": self.rules,
            "key": self.reason.key(),
            "allow": self.hint,
        })
    }

    /// Changes every text that a guest had a hand in.
    pub(super) fn map_text(&mut self, change: impl Fn(&str) -> String) {
        for text in [&mut self.method, &mut self.url]
            .into_iter()
            .chain(&mut self.rules)
            .chain(&mut self.hint)
        {
            *text = change(text);
        }
        if let Reason::Refused(Refusal::MethodNotAllowed { method, .. }) = &mut self.reason {
            *method = change(method);
        }
    }
}

/// The canonical texts of the rules that a denial names.
pub(super) fn named_rules(rules: &RuleSet) -> Vec<String> {
    rules.iter().take(MAX_RULES).map(Rule::to_string).collect()
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

impl Reason {
    /// A word for programs, the same in every version.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Refused(Refusal::Ambiguous(_)) => "ambiguous",
            Self::Refused(Refusal::NoGrants | Refusal::NoGrant { .. }) => "no-grant",
            Self::Refused(Refusal::MethodNotAllowed { .. }) => "method",
            Self::DuringLoad => "during-load",
            Self::Address(_) => "address",
            Self::MethodOverride(_) => "method-override",
            Self::ContentLength => "content-length",
            Self::RequestLimit(_) => "http-requests",
            Self::ResponseBody(_) => "http-body",
        }
    }

    /// The configuration key that decides, or `None` where nothing can be configured.
    #[must_use]
    pub fn key(&self) -> Option<&'static str> {
        match self {
            Self::Refused(Refusal::Ambiguous(_)) | Self::DuringLoad | Self::ContentLength => None,
            Self::Refused(_) | Self::MethodOverride(_) => Some("tools.http.allow"),
            Self::Address(_) => Some("network.private"),
            Self::RequestLimit(_) => Some("limits.http-requests"),
            Self::ResponseBody(_) => Some("limits.http-body"),
        }
    }
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
