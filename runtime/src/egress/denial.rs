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

/// One refused request, a body that was cut off, or another thing that was not to be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// Virtual path of the tool file whose grants were in force.
    pub tool: String,
    /// What was asked for.
    pub asked: Asked,
    /// Why.
    pub reason: Reason,
    /// Who says so.
    pub source: Source,
    /// The rules that were in force, the first sixteen of them.
    pub rules: Vec<String>,
    /// What to write into the configuration to allow it, where there is something.
    pub hint: Option<String>,
}

/// What was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// A request.
    Request {
        /// The method, with anything but plain characters escaped.
        method: String,
        /// The URL without userinfo and query values.
        url: String,
    },
    /// The value of a variable with this name.
    Variable(String),
    /// A call of the tool with this name.
    Tool(String),
}

/// Who says that something was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The host, of what it refused itself.
    Host,
    /// The guest, of what never got to the host. Texts and kinds are the host's all the same:
    /// it has judged what was reported.
    Guest,
}

impl Source {
    /// A word for programs, the same in every version.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Guest => "guest",
        }
    }
}

impl Denial {
    /// The URL of a refused request, as it may be shown.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        match &self.asked {
            Asked::Request { url, .. } => Some(url),
            Asked::Variable(_) | Asked::Tool(_) => None,
        }
    }

    /// The text that the tool sees instead of an answer to its request.
    #[must_use]
    pub fn contract_text(&self) -> Option<String> {
        self.url().map(refusal_text)
    }

    /// The denial for a program: an audit record, or a caller's structured result.
    ///
    /// `kind` is one of the words of [`Reason::kind`]; `key` is a configuration key or null.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let (mut method, mut url, mut variable, mut callee) = (None, None, None, None);
        match &self.asked {
            Asked::Request {
                method: of,
                url: to,
            } => (method, url) = (Some(of), Some(to)),
            Asked::Variable(name) => variable = Some(name),
            Asked::Tool(name) => callee = Some(name),
        }
        json!({
            "kind": self.reason.kind(),
            "source": self.source.word(),
            "tool": self.tool,
            "method": method,
            "url": url,
            "variable": variable,
            "callee": callee,
            "reason": self.reason.to_string(),
            "rules": self.rules,
            "key": self.reason.key(),
            "allow": self.hint,
        })
    }

    /// Changes every text that a guest had a hand in.
    pub(super) fn map_text(&mut self, change: impl Fn(&str) -> String) {
        let asked = match &mut self.asked {
            Asked::Request { method, url } => vec![method, url],
            Asked::Variable(name) | Asked::Tool(name) => vec![name],
        };
        let texts = asked.into_iter().chain(&mut self.rules);
        for text in texts.chain(&mut self.hint) {
            *text = change(text);
        }
        match &mut self.reason {
            Reason::Refused(Refusal::MethodNotAllowed { method: text, .. })
            | Reason::Header(text) => *text = change(text),
            _ => {}
        }
    }
}

/// The canonical texts of the rules that a denial names.
pub(super) fn named_rules(rules: &RuleSet) -> Vec<String> {
    rules.iter().take(MAX_RULES).map(Rule::to_string).collect()
}

impl fmt::Display for Denial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.asked {
            Asked::Request { method, url } => write!(f, "{method} {url}: ")?,
            Asked::Variable(name) => write!(f, "variable {name}: ")?,
            Asked::Tool(name) => write!(f, "tool {name}: ")?,
        }
        write!(f, "{}", self.reason)
    }
}

/// Why something was refused, or a body cut off.
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
    /// A header with this name is one that a guest may not set, or is not a header.
    Header(String),
    /// The guest itself does not send such a request; to the host's rules it would be one like others.
    NotSent,
    /// The call has made as many requests as it may.
    RequestLimit(u32),
    /// The response body is larger than this many bytes.
    ResponseBody(u64),
    /// The request bodies of the call are larger than this many bytes together.
    RequestBody(u64),
    /// The tool file was not granted the variable.
    Variable,
    /// The policy that the call is made under does not permit the tool.
    Policy,
    /// Tools that call tools are this many deep already.
    Nesting(u32),
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
            Self::Header(_) => "header",
            Self::NotSent => "not-sent",
            Self::RequestLimit(_) => "http-requests",
            Self::ResponseBody(_) => "http-body",
            Self::RequestBody(_) => "http-send",
            Self::Variable => "variable",
            Self::Policy => "policy",
            Self::Nesting(_) => "nesting",
        }
    }

    /// The configuration key that decides, or `None` where nothing can be configured.
    #[must_use]
    pub fn key(&self) -> Option<&'static str> {
        match self {
            Self::Refused(Refusal::Ambiguous(_))
            | Self::DuringLoad
            | Self::ContentLength
            | Self::Header(_)
            | Self::NotSent
            | Self::Nesting(_) => None,
            Self::Refused(_) | Self::MethodOverride(_) => Some("tools.http.allow"),
            Self::Address(_) => Some("network.private"),
            Self::RequestLimit(_) => Some("limits.http-requests"),
            Self::ResponseBody(_) => Some("limits.http-body"),
            Self::RequestBody(_) => Some("limits.http-send"),
            Self::Variable => Some("tools.env"),
            Self::Policy => Some("skills"),
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
            Self::Header(name) => write!(f, "`{name}` is not a header that a tool may set"),
            Self::NotSent => f.write_str("the engine does not send such a request"),
            Self::RequestLimit(limit) => write!(
                f,
                "limit `http-requests` reached: {limit} requests in one call"
            ),
            Self::ResponseBody(limit) => write!(
                f,
                "limit `http-body` reached: more than {limit} bytes in one response"
            ),
            Self::RequestBody(limit) => write!(
                f,
                "limit `http-send` reached: more than {limit} bytes sent in one call"
            ),
            Self::Variable => f.write_str("the tool file is not granted it"),
            Self::Policy => f.write_str("not permitted by skill policy"),
            Self::Nesting(limit) => write!(f, "tools call tools {limit} deep already"),
        }
    }
}

/// What to write into the configuration to grant a variable. A name that is none has no hint.
pub(super) fn variable_hint(name: &str, tool: &str) -> Option<String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (!name.is_empty() && name.bytes().all(plain))
        .then(|| format!("[tools.env] {tool:?} = [\"{name}\"]"))
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
        Reason::RequestBody(_) => Some("[limits] http-send".to_owned()),
        Reason::Refused(Refusal::Ambiguous(_))
        | Reason::DuringLoad
        | Reason::MethodOverride(_)
        | Reason::ContentLength
        | Reason::Header(_)
        | Reason::NotSent
        | Reason::Variable
        | Reason::Policy
        | Reason::Nesting(_) => None,
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
