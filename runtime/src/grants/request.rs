//! Where a request goes, read strictly.
//!
//! A request that could be read in two ways is refused and not repaired, because the
//! server, a proxy in front of it and this runtime may each repair it in another way.
//! What is sent is built from the parts of the [`RequestTarget`], never from the guest's
//! text, so the thing that was checked is the thing that goes out.
//!
//! | refused in a request | the attack |
//! |---|---|
//! | userinfo | `https://api.example.com@evil.net/` starts with the granted text |
//! | `host:`, `host:junk`, `host:0443`, `host:99999` | the policy sees the default port, the `Host` header has the junk |
//! | a trailing dot, percent signs, false punycode in a host | another name that looks the same |
//! | `127.1`, `0x7f.0.0.1`, `2130706433`, zone ids | loopback in other clothes |
//! | `.` and `..`, raw, encoded, half-encoded, before a `;` | leaves the prefix on the server |
//! | `%2f`, `%5c`, a backslash | becomes a separator after the check |
//! | `%25` in a path | becomes a dot or a slash after a second decoding |
//! | bytes that are not UTF-8, fullwidth dots and slashes | overlong or compatibility spellings of a separator |
//! | an empty segment before the last | merged, or taken for `//host` behind a proxy that strips a prefix |
//! | control characters, blanks, raw non-ASCII | split the request line or the header |
//! | an absolute URL or `*` as the path | addresses the request to another host |
//! | CONNECT, TRACE and their look-alikes | a tunnel; an echo of headers that the guest cannot see |
//!
//! A fragment is dropped: it is never part of what is sent. The query is sent as it is.

use std::fmt;

use super::syntax::{self, Host, Scheme, UrlError};

/// A request's method and URL, in one reading.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RequestTarget {
    method: String,
    scheme: Scheme,
    host: Host,
    port: u16,
    path: String,
    query: Option<String>,
}

/// Why a request is ambiguous, or may never be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RequestError {
    /// The URL can be read in more than one way.
    Url(UrlError),
    /// Not a method: a token of capitals, digits and `-`, at most 32 long.
    ///
    /// Methods are case-sensitive, but some servers accept `get` for `GET`, so a method
    /// in lower case would be one thing to the grant and another to the server.
    MethodSyntax,
    /// CONNECT opens a tunnel past the checks.
    Connect,
    /// TRACE, and TRACK, send the request's headers back.
    Trace,
    /// The path and the query hold a fragment, which would be cut off later.
    Fragment,
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(error) => write!(f, "{error}"),
            Self::MethodSyntax => f.write_str("its method is not a word in capitals"),
            Self::Connect => f.write_str("CONNECT is never sent"),
            Self::Trace => f.write_str("TRACE is never sent"),
            Self::Fragment => f.write_str("its path has a fragment"),
        }
    }
}

impl std::error::Error for RequestError {}

impl From<UrlError> for RequestError {
    fn from(error: UrlError) -> Self {
        Self::Url(error)
    }
}

impl RequestTarget {
    /// Reads a method and an absolute URL.
    ///
    /// # Errors
    ///
    /// Why the request is ambiguous.
    pub fn parse(method: &str, url: &str) -> Result<Self, RequestError> {
        let parts = syntax::split(url)?;
        Self::build(
            method,
            parts.scheme,
            parts.authority,
            parts.path,
            parts.query,
        )
    }

    /// Reads the parts of a request as `wasi:http` gives them: an absent scheme or
    /// authority is an error, an absent path is `/`.
    ///
    /// # Errors
    ///
    /// Why the request is ambiguous.
    pub fn from_parts(
        method: &str,
        scheme: Option<&str>,
        authority: Option<&str>,
        path_and_query: Option<&str>,
    ) -> Result<Self, RequestError> {
        let scheme = Scheme::parse(scheme.ok_or(UrlError::NotAbsolute)?)?;
        let authority = authority.ok_or(UrlError::NoHost)?;
        let path_and_query = path_and_query.unwrap_or_default();
        syntax::check_characters(authority)?;
        syntax::check_characters(path_and_query)?;
        if path_and_query.contains('#') {
            return Err(RequestError::Fragment);
        }
        let (path, query) = match path_and_query.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (path_and_query, None),
        };
        Self::build(method, scheme, authority, path, query)
    }

    fn build(
        method: &str,
        scheme: Scheme,
        authority: &str,
        path: &str,
        query: Option<&str>,
    ) -> Result<Self, RequestError> {
        check_method(method)?;
        let (host, port) = syntax::split_authority(authority)?;
        let host = syntax::parse_host(host)?;
        let path = if path.is_empty() { "/" } else { path };
        syntax::check_path(path)?;
        Ok(Self {
            method: method.to_owned(),
            scheme,
            host,
            port: port.unwrap_or_else(|| scheme.default_port()),
            path: path.to_owned(),
            query: query.map(str::to_owned),
        })
    }

    /// The method.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The scheme.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The host, which is also the name that a certificate must have.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The port to connect to.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The path as it was written; it starts with a slash.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The path, and the query without its `?`.
    pub fn path_and_query(&self) -> (&str, Option<&str>) {
        (&self.path, self.query.as_deref())
    }

    /// What to write after the method in the request line (RFC 9112, 3.2.1).
    pub fn origin_form(&self) -> String {
        match &self.query {
            Some(query) => format!("{}?{query}", self.path),
            None => self.path.clone(),
        }
    }

    /// What to write in the `Host` header: the port only where it is not the scheme's.
    pub fn host_header(&self) -> String {
        if self.port == self.scheme.default_port() {
            self.host.to_string()
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> String {
        format!("{}://{}", self.scheme, self.host_header())
    }

    /// The whole URL.
    pub fn url(&self) -> String {
        format!("{}{}", self.origin(), self.origin_form())
    }

    /// The URL as it may be shown: query values are left out.
    pub fn redacted(&self) -> String {
        syntax::redact(&self.url())
    }
}

/// Refuses a method that may not be sent.
pub(super) fn check_method(method: &str) -> Result<(), RequestError> {
    const LONGEST: usize = 32;
    if method.eq_ignore_ascii_case("CONNECT") {
        return Err(RequestError::Connect);
    }
    if method.eq_ignore_ascii_case("TRACE") || method.eq_ignore_ascii_case("TRACK") {
        return Err(RequestError::Trace);
    }
    let word = method
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-');
    // `PRI` is the first word of an HTTP/2 connection, not a method.
    if method.is_empty() || method.len() > LONGEST || !word || method == "PRI" {
        return Err(RequestError::MethodSyntax);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ambiguous_request_is_refused_for_its_own_reason() {
        for (method, url, expected) in [
            ("connect", "https://h.example/", RequestError::Connect),
            ("Trace", "https://h.example/", RequestError::Trace),
            ("TRACK", "https://h.example/", RequestError::Trace),
            ("get", "https://h.example/", RequestError::MethodSyntax),
            ("", "https://h.example/", RequestError::MethodSyntax),
            (
                "GET /x HTTP/1.1\r\nX:",
                "https://h.example/",
                RequestError::MethodSyntax,
            ),
            ("PRI", "https://h.example/", RequestError::MethodSyntax),
            (
                "GET",
                "https://h.example/%c0%ae%c0%ae/x",
                RequestError::Url(UrlError::NotUtf8),
            ),
            (
                "GET",
                "https://h.example/%e0%80%ae/x",
                RequestError::Url(UrlError::NotUtf8),
            ),
            (
                "GET",
                "https://h.example/%ef%bc%8e%ef%bc%8e/x",
                RequestError::Url(UrlError::Lookalike),
            ),
            (
                "GET",
                "https://h.example/a%ef%bc%8fb",
                RequestError::Url(UrlError::Lookalike),
            ),
            (
                "GET",
                "https://h.example/a%e2%88%95b",
                RequestError::Url(UrlError::Lookalike),
            ),
            (
                "GET",
                "https://h.example/...",
                RequestError::Url(UrlError::DotSegment),
            ),
            (
                "GET",
                "https://h.example/..%20/x",
                RequestError::Url(UrlError::DotSegment),
            ),
            (
                "GET",
                "https://h.example/%20../x",
                RequestError::Url(UrlError::DotSegment),
            ),
            (
                "GET",
                "https://h.example/..%3bx/y",
                RequestError::Url(UrlError::DotSegment),
            ),
            (
                "GET",
                "https://h.example/.;/y",
                RequestError::Url(UrlError::DotSegment),
            ),
            (
                "GET",
                "https://h.example/a/..",
                RequestError::Url(UrlError::DotSegment),
            ),
            (
                "GET",
                "https://h.example/;/y",
                RequestError::Url(UrlError::EmptySegment),
            ),
            (
                "GET",
                "https://h.example/a//b",
                RequestError::Url(UrlError::EmptySegment),
            ),
            (
                "GET",
                "https://h.example/a//",
                RequestError::Url(UrlError::EmptySegment),
            ),
            (
                "GET",
                "https://h.example/%25%32%65",
                RequestError::Url(UrlError::DoubleEncoding),
            ),
            (
                "GET",
                "https://h.example/%%32e",
                RequestError::Url(UrlError::BadEncoding),
            ),
            (
                "GET",
                "https://h.example/%u002e",
                RequestError::Url(UrlError::BadEncoding),
            ),
            (
                "GET",
                "https://h.example/%2",
                RequestError::Url(UrlError::BadEncoding),
            ),
            (
                "GET",
                "https://h.example/a%0d%0ab",
                RequestError::Url(UrlError::EncodedControl),
            ),
            (
                "GET",
                "https://h.example/a%c2%85b",
                RequestError::Url(UrlError::EncodedControl),
            ),
            (
                "GET",
                "https://h.example/a|b",
                RequestError::Url(UrlError::PathCharacter),
            ),
            (
                "GET",
                "https://h.example/[a]",
                RequestError::Url(UrlError::PathCharacter),
            ),
            (
                "GET",
                "https://h.example/?a=\\",
                RequestError::Url(UrlError::Backslash),
            ),
            (
                "GET",
                "https://h.example/?a=\t",
                RequestError::Url(UrlError::Control),
            ),
            (
                "GET",
                "https://h.example\\@evil.net/",
                RequestError::Url(UrlError::Backslash),
            ),
            (
                "GET",
                "https://h.example;evil.net/",
                RequestError::Url(UrlError::HostSyntax),
            ),
            (
                "GET",
                "https://h.example%00.evil.net/",
                RequestError::Url(UrlError::EncodedHost),
            ),
            (
                "GET",
                "https://h.example%2f@evil.net/",
                RequestError::Url(UrlError::Userinfo),
            ),
            (
                "GET",
                "https:///h.example/",
                RequestError::Url(UrlError::NoHost),
            ),
            (
                "GET",
                "https:h.example/",
                RequestError::Url(UrlError::NotAbsolute),
            ),
            (
                "GET",
                "h.example/?u=https://x",
                RequestError::Url(UrlError::NotAbsolute),
            ),
            (
                "GET",
                "https://[::1]:80:80/",
                RequestError::Url(UrlError::PortSyntax),
            ),
            (
                "GET",
                "https://[fe80::1%25lo]/",
                RequestError::Url(UrlError::ZoneId),
            ),
            (
                "GET",
                "https://[::1]evil/",
                RequestError::Url(UrlError::HostSyntax),
            ),
            (
                "GET",
                "https://[v1.x]/",
                RequestError::Url(UrlError::Ipv6Syntax),
            ),
            (
                "GET",
                "https://xn--/",
                RequestError::Url(UrlError::HostSyntax),
            ),
            (
                "GET",
                "https://xn--a/",
                RequestError::Url(UrlError::Punycode),
            ),
            (
                "GET",
                "https://1.2.3/",
                RequestError::Url(UrlError::NumericHost),
            ),
            (
                "GET",
                "https://h.0x/",
                RequestError::Url(UrlError::NumericHost),
            ),
            (
                "GET",
                "https://１２７.0.0.1/",
                RequestError::Url(UrlError::NonAscii),
            ),
        ] {
            assert_eq!(
                RequestTarget::parse(method, url),
                Err(expected),
                "{method} {url:?}"
            );
        }
    }

    #[test]
    fn parts_are_read_as_the_hook_sees_them() {
        let parts =
            |scheme, authority, path| RequestTarget::from_parts("GET", scheme, authority, path);
        let host = Some("h.example");
        assert_eq!(parts(None, host, None), Err(UrlError::NotAbsolute.into()));
        assert_eq!(
            parts(Some("https"), None, None),
            Err(UrlError::NoHost.into())
        );
        assert_eq!(
            parts(Some("https"), Some(""), None),
            Err(UrlError::NoHost.into())
        );
        assert_eq!(
            parts(Some("gopher"), host, None),
            Err(UrlError::Scheme.into())
        );
        assert_eq!(
            parts(Some("https"), Some("h.example/v1"), None),
            Err(UrlError::HostSyntax.into())
        );
        for path in ["*", "http://evil.net/", "x"] {
            assert_eq!(
                parts(Some("https"), host, Some(path)),
                Err(UrlError::RelativePath.into()),
                "{path}"
            );
        }
        assert_eq!(
            parts(Some("https"), host, Some("/a#b")),
            Err(RequestError::Fragment)
        );
        let target = parts(Some("https"), Some("H.Example:443"), Some("?q=/../")).unwrap();
        assert_eq!(target.origin_form(), "/?q=/../");
        assert_eq!(target.host_header(), "h.example");
    }

    #[test]
    fn what_is_sent_is_built_from_the_parts() {
        let target =
            RequestTarget::parse("POST", "HTTP://[0:0::1]:8080/a%20b;v=1/?x=%2e%2e#frag").unwrap();
        assert_eq!(target.origin_form(), "/a%20b;v=1/?x=%2e%2e");
        assert_eq!(target.host_header(), "[::1]:8080");
        assert_eq!(target.origin(), "http://[::1]:8080");
        assert_eq!(target.redacted(), "http://[::1]:8080/a%20b;v=1/?x=...");
    }
}
