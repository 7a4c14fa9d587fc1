//! MCP over streamable HTTP, for several principals.
//!
//! | path | answers | to whom |
//! |---|---|---|
//! | `/mcp` | the protocol | a principal's token |
//! | `/status` | what the principal sees, and how the server is | a principal's token |
//! | `/metrics` | numbers for Prometheus | a principal's token |
//! | `/health` | `ok`, or 503 when the server stops | everybody |
//!
//! A request is looked at in this order: `Host` and `Origin` ([`gate`]), the token
//! ([`tokens`]), the path. Each principal has sessions of its own, so the id of another's session
//! is as good as none. Without principals, which a server has only on loopback, whoever can reach the
//! server is the local user.

mod gate;
mod tokens;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{Method, Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{Host, Served, Session};

pub use gate::{Gate, Refusal};
pub use tokens::{SHORT_TOKEN, TokenDigest, bearer, owner};

/// The path of the protocol.
pub const PATH: &str = "/mcp";

/// How long the last answers may take to be written when the server stops.
const ANSWERS: Duration = Duration::from_millis(500);

/// How long a client may take to send the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// Connections at a time: more than clients have, fewer than a machine has files.
const MOST_CONNECTIONS: usize = 4096;
/// Bytes of one message: what the largest arguments of a tool have, and room for them.
const LARGEST_MESSAGE: usize = 4 << 20;

type Body = BoxBody<Bytes, Infallible>;

/// Who is served over HTTP.
pub enum Who {
    /// Whoever can reach the server.
    Anyone(Arc<Served>),
    /// The owners of tokens.
    Owners(Vec<(TokenDigest, Arc<Served>)>),
}

/// One principal, with sessions of its own.
struct Door {
    served: Arc<Served>,
    service: StreamableHttpService<Session, LocalSessionManager>,
}

/// A server that listens.
pub struct Server {
    host: Arc<Host>,
    gate: Gate,
    digests: Option<Vec<TokenDigest>>,
    doors: Vec<Door>,
    /// Ends what is left of sessions and streams.
    closing: CancellationToken,
}

impl Server {
    /// A server for a listener on `address`.
    #[must_use]
    pub fn new(host: Arc<Host>, gate: Gate, who: Who) -> Self {
        let closing = CancellationToken::new();
        let door = |served: Arc<Served>| {
            let session = {
                let (host, served) = (Arc::clone(&host), Arc::clone(&served));
                move || Ok(Session::new(Arc::clone(&host), Arc::clone(&served)))
            };
            // The gate has looked at `Host` and `Origin` before.
            let config = StreamableHttpServerConfig::default()
                .disable_allowed_hosts()
                .with_max_request_body_bytes(LARGEST_MESSAGE)
                .with_cancellation_token(closing.child_token());
            let service = StreamableHttpService::new(
                session,
                Arc::new(LocalSessionManager::default()),
                config,
            );
            Door { served, service }
        };
        let (digests, doors) = match who {
            Who::Anyone(served) => (None, vec![door(served)]),
            Who::Owners(owners) => {
                let (digests, served): (Vec<_>, Vec<_>) = owners.into_iter().unzip();
                (Some(digests), served.into_iter().map(door).collect())
            }
        };
        Self {
            host,
            gate,
            digests,
            doors,
            closing,
        }
    }

    /// Serves until `stop` ends, and then for at most `bound` until what runs has ended.
    pub async fn run(self, listener: TcpListener, stop: impl Future<Output = ()>, bound: Duration) {
        let server = Arc::new(self);
        let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let mut connections = JoinSet::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            let place = tokio::select! {
                () = &mut stop => break,
                // The semaphore is never closed.
                place = Arc::clone(&places).acquire_owned() => place,
            };
            let accepted = tokio::select! {
                () = &mut stop => break,
                accepted = listener.accept() => accepted,
            };
            while connections.try_join_next().is_some() {}
            match accepted {
                Ok((stream, _)) => {
                    let server = Arc::clone(&server);
                    connections.spawn(async move {
                        server.connection(stream).await;
                        drop(place);
                    });
                }
                // Out of files, most likely: it passes when connections end.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
        drop(listener);
        server.host.stop(bound).await;
        // A call that is over has still to be answered; what stays open after that are streams
        // that only listen.
        for last in [ANSWERS, super::LAST_WORDS] {
            let rest = async { while connections.join_next().await.is_some() {} };
            drop(tokio::time::timeout(last, rest).await);
            server.closing.cancel();
        }
    }

    async fn connection(self: Arc<Self>, stream: TcpStream) {
        let server = Arc::clone(&self);
        let service = service_fn(move |request| {
            let server = Arc::clone(&server);
            async move { Ok::<_, Infallible>(server.answer(request).await) }
        });
        // Answers are small and somebody waits for them.
        drop(stream.set_nodelay(true));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .serve_connection(TokioIo::new(stream), service);
        let mut connection = std::pin::pin!(connection);
        // A client that breaks the protocol or goes away is no concern of anybody's.
        tokio::select! {
            ended = connection.as_mut() => drop(ended),
            () = self.host.draining.cancelled() => {
                connection.as_mut().graceful_shutdown();
                drop(connection.await);
            }
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        if let Err(refusal) = self.gate.check(request.uri(), request.headers()) {
            self.host.metrics.refused(refusal.word());
            let text = format!(
                "the {} of this request is not accepted here",
                refusal.word()
            );
            return error(StatusCode::FORBIDDEN, &text);
        }
        let path = request.uri().path().to_owned();
        if path == "/health" {
            return self.health();
        }
        let Some(door) = self.door(&request) else {
            self.host.metrics.refused("token");
            let mut response = error(StatusCode::UNAUTHORIZED, "a bearer token is needed");
            let challenge = HeaderValue::from_static("Bearer realm=\"holm\"");
            response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
            return response;
        };
        match path.as_str() {
            PATH if self.host.draining.is_cancelled() && request.method() == Method::POST => {
                error(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping")
            }
            PATH => door.service.handle(request).await,
            "/status" if request.method() == Method::GET => self.status(&door.served).await,
            "/metrics" if request.method() == Method::GET => {
                let kind = "text/plain; version=0.0.4; charset=utf-8";
                response(StatusCode::OK, kind, self.host.metrics.text())
            }
            "/status" | "/metrics" => error(StatusCode::METHOD_NOT_ALLOWED, "only GET is for here"),
            _ => error(StatusCode::NOT_FOUND, "there is nothing here"),
        }
    }

    /// The door that a request's token opens.
    fn door<B>(&self, request: &Request<B>) -> Option<&Door> {
        let Some(digests) = &self.digests else {
            return self.doors.first();
        };
        let mut headers = request.headers().get_all(AUTHORIZATION).iter();
        let (Some(header), None) = (headers.next(), headers.next()) else {
            return None;
        };
        let token = bearer(header.to_str().ok()?)?;
        self.doors.get(owner(digests, token)?)
    }

    fn health(&self) -> Response<Body> {
        if self.host.draining.is_cancelled() {
            error(StatusCode::SERVICE_UNAVAILABLE, "the server is stopping")
        } else {
            response(
                StatusCode::OK,
                "text/plain; charset=utf-8",
                "ok\n".to_owned(),
            )
        }
    }

    /// What a principal may know: itself, its tools, and how the server is.
    async fn status(&self, served: &Served) -> Response<Body> {
        let view = self.host.view(served).await;
        let tools: Vec<Value> = view
            .declarations
            .tools
            .iter()
            .map(|tool| json!({ "name": tool.name, "tool": tool.tool }))
            .collect();
        let status = json!({
            "status": if self.host.draining.is_cancelled() { "stopping" } else { "ok" },
            "version": env!("CARGO_PKG_VERSION"),
            "uptime_seconds": self.host.metrics.uptime().as_secs(),
            "principal": served.name,
            "skill": served.skill.as_ref().map(|skill| &skill.name),
            "under_policy": view.policy.is_under_skill(),
            "policy": view.policy.digest(),
            "tools": tools,
            "warnings": view.policy.warnings(),
        });
        response(StatusCode::OK, "application/json", format!("{status}\n"))
    }
}

fn error(status: StatusCode, text: &str) -> Response<Body> {
    let body = json!({ "error": text });
    response(status, "application/json", format!("{body}\n"))
}

fn response(status: StatusCode, kind: &'static str, body: String) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::from(body)).boxed());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    // What a principal sees is nobody else's.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// Whether a server may listen here without tokens.
#[must_use]
pub fn is_private(address: SocketAddr) -> bool {
    address.ip().is_loopback()
}
