//! Properties that hold for every rule and request, found or not yet thought of.

use proptest::prelude::*;
use proptest::sample::select;
use url::Url;

use super::syntax::segments;
use super::{Host, HostPattern, RequestTarget, Rule, RuleSet, Scheme, redact};

/// Text that is nearly a URL: pieces that parsers disagree about, in any order.
fn hostile_url() -> impl Strategy<Value = String> {
    let scheme = select(vec![
        "https://",
        "http://",
        "HTTPS://",
        "https:/",
        "https:",
        "//",
        "ftp://",
        "https:///",
        "",
    ]);
    let host = prop::collection::vec(
        select(vec![
            "api.example.com",
            "API.Example.com",
            "a.example.com",
            "example.com",
            "evil.net",
            "127.0.0.1",
            "127.1",
            "0x7f.1",
            "2130706433",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[fe80::1%25e]",
            "localhost",
            "xn--api-",
            "xn--bcher-kva",
            "xn--",
            ".",
            "@",
            ":",
            "%2e",
            "-",
            "_",
            "*",
            ",",
            ";",
            "user:pw@",
            "1",
            "\\",
            " ",
            "\t",
            "é",
            "。",
            "．",
        ]),
        1..4,
    );
    let port = select(vec![
        "", "", "", ":443", ":80", ":8443", ":", ":0", ":0443", ":99999", ":x", ":443:80", ":-1",
    ]);
    let path = prop::collection::vec(
        select(vec![
            "/",
            "/",
            "v1",
            "v1",
            "/v1/",
            "orders",
            ".",
            "..",
            "%2e",
            "%2E",
            ".%2e",
            "%252e",
            "%2f",
            "%5c",
            "%5C",
            "\\",
            ";",
            "%3b",
            "%",
            "%25",
            "%00",
            "%0a",
            "%c0%ae",
            "%ef%bc%8e",
            "%E2%82%AC",
            "%20",
            "a",
            "A",
            "~",
            "(",
            "[",
            "|",
            "{",
            "\"",
            "%zz",
            "//",
            "é",
            "\r\n",
            "\t",
            ":",
            "@",
            "*",
            "x=1",
        ]),
        0..9,
    );
    let rest = select(vec![
        "",
        "",
        "?x=1",
        "?/../",
        "?#",
        "#f",
        "#/../",
        "?a=%2e%2e",
        "?\\",
        "? ",
    ]);
    (scheme, host, port, path, rest).prop_map(|(scheme, host, port, path, rest)| {
        format!("{scheme}{}{port}{}{rest}", host.concat(), path.concat())
    })
}

/// URLs of which most are fine, so that what is allowed is also exercised.
fn plausible_url() -> impl Strategy<Value = String> {
    let host = select(vec![
        "api.example.com",
        "API.EXAMPLE.COM",
        "a.b.example.com",
        "127.0.0.1",
        "[::1]",
    ]);
    let port = select(vec!["", "", ":443", ":8443"]);
    let segment = "[a-zA-Z0-9._~;=:@!$&'()*+,%-]{0,6}|v1|v1|%20|%E2%82%AC|\\.\\.|%2[eEfF]|%25";
    (
        select(vec!["https", "http"]),
        host,
        port,
        prop::collection::vec(segment, 0..5),
        "(\\?[!-~]{0,12})?",
    )
        .prop_map(|(scheme, host, port, path, query)| {
            format!("{scheme}://{host}{port}/{}{query}", path.join("/"))
        })
}

fn any_url() -> impl Strategy<Value = String> {
    prop_oneof![hostile_url(), plausible_url(), plausible_url(), ".{0,40}"]
}

fn any_rule() -> impl Strategy<Value = String> {
    prop_oneof![
        hostile_url(),
        plausible_url(),
        select(vec![
            "https://api.example.com/v1/",
            "https://api.example.com/v1",
            "https://api.example.com",
            "https://*.example.com/",
            "http://127.0.0.1/",
            "http://[::1]/v1/",
            "https://api.example.com/a%20b/",
        ])
        .prop_map(str::to_owned),
    ]
}

/// A rule and a URL that starts like it, so that many of the URLs are under the rule.
fn rule_and_url() -> impl Strategy<Value = (String, String)> {
    let tail = prop::collection::vec(
        select(vec![
            "/",
            "/",
            "/",
            "a",
            "b.c",
            "..",
            ".",
            "%2e",
            "%2E%2e",
            "%2f",
            "%5c",
            ";",
            ";x=1",
            "%3b",
            "%25",
            "%252e",
            "%20",
            "~",
            "%c0%ae",
            "%ef%bc%8e",
            "%ef%bc%8f",
            "%E2%82%AC",
            "%41",
            "//",
            "?x",
            "?/../",
            "#f",
            ":",
            "@",
            "*",
            "evil",
            "%00",
        ]),
        0..7,
    );
    let rule = prop_oneof![
        select(vec![
            "https://api.example.com/v1/",
            "https://api.example.com/v1",
            "https://api.example.com",
            "https://api.example.com:8443/a%20b/c.d/",
            "http://127.0.0.1/v1;x=1",
            "http://[::1]/v1/",
        ])
        .prop_map(str::to_owned),
        plausible_url(),
    ];
    (rule, tail).prop_map(|(rule, tail)| {
        let url = format!("{rule}{}", tail.concat());
        (rule, url)
    })
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_rules_text_parses_to_the_same_rule(text in any_rule()) {
        if let Ok(rule) = Rule::parse(&text) {
            let again = Rule::parse(&rule.to_string());
            prop_assert_eq!(again, Ok(rule.clone()));
            prop_assert_eq!(Rule::parse(&rule.to_string()).map(|rule| rule.to_string()), Ok(rule.to_string()));
        }
    }

    #[test]
    fn what_is_allowed_stays_under_the_rule_after_any_decoding(
        (rule, url) in prop_oneof![(any_rule(), any_url()), rule_and_url(), rule_and_url()],
    ) {
        let (Ok(rule), Ok(target)) = (Rule::parse(&rule), RequestTarget::parse("GET", &url)) else { return Ok(()) };
        let rules = RuleSet::new(vec![rule.clone()]);
        if rules.check(&target).is_err() { return Ok(()) }
        prop_assert_eq!(rule.scheme(), target.scheme());
        prop_assert_eq!(rule.port(), target.port());
        match (rule.host(), target.host()) {
            (HostPattern::Exact(host), other) => prop_assert_eq!(host, other),
            (HostPattern::Below(suffix), Host::Name(name)) => {
                let ending = format!(".{suffix}");
                prop_assert!(name.ends_with(&ending) && name.len() > ending.len());
            }
            (HostPattern::Below(_), other) => prop_assert!(false, "{other} is not below a name"),
        }
        let text = rule.to_string();
        let granted = Url::parse(&text.replace("*.", "x.")).unwrap();
        let mut prefix = granted.path().to_owned();
        let mut path = target.path().to_owned();
        for round in 0..3 {
            let (prefix_segments, path_segments) = (resolve(&prefix), resolve(&path));
            prop_assert!(path_segments.starts_with(&prefix_segments), "{url:?} leaves {text} after {round} decodings");
            prefix = decode(&prefix);
            path = decode(&path);
        }
    }

    #[test]
    fn what_another_parser_reads_differently_is_refused(
        url in prop_oneof![any_url(), rule_and_url().prop_map(|(_, url)| url)],
    ) {
        let Ok(target) = RequestTarget::parse("GET", &url) else { return Ok(()) };
        let other = match Url::parse(&url) {
            Ok(other) => other,
            Err(error) => return Err(TestCaseError::fail(format!("{url:?} is accepted, but `url` says {error}"))),
        };
        prop_assert_eq!(target.scheme().as_str(), other.scheme(), "scheme of {:?}", &url);
        prop_assert_eq!(Some(target.host().to_string()), other.host_str().map(str::to_owned), "host of {:?}", &url);
        prop_assert_eq!(Some(target.port()), other.port_or_known_default(), "port of {:?}", &url);
        prop_assert_eq!(target.path(), other.path(), "path of {:?}", &url);
        prop_assert!(other.username().is_empty() && other.password().is_none(), "user of {:?}", &url);

        // And the library that puts it on the wire.
        let sent: http::Uri = match format!("{}{}", target.origin(), target.origin_form()).parse() {
            Ok(sent) => sent,
            // Refused there too: nothing is sent.
            Err(_) => return Ok(()),
        };
        prop_assert_eq!(Some(target.scheme().as_str()), sent.scheme_str());
        prop_assert_eq!(sent.host().map(str::to_owned), Some(target.host().to_string()));
        let default = match target.scheme() { Scheme::Http => 80, Scheme::Https => 443 };
        prop_assert_eq!(sent.port_u16().unwrap_or(default), target.port());
        prop_assert_eq!(sent.path(), target.path());
    }

    #[test]
    fn the_parts_of_a_request_are_read_like_its_url(url in any_url()) {
        let Ok(uri) = url.parse::<http::Uri>() else { return Ok(()) };
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return Ok(()) };
        let parts = RequestTarget::from_parts(
            "GET",
            Some(scheme),
            Some(authority.as_str()),
            uri.path_and_query().map(http::uri::PathAndQuery::as_str),
        );
        if let Ok(whole) = RequestTarget::parse("GET", &url) {
            prop_assert_eq!(parts, Ok(whole));
        }
    }

    #[test]
    fn a_wildcard_never_covers_its_apex_or_a_longer_suffix(label in "[a-z0-9]{1,8}", url in any_url()) {
        let rule = Rule::parse("https://*.example.com/").unwrap();
        let covers = |host: &str| {
            RequestTarget::parse("GET", &format!("https://{host}/")).is_ok_and(|target| rule.matches(&target).is_ok())
        };
        prop_assert!(covers(&format!("{label}.example.com")), "{}", label);
        let longer = format!("{label}.example.com.evil.net");
        let joined = format!("{label}example.com");
        prop_assert!(!covers("example.com") && !covers(&longer) && !covers(&joined));
        if let Ok(target) = RequestTarget::parse("GET", &url) && rule.matches(&target).is_ok() {
            prop_assert!(target.host().to_string().ends_with(".example.com"));
        }
    }

    #[test]
    fn a_shown_url_hides_users_and_query_values(
        user in "[a-z0-9]{6,12}", value in "[a-z0-9]{6,12}", url in any_url(),
    ) {
        let shown = redact(&format!("https://q{user}:pw@h.example/p?k=q{value}"));
        prop_assert!(!shown.contains(&format!("q{user}")) && !shown.contains(&format!("q{value}")), "{}", shown);
        let shown = redact(&url);
        prop_assert!(shown.bytes().all(|byte| byte.is_ascii_graphic()), "{}", shown);
    }

    #[test]
    fn nothing_panics(rule in ".{0,60}", method in ".{0,10}", url in ".{0,60}") {
        let _ = Rule::parse(&rule);
        let _ = RequestTarget::parse(&method, &url);
        let _ = RequestTarget::from_parts(&method, Some(&rule), Some(&url), Some(&url));
        let _ = segments(&url).count();
    }
}
