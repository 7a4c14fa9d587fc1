//! One HTTP connection, HTTP/1.1 or HTTP/2, that carries one request at a time.
//!
//! HTTP/2 could carry several, but then a response that one call does not read would
//! hold up another call's. A connection is ended by dropping its [`Link`].
//!
//! What a server may send before its answer is bounded in bytes and, for the interim
//! responses of HTTP/1.1 (`103 Early Hints` and the like), in number: they are read by the
//! client library without end, on the host's CPU time.

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use http::header::HOST;
use http::uri::Authority;
use http::{HeaderValue, Request, Response, Uri};
use hyper::body::Incoming;
use hyper::client::conn::{TrySendError, http1, http2};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use wasmtime_wasi::runtime::{AbortOnDropJoinHandle, spawn};
use wasmtime_wasi_http::io::TokioIo;
use wasmtime_wasi_http::{Error, WasiBody};

use super::client::Connection;
use super::errors::wire_error;
use super::{MAX_INTERIM_RESPONSES, MAX_RESPONSE_HEADER_BYTES, MAX_RESPONSE_HEADERS};

/// Bytes that a server may send before it has answered, heads of bodies included: well
/// above what a window of HTTP/2 and the largest head come to.
const BEFORE_ANSWER: u64 = 1 << 20;
/// Bytes of a response body that are on their way before someone reads them (HTTP/2).
const WINDOW: u32 = 256 << 10;
/// Bytes of a request body that wait to be sent (HTTP/2).
const SEND_BUFFER: usize = 256 << 10;

/// A connection that is ready for a request, or is carrying one.
pub(super) struct Link {
    /// Who is at the other end.
    pub(super) peer: SocketAddr,
    sender: Sender,
    allowance: Arc<AtomicU64>,
    tasks: Tasks,
    _driver: AbortOnDropJoinHandle<()>,
}

enum Sender {
    Http1(http1::SendRequest<WasiBody>),
    Http2(http2::SendRequest<WasiBody>),
}

/// Why a request got no response.
pub(super) enum SendError {
    /// Nothing of it was sent: it can go over another connection.
    Unsent(Box<Request<WasiBody>>),
    /// Any other reason.
    Failed(Error),
}

impl Link {
    /// Begins to speak HTTP over a connection.
    pub(super) async fn new(
        connection: Connection,
        peer: SocketAddr,
        http2: bool,
    ) -> Result<Self, Error> {
        let allowance = Arc::new(AtomicU64::new(BEFORE_ANSWER));
        let tasks = Tasks::default();
        let io = TokioIo::new(Allowed {
            connection,
            allowance: Arc::clone(&allowance),
        });
        let (sender, driver) = if http2 {
            let (sender, connection) = http2::Builder::new(tasks.clone())
                .initial_stream_window_size(WINDOW)
                .initial_connection_window_size(WINDOW)
                .max_header_list_size(u32::try_from(MAX_RESPONSE_HEADER_BYTES).unwrap_or(u32::MAX))
                .max_send_buf_size(SEND_BUFFER)
                .handshake::<_, WasiBody>(io)
                .await
                .map_err(|error| wire_error(&error))?;
            let driver = spawn(async move {
                // Whoever waits for a response is told what went wrong.
                let _ = connection.await;
            });
            (Sender::Http2(sender), driver)
        } else {
            let (sender, connection) = http1::Builder::new()
                .max_headers(MAX_RESPONSE_HEADERS)
                .max_header_size(MAX_RESPONSE_HEADER_BYTES)
                .max_buf_size(MAX_RESPONSE_HEADER_BYTES)
                .handshake::<_, WasiBody>(io)
                .await
                .map_err(|error| wire_error(&error))?;
            let driver = spawn(async move {
                let _ = connection.await;
            });
            (Sender::Http1(sender), driver)
        };
        Ok(Self {
            peer,
            sender,
            allowance,
            tasks,
            _driver: driver,
        })
    }

    /// Waits until the last request is over; false if the connection is.
    pub(super) async fn ready(&mut self) -> bool {
        match &mut self.sender {
            Sender::Http1(sender) => sender.ready().await.is_ok(),
            Sender::Http2(sender) => sender.ready().await.is_ok(),
        }
    }

    /// Whether the other side has closed it, as far as is known.
    pub(super) fn is_closed(&self) -> bool {
        match &self.sender {
            Sender::Http1(sender) => sender.is_closed(),
            Sender::Http2(sender) => sender.is_closed(),
        }
    }

    /// Sends a request, with a target in origin-form and a `Host`, and waits for the head of
    /// its response.
    pub(super) async fn send(
        &mut self,
        mut request: Request<WasiBody>,
        scheme: &'static str,
    ) -> Result<Response<Incoming>, SendError> {
        self.allowance.store(BEFORE_ANSWER, Ordering::Relaxed);
        let too_many = Arc::new(Notify::new());
        let seen = AtomicU32::new(0);
        let report = Arc::clone(&too_many);
        let answered = match &mut self.sender {
            Sender::Http1(sender) => {
                hyper::ext::on_informational(&mut request, move |_| {
                    if seen.fetch_add(1, Ordering::Relaxed) >= MAX_INTERIM_RESPONSES {
                        report.notify_one();
                    }
                });
                let answer = sender.try_send_request(request);
                let mut answer = pin!(answer);
                let mut too_many = pin!(too_many.notified());
                let answered = poll_fn(|cx| match too_many.as_mut().poll(cx) {
                    Poll::Ready(()) => Poll::Ready(None),
                    Poll::Pending => answer.as_mut().poll(cx).map(Some),
                });
                match answered.await {
                    Some(answer) => answer,
                    None => return Err(SendError::Failed(interim())),
                }
            }
            Sender::Http2(sender) => {
                let request = for_http2(request, scheme).map_err(SendError::Failed)?;
                sender.try_send_request(request).await
            }
        };
        match answered {
            Ok(response) => {
                // From here on the body's own limit counts.
                self.allowance.store(u64::MAX, Ordering::Relaxed);
                if response.headers().len() > MAX_RESPONSE_HEADERS {
                    return Err(SendError::Failed(too_large()));
                }
                Ok(response)
            }
            Err(error) => Err(self.unsent_or_failed(error)),
        }
    }

    fn unsent_or_failed(&self, mut error: TrySendError<Request<WasiBody>>) -> SendError {
        if let Some(request) = error.take_message() {
            return match from_http2(request) {
                Ok(request) => SendError::Unsent(Box::new(request)),
                Err(error) => SendError::Failed(error),
            };
        }
        if self.allowance.load(Ordering::Relaxed) == 0 {
            return SendError::Failed(too_large());
        }
        SendError::Failed(wire_error(error.error()))
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.tasks.end();
    }
}

fn interim() -> Error {
    Error::InternalError(Some(format!(
        "more than {MAX_INTERIM_RESPONSES} interim responses before the answer"
    )))
}

fn too_large() -> Error {
    Error::HttpResponseHeaderSectionSize(u32::try_from(MAX_RESPONSE_HEADER_BYTES).ok())
}

/// HTTP/2 has scheme and host beside the path, and no `Host`.
fn for_http2(
    mut request: Request<WasiBody>,
    scheme: &'static str,
) -> Result<Request<WasiBody>, Error> {
    let authority = request
        .headers_mut()
        .remove(HOST)
        .and_then(|host| Authority::try_from(host.as_bytes()).ok())
        .ok_or(Error::HttpRequestUriInvalid)?;
    let path = request.uri().path_and_query().cloned();
    let mut uri = Uri::builder().scheme(scheme).authority(authority);
    if let Some(path) = path {
        uri = uri.path_and_query(path);
    }
    *request.uri_mut() = uri.build().map_err(|_| Error::HttpRequestUriInvalid)?;
    Ok(request)
}

/// The request as it was before [`for_http2`], for a connection that speaks something else.
fn from_http2(mut request: Request<WasiBody>) -> Result<Request<WasiBody>, Error> {
    if let Some(authority) = request.uri().authority() {
        let host = HeaderValue::try_from(authority.as_str());
        let host = host.map_err(|_| Error::HttpRequestUriInvalid)?;
        request.headers_mut().insert(HOST, host);
        let path = request.uri().path_and_query().cloned();
        let path = path.ok_or(Error::HttpRequestUriInvalid)?;
        *request.uri_mut() = Uri::from(path);
    }
    Ok(request)
}

/// The tasks of one HTTP/2 connection, which end with it.
#[derive(Clone, Default)]
struct Tasks(Arc<Mutex<JoinSet<()>>>);

impl Tasks {
    fn end(&self) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .abort_all();
    }
}

impl<F> hyper::rt::Executor<F> for Tasks
where
    F: Future + Send + 'static,
{
    fn execute(&self, task: F) {
        let mut tasks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(async move {
            task.await;
        });
    }
}

/// A connection that may send only so many bytes.
struct Allowed {
    connection: Connection,
    allowance: Arc<AtomicU64>,
}

impl AsyncRead for Allowed {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.allowance.load(Ordering::Relaxed) == 0 {
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        let before = buffer.filled().len();
        let polled = Pin::new(&mut this.connection).poll_read(cx, buffer);
        let read = (buffer.filled().len() - before) as u64;
        // Without a limit it stays without one.
        let _ = this
            .allowance
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                (left != u64::MAX).then_some(left.saturating_sub(read))
            });
        polled
    }
}

impl AsyncWrite for Allowed {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().connection).poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().connection).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().connection).poll_shutdown(cx)
    }
}
