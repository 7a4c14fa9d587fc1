//! Which requests are looked at: `Host` and `Origin`.
//!
//! A web page that a person has open can send requests to servers on their machine, under a name
//! that resolves to it (DNS rebinding) or from its own origin. So a request has to name the
//! server as the operator does, and one that a page sent has to come from an origin that
//! the operator listed:
//!
//! | `Host` | accepted |
//! |---|---|
//! | the address and port that the server listens on | yes |
//! | `localhost`, `127.0.0.1` or `[::1]` with that port, when it listens on loopback | yes |
//! | an entry of `allowed-hosts`; one without a port is good with any | yes |
//! | anything else, none, or more than one | no |
//!
//! | `Origin` | accepted |
//! |---|---|
//! | none | yes: no page sent it |
//! | exactly an entry of `allowed-origins` | yes |
//! | anything else, `null` too, or more than one | no |

use std::net::SocketAddr;

use http::header::{HOST, ORIGIN};
use http::{HeaderMap, HeaderName, Uri};

/// What is accepted.
#[derive(Debug, Clone)]
pub struct Gate {
    hosts: Vec<(String, Option<u16>)>,
    origins: Vec<String>,
}

/// Why a request is not looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Its `Host`.
    Host,
    /// Its `Origin`.
    Origin,
}

impl Refusal {
    /// The word for it, in numbers and messages.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Origin => "origin",
        }
    }
}

impl Gate {
    /// The gate of a server that listens on `address`.
    #[must_use]
    pub fn new(address: SocketAddr, allowed_hosts: &[String], allowed_origins: &[String]) -> Self {
        let port = Some(address.port());
        let host = match address {
            SocketAddr::V4(v4) => v4.ip().to_string(),
            SocketAddr::V6(v6) => format!("[{}]", v6.ip()),
        };
        let mut hosts = vec![(host, port)];
        if address.ip().is_loopback() {
            hosts.extend(["localhost", "127.0.0.1", "[::1]"].map(|host| (host.to_owned(), port)));
        }
        hosts.extend(allowed_hosts.iter().map(|entry| split(entry)));
        Self {
            hosts,
            origins: allowed_origins
                .iter()
                .map(|origin| origin.trim_end_matches('/').to_ascii_lowercase())
                .collect(),
        }
    }

    /// Looks at the headers of a request.
    ///
    /// # Errors
    ///
    /// What is not accepted.
    pub fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = one(headers, &HOST).ok_or(Refusal::Host)?;
        if !self.accepts_host(host) {
            return Err(Refusal::Host);
        }
        // A request with a whole URL as its target names a host twice.
        if uri
            .authority()
            .is_some_and(|authority| !authority.as_str().eq_ignore_ascii_case(host))
        {
            return Err(Refusal::Host);
        }
        if headers.contains_key(ORIGIN) {
            let origin = one(headers, &ORIGIN).ok_or(Refusal::Origin)?;
            if !self
                .origins
                .iter()
                .any(|accepted| accepted.eq_ignore_ascii_case(origin))
            {
                return Err(Refusal::Origin);
            }
        }
        Ok(())
    }

    fn accepts_host(&self, host: &str) -> bool {
        let (name, port) = split(host);
        self.hosts.iter().any(|(accepted, accepted_port)| {
            *accepted == name && (accepted_port.is_none() || *accepted_port == port)
        })
    }
}

/// The value of a header that is there once and is text.
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

/// Name and port of an authority. A port that is not a number belongs to the name, which then
/// equals nothing.
fn split(authority: &str) -> (String, Option<u16>) {
    let authority = authority.to_ascii_lowercase();
    let colon = authority
        .rfind(':')
        .filter(|colon| *colon > authority.rfind(']').unwrap_or(0));
    let port = colon.and_then(|colon| {
        let digits = authority.get(colon + 1..)?;
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| digits.parse().ok()).flatten()
    });
    match (colon, port) {
        (Some(colon), Some(port)) => (
            authority.get(..colon).unwrap_or_default().to_owned(),
            Some(port),
        ),
        _ => (authority, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn gate() -> Gate {
        Gate::new(
            "127.0.0.1:8080".parse().unwrap(),
            &["tools.example.com".to_owned(), "proxy:9000".to_owned()],
            &["https://app.example.com".to_owned()],
        )
    }

    fn check(headers: &[(HeaderName, &str)]) -> Result<(), Refusal> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, HeaderValue::from_str(value).unwrap());
        }
        gate().check(&Uri::from_static("/mcp"), &map)
    }

    #[test]
    fn the_server_has_to_be_named_as_the_operator_names_it() {
        for (host, accepted) in [
            ("127.0.0.1:8080", true),
            ("localhost:8080", true),
            ("LOCALHOST:8080", true),
            ("[::1]:8080", true),
            ("tools.example.com", true),
            ("tools.example.com:443", true),
            ("proxy:9000", true),
            ("proxy", false),
            ("proxy:9001", false),
            ("localhost", false),
            ("localhost:80", false),
            ("localhost:", false),
            ("localhost:8080x", false),
            ("localhost:08080 ", false),
            ("localhost.:8080", false),
            ("evil.com:8080", false),
            ("evil.com", false),
            ("localhost:8080@evil.com", false),
            ("tools.example.com.evil.com", false),
            ("", false),
        ] {
            assert_eq!(check(&[(HOST, host)]).is_ok(), accepted, "{host}");
        }
        assert_eq!(check(&[]), Err(Refusal::Host));
        let twice = [(HOST, "localhost:8080"), (HOST, "localhost:8080")];
        assert_eq!(check(&twice), Err(Refusal::Host));
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_static("localhost:8080"));
        let other = Uri::from_static("http://evil.com/mcp");
        assert_eq!(gate().check(&other, &headers), Err(Refusal::Host));
    }

    #[test]
    fn a_page_has_to_be_listed() {
        let with = |origin: &str| check(&[(HOST, "localhost:8080"), (ORIGIN, origin)]);
        assert_eq!(with("https://app.example.com"), Ok(()));
        for origin in [
            "http://app.example.com",
            "https://app.example.com:8443",
            "https://app.example.com.evil.com",
            "http://localhost:8080",
            "null",
            "",
        ] {
            assert_eq!(with(origin), Err(Refusal::Origin), "{origin}");
        }
        let twice = [
            (HOST, "localhost:8080"),
            (ORIGIN, "https://app.example.com"),
            (ORIGIN, "https://evil.com"),
        ];
        assert_eq!(check(&twice), Err(Refusal::Origin));
    }

    #[test]
    fn beyond_loopback_localhost_is_nobody() {
        let gate = Gate::new("192.0.2.1:80".parse().unwrap(), &[], &[]);
        let mut headers = HeaderMap::new();
        for (host, accepted) in [("192.0.2.1:80", true), ("localhost:80", false)] {
            headers.insert(HOST, HeaderValue::from_str(host).unwrap());
            let checked = gate.check(&Uri::from_static("/"), &headers);
            assert_eq!(checked.is_ok(), accepted, "{host}");
        }
    }
}
