//! Time, size and number: every bound ends in its own error.

use std::io;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body::{Body, Frame};
use http_body_util::BodyExt as _;
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody, WasiHttpHooks as _};

use super::support::*;
use crate::egress::{MAX_RESPONSE_HEADER_BYTES, Reason, Resolver, Resolving, Sent};
use crate::limits::{Budget, Limits};

#[tokio::test]
async fn a_body_above_the_limit_is_cut_off_with_the_limits_error() {
    let chunks = |size: usize| {
        format!(
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{size:x}\r\n{}\r\n0\r\n\r\n",
            "x".repeat(size)
        )
    };
    let sized = |size: usize| {
        format!(
            "HTTP/1.1 200 OK\r\ncontent-length: {size}\r\n\r\n{}",
            "x".repeat(size)
        )
    };
    let endless = Answer::Forever(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".to_owned(),
        format!("100\r\n{}\r\n", "x".repeat(256)),
    );
    let unframed = Answer::Forever("HTTP/1.1 200 OK\r\n\r\n".to_owned(), "x".repeat(256));
    for (answer, expected) in [
        (Answer::Text(sized(1000)), "200 with 1000 bytes"),
        (Answer::Text(chunks(1000)), "200 with 1000 bytes"),
        (
            Answer::Text(sized(1001)),
            "HttpResponseBodySize(Some(1000))",
        ),
        (
            Answer::Text(chunks(1001)),
            "HttpResponseBodySize(Some(1000))",
        ),
        (endless, "HttpResponseBodySize(Some(1000))"),
        (unframed, "HttpResponseBodySize(Some(1000))"),
    ] {
        let server = Server::start(answer).await;
        let setup = Setup::new(&[&server.rule()]);
        assert_eq!(
            code(exchange(&setup, get(&server.authority(), "/v1/x")).await),
            expected
        );
        if expected.starts_with("Http") {
            assert_eq!(setup.reasons(), [Reason::ResponseBody(1000)]);
            assert_eq!(
                setup.config.journal.denials()[0].hint.as_deref(),
                Some("[limits] http-body")
            );
        }
    }
}

#[tokio::test]
async fn the_length_of_a_body_that_never_comes_is_no_body() {
    let server = Server::start(Answer::Text(
        "HTTP/1.1 200 OK\r\ncontent-length: 5000000\r\n\r\n".to_owned(),
    ))
    .await;
    let setup = Setup::new(&[&server.rule()]);
    let head = request("HEAD", "http", &server.authority(), "/v1/x").unwrap();
    assert_eq!(code(exchange(&setup, head).await), "200 with 0 bytes");
}

#[tokio::test]
async fn a_slow_server_is_given_up_at_the_calls_deadline() {
    let deadline = Duration::from_millis(300);
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n".to_owned();
    let pause = Duration::from_millis(20);
    for (answer, expected) in [
        (Answer::Silence, "HttpResponseTimeout"),
        (
            Answer::Text("HTTP/1.1 200 OK\r\n".to_owned()),
            "HttpResponseTimeout",
        ),
        (Answer::Text(head.clone()), "HttpResponseTimeout"),
        (
            Answer::Drip(head.clone(), "x".repeat(900), pause),
            "HttpResponseTimeout",
        ),
        (
            Answer::Drip(
                String::new(),
                "HTTP/1.1 200 OK\r\nx: ".to_owned() + &"y".repeat(900),
                pause,
            ),
            "HttpResponseTimeout",
        ),
    ] {
        for ask in [None, Some(Duration::MAX), Some(Duration::from_secs(600))] {
            let server = Server::start(answer.clone()).await;
            let setup = Setup::new(&[&server.rule()]).deadline(deadline);
            let options = RequestOptions {
                connect_timeout: ask,
                first_byte_timeout: ask,
                between_bytes_timeout: ask,
            };
            let started = Instant::now();
            let mut egress = setup.egress();
            let answer = match send_with(
                &mut egress,
                get(&server.authority(), "/v1/x"),
                Some(options),
            )
            .await
            {
                Ok(sent) => read(sent).await,
                Err(error) => Err(error),
            };
            assert_eq!(code(answer), expected, "{ask:?}");
            let took = started.elapsed();
            assert!(
                took >= deadline && took < Duration::from_secs(10),
                "{took:?} for {ask:?}"
            );
        }
    }
}

#[tokio::test]
async fn interim_responses_are_few() {
    let interim = |status: &str| format!("HTTP/1.1 {status}\r\nlink: </x>\r\n\r\n");
    let few = interim("103 Early Hints").repeat(16) + OK;
    let server = Server::start(Answer::Text(few)).await;
    let setup = Setup::new(&[&server.rule()]);
    let answer = exchange(&setup, get(&server.authority(), "/v1/x")).await;
    assert_eq!(code(answer), "200 with 2 bytes");
    for status in ["100 Continue", "102 Processing", "103 Early Hints"] {
        let server = Server::start(Answer::Forever(String::new(), interim(status))).await;
        let setup = Setup::new(&[&server.rule()]);
        let answer = exchange(&setup, get(&server.authority(), "/v1/x")).await;
        let text = "more than 16 interim responses before the answer";
        assert_eq!(
            code(answer),
            format!("InternalError(Some({text:?}))"),
            "{status}"
        );
    }
}

#[tokio::test]
async fn a_guest_may_ask_for_less_time() {
    let server = Server::start(Answer::Silence).await;
    let setup = Setup::new(&[&server.rule()]);
    for (options, expected) in [
        (
            RequestOptions {
                first_byte_timeout: Some(Duration::ZERO),
                ..RequestOptions::default()
            },
            "HttpResponseTimeout",
        ),
        (
            RequestOptions {
                first_byte_timeout: Some(Duration::from_millis(20)),
                ..RequestOptions::default()
            },
            "HttpResponseTimeout",
        ),
        (
            RequestOptions {
                connect_timeout: Some(Duration::ZERO),
                ..RequestOptions::default()
            },
            "ConnectionTimeout",
        ),
    ] {
        let started = Instant::now();
        let answer = send_with(
            &mut setup.egress(),
            get(&server.authority(), "/v1/x"),
            Some(options),
        )
        .await;
        let answer = answer.map(|_| (0, Bytes::new()));
        assert_eq!(code(answer), expected, "{options:?}");
        assert!(started.elapsed() < Duration::from_secs(5));
    }
    let server = Server::start(Answer::Text(
        "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx".to_owned(),
    ))
    .await;
    let setup = Setup::new(&[&server.rule()]);
    let options = RequestOptions {
        between_bytes_timeout: Some(Duration::from_millis(50)),
        ..RequestOptions::default()
    };
    let sent = send_with(
        &mut setup.egress(),
        get(&server.authority(), "/v1/x"),
        Some(options),
    )
    .await
    .unwrap();
    assert_eq!(code(read(sent).await), "ConnectionReadTimeout");
}

#[tokio::test]
async fn a_resolver_that_never_answers_is_given_up_too() {
    struct Never;
    impl Resolver for Never {
        fn resolve(&self, _name: &str) -> Resolving {
            Box::pin(std::future::pending())
        }
    }
    let setup = Setup::new(&["http://api.example.com/"])
        .resolver(Never)
        .deadline(Duration::from_millis(100));
    assert_eq!(
        code(exchange(&setup, get("api.example.com", "/")).await),
        "DnsTimeout"
    );
}

#[tokio::test]
async fn a_tls_handshake_that_never_ends_is_given_up_too() {
    let server = Server::start(Answer::Silence).await;
    let rule = format!("https://127.0.0.1:{}/", server.port);
    let setup = Setup::new(&[&rule]).deadline(Duration::from_millis(200));
    let sent = request("GET", "https", &server.authority(), "/").unwrap();
    assert_eq!(code(exchange(&setup, sent).await), "ConnectionTimeout");
}

#[tokio::test]
async fn response_headers_are_bounded_in_number_and_size() {
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "x: y\r\n".repeat(1000));
    let large = format!(
        "HTTP/1.1 200 OK\r\nx: {}\r\n\r\n",
        "y".repeat(MAX_RESPONSE_HEADER_BYTES + 1)
    );
    let endless = Answer::Forever("HTTP/1.1 200 OK\r\nx: ".to_owned(), "y".repeat(4096));
    for answer in [Answer::Text(many), Answer::Text(large), endless] {
        let server = Server::start(answer).await;
        let setup = Setup::new(&[&server.rule()]);
        let answer = exchange(&setup, get(&server.authority(), "/v1/x")).await;
        assert!(code(answer).starts_with("HttpResponseHeaderSectionSize"));
    }
}

#[tokio::test]
async fn a_call_makes_as_many_requests_as_it_may() {
    let server = Server::start(Answer::Text(OK.to_owned())).await;
    let mut setup = Setup::new(&[&server.rule()]);
    setup.config.limits.requests = 2;
    let mut egress = setup.egress();
    for _ in 0..2 {
        assert!(
            send(&mut egress, get(&server.authority(), "/v1/x"))
                .await
                .is_ok()
        );
    }
    for _ in 0..3 {
        let answer = send(&mut egress, get(&server.authority(), "/v1/x")).await;
        let text = "limit `http-requests` reached: 2 requests in one call";
        assert!(matches!(answer, Err(Error::InternalError(Some(said))) if said == text));
    }
    assert_eq!(server.connections(), 2);
    assert_eq!(setup.reasons(), vec![Reason::RequestLimit(2); 3]);
}

#[tokio::test]
async fn a_dropped_response_closes_its_connection() {
    let head = "HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\nx".to_owned();
    for answer in [Answer::Text(head), Answer::Text(OK.to_owned())] {
        let server = Server::start(answer).await;
        let setup = Setup::new(&[&server.rule()]);
        let mut egress = setup.egress();
        drop(
            send(&mut egress, get(&server.authority(), "/v1/x"))
                .await
                .unwrap(),
        );
        let silent = Server::start(Answer::Silence).await;
        let waiting = Setup::new(&[&silent.rule()]);
        let mut waiting = waiting.egress();
        let given_up = tokio::time::timeout(
            Duration::from_millis(50),
            send(&mut waiting, get(&silent.authority(), "/v1/x")),
        );
        assert!(given_up.await.is_err());
        for server in [&server, &silent] {
            for _ in 0..100 {
                if server.closed.load(Ordering::SeqCst) == 1 {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            assert_eq!(server.closed.load(Ordering::SeqCst), 1);
        }
    }
}

#[tokio::test]
async fn a_stream_error_has_a_code() {
    use crate::egress::stream_error_code;
    use wasmtime_wasi_http::p2::bindings::http::types::ErrorCode;
    let error = wasmtime::Error::from(Error::HttpResponseBodySize(Some(7)));
    assert!(matches!(
        stream_error_code(&error),
        Some(ErrorCode::HttpResponseBodySize(Some(7)))
    ));
    assert!(stream_error_code(&wasmtime::Error::from(io::Error::other("x"))).is_none());
}

/// A body in pieces of 100 bytes, without a length.
fn pieces(count: usize) -> WasiBody {
    struct Pieces(usize);
    impl Body for Pieces {
        type Data = Bytes;
        type Error = Error;
        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
            Poll::Ready(match self.0 {
                0 => None,
                left => {
                    self.0 = left - 1;
                    Some(Ok(Frame::data(Bytes::from_static(&[b'x'; 100]))))
                }
            })
        }
    }
    Pieces(count).boxed_unsync()
}

#[tokio::test]
async fn request_bodies_together_keep_to_their_limit() {
    let server = Server::start(Answer::Silence).await;
    // One without end, three of which one does not fit, and two that do.
    for (counts, cut, total) in [
        (&[usize::MAX][..], 1, 1000),
        (&[4, 4, 4], 1, 1000),
        (&[5, 5], 0, 1000),
    ] {
        let setup = Setup::new(&[&server.rule()]).deadline(Duration::from_millis(700));
        let mut egress = setup.egress();
        let mut sending = tokio::task::JoinSet::new();
        for count in counts {
            let mut request = request("POST", "http", &server.authority(), "/v1/x").unwrap();
            *request.body_mut() = pieces(*count);
            let sent = egress.send_request(request, None, Box::new(async { Ok(()) }));
            sending.spawn(Pin::from(sent));
        }
        let ends = sending.join_all().await;
        let is_cut =
            |end: &Result<Sent, Error>| matches!(end, Err(Error::HttpRequestBodySize(Some(1000))));
        assert_eq!(
            ends.iter().filter(|end| is_cut(end)).count(),
            cut,
            "{counts:?}"
        );
        assert_eq!(
            setup.reasons(),
            vec![Reason::RequestBody(1000); cut],
            "{counts:?}"
        );
        let sent = setup.config.journal.entries().total().sent;
        assert!(sent <= total, "{counts:?}: {sent}");
    }
}

#[tokio::test]
async fn a_request_body_that_is_announced_too_long_is_not_begun() {
    let server = Server::start(Answer::Text(OK.to_owned())).await;
    for (length, budget) in [("1001", 5000), ("18446744073709551616", 5000), ("11", 10)] {
        let mut setup = Setup::new(&[&server.rule()]);
        setup.config.budget = Budget::new(&Limits {
            http_send: budget,
            ..Limits::default()
        });
        let mut request = with(
            request("POST", "http", &server.authority(), "/v1/x").unwrap(),
            "content-length",
            length,
        );
        *request.body_mut() = pieces(usize::MAX);
        let limit = budget.min(1000);
        assert_eq!(
            code(exchange(&setup, request).await),
            format!("HttpRequestBodySize(Some({limit}))")
        );
        assert_eq!(setup.reasons(), [Reason::RequestBody(limit)]);
    }
    assert_eq!(server.connections(), 0);
}
