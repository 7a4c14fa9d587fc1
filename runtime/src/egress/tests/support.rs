//! A server on loopback that is seen from inside, and requests as the hook is given them.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method, Request, Uri};
use http_body_util::{BodyExt as _, Empty};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody, WasiHttpHooks as _};

use crate::egress::{
    Client, Egress, EgressConfig, EgressLimits, Journal, Phase, Reason, Resolver, Resolving, Sent,
};
use crate::grants::{Consent, Rule};
use crate::limits::{Budget, Limits};

pub(super) const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/// What a server does with a connection once the head of a request has arrived.
#[derive(Clone)]
pub(super) enum Answer {
    /// Sends this, then waits for the client to close.
    Text(String),
    /// Sends the first text once and the second until the client is gone.
    Forever(String, String),
    /// Sends the second text byte by byte, with a pause before each.
    Drip(String, String, Duration),
    /// Sends this for every request of a connection.
    Each(String),
    /// Sends nothing.
    Silence,
}

#[derive(Clone)]
pub(super) struct Server {
    pub(super) port: u16,
    pub(super) connections: Arc<AtomicUsize>,
    pub(super) closed: Arc<AtomicUsize>,
    pub(super) heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(super) async fn start(answer: Answer) -> Self {
        Self::start_with(answer, None).await
    }

    pub(super) async fn start_with(answer: Answer, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            port: listener.local_addr().unwrap().port(),
            connections: Arc::default(),
            closed: Arc::default(),
            heads: Arc::default(),
        };
        let state = server.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                state.connections.fetch_add(1, Ordering::SeqCst);
                let (state, answer, tls) = (state.clone(), answer.clone(), tls.clone());
                tokio::spawn(async move {
                    match tls {
                        None => state.serve(stream, answer).await,
                        Some(tls) => {
                            if let Ok(stream) = tls.accept(stream).await {
                                let name = stream
                                    .get_ref()
                                    .1
                                    .server_name()
                                    .unwrap_or("no name")
                                    .to_owned();
                                state.heads.lock().unwrap().push(format!("SNI {name}"));
                                state.serve(stream, answer).await;
                            }
                        }
                    }
                });
            }
        });
        server
    }

    pub(super) async fn serve(
        &self,
        mut stream: impl AsyncRead + AsyncWrite + Unpin,
        answer: Answer,
    ) {
        if let Answer::Each(text) = &answer {
            while self.head(&mut stream).await {
                let _ = stream.write_all(text.as_bytes()).await;
            }
            return;
        }
        if !self.head(&mut stream).await {
            return;
        }
        match answer {
            Answer::Silence | Answer::Each(_) => {}
            Answer::Text(text) => {
                let _ = stream.write_all(text.as_bytes()).await;
            }
            Answer::Forever(first, again) => {
                let _ = stream.write_all(first.as_bytes()).await;
                while stream.write_all(again.as_bytes()).await.is_ok() {}
            }
            Answer::Drip(first, text, pause) => {
                let _ = stream.write_all(first.as_bytes()).await;
                for byte in text.bytes() {
                    tokio::time::sleep(pause).await;
                    if stream.write_all(&[byte]).await.is_err() {
                        break;
                    }
                }
            }
        }
        let mut rest = [0; 4096];
        while matches!(stream.read(&mut rest).await, Ok(length) if length > 0) {}
        self.closed.fetch_add(1, Ordering::SeqCst);
    }

    /// Reads the head of a request without a body; false when the client is gone.
    async fn head(&self, stream: &mut (impl AsyncRead + Unpin)) -> bool {
        let mut head = Vec::new();
        while !head.windows(4).any(|window| window == b"\r\n\r\n") {
            let mut piece = [0; 4096];
            match stream.read(&mut piece).await {
                Ok(0) | Err(_) => {
                    self.closed.fetch_add(1, Ordering::SeqCst);
                    return false;
                }
                Ok(length) => head.extend_from_slice(&piece[..length]),
            }
        }
        self.heads
            .lock()
            .unwrap()
            .push(String::from_utf8(head).unwrap());
        true
    }

    pub(super) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub(super) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }

    pub(super) fn rule(&self) -> String {
        format!("http://127.0.0.1:{}/v1/", self.port)
    }

    pub(super) fn authority(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}

/// Answers every name alike, and counts how often it is asked.
#[derive(Clone)]
pub(super) struct Fixed {
    pub(super) addresses: Vec<IpAddr>,
    pub(super) asked: Arc<Mutex<Vec<String>>>,
}

impl Fixed {
    pub(super) fn new(addresses: &[&str]) -> Self {
        Self {
            addresses: addresses
                .iter()
                .map(|address| address.parse().unwrap())
                .collect(),
            asked: Arc::default(),
        }
    }
}

impl Resolver for Fixed {
    fn resolve(&self, name: &str) -> Resolving {
        self.asked.lock().unwrap().push(name.to_owned());
        let addresses = self.addresses.clone();
        Box::pin(async move { Ok(addresses) })
    }
}

/// The egress of one call, with everything that a test changes.
pub(super) struct Setup {
    pub(super) config: EgressConfig,
    pub(super) phase: Phase,
}

impl Setup {
    pub(super) fn new(rules: &[&str]) -> Self {
        Self {
            config: EgressConfig {
                client: Client::new().unwrap().with_resolver(Fixed::new(&[])),
                rules: Arc::new(
                    rules
                        .iter()
                        .map(|rule| Rule::parse(rule).unwrap())
                        .collect(),
                ),
                consent: Arc::default(),
                limits: EgressLimits {
                    deadline: Instant::now() + Duration::from_secs(20),
                    requests: 50,
                    response_body: 1000,
                    request_bodies: 1000,
                },
                tool: "/tools/a.scm".to_owned(),
                principal: "local".to_owned(),
                budget: Budget::new(&Limits::default()),
                journal: Journal::new(),
            },
            phase: Phase::Call,
        }
    }

    pub(super) fn resolver(mut self, resolver: impl Resolver) -> Self {
        self.config.client = self.config.client.with_resolver(resolver);
        self
    }

    pub(super) fn client(mut self, client: &Client) -> Self {
        self.config.client = client.clone();
        self
    }

    pub(super) fn consent(mut self, ranges: &[&str]) -> Self {
        self.config.consent = Arc::new(Consent::new(
            ranges.iter().map(|range| range.parse().unwrap()).collect(),
        ));
        self
    }

    pub(super) fn deadline(mut self, after: Duration) -> Self {
        self.config.limits.deadline = Instant::now() + after;
        self
    }

    pub(super) fn egress(&self) -> Egress {
        let mut egress = Egress::new(self.config.clone());
        egress.set_phase(self.phase);
        egress
    }

    pub(super) fn reasons(&self) -> Vec<Reason> {
        self.config
            .journal
            .denials()
            .into_iter()
            .map(|denial| denial.reason)
            .collect()
    }
}

pub(super) fn empty() -> WasiBody {
    Empty::<Bytes>::new()
        .map_err(|never| match never {})
        .boxed_unsync()
}

/// A request as `wasi:http` builds it from what the guest set.
pub(super) fn request(
    method: &str,
    scheme: &str,
    authority: &str,
    path: &str,
) -> Option<Request<WasiBody>> {
    let uri = Uri::builder()
        .scheme(scheme)
        .authority(authority)
        .path_and_query(path)
        .build()
        .ok()?;
    let mut request = Request::new(empty());
    *request.method_mut() = Method::from_bytes(method.as_bytes()).ok()?;
    *request.uri_mut() = uri;
    Some(request)
}

pub(super) fn get(authority: &str, path: &str) -> Request<WasiBody> {
    request("GET", "http", authority, path).unwrap()
}

pub(super) fn with(
    mut request: Request<WasiBody>,
    name: &'static str,
    value: &'static str,
) -> Request<WasiBody> {
    request.headers_mut().append(
        HeaderName::from_static(name),
        HeaderValue::from_static(value),
    );
    request
}

pub(super) async fn send(egress: &mut Egress, request: Request<WasiBody>) -> Result<Sent, Error> {
    send_with(egress, request, None).await
}

pub(super) async fn send_with(
    egress: &mut Egress,
    request: Request<WasiBody>,
    options: Option<RequestOptions>,
) -> Result<Sent, Error> {
    Pin::from(egress.send_request(request, options, Box::new(async { Ok(()) }))).await
}

/// The status and the body, while the connection is driven as the runtime drives it.
pub(super) async fn read(sent: Sent) -> Result<(u16, Bytes), Error> {
    let (response, driver) = sent;
    let driver = tokio::spawn(async move { Pin::from(driver).await });
    let status = response.status().as_u16();
    let body = response.into_body().collect().await?.to_bytes();
    driver.abort();
    Ok((status, body))
}

pub(super) async fn exchange(
    setup: &Setup,
    request: Request<WasiBody>,
) -> Result<(u16, Bytes), Error> {
    read(send(&mut setup.egress(), request).await?).await
}

/// The name of the error's variant, since errors do not compare.
pub(super) fn code(result: Result<(u16, Bytes), Error>) -> String {
    match result {
        Ok((status, body)) => format!("{status} with {} bytes", body.len()),
        Err(error) => format!("{error:?}"),
    }
}
