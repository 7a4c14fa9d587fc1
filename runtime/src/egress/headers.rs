//! Which headers a guest may send, and the headers that go out.
//!
//! | header | why a guest may not set it |
//! |---|---|
//! | `host` | names another site on the same server |
//! | `connection`, `keep-alive`, `upgrade`, `te`, `trailer`, `http2-settings`, `proxy-*` | belong to the connection, which is the runtime's |
//! | `transfer-encoding`, `expect` | change where the request ends |
//! | `x-original-url`, `x-rewrite-url` | some servers take the path from them, past the check |
//! | `forwarded`, `x-forwarded-host`, `x-host` and the like | some servers take the host from them |
//!
//! `accept-encoding` may be set and is not sent: see "Compression" in the
//! [module above](super).
//!
//! `_` counts as `-` in all of them: CGI and its heirs do not tell the two apart.
//! Method overrides (`x-http-method-override`) are only refused where a grant lists
//! methods; a server may also take the method from a form field, which nothing here sees.

use http::header::{ACCEPT_ENCODING, CONTENT_LENGTH, HOST};
use http::{HeaderMap, HeaderName, HeaderValue};
use wasmtime_wasi_http::DEFAULT_FORBIDDEN_HEADERS;

use super::denial::Reason;
use crate::grants::RequestTarget;

/// Forbidden beyond the headers that `wasi:http` forbids.
const FORBIDDEN: [&str; 14] = [
    "te",
    "trailer",
    "expect",
    "forwarded",
    "x-forwarded-host",
    "x-forwarded-server",
    "x-forwarded-port",
    "x-forwarded-proto",
    "x-forwarded-prefix",
    "x-host",
    "x-original-host",
    "x-http-host-override",
    "x-original-url",
    "x-rewrite-url",
];

/// Headers that make a server act on another method than the request's.
const METHOD_OVERRIDES: [&str; 3] = [
    "x-http-method-override",
    "x-http-method",
    "x-method-override",
];

/// Whether a guest may neither send nor see this header.
pub(super) fn is_forbidden(name: &HeaderName) -> bool {
    let name = name.as_str().replace('_', "-");
    name.starts_with("proxy-")
        || FORBIDDEN.contains(&name.as_str())
        || DEFAULT_FORBIDDEN_HEADERS
            .iter()
            .any(|forbidden| forbidden.as_str() == name)
}

/// The header that would override the method, if one is there.
pub(super) fn method_override(headers: &HeaderMap) -> Option<&'static str> {
    headers.keys().find_map(|name| {
        let name = name.as_str().replace('_', "-");
        METHOD_OVERRIDES
            .into_iter()
            .find(|overriding| *overriding == name)
    })
}

/// The headers to send: `Host` from the target, the guest's without the forbidden ones.
pub(super) fn rebuild(guest: &HeaderMap, target: &RequestTarget) -> Result<HeaderMap, Reason> {
    let mut headers = HeaderMap::with_capacity(guest.len().saturating_add(2));
    // The target's parts are checked, so its text is always a header value.
    let host = HeaderValue::try_from(target.host_header()).map_err(|_| Reason::ContentLength)?;
    headers.insert(HOST, host);
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    for (name, value) in guest {
        if is_forbidden(name) || *name == ACCEPT_ENCODING {
            continue;
        }
        // Two lengths, or one that servers read differently, move the end of the request.
        let plain = value.as_bytes().iter().all(u8::is_ascii_digit) && !value.is_empty();
        if *name == CONTENT_LENGTH && (!plain || headers.contains_key(CONTENT_LENGTH)) {
            return Err(Reason::ContentLength);
        }
        headers.append(name, value.clone());
    }
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(fields: &[(&'static str, &'static str)]) -> HeaderMap {
        fields
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .fold(HeaderMap::new(), |mut map, (name, value)| {
                map.append(name, value);
                map
            })
    }

    #[test]
    fn forbidden_headers_are_known_in_every_spelling() {
        for name in [
            "host",
            "connection",
            "transfer-encoding",
            "transfer_encoding",
            "upgrade",
            "te",
            "expect",
            "proxy-anything",
            "x-original-url",
            "x_original_url",
            "x-forwarded-host",
            "keep-alive",
            "http2-settings",
        ] {
            assert!(is_forbidden(&HeaderName::from_static(name)), "{name}");
        }
        for name in [
            "authorization",
            "cookie",
            "content-type",
            "content-length",
            "accept",
            "x-api-key",
            "user-agent",
        ] {
            assert!(!is_forbidden(&HeaderName::from_static(name)), "{name}");
        }
    }

    #[test]
    fn what_goes_out_has_the_targets_host_and_one_length() {
        let target = RequestTarget::parse("GET", "http://h.example:81/").unwrap();
        let guest = map(&[
            ("host", "evil.net"),
            ("x-rewrite-url", "/admin"),
            ("a", "1"),
            ("a", "2"),
            ("content-length", "3"),
            ("accept-encoding", "gzip, br"),
        ]);
        let headers = rebuild(&guest, &target).unwrap();
        assert_eq!(
            headers.get_all(HOST).iter().collect::<Vec<_>>(),
            ["h.example:81"]
        );
        assert_eq!(headers.get_all("a").iter().count(), 2);
        assert_eq!(headers[ACCEPT_ENCODING], "identity");
        assert_eq!(headers.len(), 5);
        for lengths in [&["3", "3"][..], &["+3"], &["3, 3"], &[""], &["0x3"]] {
            let guest: Vec<_> = lengths
                .iter()
                .map(|length| ("content-length", *length))
                .collect();
            assert_eq!(
                rebuild(&map(&guest), &target),
                Err(Reason::ContentLength),
                "{lengths:?}"
            );
        }
    }
}
