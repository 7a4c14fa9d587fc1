//! One HTTP grant.
//!
//! # Forms
//!
//! | text | what it covers |
//! |---|---|
//! | `https://api.example.com` | every path of that origin |
//! | `https://api.example.com/` | the same |
//! | `https://api.example.com/v1/` | `/v1/` and every path under it, not `/v1` itself |
//! | `https://api.example.com/v1` | `/v1`, `/v1/` and every path under it, never `/v1evil` |
//! | `https://api.example.com:8443/` | that port only; without one, the scheme's own |
//! | `https://*.example.com/` | every name below `example.com` at any depth, never `example.com` |
//! | `http://127.0.0.1:8080/` | that address; this is also consent to connect to it |
//! | `http://[::1]:8080/` | the same for IPv6, in whichever spelling the request has it |
//!
//! A table in the configuration adds methods ([`Rule::with_methods`]). Without a list
//! every method is covered but CONNECT and TRACE, which no request may have. An *empty*
//! list is an error and not "none" or "all", because it can be read as either.
//!
//! # Matching
//!
//! The parts are compared, never the text. Scheme and port are compared for equality, the host
//! without regard to case, the path segment by segment with regard to case. The query
//! is no part of the match. Percent-encoding is compared as written, so a rule for `/v1/`
//! does not cover `/%76%31/`.
//!
//! # What each refusal of the parser is for
//!
//! | refused in a rule | otherwise |
//! |---|---|
//! | userinfo | `https://api.example.com@evil.net/` is read as a grant for the first name |
//! | query, fragment | the author believes that they restrict the request; they would not |
//! | dot segments, encoded or not | the grant means another path than the one it shows |
//! | encoded letters, slashes, percent signs | the same |
//! | empty segments | servers that merge slashes see another path |
//! | `*` anywhere but as the whole first label | globs that reach further than their author thought |
//! | `*.com`, `*.localhost` | a grant for everybody's names |
//! | ports 0, `:`, `:0443`, `:x` | one reader takes the default port, another the number |
//! | `127.1`, `0x7f000001`, `2130706433` | a name to one reader, loopback to another |
//! | `[::ffff:127.0.0.1]`, `[::127.0.0.1]` | an IPv4 address that the ranges do not see |
//! | a trailing dot, non-ASCII, false punycode | another name than the one that is shown |
//!
//! `*.co.uk` is not refused: there is no list of public suffixes here.
//!
//! # Example
//!
//! ```
//! use holm::grants::{RequestTarget, Rule, RuleSet};
//!
//! let rules = RuleSet::new(vec![Rule::parse("https://api.example.com/v1/")?]);
//! let get = |url: &str| RequestTarget::parse("GET", url).map(|target| rules.check(&target).is_ok());
//!
//! assert_eq!(get("https://API.example.com:443/v1/orders?limit=5"), Ok(true));
//! assert_eq!(get("https://api.example.com/v1evil"), Ok(false));
//! assert!(get("https://api.example.com/v1/../admin").is_err());
//! assert_eq!(
//!     Rule::parse("api.example.com/v1/").map_err(|error| error.to_string()),
//!     Err("it has no scheme: start with `https://` or `http://`".to_owned()),
//! );
//! # Ok::<(), holm::grants::RuleError>(())
//! ```

use std::collections::BTreeSet;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use super::request::{self, RequestError, RequestTarget};
use super::syntax::{self, Host, Scheme, UrlError};

/// A parsed grant. See the [module](self) for its forms.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rule {
    scheme: Scheme,
    host: HostPattern,
    port: u16,
    path: PathPattern,
    methods: Option<BTreeSet<String>>,
}

/// Which hosts a rule covers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum HostPattern {
    /// Exactly this host.
    Exact(Host),
    /// Every name that has at least one label before this name.
    Below(String),
}

/// Which paths a rule covers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum PathPattern {
    /// All of them.
    Origin,
    /// Those that start with these segments, and with `slash` have one more, if only
    /// an empty one.
    Under { segments: Vec<String>, slash: bool },
}

/// What is wrong with a rule. Its text says what to write instead, and leaves out the
/// rule, which the caller adds with its file, line and key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleError {
    /// Not a URL that can be read in one way.
    Url(UrlError),
    /// A query, which would restrict nothing.
    Query,
    /// A fragment, which is never sent.
    Fragment,
    /// `*` as the whole host, or as the whole rule.
    BareWildcard,
    /// `*` somewhere else than as the whole first label.
    WildcardPosition,
    /// `*` in the path, where it would be taken for a pattern and is a character.
    WildcardPath,
    /// `*.` before a single label, such as `*.com`.
    WildcardTooWide,
    /// A character percent-encoded that needs no encoding.
    NeedlessEncoding,
    /// An empty list of methods.
    NoMethods,
    /// A method that cannot be granted.
    Method(RequestError),
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(error) => write!(f, "{error}: {}", error.advice()),
            Self::Query => f.write_str("it has a query: remove it, since a grant covers every query of its paths"),
            Self::Fragment => f.write_str("it has a fragment: remove it, since a fragment is never sent"),
            Self::BareWildcard => {
                f.write_str("a bare `*` would cover every host: name the host, or write `https://*.example.com/`")
            }
            Self::WildcardPosition => f.write_str(
                "`*` may only be the whole first label of the host: write `https://*.example.com/`",
            ),
            Self::WildcardPath => f.write_str(
                "`*` in a path is not a pattern: end the path before it, since a grant covers everything below its path",
            ),
            Self::WildcardTooWide => {
                f.write_str("`*` before a single label covers everybody's names: name at least two labels after it")
            }
            Self::NeedlessEncoding => f.write_str(
                "its path encodes a character that needs no encoding: write the character itself, since paths are \
                 compared as written",
            ),
            Self::NoMethods => f.write_str(
                "the list of methods is empty: leave `methods` out for every method, or remove the grant for none",
            ),
            Self::Method(error) => write!(f, "{error}: write methods in capitals, such as `GET`, without CONNECT and TRACE"),
        }
    }
}

impl std::error::Error for RuleError {}

impl From<UrlError> for RuleError {
    fn from(error: UrlError) -> Self {
        Self::Url(error)
    }
}

/// Why a rule does not cover a request: the first part that differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mismatch {
    /// Another host.
    Host,
    /// The host, but another scheme.
    Scheme,
    /// Host and scheme, but another port.
    Port,
    /// The origin, but another path.
    Path,
    /// Everything but the method.
    Method,
}

impl Rule {
    /// Reads a rule.
    ///
    /// # Errors
    ///
    /// Anything that could be misread; the error says what to write instead.
    pub fn parse(text: &str) -> Result<Self, RuleError> {
        if text == "*" {
            return Err(RuleError::BareWildcard);
        }
        let parts = syntax::split(text)?;
        if parts.fragment.is_some() {
            return Err(RuleError::Fragment);
        }
        if parts.query.is_some() {
            return Err(RuleError::Query);
        }
        let (host, port) = syntax::split_authority(parts.authority)?;
        Ok(Self {
            scheme: parts.scheme,
            host: parse_host(host)?,
            port: port.unwrap_or_else(|| parts.scheme.default_port()),
            path: parse_path(parts.path)?,
            methods: None,
        })
    }

    /// The rule for these methods only.
    ///
    /// # Errors
    ///
    /// An empty list, and methods that no request may have.
    pub fn with_methods<M: AsRef<str>>(
        self,
        methods: impl IntoIterator<Item = M>,
    ) -> Result<Self, RuleError> {
        let methods = methods
            .into_iter()
            .map(|method| {
                request::check_method(method.as_ref())
                    .map(|()| method.as_ref().to_owned())
                    .map_err(RuleError::Method)
            })
            .collect::<Result<BTreeSet<_>, _>>()?;
        if methods.is_empty() {
            return Err(RuleError::NoMethods);
        }
        Ok(Self {
            methods: Some(methods),
            ..self
        })
    }

    /// The rule that covers exactly the origin and path of a request, for a hint.
    pub fn for_target(target: &RequestTarget) -> Result<Self, RuleError> {
        let (path, _) = target.path_and_query();
        Self::parse(&format!("{}{}", target.origin(), canonical_path(path)))
    }

    /// The scheme it covers.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The hosts it covers.
    pub fn host(&self) -> &HostPattern {
        &self.host
    }

    /// The port it covers.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The methods it covers, in order; `None` is all that a request may have.
    pub fn methods(&self) -> Option<impl Iterator<Item = &str>> {
        self.methods
            .as_ref()
            .map(|methods| methods.iter().map(String::as_str))
    }

    /// The address, if the rule names a literal one.
    pub fn literal_address(&self) -> Option<IpAddr> {
        match &self.host {
            HostPattern::Exact(host) => host.address(),
            HostPattern::Below(_) => None,
        }
    }

    /// Whether it covers every path of its hosts.
    pub fn covers_whole_origin(&self) -> bool {
        self.path == PathPattern::Origin
    }

    /// Whether it covers every request that `narrower` covers.
    pub fn contains(&self, narrower: &Self) -> bool {
        let methods = match (&self.methods, &narrower.methods) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(wide), Some(narrow)) => narrow.is_subset(wide),
        };
        methods && self.contains_prefix(narrower)
    }

    /// As [`Self::contains`], whatever the methods of either: a declared prefix has none.
    pub fn contains_prefix(&self, narrower: &Self) -> bool {
        self.scheme == narrower.scheme
            && self.port == narrower.port
            && self.host.contains(&narrower.host)
            && self.path.contains(&narrower.path)
    }

    /// Whether the rule covers the request; if not, the first part that differs.
    ///
    /// # Errors
    ///
    /// The part that differs.
    pub fn matches(&self, target: &RequestTarget) -> Result<(), Mismatch> {
        if !self.host.covers(target.host()) {
            return Err(Mismatch::Host);
        }
        if self.scheme != target.scheme() {
            return Err(Mismatch::Scheme);
        }
        if self.port != target.port() {
            return Err(Mismatch::Port);
        }
        if !self.path.covers(target.path()) {
            return Err(Mismatch::Path);
        }
        match &self.methods {
            Some(methods) if !methods.contains(target.method()) => Err(Mismatch::Method),
            _ => Ok(()),
        }
    }
}

impl HostPattern {
    /// Whether it covers every host that `narrower` covers.
    pub fn contains(&self, narrower: &Self) -> bool {
        match (self, narrower) {
            (_, Self::Exact(host)) => self.covers(host),
            (Self::Exact(_), Self::Below(_)) => false,
            (Self::Below(wide), Self::Below(narrow)) => {
                wide == narrow || self.covers(&Host::Name(narrow.clone()))
            }
        }
    }

    fn covers(&self, host: &Host) -> bool {
        match (self, host) {
            (Self::Exact(expected), host) => expected == host,
            (Self::Below(suffix), Host::Name(name)) => name
                .strip_suffix(suffix.as_str())
                .and_then(|labels| labels.strip_suffix('.'))
                .is_some_and(|labels| !labels.is_empty()),
            (Self::Below(_), Host::V4(_) | Host::V6(_)) => false,
        }
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(host) => write!(f, "{host}"),
            Self::Below(suffix) => write!(f, "*.{suffix}"),
        }
    }
}

impl PathPattern {
    fn contains(&self, narrower: &Self) -> bool {
        let (wide, wide_slash) = match self {
            Self::Origin => return true,
            Self::Under { segments, slash } => (segments, *slash),
        };
        let Self::Under { segments, slash } = narrower else {
            return false;
        };
        let same = |(a, b): (&String, &String)| syntax::same_segment(a, b);
        segments.len() >= wide.len()
            && wide.iter().zip(segments).all(same)
            && (!wide_slash || *slash || segments.len() > wide.len())
    }

    fn covers(&self, path: &str) -> bool {
        let Self::Under { segments, slash } = self else {
            return true;
        };
        let mut rest = syntax::segments(path);
        segments.iter().all(|expected| {
            rest.next()
                .is_some_and(|segment| syntax::same_segment(expected, segment))
        }) && (!slash || rest.next().is_some())
    }
}

fn parse_host(text: &str) -> Result<HostPattern, RuleError> {
    let Some(star) = text.find('*') else {
        return Ok(HostPattern::Exact(syntax::parse_host(text)?));
    };
    if text == "*" {
        return Err(RuleError::BareWildcard);
    }
    let Some(suffix) = text.strip_prefix("*.") else {
        return Err(RuleError::WildcardPosition);
    };
    if star != 0 || suffix.contains('*') {
        return Err(RuleError::WildcardPosition);
    }
    match syntax::parse_host(suffix)? {
        Host::Name(name) if name.contains('.') => Ok(HostPattern::Below(name)),
        Host::Name(_) => Err(RuleError::WildcardTooWide),
        Host::V4(_) | Host::V6(_) => Err(RuleError::WildcardPosition),
    }
}

fn parse_path(path: &str) -> Result<PathPattern, RuleError> {
    if path.is_empty() || path == "/" {
        return Ok(PathPattern::Origin);
    }
    syntax::check_path(path)?;
    if path.contains('*') {
        return Err(RuleError::WildcardPath);
    }
    let canonical = canonical_path(path);
    let mut segments: Vec<String> = syntax::segments(&canonical).map(str::to_owned).collect();
    if segments.iter().any(|segment| encodes_needlessly(segment)) {
        return Err(RuleError::NeedlessEncoding);
    }
    let slash = segments.last().is_some_and(String::is_empty);
    if slash {
        segments.pop();
    }
    Ok(PathPattern::Under { segments, slash })
}

/// The path with its hexadecimal digits in capitals.
fn canonical_path(path: &str) -> String {
    let mut digits = 0_u8;
    path.chars()
        .map(|character| {
            if character == '%' {
                digits = 2;
                return character;
            }
            if digits > 0 {
                digits -= 1;
                return character.to_ascii_uppercase();
            }
            character
        })
        .collect()
}

fn encodes_needlessly(segment: &str) -> bool {
    segment.split('%').skip(1).any(|after| {
        let mut digits = after.bytes().map_while(syntax::hexadecimal);
        match (digits.next(), digits.next()) {
            (Some(high), Some(low)) => syntax::is_unreserved(high << 4 | low),
            _ => true,
        }
    })
}

impl fmt::Display for Rule {
    /// The canonical text, without the methods; it parses to the same rule.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)?;
        if self.port != self.scheme.default_port() {
            write!(f, ":{}", self.port)?;
        }
        match &self.path {
            PathPattern::Origin => f.write_str("/"),
            PathPattern::Under { segments, slash } => {
                for segment in segments {
                    write!(f, "/{segment}")?;
                }
                f.write_str(if *slash { "/" } else { "" })
            }
        }
    }
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_contains_what_it_covers_more_of() {
        let rule = |text: &str| {
            let (methods, prefix) = text.split_once(' ').unwrap_or(("", text));
            let rule = Rule::parse(prefix).unwrap();
            match methods {
                "" => rule,
                methods => rule.with_methods(methods.split(',')).unwrap(),
            }
        };
        for (wide, narrow, contains) in [
            ("https://a.example/", "https://a.example/v1", true),
            ("https://a.example/v1", "https://a.example/v1/", true),
            ("https://a.example/v1/", "https://a.example/v1", false),
            ("https://a.example/v1/", "https://a.example/v1/x", true),
            ("https://a.example/v1", "https://a.example/v10", false),
            ("https://a.example/v1", "https://a.example/", false),
            ("https://a.example/", "http://a.example/", false),
            ("https://a.example/", "https://a.example:8443/", false),
            ("https://*.example.com/", "https://a.example.com/", true),
            ("https://*.example.com/", "https://example.com/", false),
            ("https://*.example.com/", "https://*.example.com/v1", true),
            ("https://*.example.com/", "https://*.a.example.com/", true),
            ("https://*.a.example.com/", "https://*.example.com/", false),
            ("https://a.example.com/", "https://*.example.com/", false),
            ("https://a.example/", "GET https://a.example/", true),
            ("GET https://a.example/", "https://a.example/", false),
            ("GET,PUT https://a.example/", "GET https://a.example/", true),
            (
                "GET https://a.example/",
                "GET,PUT https://a.example/",
                false,
            ),
        ] {
            assert_eq!(
                rule(wide).contains(&rule(narrow)),
                contains,
                "{wide} {narrow}"
            );
        }
    }

    #[test]
    fn every_ambiguous_rule_is_refused_for_its_own_reason() {
        for (text, expected) in [
            ("", RuleError::Url(UrlError::NotAbsolute)),
            ("*", RuleError::BareWildcard),
            ("api.example.com", RuleError::Url(UrlError::NotAbsolute)),
            ("//api.example.com/", RuleError::Url(UrlError::NotAbsolute)),
            (
                "api.example.com:443/",
                RuleError::Url(UrlError::NotAbsolute),
            ),
            (
                "https:/api.example.com/",
                RuleError::Url(UrlError::NotAbsolute),
            ),
            (
                "https:api.example.com",
                RuleError::Url(UrlError::NotAbsolute),
            ),
            (" https://api.example.com/", RuleError::Url(UrlError::Blank)),
            ("ws://api.example.com/", RuleError::Url(UrlError::Scheme)),
            (
                "*://api.example.com/",
                RuleError::Url(UrlError::NotAbsolute),
            ),
            (
                "https://u:p@api.example.com/",
                RuleError::Url(UrlError::Userinfo),
            ),
            (
                "https://@api.example.com/",
                RuleError::Url(UrlError::Userinfo),
            ),
            ("https://", RuleError::Url(UrlError::NoHost)),
            ("https://:443/", RuleError::Url(UrlError::NoHost)),
            (
                "https://api.example.com./",
                RuleError::Url(UrlError::TrailingDot),
            ),
            (
                "https://api..example.com/",
                RuleError::Url(UrlError::HostSyntax),
            ),
            (
                "https://.example.com/",
                RuleError::Url(UrlError::HostSyntax),
            ),
            (
                "https://-api.example.com/",
                RuleError::Url(UrlError::HostSyntax),
            ),
            ("https://a,b/", RuleError::Url(UrlError::HostSyntax)),
            (
                "https://api%2eexample.com/",
                RuleError::Url(UrlError::EncodedHost),
            ),
            (
                "https://bücher.example/",
                RuleError::Url(UrlError::NonAscii),
            ),
            (
                "https://xn--api-.example.com/",
                RuleError::Url(UrlError::HostSyntax),
            ),
            (
                "https://xn--a.example.com/",
                RuleError::Url(UrlError::Punycode),
            ),
            ("https://127.1/", RuleError::Url(UrlError::NumericHost)),
            ("https://2130706433/", RuleError::Url(UrlError::NumericHost)),
            ("https://0x7f.0.0.1/", RuleError::Url(UrlError::NumericHost)),
            ("https://0177.0.0.1/", RuleError::Url(UrlError::NumericHost)),
            ("https://1.2.3.0x4/", RuleError::Url(UrlError::NumericHost)),
            ("https://1.2.3.4.5/", RuleError::Url(UrlError::NumericHost)),
            ("https://256.0.0.1/", RuleError::Url(UrlError::NumericHost)),
            ("https://::1/", RuleError::Url(UrlError::NoHost)),
            ("https://[::1/", RuleError::Url(UrlError::Ipv6Syntax)),
            ("https://[127.0.0.1]/", RuleError::Url(UrlError::Ipv6Syntax)),
            ("https://[::1]x/", RuleError::Url(UrlError::HostSyntax)),
            (
                "https://[fe80::1%25eth0]/",
                RuleError::Url(UrlError::ZoneId),
            ),
            (
                "https://[::ffff:127.0.0.1]/",
                RuleError::Url(UrlError::EmbeddedIpv4),
            ),
            (
                "https://[::ffff:7f00:1]/",
                RuleError::Url(UrlError::EmbeddedIpv4),
            ),
            (
                "https://[::7f00:1]/",
                RuleError::Url(UrlError::EmbeddedIpv4),
            ),
            (
                "https://api.example.com:/",
                RuleError::Url(UrlError::EmptyPort),
            ),
            (
                "https://api.example.com:0/",
                RuleError::Url(UrlError::PortRange),
            ),
            (
                "https://api.example.com:65536/",
                RuleError::Url(UrlError::PortRange),
            ),
            (
                "https://api.example.com:0443/",
                RuleError::Url(UrlError::PortSyntax),
            ),
            (
                "https://api.example.com:+443/",
                RuleError::Url(UrlError::PortSyntax),
            ),
            (
                "https://api.example.com:443:443/",
                RuleError::Url(UrlError::PortSyntax),
            ),
            (
                "https://api.example.com:*/",
                RuleError::Url(UrlError::PortSyntax),
            ),
            ("https://*/", RuleError::BareWildcard),
            ("https://api.example.com/*", RuleError::WildcardPath),
            ("https://api.example.com/v1/*", RuleError::WildcardPath),
            ("https://api.example.com/v1*", RuleError::WildcardPath),
            ("https://api.example.com/**/x", RuleError::WildcardPath),
            ("https://*.example.com/*/x", RuleError::WildcardPath),
            ("https://*:8443/", RuleError::BareWildcard),
            ("https://*.com/", RuleError::WildcardTooWide),
            ("https://*.localhost/", RuleError::WildcardTooWide),
            ("https://*./", RuleError::Url(UrlError::NoHost)),
            ("https://*.*.example.com/", RuleError::WildcardPosition),
            ("https://a*.example.com/", RuleError::WildcardPosition),
            ("https://*a.example.com/", RuleError::WildcardPosition),
            ("https://api.example.*/", RuleError::WildcardPosition),
            ("https://**.example.com/", RuleError::WildcardPosition),
            ("https://*.0.0.1/", RuleError::Url(UrlError::NumericHost)),
            ("https://*.127.0.0.1/", RuleError::WildcardPosition),
            ("https://api.example.com?x", RuleError::Query),
            ("https://api.example.com/v1?", RuleError::Query),
            ("https://api.example.com#", RuleError::Fragment),
            (
                "https://api.example.com/v1/./",
                RuleError::Url(UrlError::DotSegment),
            ),
            (
                "https://api.example.com/v1/..",
                RuleError::Url(UrlError::DotSegment),
            ),
            (
                "https://api.example.com/%2E",
                RuleError::Url(UrlError::DotSegment),
            ),
            (
                "https://api.example.com/..;x/",
                RuleError::Url(UrlError::DotSegment),
            ),
            (
                "https://api.example.com//",
                RuleError::Url(UrlError::EmptySegment),
            ),
            (
                "https://api.example.com/v1//",
                RuleError::Url(UrlError::EmptySegment),
            ),
            ("https://api.example.com/v%31/", RuleError::NeedlessEncoding),
            (
                "https://api.example.com/a%2Fb",
                RuleError::Url(UrlError::EncodedSlash),
            ),
            (
                "https://api.example.com/a%5cb",
                RuleError::Url(UrlError::EncodedSlash),
            ),
            (
                "https://api.example.com/a%252fb",
                RuleError::Url(UrlError::DoubleEncoding),
            ),
            (
                "https://api.example.com/a%00",
                RuleError::Url(UrlError::EncodedControl),
            ),
            (
                "https://api.example.com/%zz",
                RuleError::Url(UrlError::BadEncoding),
            ),
            (
                "https://api.example.com/%",
                RuleError::Url(UrlError::BadEncoding),
            ),
            (
                "https://api.example.com/{id}/",
                RuleError::Url(UrlError::PathCharacter),
            ),
            (
                "https://api.example.com/\n",
                RuleError::Url(UrlError::Control),
            ),
            (
                "https://api.example.com\\v1",
                RuleError::Url(UrlError::Backslash),
            ),
        ] {
            assert_eq!(Rule::parse(text), Err(expected), "{text:?}");
        }
    }

    #[test]
    fn the_canonical_text_is_the_shortest_spelling() {
        for (text, canonical) in [
            ("HTTPS://API.Example.COM", "https://api.example.com/"),
            (
                "https://api.example.com:443/v1",
                "https://api.example.com/v1",
            ),
            (
                "http://api.example.com:443/v1/",
                "http://api.example.com:443/v1/",
            ),
            ("http://[0:0:0:0:0:0:0:1]:80/", "http://[::1]/"),
            ("https://*.Example.com", "https://*.example.com/"),
            (
                "https://api.example.com/a%20%e2%82%ac",
                "https://api.example.com/a%20%E2%82%AC",
            ),
            (
                "https://xn--bcher-kva.example",
                "https://xn--bcher-kva.example/",
            ),
            ("http://my_service:3000", "http://my_service:3000/"),
        ] {
            assert_eq!(
                Rule::parse(text).map(|rule| rule.to_string()),
                Ok(canonical.to_owned()),
                "{text:?}"
            );
        }
    }

    #[test]
    fn methods_are_capitals_and_at_least_one() {
        let rule = || Rule::parse("https://api.example.com/").unwrap();
        let granted = rule().with_methods(["POST", "GET"]).unwrap();
        assert_eq!(
            granted.methods().unwrap().collect::<Vec<_>>(),
            ["GET", "POST"]
        );
        assert!(rule().methods().is_none());
        assert_eq!(rule().with_methods::<&str>([]), Err(RuleError::NoMethods));
        for method in ["get", "CONNECT", "TRACE", "", "GE T", "GET\r\n"] {
            assert!(
                matches!(rule().with_methods([method]), Err(RuleError::Method(_))),
                "{method:?}"
            );
        }
    }
}
