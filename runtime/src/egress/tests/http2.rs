//! HTTP/2, against the server half of the `h2` crate.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body::{Body, Frame};
use http_body_util::BodyExt as _;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use wasmtime_wasi_http::{Error, WasiBody};

use super::support::*;
use super::tls::Authority;
use crate::egress::{Client, MAX_RESPONSE_HEADERS, Reason};

/// What the server does with a request.
#[derive(Clone, Copy)]
enum Behaviour {
    /// Two bytes.
    Ok,
    /// Sends back what it gets, piece by piece.
    Echo,
    /// So many bytes.
    Body(usize),
    /// So many header fields.
    Headers(usize),
    /// A body and then so many trailers.
    Trailers(usize),
    /// A head, and never anything else.
    Stall,
}

struct Server2 {
    port: u16,
    connections: Arc<Mutex<usize>>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server2 {
    async fn start(authority: &Authority, behaviour: Behaviour) -> Self {
        let tls = authority.acceptor_for("api.example.com", &["h2", "http/1.1"]);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            port: listener.local_addr().unwrap().port(),
            connections: Arc::default(),
            requests: Arc::default(),
        };
        let (connections, requests) = (server.connections.clone(), server.requests.clone());
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                *connections.lock().unwrap() += 1;
                let (tls, requests) = (tls.clone(), requests.clone());
                tokio::spawn(async move {
                    let Ok(stream) = tls.accept(stream).await else {
                        return;
                    };
                    let Ok(mut connection) = h2::server::handshake(stream).await else {
                        return;
                    };
                    while let Some(Ok((request, respond))) = connection.accept().await {
                        requests.lock().unwrap().push(format!(
                            "{} {} {:?}",
                            request.method(),
                            request.uri(),
                            request.headers()
                        ));
                        tokio::spawn(serve(behaviour, request, respond));
                    }
                });
            }
        });
        server
    }

    fn connections(&self) -> usize {
        *self.connections.lock().unwrap()
    }

    fn setup(&self, client: &Client) -> Setup {
        Setup::new(&[&format!("https://*.example.com:{}/", self.port)])
            .consent(&["127.0.0.0/8"])
            .client(client)
    }

    fn get(&self) -> Request<WasiBody> {
        let authority = format!("api.example.com:{}", self.port);
        request("GET", "https", &authority, "/x?y=1").unwrap()
    }
}

async fn serve(
    behaviour: Behaviour,
    request: Request<h2::RecvStream>,
    mut respond: h2::server::SendResponse<Bytes>,
) -> Result<(), h2::Error> {
    let mut response = Response::new(());
    if let Behaviour::Headers(count) = behaviour {
        for _ in 0..count {
            let one = HeaderValue::from_static("1");
            response.headers_mut().append("x", one);
        }
    }
    let mut stream = respond.send_response(response, false)?;
    match behaviour {
        Behaviour::Ok | Behaviour::Headers(_) => {
            stream.send_data(Bytes::from_static(b"ok"), true)?;
        }
        Behaviour::Body(size) => stream.send_data(vec![b'x'; size].into(), true)?,
        Behaviour::Trailers(count) => {
            stream.send_data(Bytes::from_static(b"ok"), false)?;
            let mut trailers = HeaderMap::new();
            for _ in 0..count {
                trailers.append("x", HeaderValue::from_static("1"));
            }
            stream.send_trailers(trailers)?;
        }
        Behaviour::Echo => {
            let mut body = request.into_body();
            while let Some(piece) = body.data().await {
                let piece = piece?;
                body.flow_control().release_capacity(piece.len())?;
                stream.send_data(piece, false)?;
            }
            if let Some(trailers) = body.trailers().await? {
                stream.send_data(format!("{trailers:?}").into(), false)?;
            }
            stream.send_data(Bytes::new(), true)?;
        }
        Behaviour::Stall => std::future::pending::<()>().await,
    }
    Ok(())
}

fn client(authority: &Authority) -> Client {
    authority.client().with_resolver(Fixed::new(&["127.0.0.1"]))
}

#[tokio::test]
async fn http2_is_spoken_where_it_is_offered_and_its_connections_are_kept() {
    let authority = Authority::new();
    let server = Server2::start(&authority, Behaviour::Ok).await;
    let client = client(&authority);
    let setup = server.setup(&client);
    for _ in 0..3 {
        let request = with(server.get(), "authorization", "s3cret");
        assert_eq!(code(exchange(&setup, request).await), "200 with 2 bytes");
    }
    assert_eq!((server.connections(), client.idle()), (1, 1));
    let requests = server.requests.lock().unwrap().clone();
    assert_eq!(requests.len(), 3);
    let expected = format!("GET https://api.example.com:{}/x?y=1", server.port);
    assert!(requests[0].starts_with(&expected), "{requests:?}");
    assert!(!requests[0].contains("\"host\""), "{requests:?}");
    assert!(requests[0].contains("s3cret"), "{requests:?}");
    // Another principal does not get it.
    let mut other = server.setup(&client);
    other.config.principal = "other".to_owned();
    assert_eq!(
        code(exchange(&other, server.get()).await),
        "200 with 2 bytes"
    );
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn the_bounds_of_a_response_hold_for_http2() {
    let authority = Authority::new();
    let client = client(&authority);
    for (behaviour, expected) in [
        (Behaviour::Body(1000), "200 with 1000 bytes"),
        (Behaviour::Body(1001), "HttpResponseBodySize(Some(1000))"),
        (
            Behaviour::Headers(MAX_RESPONSE_HEADERS - 1),
            "200 with 2 bytes",
        ),
        (
            Behaviour::Headers(MAX_RESPONSE_HEADERS + 1),
            "HttpResponseHeaderSectionSize(Some(65536))",
        ),
        (Behaviour::Trailers(2), "200 with 2 bytes"),
        (
            Behaviour::Trailers(MAX_RESPONSE_HEADERS + 1),
            "HttpResponseTrailerSectionSize(None)",
        ),
        (Behaviour::Stall, "HttpResponseTimeout"),
    ] {
        let server = Server2::start(&authority, behaviour).await;
        let mut setup = server.setup(&client);
        if let Behaviour::Stall = behaviour {
            setup = setup.deadline(Duration::from_millis(500));
        }
        assert_eq!(code(exchange(&setup, server.get()).await), expected);
        let over = matches!(setup.reasons().as_slice(), [Reason::ResponseBody(1000)]);
        assert_eq!(over, expected == "HttpResponseBodySize(Some(1000))");
    }
}

/// A body that a test sends piece by piece.
struct Pieces(mpsc::UnboundedReceiver<&'static str>);

impl Body for Pieces {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let polled = self.0.poll_recv(cx);
        polled.map(|piece| piece.map(|piece| Ok(Frame::data(piece.into()))))
    }
}

#[tokio::test]
async fn bodies_stream_both_ways() {
    let authority = Authority::new();
    let server = Server2::start(&authority, Behaviour::Echo).await;
    let client = client(&authority);
    let setup = server.setup(&client);
    let (sender, pieces) = mpsc::unbounded_channel();
    let mut request = server.get().map(|_| Pieces(pieces).boxed_unsync());
    *request.method_mut() = http::Method::POST;
    let (response, _driver) = send(&mut setup.egress(), request).await.unwrap();
    let mut body = response.into_body();
    // Each piece comes back before the next one goes out.
    for piece in ["one", "two", "three"] {
        sender.send(piece).unwrap();
        let frame = body.frame().await.unwrap().unwrap();
        assert_eq!(frame.into_data().unwrap(), piece);
    }
    drop(sender);
    while let Some(frame) = body.frame().await {
        assert!(frame.unwrap().into_data().unwrap().is_empty());
    }
    let traffic = setup.config.journal.entries().total();
    assert_eq!((traffic.sent, traffic.received), (11, 11));
}

/// A body of so many pieces of 100 bytes, and a trailer.
struct WithTrailer(usize);

impl Body for WithTrailer {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let left = self.0;
        self.0 = left.wrapping_sub(1);
        Poll::Ready(match left {
            usize::MAX => None,
            0 => {
                let mut trailers = HeaderMap::new();
                trailers.append("x-http-method-override", HeaderValue::from_static("DELETE"));
                Some(Ok(Frame::trailers(trailers)))
            }
            _ => Some(Ok(Frame::data(Bytes::from_static(&[b'x'; 100])))),
        })
    }
}

#[tokio::test]
async fn request_bodies_have_an_end_and_no_trailers_with_http2_too() {
    let authority = Authority::new();
    let client = client(&authority);
    for (count, whole) in [(10, true), (11, false), (usize::MAX - 1, false)] {
        let server = Server2::start(&authority, Behaviour::Echo).await;
        let setup = server.setup(&client).deadline(Duration::from_secs(5));
        let mut request = server.get().map(|_| WithTrailer(count).boxed_unsync());
        *request.method_mut() = http::Method::POST;
        let answer = exchange(&setup, request).await;
        let traffic = setup.config.journal.entries().total();
        assert!(traffic.sent <= 1000, "{count}: {traffic:?}");
        if whole {
            // The bytes of the body, and not those of a trailer after them.
            assert_eq!(code(answer), "200 with 1000 bytes");
            assert_eq!(setup.reasons(), []);
        } else {
            assert!(answer.is_err(), "{count}: {answer:?}");
            assert_eq!(setup.reasons(), [Reason::RequestBody(1000)], "{count}");
        }
    }
}
