//! The only way out: every HTTP request of a guest goes through [`Egress`].
//!
//! A call's `wasi:http` is linked to [`Egress`] as its hooks, and nothing else of the guest's
//! world reaches a network. For one request, in this order:
//!
//! 1. The phase: while a tool file is being loaded, every request is refused.
//! 2. The URL is read strictly and put to the grants ([`crate::grants`]).
//! 3. The request is counted.
//! 4. The name is resolved once, and *every* address of the answer is vetted.
//! 5. One of the vetted addresses is dialled. No name is looked up after the check, so an
//!    answer that changes (DNS rebinding) changes nothing. There is no proxy, from the
//!    environment or otherwise.
//! 6. With `https`, the certificate must be good for the granted host, which is also the SNI.
//! 7. The request is built anew from the checked parts: origin-form target, `Host`,
//!    the guest's headers without the forbidden ones.
//! 8. The response comes back with a bound on its headers and its body. A redirect is a
//!    response like another: the guest follows it with a request of its own, from step 1.
//!
//! | the guest may ask for | what it gets |
//! |---|---|
//! | a connect timeout | at most [`CONNECT_TIMEOUT`], for resolving, dialling and TLS together |
//! | a first-byte timeout, a timeout between bytes | at most what is left of the call |
//! | none of them | the same |
//!
//! | what happened | the guest's error code |
//! |---|---|
//! | refused by phase, grants or headers | `HTTP-request-denied` |
//! | an address without consent | `destination-IP-prohibited` |
//! | too many requests | `internal-error`, whose text names the limit |
//! | no answer in time | `DNS-timeout`, `connection-timeout`, `HTTP-response-timeout`, `connection-read-timeout` |
//! | a body above the limit | `HTTP-response-body-size` |
//! | headers above the limit | `HTTP-response-header-section-size` |
//!
//! Every refusal, and every limit reached, is in the call's [`Journal`] too.
//!
//! A refusal, from the configuration to the log:
//!
//! ```
//! use std::pin::Pin;
//! use std::sync::Arc;
//! use std::time::{Duration, Instant};
//!
//! use holm::egress::{Client, Egress, EgressConfig, EgressLimits, Journal, Phase};
//! use holm::grants::{Consent, Rule, RuleSet};
//! use holm::limits::{Budget, Limits};
//! use http_body_util::{BodyExt, Empty};
//! use wasmtime_wasi_http::{Error, WasiHttpHooks};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let journal = Journal::new();
//! let mut egress = Egress::new(EgressConfig {
//!     client: Client::new()?,
//!     rules: Arc::new(RuleSet::new(vec![Rule::parse("https://api.example.com/v1/")?])),
//!     consent: Arc::new(Consent::default()),
//!     limits: EgressLimits {
//!         deadline: Instant::now() + Duration::from_secs(30),
//!         requests: 50,
//!         response_body: 10 << 20,
//!     },
//!     budget: Budget::new(&Limits::default()),
//!     tool: "/tools/orders.scm".to_owned(),
//!     journal: journal.clone(),
//! });
//! egress.set_phase(Phase::Call);
//!
//! let body = Empty::new().map_err(|never| match never {}).boxed_unsync();
//! let request = http::Request::get("https://api.example.com/v2/orders?key=s3cret").body(body)?;
//! let sending = Pin::from(egress.send_request(request, None, Box::new(async { Ok(()) })));
//! let runtime = tokio::runtime::Builder::new_current_thread().build()?;
//! assert!(matches!(runtime.block_on(sending), Err(Error::HttpRequestDenied)));
//!
//! let denial = journal.denials().remove(0);
//! assert_eq!(denial.url, "https://api.example.com/v2/orders?key=...");
//! assert_eq!(denial.reason.to_string(), "the grant https://api.example.com/v1/ is for another path");
//! assert_eq!(
//!     denial.hint.as_deref(),
//!     Some("[tools.http.allow] \"/tools/orders.scm\" = [\"https://api.example.com/v2/orders\"]"),
//! );
//! # Ok(())
//! # }
//! ```
//!
//! What this does not stop: a granted server learns what the guest sends it, and it may be an
//! open redirector or a proxy itself. Grants are as narrow as their prefix.
#![forbid(unsafe_code)]

mod body;
mod client;
mod denial;
mod headers;
mod journal;
mod resolve;

#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::request::Parts;
use http::uri::Scheme as UriScheme;
use http::{HeaderMap, HeaderName, Method, Request, Response, StatusCode, Uri};
use http_body::Body as _;
use http_body_util::BodyExt as _;
use hyper::client::conn::http1;
use tokio::time::{Instant, timeout_at};
use wasmtime_wasi_http::io::TokioIo;
use wasmtime_wasi_http::p2::bindings::http::types::ErrorCode;
use wasmtime_wasi_http::{Error, ForbiddenHeaderFilter, RequestOptions, WasiBody, WasiHttpHooks};

use crate::grants::{Consent, RequestTarget, Rule, RuleSet, redact};
use crate::limits::Budget;

pub use client::{Client, ClientError};
pub use denial::{Denial, Reason};
pub use journal::{Entries, Journal, MAX_DENIALS, MAX_ORIGINS, OTHER_ORIGINS, Traffic};
pub use resolve::{Resolver, Resolving, SystemResolver};

/// Time to resolve, dial and agree on TLS: a server that takes longer is down.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Fields in a response's headers, and in its trailers: browsers' servers send some thirty.
pub const MAX_RESPONSE_HEADERS: usize = 128;
/// Bytes of a response's headers: twice what most servers and proxies let pass.
pub const MAX_RESPONSE_HEADER_BYTES: usize = 64 << 10;
/// Bytes of a request body that are buffered per write of the guest.
const REQUEST_BODY_CHUNK: usize = 64 << 10;

/// What the call is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Running a tool file to read its declaration: every request is refused, since
    /// looking at a file must not act on the world.
    Load,
    /// Running a handler.
    Call,
}

/// The limits of one call that concern its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EgressLimits {
    /// When the call ends, whatever the guest asks for.
    pub deadline: std::time::Instant,
    /// Requests in all.
    pub requests: u32,
    /// Bytes of one response body.
    pub response_body: u64,
}

/// What [`Egress`] is made from.
#[derive(Debug, Clone)]
pub struct EgressConfig {
    /// Shared by all calls.
    pub client: Client,
    /// The tool file's grants.
    pub rules: Arc<RuleSet>,
    /// The operator's consent to addresses that are not global.
    pub consent: Arc<Consent>,
    /// The call's limits.
    pub limits: EgressLimits,
    /// The tool file's virtual path, to name it in hints.
    pub tool: String,
    /// What this call and all those around it may use together.
    pub budget: Budget,
    /// Where refusals and traffic are noted.
    pub journal: Journal,
}

/// The hooks of one call. Until [`Egress::set_phase`] says otherwise it is in [`Phase::Load`].
#[derive(Debug)]
pub struct Egress {
    shared: Arc<EgressConfig>,
    phase: Phase,
    requests: u32,
}

/// The type that the hook must give back.
type Sending = Box<dyn Future<Output = Result<Sent, Error>> + Send>;
/// A response, and the work that must go on for its body to arrive.
type Sent = (
    Response<WasiBody>,
    Box<dyn Future<Output = Result<(), Error>> + Send>,
);

/// A request that the grants allow.
struct Admitted {
    target: RequestTarget,
    rule: Rule,
    headers: HeaderMap,
}

impl Egress {
    /// The hooks for one call.
    pub fn new(config: EgressConfig) -> Self {
        Self {
            shared: Arc::new(config),
            phase: Phase::Load,
            requests: 0,
        }
    }

    /// Tells what the instance is doing from now on.
    pub fn set_phase(&mut self, phase: Phase) {
        self.phase = phase;
    }

    /// The decision about a request, before any I/O.
    fn admit(&mut self, parts: &Parts) -> Result<Admitted, Error> {
        let target = RequestTarget::from_parts(
            parts.method.as_str(),
            parts.uri.scheme_str(),
            parts.uri.authority().map(http::uri::Authority::as_str),
            parts
                .uri
                .path_and_query()
                .map(http::uri::PathAndQuery::as_str),
        );
        let decision = self.decide(parts, target.as_ref().map_err(|error| *error));
        match (decision, target) {
            (Ok((rule, headers)), Ok(target)) => Ok(Admitted {
                target,
                rule,
                headers,
            }),
            (Err(reason), target) => {
                Err(self
                    .shared
                    .deny(&parts.method, &parts.uri, target.ok().as_ref(), reason))
            }
            (Ok(_), Err(error)) => Err(self.shared.deny(
                &parts.method,
                &parts.uri,
                None,
                Reason::Refused(error.into()),
            )),
        }
    }

    fn decide(
        &mut self,
        parts: &Parts,
        target: Result<&RequestTarget, crate::grants::RequestError>,
    ) -> Result<(Rule, HeaderMap), Reason> {
        if self.phase == Phase::Load {
            return Err(Reason::DuringLoad);
        }
        let target = target.map_err(|error| Reason::Refused(error.into()))?;
        let rule = self.shared.rules.check(target).map_err(Reason::Refused)?;
        if rule.methods().is_some()
            && let Some(header) = headers::method_override(&parts.headers)
        {
            return Err(Reason::MethodOverride(header));
        }
        let headers = headers::rebuild(&parts.headers, target)?;
        if self.requests >= self.shared.limits.requests {
            return Err(Reason::RequestLimit(self.shared.limits.requests));
        }
        self.shared
            .budget
            .draw_request()
            .map_err(Reason::RequestLimit)?;
        self.requests = self.requests.saturating_add(1);
        Ok((rule.clone(), headers))
    }
}

impl EgressConfig {
    /// Notes a refusal; gives the error for the guest.
    fn deny(
        &self,
        method: &Method,
        uri: &Uri,
        target: Option<&RequestTarget>,
        reason: Reason,
    ) -> Error {
        let error = match &reason {
            // No code of `wasi:http` can name the limit; this one carries text.
            Reason::RequestLimit(_) => Error::InternalError(Some(reason.to_string())),
            Reason::Address(_) => Error::DestinationIpProhibited,
            Reason::ResponseBody(limit) => Error::HttpResponseBodySize(Some(*limit)),
            _ => Error::HttpRequestDenied,
        };
        let url = match target {
            Some(target) => target.redacted(),
            None => redact(&uri.to_string()),
        };
        self.journal.push(Denial {
            tool: self.tool.clone(),
            method: method
                .as_str()
                .chars()
                .take(32)
                .flat_map(char::escape_default)
                .collect(),
            url,
            rules: denial::named_rules(&self.rules),
            hint: denial::hint(&reason, target, &self.tool),
            reason,
        });
        error
    }

    /// The vetted addresses of the target's host.
    async fn addresses(
        &self,
        admitted: &Admitted,
        by: Instant,
    ) -> Result<Vec<IpAddr>, AddressError> {
        let host = admitted.target.host();
        let addresses = match host.address() {
            Some(address) => vec![address],
            None => match timeout_at(by, self.client.resolver.resolve(&host.to_string())).await {
                Ok(Ok(addresses)) => addresses,
                Ok(Err(_)) => Vec::new(),
                Err(_) => return Err(AddressError::Other(Error::DnsTimeout)),
            },
        };
        if addresses.is_empty() {
            return Err(AddressError::Other(Error::DnsError {
                rcode: Some("name not found".to_owned()),
                info_code: None,
            }));
        }
        for address in &addresses {
            self.consent
                .permits(&admitted.rule, *address)
                .map_err(|refusal| AddressError::Refused(Reason::Address(refusal)))?;
        }
        Ok(addresses)
    }
}

enum AddressError {
    Refused(Reason),
    Other(Error),
}

/// Sends an admitted request; everything here is bounded by the call's deadline.
async fn exchange(
    shared: Arc<EgressConfig>,
    admitted: Admitted,
    body: WasiBody,
    options: RequestOptions,
) -> Result<Sent, Error> {
    let deadline = Instant::from_std(shared.limits.deadline);
    let connect_timeout = options
        .connect_timeout
        .unwrap_or(CONNECT_TIMEOUT)
        .min(CONNECT_TIMEOUT);
    let connected_by = later(Some(connect_timeout), deadline);

    // A timer is looked at after the work it bounds, and loopback connects at once.
    if Instant::now() >= connected_by {
        return Err(Error::ConnectionTimeout);
    }
    let origin = admitted.target.origin();
    let request = build(&admitted, counted(body, &shared.journal, &origin))?;
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let addresses = match shared.addresses(&admitted, connected_by).await {
        Ok(addresses) => addresses,
        Err(AddressError::Refused(reason)) => {
            return Err(shared.deny(&method, &uri, Some(&admitted.target), reason));
        }
        Err(AddressError::Other(error)) => return Err(error),
    };
    let connection = shared
        .client
        .connect(&addresses, &admitted.target, connected_by)
        .await?;

    let (mut sender, driver) = http1::Builder::new()
        .max_headers(MAX_RESPONSE_HEADERS)
        .max_header_size(MAX_RESPONSE_HEADER_BYTES)
        .max_buf_size(MAX_RESPONSE_HEADER_BYTES)
        .handshake::<_, WasiBody>(TokioIo::new(connection))
        .await
        .map_err(|error| wire_error(&error))?;
    // The task ends with this handle, so with the response or with the call, whichever is
    // dropped first; and at the deadline, if neither is.
    let driver = wasmtime_wasi::runtime::spawn(async move {
        match timeout_at(deadline, driver).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(wire_error(&error)),
            Err(_) => Err(Error::HttpResponseTimeout),
        }
    });

    shared.journal.exchanged(&origin, 1, 0, 0);
    let answered_by = later(options.first_byte_timeout, deadline);
    let response = match timeout_at(answered_by, sender.send_request(request)).await {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => return Err(wire_error(&error)),
        Err(_) => return Err(Error::HttpResponseTimeout),
    };
    // One request per connection: without a sender the connection ends with the response.
    drop(sender);

    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        return Err(Error::HttpUpgradeFailed);
    }
    let limit = shared.limits.response_body;
    let journal = shared.journal.clone();
    let report = move || {
        shared.deny(
            &method,
            &uri,
            Some(&admitted.target),
            Reason::ResponseBody(limit),
        );
    };
    let (mut head, incoming) = response.into_parts();
    if incoming.size_hint().lower() > limit {
        report();
        return Err(Error::HttpResponseBodySize(Some(limit)));
    }
    // The extensions hold handles to the connection, which are the runtime's.
    head.extensions.clear();
    let body = body::CappedBody::new(
        incoming,
        limit,
        deadline,
        options.between_bytes_timeout,
        Box::new(report),
    );
    let body = body.map_frame(move |frame| {
        let length = frame.data_ref().map_or(0, Bytes::len);
        journal.exchanged(&origin, 0, 0, length as u64);
        frame
    });
    Ok((
        Response::from_parts(head, body.boxed_unsync()),
        Box::new(driver),
    ))
}

/// The request's body, with its bytes noted as they are sent.
fn counted(body: WasiBody, journal: &Journal, origin: &str) -> WasiBody {
    let (journal, origin) = (journal.clone(), origin.to_owned());
    let counted = body.map_frame(move |frame| {
        let length = frame.data_ref().map_or(0, Bytes::len);
        journal.exchanged(&origin, 0, length as u64, 0);
        frame
    });
    counted.boxed_unsync()
}

/// The request as it goes out, from the checked parts alone.
fn build(admitted: &Admitted, body: WasiBody) -> Result<Request<WasiBody>, Error> {
    let mut request = Request::new(body);
    *request.method_mut() = Method::from_bytes(admitted.target.method().as_bytes())
        .map_err(|_| Error::HttpRequestMethodInvalid)?;
    *request.uri_mut() = admitted
        .target
        .origin_form()
        .parse()
        .map_err(|_| Error::HttpRequestUriInvalid)?;
    *request.headers_mut() = admitted.headers.clone();
    Ok(request)
}

/// So long from now, but never after the deadline. A guest may ask for any duration, and
/// not every one can be added to a point in time.
fn later(wait: Option<Duration>, deadline: Instant) -> Instant {
    wait.and_then(|wait| Instant::now().checked_add(wait))
        .map_or(deadline, |at| at.min(deadline))
}

/// The guest's code for an error on the wire.
fn wire_error(error: &hyper::Error) -> Error {
    if error.is_parse_too_large() {
        Error::HttpResponseHeaderSectionSize(u32::try_from(MAX_RESPONSE_HEADER_BYTES).ok())
    } else if error.is_timeout() {
        Error::HttpResponseTimeout
    } else if error.is_body_write_aborted() {
        Error::HttpRequestBodySize(None)
    } else if error.is_incomplete_message() {
        Error::HttpResponseIncomplete
    } else if error.is_canceled() || error.is_closed() {
        Error::ConnectionTerminated
    } else {
        Error::HttpProtocolError
    }
}

/// The guest's code for the error of a body's stream.
///
/// `http-error-code` of wasmtime-wasi-http 48 looks for the WIT type in the error, but the
/// stream's error is the crate's own [`Error`], so a guest that asks is told nothing.
/// The linker puts this in its place.
pub fn stream_error_code(error: &wasmtime::Error) -> Option<ErrorCode> {
    if let Some(code) = error.downcast_ref::<ErrorCode>() {
        return Some(code.clone());
    }
    Some(match error.downcast_ref::<Error>()? {
        Error::HttpResponseBodySize(limit) => ErrorCode::HttpResponseBodySize(*limit),
        Error::HttpRequestBodySize(size) => ErrorCode::HttpRequestBodySize(*size),
        Error::HttpResponseTimeout => ErrorCode::HttpResponseTimeout,
        Error::ConnectionReadTimeout => ErrorCode::ConnectionReadTimeout,
        Error::HttpResponseIncomplete => ErrorCode::HttpResponseIncomplete,
        Error::ConnectionTerminated => ErrorCode::ConnectionTerminated,
        Error::HttpResponseHeaderSectionSize(size) => {
            ErrorCode::HttpResponseTrailerSectionSize(*size)
        }
        _ => ErrorCode::HttpProtocolError,
    })
}

impl WasiHttpHooks for Egress {
    fn forbidden_header_filter(&mut self) -> ForbiddenHeaderFilter {
        Arc::new(|name: &HeaderName| headers::is_forbidden(name))
    }

    fn is_forbidden_header(&mut self, name: &HeaderName) -> bool {
        headers::is_forbidden(name)
    }

    /// Every scheme comes to [`Self::send_request`], so that its refusal is noted there.
    fn is_supported_scheme(&mut self, _scheme: &UriScheme) -> bool {
        true
    }

    /// The `Host` header is set from the checked target.
    fn set_host_header(&mut self) -> bool {
        false
    }

    /// A request without a scheme is refused: there is no saying which one was meant.
    fn default_scheme(&mut self) -> Option<UriScheme> {
        None
    }

    fn p2_outgoing_body_chunk_size(&mut self) -> usize {
        REQUEST_BODY_CHUNK
    }

    fn send_request(
        &mut self,
        request: Request<WasiBody>,
        options: Option<RequestOptions>,
        _processed: Box<dyn Future<Output = Result<(), Error>> + Send>,
    ) -> Sending {
        let (parts, body) = request.into_parts();
        match self.admit(&parts) {
            Ok(admitted) => {
                let shared = Arc::clone(&self.shared);
                Box::new(exchange(
                    shared,
                    admitted,
                    body,
                    options.unwrap_or_default(),
                ))
            }
            Err(error) => Box::new(std::future::ready(Err(error))),
        }
    }
}
