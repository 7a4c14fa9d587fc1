//! The life of one admitted request: addresses, connection, request, response.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::CONTENT_LENGTH;
use http::{Method, Request, Response, StatusCode};
use http_body::Body as _;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use tokio::time::{Instant, timeout_at};
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody};

use super::body::{CappedBody, Ending};
use super::link::{Link, SendError};
use super::pool::Key;
use super::upload::Upload;
use super::{Admitted, CONNECT_TIMEOUT, EgressConfig, Reason, Sent};

enum AddressError {
    Refused(Reason),
    Other(Error),
}

/// Sends an admitted request; everything here is bounded by the call's deadline.
pub(super) async fn exchange(
    shared: Arc<EgressConfig>,
    admitted: Admitted,
    upload: Upload,
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
    if let Some(limit) = announced(&admitted).and_then(|length| upload.excess(length)) {
        return Err(shared.deny_target(&admitted, Reason::RequestBody(limit)));
    }
    let origin = admitted.target.origin();
    let body = {
        let (shared, admitted) = (Arc::clone(&shared), admitted.clone());
        upload.bound(body, move |limit| {
            shared.deny_target(&admitted, Reason::RequestBody(limit));
        })
    };
    let request = build(&admitted, body)?;
    let addresses = match shared.addresses(&admitted, connected_by).await {
        Ok(addresses) => addresses,
        Err(AddressError::Refused(reason)) => return Err(shared.deny_target(&admitted, reason)),
        Err(AddressError::Other(error)) => return Err(error),
    };
    let key = Key {
        principal: shared.principal.clone(),
        tool: shared.tool.clone(),
        rule: admitted.rule.clone(),
        origin: origin.clone(),
    };
    let pool = &shared.client.pool;
    let dial = || async {
        let target = &admitted.target;
        let client = &shared.client;
        let (connection, peer, http2) = client.connect(&addresses, target, connected_by).await?;
        // Its first bytes are the client's own: this does not wait for the server.
        Link::new(connection, peer, http2).await
    };
    let (link, kept) = match pool.take(&key, &addresses).await {
        Some(link) => (link, true),
        None => (dial().await?, false),
    };
    shared.journal.exchanged(&origin, 1, 0, 0);

    let answered_by = later(options.first_byte_timeout, deadline);
    let scheme = admitted.target.scheme().as_str();
    let mut answered = send(link, request, scheme, answered_by).await;
    // The server closed a kept connection just then; it has seen nothing of the request.
    if kept && let Err(SendError::Unsent(request)) = answered {
        answered = send(dial().await?, *request, scheme, answered_by).await;
    }
    let (link, response) = match answered {
        Ok(answered) => answered,
        // What the connection makes of a body that breaks off is not what the guest should know.
        Err(_) if let Some(limit) = upload.cut_off_at() => {
            return Err(Error::HttpRequestBodySize(Some(limit)));
        }
        Err(SendError::Unsent(_)) => return Err(Error::ConnectionTerminated),
        Err(SendError::Failed(error)) => return Err(error),
    };
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        return Err(Error::HttpUpgradeFailed);
    }
    let limit = shared.limits.response_body;
    let (mut head, incoming) = response.into_parts();
    if incoming.size_hint().lower() > limit {
        shared.deny_target(&admitted, Reason::ResponseBody(limit));
        return Err(Error::HttpResponseBodySize(Some(limit)));
    }
    // The extensions hold handles to the connection, which are the runtime's.
    head.extensions.clear();
    let keeper = shared.client.pool.clone();
    let journal = shared.journal.clone();
    let ending = Ending {
        on_overflow: Box::new(move || {
            shared.deny_target(&admitted, Reason::ResponseBody(limit));
        }),
        on_end: Box::new(move |link| keeper.put(key, link)),
    };
    let between = options.between_bytes_timeout;
    let body = CappedBody::new(incoming, link, limit, deadline, between, ending);
    let body = body.map_frame(move |frame| {
        let length = frame.data_ref().map_or(0, Bytes::len);
        journal.exchanged(&origin, 0, 0, length as u64);
        frame
    });
    Ok((
        Response::from_parts(head, body.boxed_unsync()),
        // The body owns its connection, and with it the task that drives it.
        Box::new(std::future::ready(Ok(()))),
    ))
}

/// Sends a request and waits for the head of its response. The connection is given back
/// with it, and ended otherwise.
async fn send(
    mut link: Link,
    request: Request<WasiBody>,
    scheme: &'static str,
    by: Instant,
) -> Result<(Link, Response<Incoming>), SendError> {
    match timeout_at(by, link.send(request, scheme)).await {
        Ok(Ok(response)) => Ok((link, response)),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(SendError::Failed(Error::HttpResponseTimeout)),
    }
}

impl EgressConfig {
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

/// The length that the request says its body has.
fn announced(admitted: &Admitted) -> Option<u64> {
    let length = admitted.headers.get(CONTENT_LENGTH)?;
    // Digits alone, so one that does not fit is above every limit.
    Some(length.to_str().ok()?.parse().unwrap_or(u64::MAX))
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
pub(super) fn later(wait: Option<Duration>, deadline: Instant) -> Instant {
    wait.and_then(|wait| Instant::now().checked_add(wait))
        .map_or(deadline, |at| at.min(deadline))
}
