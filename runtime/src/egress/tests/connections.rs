//! Which connections are used again, and by whom.

use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use super::support::*;
use crate::egress::{Client, Reason, Resolver, Resolving};
use crate::grants::Rule;

fn client() -> Client {
    Client::new()
        .unwrap()
        .with_resolver(Fixed::new(&["127.0.0.1"]))
}

fn each() -> Answer {
    Answer::Each(OK.to_owned())
}

async fn ok(setup: &Setup, server: &Server) {
    let answer = exchange(setup, get(&server.authority(), "/v1/x")).await;
    assert_eq!(code(answer), "200 with 2 bytes");
}

#[tokio::test]
async fn a_connection_is_used_again_by_whom_it_was_made_for() {
    let (server, client) = (Server::start(each()).await, client());
    let setup = || Setup::new(&[&server.rule()]).client(&client);
    for _ in 0..5 {
        ok(&setup(), &server).await;
    }
    assert_eq!((server.connections(), client.idle()), (1, 1));
    assert_eq!(server.heads().len(), 5);

    let mut other = setup();
    other.config.principal = "someone else".to_owned();
    ok(&other, &server).await;
    assert_eq!(server.connections(), 2);
    let mut other = setup();
    other.config.tool = "/tools/b.scm".to_owned();
    ok(&other, &server).await;
    assert_eq!(server.connections(), 3);
    let mut other = setup();
    let wider = Rule::parse(&format!("http://{}/", server.authority())).unwrap();
    other.config.rules = Arc::new([wider].into_iter().collect());
    ok(&other, &server).await;
    assert_eq!(server.connections(), 4);

    client.close_idle();
    assert_eq!(client.idle(), 0);
    ok(&setup(), &server).await;
    assert_eq!(server.connections(), 5);
}

#[tokio::test]
async fn a_connection_that_carries_a_response_is_not_used_by_another() {
    let (server, client) = (Server::start(each()).await, client());
    let setup = Setup::new(&[&server.rule()]).client(&client);
    let unread = send(&mut setup.egress(), get(&server.authority(), "/v1/x"))
        .await
        .unwrap();
    ok(&setup, &server).await;
    assert_eq!(server.connections(), 2);
    // Dropped unread, it is not kept either.
    drop(unread);
    assert_eq!(client.idle(), 1);
}

#[tokio::test]
async fn a_server_that_closes_between_two_requests_is_dialled_again() {
    // It answers once per connection and closes without a word.
    let client = client();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = [0; 4096];
            let _ = stream.read(&mut head).await;
            let _ = stream.write_all(OK.as_bytes()).await;
        }
    });
    let rule = format!("http://127.0.0.1:{port}/");
    let setup = Setup::new(&[&rule]).client(&client);
    for _ in 0..5 {
        let answer = exchange(&setup, get(&format!("127.0.0.1:{port}"), "/")).await;
        assert_eq!(code(answer), "200 with 2 bytes");
    }
}

/// Gives its answers one after the other, and then the last one again.
struct Changing(Mutex<Vec<Vec<IpAddr>>>);

impl Changing {
    fn new(answers: &[&[&str]]) -> Self {
        let parse = |answer: &&[&str]| answer.iter().map(|one| one.parse().unwrap()).collect();
        Self(Mutex::new(answers.iter().rev().map(parse).collect()))
    }
}

impl Resolver for Changing {
    fn resolve(&self, _: &str) -> Resolving {
        let mut answers = self.0.lock().unwrap();
        let answer = match answers.len() {
            1 => answers[0].clone(),
            _ => answers.pop().unwrap(),
        };
        Box::pin(async move { Ok(answer) })
    }
}

#[tokio::test]
async fn the_checks_before_dialling_are_made_again_for_a_kept_connection() {
    let server = Server::start(each()).await;
    let rule = format!("http://api.example.com:{}/", server.port);
    let authority = format!("api.example.com:{}", server.port);
    for (second, expected) in [
        (&["127.0.0.1"][..], "200 with 2 bytes"),
        // Another address is dialled; nobody listens there.
        (&["127.0.0.2"], "ConnectionRefused"),
        // One bad address among good ones, although the connection is there.
        (&["127.0.0.1", "169.254.169.254"], "DestinationIpProhibited"),
        (&["10.0.0.1"], "DestinationIpProhibited"),
        (&["::ffff:127.0.0.1"], "DestinationIpProhibited"),
        (
            &[],
            "DnsError { rcode: Some(\"name not found\"), info_code: None }",
        ),
    ] {
        let resolver = Changing::new(&[&["127.0.0.1"], second]);
        let client = Client::new().unwrap().with_resolver(resolver);
        let setup = Setup::new(&[&rule])
            .client(&client)
            .consent(&["127.0.0.0/8"]);
        let before = server.connections();
        let first = exchange(&setup, get(&authority, "/")).await;
        assert_eq!(code(first), "200 with 2 bytes");
        assert_eq!(client.idle(), 1);
        let answer = exchange(&setup, get(&authority, "/")).await;
        assert_eq!(code(answer), expected, "{second:?}");
        assert_eq!(server.connections(), before + 1, "{second:?}");
        let address = matches!(setup.reasons().as_slice(), [Reason::Address(_)]);
        assert_eq!(address, expected == "DestinationIpProhibited");
    }
}

#[tokio::test]
async fn what_goes_over_the_wire_is_in_the_journal() {
    let (server, client) = (Server::start(each()).await, client());
    let setup = Setup::new(&[&server.rule()]).client(&client);
    ok(&setup, &server).await;
    ok(&setup, &server).await;
    let entries = setup.config.journal.entries();
    assert_eq!(entries.traffic.len(), 1);
    let traffic = &entries.traffic[0];
    assert_eq!(traffic.origin, format!("http://{}", server.authority()));
    assert_eq!(
        (traffic.requests, traffic.sent, traffic.received),
        (2, 0, 4)
    );
    assert!(entries.denials.is_empty());
}

#[tokio::test]
async fn nested_calls_draw_from_one_number_of_requests() {
    let server = Server::start(each()).await;
    let mut outer = Setup::new(&[&server.rule()]);
    outer.config.budget = crate::limits::Budget::new(&crate::limits::Limits {
        http_requests: 3,
        ..Default::default()
    });
    let mut inner = Setup::new(&[&server.rule()]);
    inner.config.budget = outer.config.budget.clone();
    for setup in [&outer, &inner, &inner] {
        ok(setup, &server).await;
    }
    for setup in [&outer, &inner] {
        let answer = exchange(setup, get(&server.authority(), "/v1/x")).await;
        assert!(code(answer).contains("limit `http-requests` reached: 3"));
        assert_eq!(setup.reasons(), [Reason::RequestLimit(3)]);
    }
}

#[tokio::test]
async fn compression_is_not_asked_for_and_not_undone() {
    let gzip = "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\n\u{1f}\u{8}x";
    let server = Server::start(Answer::Text(gzip.to_owned())).await;
    let setup = Setup::new(&[&server.rule()]);
    let asked = with(
        get(&server.authority(), "/v1/x"),
        "accept-encoding",
        "gzip, br",
    );
    assert_eq!(code(exchange(&setup, asked).await), "200 with 3 bytes");
    let head = server.heads().remove(0);
    assert!(head.contains("accept-encoding: identity\r\n"), "{head}");
    assert!(!head.contains("gzip"), "{head}");
}
