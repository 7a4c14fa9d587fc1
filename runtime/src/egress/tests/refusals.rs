//! What leaves, what does not, and what is said about it.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use wasmtime_wasi_http::Error;

use super::support::*;
use crate::egress::{Phase, Reason};
use crate::grants::{AddressRange, Consent, Refusal, Rule, RuleSet};

#[tokio::test]
async fn an_allowed_request_arrives_as_it_was_rebuilt() {
    let server = Server::start(Answer::Text(OK.to_owned())).await;
    let setup = Setup::new(&[&server.rule()]);
    let mut sent = request("POST", "http", &server.authority(), "/v1/a%20b?x=1&y=/../").unwrap();
    *sent.body_mut() = Full::new(Bytes::from_static(b"{}"))
        .map_err(|never| match never {})
        .boxed_unsync();
    let sent = with(sent, "host", "evil.net");
    let sent = with(sent, "connection", "upgrade");
    let sent = with(sent, "upgrade", "websocket");
    let sent = with(sent, "transfer-encoding", "chunked");
    let sent = with(sent, "x-rewrite-url", "/admin");
    let sent = with(sent, "content-length", "2");
    let sent = with(sent, "authorization", "Bearer t");
    assert_eq!(code(exchange(&setup, sent).await), "200 with 2 bytes");
    let head = server.heads().remove(0);
    let (line, fields) = head.split_once("\r\n").unwrap();
    assert_eq!(line, "POST /v1/a%20b?x=1&y=/../ HTTP/1.1");
    let mut fields: Vec<&str> = fields
        .split("\r\n\r\n")
        .next()
        .unwrap()
        .split("\r\n")
        .collect();
    fields.sort_unstable();
    let host = format!("host: {}", server.authority());
    assert_eq!(
        fields,
        [
            "accept-encoding: identity",
            "authorization: Bearer t",
            "content-length: 2",
            &host
        ]
    );
    assert!(
        head.ends_with("\r\n\r\n{}") || head.ends_with("\r\n\r\n"),
        "{head:?}"
    );
    assert!(setup.reasons().is_empty());
}

#[tokio::test]
async fn a_refused_request_never_connects() {
    let server = Server::start(Answer::Text(OK.to_owned())).await;
    let setup = Setup::new(&[&server.rule()])
        .resolver(Fixed::new(&["127.0.0.1"]))
        .consent(&["127.0.0.0/8"]);
    let port = server.port;
    let here = server.authority();
    for (method, scheme, authority, path) in [
        ("GET", "http", here.clone(), "/v2/x"),
        ("GET", "http", here.clone(), "/v1"),
        ("GET", "http", here.clone(), "/v1evil"),
        ("GET", "http", here.clone(), "/v1/../x"),
        ("GET", "http", here.clone(), "/v1/%2e%2e/x"),
        ("GET", "http", here.clone(), "/v1/..%2fx"),
        ("GET", "http", here.clone(), "/v1/%252e%252e/x"),
        ("GET", "http", here.clone(), "/V1/x"),
        ("GET", "http", here.clone(), "//v1/x"),
        ("GET", "http", here.clone(), "*"),
        ("GET", "https", here.clone(), "/v1/x"),
        ("GET", "ftp", here.clone(), "/v1/x"),
        ("GET", "http", format!("localhost:{port}"), "/v1/x"),
        ("GET", "http", format!("127.1:{port}"), "/v1/x"),
        ("GET", "http", format!("2130706433:{port}"), "/v1/x"),
        ("GET", "http", format!("0x7f.0.0.1:{port}"), "/v1/x"),
        ("GET", "http", format!("127.0.0.1.:{port}"), "/v1/x"),
        ("GET", "http", format!("[::ffff:127.0.0.1]:{port}"), "/v1/x"),
        ("GET", "http", format!("user:pw@{here}"), "/v1/x"),
        (
            "GET",
            "http",
            format!("0{port}").replacen('0', "127.0.0.1:0", 1),
            "/v1/x",
        ),
        ("GET", "http", "127.0.0.1".to_owned(), "/v1/x"),
        ("GET", "http", "127.0.0.1:".to_owned(), "/v1/x"),
        ("GET", "http", "127.0.0.1:x".to_owned(), "/v1/x"),
        ("GET", "http", "127.0.0.1:99999".to_owned(), "/v1/x"),
        ("CONNECT", "http", here.clone(), "/v1/x"),
        ("TRACE", "http", here.clone(), "/v1/x"),
        ("trace", "http", here.clone(), "/v1/x"),
        ("get", "http", here.clone(), "/v1/x"),
    ] {
        let Some(refused) = request(method, scheme, &authority, path) else {
            panic!("{method} {scheme}://{authority}{path} does not reach the hook");
        };
        let answer = send(&mut setup.egress(), refused).await;
        assert!(
            matches!(answer, Err(Error::HttpRequestDenied)),
            "{method} {scheme}://{authority}{path}"
        );
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(server.connections(), 0);
    let denials = setup.config.journal.denials();
    assert_eq!(denials.len(), 28);
    assert!(
        denials.iter().all(|one| !one.url().unwrap().contains("pw")),
        "{denials:?}"
    );
}

#[tokio::test]
async fn a_denial_says_what_would_allow_it_and_keeps_no_secret() {
    let setup = Setup::new(&["https://api.example.com/v1/"]);
    let refused = with(
        request("GET", "https", "api.example.com", "/v2/x?key=s3cret").unwrap(),
        "authorization",
        "s3cret",
    );
    assert!(send(&mut setup.egress(), refused).await.is_err());
    let denial = setup.config.journal.denials().remove(0);
    assert_eq!(
        denial.to_string(),
        "GET https://api.example.com/v2/x?key=...: the grant https://api.example.com/v1/ is for another path"
    );
    assert_eq!(
        denial.contract_text().as_deref(),
        Some("http request blocked: URL not in allowlist: https://api.example.com/v2/x?key=...")
    );
    assert_eq!(
        denial.hint.as_deref(),
        Some("[tools.http.allow] \"/tools/a.scm\" = [\"https://api.example.com/v2/x\"]")
    );
    assert!(!format!("{denial:?}").contains("s3cret"));
}

#[tokio::test]
async fn nothing_is_sent_during_load() {
    let server = Server::start(Answer::Text(OK.to_owned())).await;
    let mut setup = Setup::new(&[&server.rule()]);
    setup.phase = Phase::Load;
    assert_eq!(
        code(exchange(&setup, get(&server.authority(), "/v1/x")).await),
        "HttpRequestDenied"
    );
    assert_eq!(setup.reasons(), [Reason::DuringLoad]);
    assert_eq!(server.connections(), 0);
    assert!(
        setup.config.journal.denials()[0]
            .to_string()
            .ends_with("during load; move the request into the handler")
    );
}

#[tokio::test]
async fn no_grant_means_no_request() {
    let setup = Setup::new(&[]);
    assert_eq!(
        code(exchange(&setup, get("127.0.0.1:1", "/")).await),
        "HttpRequestDenied"
    );
    assert_eq!(setup.reasons(), [Reason::Refused(Refusal::NoGrants)]);
}

#[tokio::test]
async fn a_name_with_addresses_of_ipv6_only_is_dialled() {
    // Not every machine has an IPv6 loopback; then there is nothing to dial.
    let Ok(listener) = tokio::net::TcpListener::bind("[::1]:0").await else {
        return;
    };
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let (mut stream, _) = listener.accept().await.unwrap();
        let _ = stream.read(&mut [0; 4096]).await;
        let _ = stream.write_all(OK.as_bytes()).await;
    });
    let setup = Setup::new(&[&format!("http://api.example.com:{port}/")])
        .resolver(Fixed::new(&["::1"]))
        .consent(&["::1/128"]);
    let answer = exchange(&setup, get(&format!("api.example.com:{port}"), "/")).await;
    assert_eq!(code(answer), "200 with 2 bytes");
}

/// A chain of `CNAME`s is the resolver's own affair: what counts is where it ends. All of
/// these are the ends of one.
#[tokio::test]
async fn one_address_without_consent_refuses_the_request() {
    let server = Server::start(Answer::Text(OK.to_owned())).await;
    let rule = format!("http://api.example.com:{}/", server.port);
    let authority = format!("api.example.com:{}", server.port);
    for (addresses, range) in [
        (&["127.0.0.1"][..], AddressRange::Loopback),
        (&["93.184.216.34", "127.0.0.1"], AddressRange::Loopback),
        (&["127.0.0.1", "93.184.216.34"], AddressRange::Loopback),
        (
            &["93.184.216.34", "169.254.169.254"],
            AddressRange::Metadata,
        ),
        (&["::ffff:127.0.0.1"], AddressRange::Mapped),
        (&["64:ff9b::7f00:1"], AddressRange::Nat64),
        (&["2002:7f00:1::"], AddressRange::SixToFour),
        (&["0.0.0.0"], AddressRange::Unspecified),
        (&["::"], AddressRange::Unspecified),
        (&["::1"], AddressRange::Loopback),
        (&["10.0.0.1"], AddressRange::Private),
        (&["fd00::1"], AddressRange::UniqueLocal),
        (&["fe80::1"], AddressRange::LinkLocal),
    ] {
        let setup = Setup::new(&[&rule]).resolver(Fixed::new(addresses));
        let answer = exchange(&setup, get(&authority, "/x")).await;
        assert_eq!(code(answer), "DestinationIpProhibited", "{addresses:?}");
        match setup.reasons().as_slice() {
            [Reason::Address(refusal)] => assert_eq!(refusal.range, range, "{addresses:?}"),
            other => panic!("{addresses:?}: {other:?}"),
        }
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn a_name_is_resolved_once_and_its_vetted_address_dialled() {
    let server = Server::start(Answer::Text(OK.to_owned())).await;
    let resolver = Fixed::new(&["127.0.0.1"]);
    let setup = Setup::new(&[&format!("http://*.example.com:{}/", server.port)])
        .resolver(resolver.clone())
        .consent(&["127.0.0.0/8"]);
    let answer = exchange(
        &setup,
        get(&format!("API.example.com:{}", server.port), "/x"),
    )
    .await;
    assert_eq!(code(answer), "200 with 2 bytes");
    assert_eq!(*resolver.asked.lock().unwrap(), ["api.example.com"]);
    assert!(
        server.heads()[0].contains(&format!("host: api.example.com:{}\r\n", server.port)),
        "{:?}",
        server.heads()
    );
}

#[tokio::test]
async fn a_name_without_addresses_is_a_dns_error() {
    let setup = Setup::new(&["http://api.example.com/"]);
    assert!(code(exchange(&setup, get("api.example.com", "/")).await).starts_with("DnsError"));
}

#[tokio::test]
async fn a_declared_literal_address_is_no_consent() {
    let server = Server::start(Answer::Text(OK.to_owned())).await;
    let mut setup = Setup::new(&[&server.rule()]);
    setup.config.consent = Arc::new(Consent::default().without_literals());
    assert_eq!(
        code(exchange(&setup, get(&server.authority(), "/v1/x")).await),
        "DestinationIpProhibited"
    );
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn a_grant_with_methods_is_not_widened_by_a_header() {
    let server = Server::start(Answer::Text(OK.to_owned())).await;
    let mut setup = Setup::new(&[]);
    let rule = Rule::parse(&server.rule())
        .unwrap()
        .with_methods(["GET"])
        .unwrap();
    setup.config.rules = Arc::new(RuleSet::new(vec![rule]));
    let here = server.authority();
    let mut egress = setup.egress();
    let post = request("POST", "http", &here, "/v1/x").unwrap();
    assert!(matches!(
        send(&mut egress, post).await,
        Err(Error::HttpRequestDenied)
    ));
    for header in [
        "x-http-method-override",
        "x_http_method",
        "x-method-override",
    ] {
        let answer = send(&mut egress, with(get(&here, "/v1/x"), header, "DELETE")).await;
        assert!(matches!(answer, Err(Error::HttpRequestDenied)), "{header}");
    }
    assert_eq!(server.connections(), 0);
    assert!(send(&mut egress, get(&here, "/v1/x")).await.is_ok());
}

#[tokio::test]
async fn a_redirect_is_a_response_like_another() {
    let elsewhere = Server::start(Answer::Text(OK.to_owned())).await;
    let redirect = format!(
        "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:{}/v1/\r\ncontent-length: 0\r\n\r\n",
        elsewhere.port
    );
    let server = Server::start(Answer::Text(redirect)).await;
    let setup = Setup::new(&[&server.rule(), &elsewhere.rule()]);
    assert_eq!(
        code(exchange(&setup, get(&server.authority(), "/v1/x")).await),
        "302 with 0 bytes"
    );
    assert_eq!((server.connections(), elsewhere.connections()), (1, 0));
}

#[tokio::test]
async fn an_upgrade_is_refused() {
    let server = Server::start(Answer::Text(
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n".to_owned(),
    ))
    .await;
    let setup = Setup::new(&[&server.rule()]);
    let answer = code(exchange(&setup, get(&server.authority(), "/v1/x")).await);
    assert!(
        ["HttpUpgradeFailed", "HttpProtocolError"].contains(&answer.as_str()),
        "{answer}"
    );
}

#[tokio::test]
async fn a_request_has_one_length_and_keeps_to_it() {
    let server = Server::start(Answer::Text(OK.to_owned())).await;
    let setup = Setup::new(&[&server.rule()]);
    let post = || request("POST", "http", &server.authority(), "/v1/x").unwrap();
    for lengths in [&["3", "3"][..], &["3", "4"], &["+3"]] {
        let refused = lengths.iter().fold(post(), |request, length| {
            with(request, "content-length", length)
        });
        assert_eq!(
            code(exchange(&setup, refused).await),
            "HttpRequestDenied",
            "{lengths:?}"
        );
    }
    assert_eq!(server.connections(), 0);
    // Nothing may follow the length that was announced, or it is another request.
    for (announced, body) in [("1", "xGET /admin HTTP/1.1\r\n\r\n"), ("30", "x")] {
        let mut request = with(post(), "content-length", announced);
        let body = Full::new(Bytes::from_static(body.as_bytes())).map_err(|never| match never {});
        *request.body_mut() = body.boxed_unsync();
        let _ = exchange(&setup, request).await;
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(
        server.heads().iter().all(|head| !head.contains("admin")),
        "{:?}",
        server.heads()
    );
}

#[tokio::test]
async fn another_service_that_a_server_names_is_not_asked() {
    let elsewhere = Server::start(Answer::Text(OK.to_owned())).await;
    let there = format!("127.0.0.1:{}", elsewhere.port);
    let named = format!(
        "HTTP/1.1 200 OK\r\nalt-svc: h2=\"{there}\"; ma=3600, h2c=\"{there}\"\r\n\
         refresh: 0; url=http://{there}/v1/\r\nlink: <http://{there}/v1/>; rel=preload\r\n\
         content-location: http://{there}/v1/\r\ncontent-length: 2\r\n\r\nok"
    );
    let server = Server::start(Answer::Each(named)).await;
    let setup = Setup::new(&[&server.rule(), &elsewhere.rule()]);
    for _ in 0..3 {
        let answer = exchange(&setup, get(&server.authority(), "/v1/x")).await;
        assert_eq!(code(answer), "200 with 2 bytes");
    }
    assert_eq!(server.heads().len(), 3);
    assert_eq!(elsewhere.connections(), 0);
}
