//! Against real servers on loopback, with the requests that the hook is given.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method, Request, Uri};
use http_body_util::{BodyExt as _, Empty, Full};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody, WasiHttpHooks as _};

use super::{
    Client, DenialLog, Egress, EgressConfig, EgressLimits, MAX_RESPONSE_HEADER_BYTES, Phase,
    Reason, Resolver, Resolving, Sent,
};
use crate::grants::{AddressRange, Consent, Refusal, Rule, RuleSet};

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/// What a server does with a connection once the head of a request has arrived.
#[derive(Clone)]
enum Answer {
    /// Sends this, then waits for the client to close.
    Text(String),
    /// Sends the first text once and the second until the client is gone.
    Forever(String, String),
    /// Sends the second text byte by byte, with a pause before each.
    Drip(String, String, Duration),
    /// Sends nothing.
    Silence,
}

#[derive(Clone)]
struct Server {
    port: u16,
    connections: Arc<AtomicUsize>,
    closed: Arc<AtomicUsize>,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn start(answer: Answer) -> Self {
        Self::start_with(answer, None).await
    }

    async fn start_with(answer: Answer, tls: Option<TlsAcceptor>) -> Self {
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

    async fn serve(&self, mut stream: impl AsyncRead + AsyncWrite + Unpin, answer: Answer) {
        let mut head = Vec::new();
        while !head.windows(4).any(|window| window == b"\r\n\r\n") {
            let mut piece = [0; 4096];
            match stream.read(&mut piece).await {
                Ok(0) | Err(_) => {
                    self.closed.fetch_add(1, Ordering::SeqCst);
                    return;
                }
                Ok(length) => head.extend_from_slice(&piece[..length]),
            }
        }
        self.heads
            .lock()
            .unwrap()
            .push(String::from_utf8(head).unwrap());
        match answer {
            Answer::Silence => {}
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

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }

    fn rule(&self) -> String {
        format!("http://127.0.0.1:{}/v1/", self.port)
    }

    fn authority(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}

/// Answers every name alike, and counts how often it is asked.
#[derive(Clone)]
struct Fixed {
    addresses: Vec<IpAddr>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Fixed {
    fn new(addresses: &[&str]) -> Self {
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
struct Setup {
    config: EgressConfig,
    phase: Phase,
}

impl Setup {
    fn new(rules: &[&str]) -> Self {
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
                },
                tool: "/tools/a.scm".to_owned(),
                denials: DenialLog::new(),
            },
            phase: Phase::Call,
        }
    }

    fn resolver(mut self, resolver: impl Resolver) -> Self {
        self.config.client = self.config.client.with_resolver(resolver);
        self
    }

    fn consent(mut self, ranges: &[&str]) -> Self {
        self.config.consent = Arc::new(Consent::new(
            ranges.iter().map(|range| range.parse().unwrap()).collect(),
        ));
        self
    }

    fn deadline(mut self, after: Duration) -> Self {
        self.config.limits.deadline = Instant::now() + after;
        self
    }

    fn egress(&self) -> Egress {
        let mut egress = Egress::new(self.config.clone());
        egress.set_phase(self.phase);
        egress
    }

    fn reasons(&self) -> Vec<Reason> {
        self.config
            .denials
            .denials()
            .into_iter()
            .map(|denial| denial.reason)
            .collect()
    }
}

fn empty() -> WasiBody {
    Empty::<Bytes>::new()
        .map_err(|never| match never {})
        .boxed_unsync()
}

/// A request as `wasi:http` builds it from what the guest set.
fn request(method: &str, scheme: &str, authority: &str, path: &str) -> Option<Request<WasiBody>> {
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

fn get(authority: &str, path: &str) -> Request<WasiBody> {
    request("GET", "http", authority, path).unwrap()
}

fn with(
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

async fn send(egress: &mut Egress, request: Request<WasiBody>) -> Result<Sent, Error> {
    send_with(egress, request, None).await
}

async fn send_with(
    egress: &mut Egress,
    request: Request<WasiBody>,
    options: Option<RequestOptions>,
) -> Result<Sent, Error> {
    Pin::from(egress.send_request(request, options, Box::new(async { Ok(()) }))).await
}

/// The status and the body, while the connection is driven as the runtime drives it.
async fn read(sent: Sent) -> Result<(u16, Bytes), Error> {
    let (response, driver) = sent;
    let driver = tokio::spawn(async move { Pin::from(driver).await });
    let status = response.status().as_u16();
    let body = response.into_body().collect().await?.to_bytes();
    driver.abort();
    Ok((status, body))
}

async fn exchange(setup: &Setup, request: Request<WasiBody>) -> Result<(u16, Bytes), Error> {
    read(send(&mut setup.egress(), request).await?).await
}

/// The name of the error's variant, since errors do not compare.
fn code(result: Result<(u16, Bytes), Error>) -> String {
    match result {
        Ok((status, body)) => format!("{status} with {} bytes", body.len()),
        Err(error) => format!("{error:?}"),
    }
}

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
        ["authorization: Bearer t", "content-length: 2", &host]
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
    let denials = setup.config.denials.denials();
    assert_eq!(denials.len(), 28);
    assert!(
        denials.iter().all(|denial| !denial.url.contains("pw")),
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
    let denial = setup.config.denials.denials().remove(0);
    assert_eq!(
        denial.to_string(),
        "GET https://api.example.com/v2/x?key=...: the grant https://api.example.com/v1/ is for another path"
    );
    assert_eq!(
        denial.contract_text(),
        "http request blocked: URL not in allowlist: https://api.example.com/v2/x?key=..."
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
        setup.config.denials.denials()[0]
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
                setup.config.denials.denials()[0].hint.as_deref(),
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
        (
            Answer::Forever(String::new(), "HTTP/1.1 100 Continue\r\n\r\n".to_owned()),
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
        assert!(matches!(answer, Err(Error::ConnectionLimitReached)));
    }
    assert_eq!(server.connections(), 2);
    assert_eq!(setup.reasons(), vec![Reason::RequestLimit(2); 3]);
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
async fn a_stream_error_has_a_code() {
    use super::{ErrorCode, stream_error_code};
    let error = wasmtime::Error::from(Error::HttpResponseBodySize(Some(7)));
    assert!(matches!(
        stream_error_code(&error),
        Some(ErrorCode::HttpResponseBodySize(Some(7)))
    ));
    assert!(stream_error_code(&wasmtime::Error::from(io::Error::other("x"))).is_none());
}

mod tls {
    use super::*;
    use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

    struct Authority(CertifiedIssuer<'static, KeyPair>);

    impl Authority {
        fn new() -> Self {
            let mut params = CertificateParams::new(Vec::new()).unwrap();
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
            Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
        }

        fn acceptor(&self, name: &str) -> TlsAcceptor {
            let key = KeyPair::generate().unwrap();
            let certificate = CertificateParams::new(vec![name.to_owned()])
                .unwrap()
                .signed_by(&key, &self.0)
                .unwrap();
            let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
                .with_safe_default_protocol_versions()
                .unwrap()
                .with_no_client_auth()
                .with_single_cert(
                    vec![certificate.der().clone()],
                    PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
                )
                .unwrap();
            TlsAcceptor::from(Arc::new(config))
        }

        fn client(&self) -> Client {
            Client::trusting(vec![self.0.der().clone()]).unwrap()
        }
    }

    fn setup(server: &Server, client: Client) -> Setup {
        let mut setup = Setup::new(&[&format!("https://*.example.com:{}/", server.port)])
            .consent(&["127.0.0.0/8"]);
        setup.config.client = client.with_resolver(Fixed::new(&["127.0.0.1"]));
        setup
    }

    fn get(server: &Server) -> Request<WasiBody> {
        request(
            "GET",
            "https",
            &format!("api.example.com:{}", server.port),
            "/x",
        )
        .unwrap()
    }

    #[tokio::test]
    async fn the_certificate_must_be_for_the_granted_name() {
        let authority = Authority::new();
        let server = Server::start_with(
            Answer::Text(OK.to_owned()),
            Some(authority.acceptor("api.example.com")),
        )
        .await;
        let setup = setup(&server, authority.client());
        assert_eq!(
            code(exchange(&setup, get(&server)).await),
            "200 with 2 bytes"
        );
        let heads = server.heads();
        assert_eq!(heads[0], "SNI api.example.com");
        assert!(heads[1].starts_with("GET /x HTTP/1.1\r\n"), "{heads:?}");
    }

    #[tokio::test]
    async fn another_name_or_another_authority_is_refused() {
        let authority = Authority::new();
        for (name, client) in [
            ("evil.net", authority.client()),
            ("example.com", authority.client()),
            ("127.0.0.1", authority.client()),
            ("api.example.com", Client::new().unwrap()),
            ("api.example.com", Authority::new().client()),
        ] {
            let server =
                Server::start_with(Answer::Text(OK.to_owned()), Some(authority.acceptor(name)))
                    .await;
            let setup = setup(&server, client);
            assert_eq!(
                code(exchange(&setup, get(&server)).await),
                "TlsCertificateError",
                "{name}"
            );
            assert!(
                server.heads().iter().all(|head| !head.contains("GET")),
                "{:?}",
                server.heads()
            );
        }
    }

    #[test]
    fn extra_roots_must_be_certificates() {
        assert!(Client::with_extra_roots(b"").is_ok());
        assert!(Client::with_extra_roots(b"not PEM").is_err());
        assert!(
            Client::with_extra_roots(
                b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
            )
            .is_err()
        );
    }
}

/// The shared cases, as the hook sees them.
mod cases {
    use super::*;
    use serde_json::Value;

    /// Cuts a URL as a guest does, without judging it.
    fn cut(method: &str, url: &str) -> Option<Request<WasiBody>> {
        let (scheme, rest) = url.split_once("://")?;
        let rest = rest.split('#').next()?;
        let (authority, path) = rest.split_at(rest.find(['/', '?', '\\']).unwrap_or(rest.len()));
        request(method, scheme, authority, path)
    }

    #[tokio::test]
    async fn the_hook_decides_as_the_shared_cases_say() {
        let cases: Value =
            serde_json::from_str(include_str!("../../../tests/cases/http-rules.json")).unwrap();
        let mut wrong = Vec::new();
        for case in cases["requests"].as_array().unwrap() {
            let text = |key: &str| case[key].as_str().unwrap();
            let rules: Vec<&str> = case["rules"]
                .as_array()
                .unwrap()
                .iter()
                .map(|rule| rule.as_str().unwrap())
                .collect();
            // Nothing is dialled: names have no address, and literal addresses no time.
            let setup = Setup::new(&rules).deadline(Duration::ZERO);
            let refused = match cut(text("method"), text("url")) {
                None => true,
                Some(request) => matches!(
                    send(&mut setup.egress(), request).await,
                    Err(Error::HttpRequestDenied)
                ),
            };
            if refused != (text("expect") == "deny") {
                wrong.push(format!("{}: {case}", text("why")));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
