//! The only way out: every HTTP request of a guest goes through [`Egress`].
//!
//! A call's `wasi:http` is linked to [`Egress`] as its hooks, and nothing else of the guest's
//! world reaches a network. For one request, in this order:
//!
//! 1. The phase: while a tool file is being loaded, every request is refused.
//! 2. The URL is read strictly and put to the grants ([`crate::grants`]).
//! 3. The request is counted.
//! 4. The name is resolved once, and *every* address of the answer is vetted.
//! 5. One of the vetted addresses is dialled, or a connection is taken that an earlier call
//!    made to one of them, for the same principal, tool file and grant. No name is
//!    looked up after the check, so an answer that changes (DNS rebinding) changes nothing.
//!    There is no proxy, from the environment or otherwise.
//! 6. With `https`, the certificate must be good for the granted host, which is also the SNI.
//!    HTTP/2 is spoken where the server offers it in the handshake, HTTP/1.1 otherwise.
//! 7. The request is built anew from the checked parts: origin-form target, `Host`,
//!    the guest's headers without the forbidden ones, `Accept-Encoding: identity`.
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
//! | a body above the limit | `HTTP-response-body-size`, `HTTP-request-body-size` |
//! | headers above the limit | `HTTP-response-header-section-size` |
//! | interim responses without end | `internal-error`, whose text says so |
//!
//! Every refusal, and every limit reached, is in the call's [`Journal`] too. What a guest
//! refuses itself comes there by [`Reports`].
//!
//! Compression: none is asked for and none is undone. A server is told `identity`, whatever
//! the guest would have said; a body that comes compressed all the same arrives as it is
//! and counts with its size on the wire. So nothing expands, and there is no bomb.
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
//!         request_bodies: 10 << 20,
//!     },
//!     budget: Budget::new(&Limits::default()),
//!     tool: "/tools/orders.scm".to_owned(),
//!     principal: "local".to_owned(),
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
//! assert_eq!(denial.url(), Some("https://api.example.com/v2/orders?key=..."));
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
mod errors;
mod exchange;
mod headers;
mod journal;
mod link;
mod pool;
mod report;
mod resolve;
mod upload;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use http::uri::Scheme as UriScheme;
use http::{HeaderMap, HeaderName, Request, Response};
use wasmtime_wasi_http::{Error, ForbiddenHeaderFilter, RequestOptions, WasiBody, WasiHttpHooks};

use crate::grants::{Consent, RequestError, RequestTarget, Rule, RuleSet, redact};
use crate::limits::Budget;
use upload::{Upload, Uploaded};

pub use client::{Client, ClientError};
pub use denial::{Asked, Denial, Reason, Source};
pub use errors::stream_error_code;
pub use journal::{Entries, Journal, MAX_DENIALS, MAX_ORIGINS, OTHER_ORIGINS, Traffic};
pub use pool::{IDLE_TIMEOUT, MAX_IDLE, MAX_IDLE_PER_KEY};
pub use report::Reports;
pub use resolve::{Resolver, Resolving, SystemResolver};

/// Time to resolve, dial and agree on TLS: a server that takes longer is down.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Fields in a response's headers, and in its trailers: browsers' servers send some thirty.
pub const MAX_RESPONSE_HEADERS: usize = 128;
/// Bytes of a response's headers: twice what most servers and proxies let pass.
pub const MAX_RESPONSE_HEADER_BYTES: usize = 64 << 10;
/// Interim responses (`100 Continue`, `103 Early Hints`) before the answer: servers send one
/// or two.
pub const MAX_INTERIM_RESPONSES: u32 = 16;
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
    /// Bytes of all request bodies together.
    pub request_bodies: u64,
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
    /// On whose behalf: connections are kept apart by it.
    pub principal: String,
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
    uploaded: Uploaded,
}

/// The type that the hook must give back.
type Sending = Box<dyn Future<Output = Result<Sent, Error>> + Send>;
/// A response, and the work that must go on for its body to arrive.
type Sent = (
    Response<WasiBody>,
    Box<dyn Future<Output = Result<(), Error>> + Send>,
);

/// A request that the grants allow.
#[derive(Clone)]
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
            uploaded: Uploaded::default(),
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
            (Err(reason), Ok(target)) => {
                let url = self.shared.shown(&target.url());
                Err(self
                    .shared
                    .deny(parts.method.as_str(), url, Some(&target), reason))
            }
            (decision, Err(error)) => {
                let reason = decision
                    .err()
                    .unwrap_or_else(|| Reason::Refused(error.into()));
                let url = self.shared.shown(&parts.uri.to_string());
                Err(self.shared.deny(parts.method.as_str(), url, None, reason))
            }
        }
    }

    /// Judges the parts of a request as the guest set them, before anything has read them
    /// another way: what the URL type of the `http` crate does not take never gets to
    /// [`Self::send_request`], and would be no refusal that anyone hears of.
    ///
    /// # Errors
    ///
    /// The error for the guest, when the parts cannot be read in one way; it is noted.
    pub fn judge(
        &self,
        method: &str,
        scheme: Option<&str>,
        authority: Option<&str>,
        path: Option<&str>,
    ) -> Result<(), Error> {
        let Err(error) = RequestTarget::from_parts(method, scheme, authority, path) else {
            return Ok(());
        };
        let reason = match self.phase {
            Phase::Load => Reason::DuringLoad,
            Phase::Call => Reason::Refused(error.into()),
        };
        let (scheme, authority) = (scheme.unwrap_or_default(), authority.unwrap_or_default());
        let path = path.unwrap_or_default();
        let url = self.shared.shown(&format!("{scheme}://{authority}{path}"));
        Err(self.shared.deny(method, url, None, reason))
    }

    fn decide(
        &mut self,
        parts: &Parts,
        target: Result<&RequestTarget, RequestError>,
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
    /// A URL as it may be shown. Values are looked for before it is cut.
    fn shown(&self, url: &str) -> String {
        redact(&self.journal.redact(url))
    }

    /// Notes a refusal; gives the error for the guest.
    fn deny(
        &self,
        method: &str,
        url: String,
        target: Option<&RequestTarget>,
        reason: Reason,
    ) -> Error {
        let error = match &reason {
            // No code of `wasi:http` can name the limit; this one carries text.
            Reason::RequestLimit(_) => Error::InternalError(Some(reason.to_string())),
            Reason::Address(_) => Error::DestinationIpProhibited,
            Reason::ResponseBody(limit) => Error::HttpResponseBodySize(Some(*limit)),
            Reason::RequestBody(limit) => Error::HttpRequestBodySize(Some(*limit)),
            _ => Error::HttpRequestDenied,
        };
        let method = method.chars().take(32).flat_map(char::escape_default);
        self.journal.push(Denial {
            tool: self.tool.clone(),
            asked: Asked::Request {
                method: method.collect(),
                url,
            },
            rules: denial::named_rules(&self.rules),
            hint: denial::hint(&reason, target, &self.tool),
            reason,
            source: Source::Host,
        });
        error
    }

    /// The same for a request that was admitted.
    fn deny_target(&self, admitted: &Admitted, reason: Reason) -> Error {
        let target = &admitted.target;
        let url = self.shown(&target.url());
        self.deny(target.method(), url, Some(target), reason)
    }
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
                let origin = admitted.target.origin();
                let upload = Upload::new(&shared, origin, self.uploaded.clone());
                Box::new(exchange::exchange(
                    shared,
                    admitted,
                    upload,
                    body,
                    options.unwrap_or_default(),
                ))
            }
            Err(error) => Box::new(std::future::ready(Err(error))),
        }
    }
}
