//! What must hold for every rule and every request: the properties of the grants, for
//! their property tests and for the fuzz targets alike. Each panics when it does not hold.
//!
//! Whatever two parsers disagree on is refused; whatever is allowed has the rule's scheme,
//! host and port, and a path under the rule's segments, after any decoding that a server
//! might do.

use super::grants::{Host, HostPattern, RequestTarget, Rule, RuleSet, Scheme, redact};
use url::Url;

/// Everything below, for a rule and a URL with a tab between them.
pub(crate) fn everything(text: &str) {
    let (rule, url) = text.split_once('\t').unwrap_or((text, text));
    text_is_the_rule(rule);
    stays_under_the_rule(rule, url);
    is_read_alike(url);
    parts_are_read_like_the_whole(url);
    assert!(
        redact(url).bytes().all(|byte| byte.is_ascii_graphic()),
        "{url:?}"
    );
}

/// A rule's text parses to the same rule.
pub(crate) fn text_is_the_rule(text: &str) {
    if let Ok(rule) = Rule::parse(text) {
        assert_eq!(Rule::parse(&rule.to_string()), Ok(rule), "{text:?}");
    }
}

/// What is allowed is under the rule, and stays there however often it is decoded.
pub(crate) fn stays_under_the_rule(rule: &str, url: &str) {
    let (Ok(rule), Ok(target)) = (Rule::parse(rule), RequestTarget::parse("GET", url)) else {
        return;
    };
    if RuleSet::new(vec![rule.clone()]).check(&target).is_err() {
        return;
    }
    assert_eq!(rule.scheme(), target.scheme());
    assert_eq!(rule.port(), target.port());
    match (rule.host(), target.host()) {
        (HostPattern::Exact(host), other) => assert_eq!(host, other),
        (HostPattern::Below(suffix), Host::Name(name)) => {
            let ending = format!(".{suffix}");
            assert!(
                name.ends_with(&ending) && name.len() > ending.len(),
                "{url:?}"
            );
        }
        (HostPattern::Below(_), other) => panic!("{other} is not below a name"),
    }
    let text = rule.to_string();
    let granted = Url::parse(&text.replace("*.", "x."));
    let mut prefix = granted.map(|url| upper(url.path())).unwrap_or_default();
    let mut path = upper(target.path());
    for round in 0..3 {
        let (prefix_segments, path_segments) = (resolve(&prefix), resolve(&path));
        assert!(
            path_segments.starts_with(&prefix_segments),
            "{url:?} leaves {text} after {round} decodings"
        );
        prefix = decode(&prefix);
        path = decode(&path);
    }
}

/// What is accepted is read alike by a browser's parser and by the library that puts it
/// on the wire.
pub(crate) fn is_read_alike(url: &str) {
    let Ok(target) = RequestTarget::parse("GET", url) else {
        return;
    };
    let other = match Url::parse(url) {
        Ok(other) => other,
        Err(error) => panic!("{url:?} is accepted, but `url` says {error}"),
    };
    let host = target.host().to_string();
    assert_eq!(
        target.scheme().as_str(),
        other.scheme(),
        "scheme of {url:?}"
    );
    assert_eq!(Some(host.as_str()), other.host_str(), "host of {url:?}");
    assert_eq!(
        Some(target.port()),
        other.port_or_known_default(),
        "port of {url:?}"
    );
    assert_eq!(target.path(), other.path(), "path of {url:?}");
    assert!(
        other.username().is_empty() && other.password().is_none(),
        "user of {url:?}"
    );

    let sent = format!("{}{}", target.origin(), target.origin_form()).parse::<http::Uri>();
    // Refused there too: nothing is sent.
    let Ok(sent) = sent else {
        return;
    };
    let default = match target.scheme() {
        Scheme::Http => 80,
        Scheme::Https => 443,
    };
    assert_eq!(Some(target.scheme().as_str()), sent.scheme_str());
    assert_eq!(sent.host(), Some(host.as_str()));
    assert_eq!(sent.port_u16().unwrap_or(default), target.port());
    assert_eq!(sent.path(), target.path());
}

/// The parts that `wasi:http` gives are read as the whole URL is.
pub(crate) fn parts_are_read_like_the_whole(url: &str) {
    let Ok(uri) = url.parse::<http::Uri>() else {
        return;
    };
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return;
    };
    let path = uri.path_and_query().map(http::uri::PathAndQuery::as_str);
    let parts = RequestTarget::from_parts("GET", Some(scheme), Some(authority.as_str()), path);
    if let Ok(whole) = RequestTarget::parse("GET", url) {
        assert_eq!(parts, Ok(whole), "{url:?}");
    }
}

/// The digits of encodings in capitals: they mean the same either way (RFC 3986, 6.2.2.1).
fn upper(path: &str) -> String {
    let mut after = 3;
    path.chars()
        .map(|character| {
            after = if character == '%' { 0 } else { after + 1 };
            match after {
                1 | 2 => character.to_ascii_uppercase(),
                _ => character,
            }
        })
        .collect()
}

/// Decodes every percent-encoded byte that is well-formed, as a careless server does.
fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let encoded = after
            .get(..2)
            .and_then(|digits| std::str::from_utf8(digits).ok());
        match encoded.map(|digits| u8::from_str_radix(digits, 16)) {
            Some(Ok(decoded)) if byte == b'%' && !after.starts_with(b"+") => {
                bytes.push(decoded);
                rest = &after[2..];
            }
            _ => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Resolves dots, merges slashes and drops path parameters, as servers do in some order.
fn resolve(path: &str) -> Vec<String> {
    let mut resolved: Vec<String> = Vec::new();
    for segment in path.replace('\\', "/").split('/') {
        match segment.split(';').next().unwrap_or_default().trim() {
            "" | "." => {}
            ".." => {
                resolved.pop();
            }
            other => resolved.push(other.to_owned()),
        }
    }
    resolved
}
