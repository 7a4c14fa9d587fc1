//! Properties that hold for every rule and request, found or not yet thought of.

use proptest::prelude::*;
use proptest::sample::select;

use super::syntax::segments;
use super::{RequestTarget, Rule, redact};
use crate::grants;

/// What must hold, for the fuzz targets as well.
#[path = "../../../fuzz/check.rs"]
mod check;

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

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_rules_text_parses_to_the_same_rule(text in any_rule()) {
        check::text_is_the_rule(&text);
    }

    #[test]
    fn what_is_allowed_stays_under_the_rule_after_any_decoding(
        (rule, url) in prop_oneof![(any_rule(), any_url()), rule_and_url(), rule_and_url()],
    ) {
        check::stays_under_the_rule(&rule, &url);
    }

    #[test]
    fn what_another_parser_reads_differently_is_refused(
        url in prop_oneof![any_url(), rule_and_url().prop_map(|(_, url)| url)],
    ) {
        check::is_read_alike(&url);
    }

    #[test]
    fn the_parts_of_a_request_are_read_like_its_url(url in any_url()) {
        check::parts_are_read_like_the_whole(&url);
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

#[test]
fn the_seeds_of_the_fuzz_targets_hold() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds");
    let mut seen = 0;
    for seed in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(seed.unwrap().path()).unwrap();
        for line in text.lines() {
            check::everything(line);
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}
