//! From a vetted address to a connection: dialling and TLS.
//!
//! The parts that are expensive to make, the root certificates above all, are made once
//! and shared by every call. Connections are kept too, but only for whom they were
//! made (see [`pool`](super::pool)); there are no TLS sessions to resume.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::Resumption;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{self, ClientConfig, RootCertStore};
use wasmtime_wasi_http::Error;

use super::pool::Pool;
use super::resolve::{Resolver, SystemResolver};
use crate::grants::{Host, RequestTarget, Scheme};

/// Addresses of one name that are tried, of those that were vetted.
const MAX_ATTEMPTS: usize = 8;
/// HTTP/2 in a TLS handshake (RFC 7301, RFC 9113).
const HTTP2: &[u8] = b"h2";

/// What every call's egress shares: the resolver and the TLS configuration.
#[derive(Clone)]
pub struct Client {
    pub(super) resolver: Arc<dyn Resolver>,
    tls: Arc<ClientConfig>,
    pub(super) pool: Pool,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}

/// Why a client could not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClientError {
    /// An extra certificate authority is not readable PEM, or has no certificate in it.
    ExtraRoots(String),
    /// The TLS library refused its own defaults.
    Tls(String),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ExtraRoots(message) => write!(
                f,
                "the extra certificate authorities cannot be used: {message}"
            ),
            Self::Tls(message) => write!(f, "TLS cannot be set up: {message}"),
        }
    }
}

impl std::error::Error for ClientError {}

impl Client {
    /// A client with the system's resolver and Mozilla's certificate authorities.
    ///
    /// # Errors
    ///
    /// If TLS cannot be set up.
    pub fn new() -> Result<Self, ClientError> {
        Self::with_extra_roots(&[])
    }

    /// A client that also trusts the certificate authorities in this PEM text.
    ///
    /// # Errors
    ///
    /// If the text is not PEM, or TLS cannot be set up.
    pub fn with_extra_roots(pem: &[u8]) -> Result<Self, ClientError> {
        // It would be an authority's own key, and the runtime has no business to read it.
        const KEY: &[u8] = b"PRIVATE KEY-----";
        if pem.windows(KEY.len()).any(|text| text == KEY) {
            return Err(ClientError::ExtraRoots(
                "there is a private key in the file; keep it elsewhere".to_owned(),
            ));
        }
        let mut extra = Vec::new();
        for certificate in CertificateDer::pem_slice_iter(pem) {
            extra.push(certificate.map_err(|error| ClientError::ExtraRoots(error.to_string()))?);
        }
        if extra.is_empty() && !pem.is_empty() {
            return Err(ClientError::ExtraRoots(
                "there is no certificate in the file".to_owned(),
            ));
        }
        Self::trusting(extra)
    }

    pub(super) fn trusting(extra: Vec<CertificateDer<'_>>) -> Result<Self, ClientError> {
        let mut roots = RootCertStore {
            roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
        };
        for certificate in extra {
            roots
                .add(certificate)
                .map_err(|error| ClientError::ExtraRoots(error.to_string()))?;
        }
        let mut tls = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| ClientError::Tls(error.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        tls.alpn_protocols = vec![HTTP2.to_vec(), b"http/1.1".to_vec()];
        // A resumed session tells the server that two calls are the same caller's.
        tls.resumption = Resumption::disabled();
        Ok(Self {
            resolver: Arc::new(SystemResolver),
            tls: Arc::new(tls),
            pool: Pool::default(),
        })
    }

    /// The same client with another resolver.
    #[must_use]
    pub fn with_resolver(self, resolver: impl Resolver) -> Self {
        Self {
            resolver: Arc::new(resolver),
            ..self
        }
    }

    /// Ends the connections that wait for a next request.
    pub fn close_idle(&self) {
        self.pool.clear();
    }

    /// How many connections wait for a next request.
    #[must_use]
    pub fn idle(&self) -> usize {
        self.pool.len()
    }

    /// Connects to one of these addresses, and speaks TLS for the target's host if the
    /// target's scheme says so. Gives the peer with the connection, and whether the two
    /// agreed on HTTP/2.
    ///
    /// The addresses must be the vetted ones: no name is resolved from here on.
    pub(super) async fn connect(
        &self,
        addresses: &[IpAddr],
        target: &RequestTarget,
        by: Instant,
    ) -> Result<(Connection, SocketAddr, bool), Error> {
        let (stream, peer) = dial(addresses, target.port(), by).await?;
        match target.scheme() {
            Scheme::Http => Ok((Connection::Plain(stream), peer, false)),
            Scheme::Https => {
                let connector = TlsConnector::from(Arc::clone(&self.tls));
                let handshake = connector.connect(server_name(target.host())?, stream);
                match timeout_at(by, handshake).await {
                    Ok(Ok(stream)) => {
                        let http2 = stream.get_ref().1.alpn_protocol() == Some(HTTP2);
                        Ok((Connection::Tls(Box::new(stream)), peer, http2))
                    }
                    Ok(Err(error)) => Err(tls_error(&error)),
                    Err(_) => Err(Error::ConnectionTimeout),
                }
            }
        }
    }
}

/// Tries the addresses in turn; each has its share of the time that is left, so that one
/// that swallows packets does not take it all.
async fn dial(
    addresses: &[IpAddr],
    port: u16,
    by: Instant,
) -> Result<(TcpStream, SocketAddr), Error> {
    let attempts = addresses.len().min(MAX_ATTEMPTS);
    let mut last = Error::DestinationUnavailable;
    for (index, address) in addresses.iter().take(attempts).enumerate() {
        let left = by.saturating_duration_since(Instant::now());
        let remaining = u32::try_from(attempts - index).unwrap_or(u32::MAX);
        let share = Instant::now() + left / remaining;
        let peer = SocketAddr::new(*address, port);
        match timeout_at(share, TcpStream::connect(peer)).await {
            Ok(Ok(stream)) => {
                // Requests are written whole; waiting for more only costs time.
                let _ = stream.set_nodelay(true);
                return Ok((stream, peer));
            }
            Ok(Err(error)) => last = dial_error(&error),
            Err(_) => last = Error::ConnectionTimeout,
        }
    }
    Err(last)
}

fn dial_error(error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => Error::ConnectionRefused,
        io::ErrorKind::TimedOut => Error::ConnectionTimeout,
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted => {
            Error::ConnectionTerminated
        }
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
            Error::DestinationIpUnroutable
        }
        _ => Error::DestinationUnavailable,
    }
}

/// The name that the certificate must have; it is also the SNI, but for addresses.
fn server_name(host: &Host) -> Result<ServerName<'static>, Error> {
    match host {
        Host::Name(name) => {
            ServerName::try_from(name.clone()).map_err(|_| Error::HttpRequestUriInvalid)
        }
        Host::V4(address) => Ok(ServerName::from(IpAddr::V4(*address))),
        Host::V6(address) => Ok(ServerName::from(IpAddr::V6(*address))),
    }
}

fn tls_error(error: &io::Error) -> Error {
    match error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<rustls::Error>())
    {
        Some(rustls::Error::InvalidCertificate(_) | rustls::Error::NoCertificatesPresented) => {
            Error::TlsCertificateError
        }
        Some(rustls::Error::AlertReceived(alert)) => Error::TlsAlertReceived {
            alert_id: Some(u8::from(*alert)),
            alert_message: Some(format!("{alert:?}")),
        },
        Some(_) => Error::TlsProtocolError,
        None => Error::ConnectionTerminated,
    }
}

/// A connection, with or without TLS.
pub(super) enum Connection {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl AsyncRead for Connection {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_read(cx, buffer),
            Self::Tls(stream) => Pin::new(stream).poll_read(cx, buffer),
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write(cx, bytes),
            Self::Tls(stream) => Pin::new(stream).poll_write(cx, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Self::Tls(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}
