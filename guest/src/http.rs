//! One HTTP exchange over `wasi:http`: no redirect is followed and nothing is
//! retried, so that every request passes the host's wall by itself.

use crate::bindings::wasi::clocks::monotonic_clock;
use crate::bindings::wasi::http::outgoing_handler;
use crate::bindings::wasi::http::types::{
    ErrorCode, Fields, FutureIncomingResponse, HeaderError, IncomingBody, IncomingResponse, Method,
    OutgoingBody, OutgoingRequest, RequestOptions, Scheme, http_error_code,
};
use crate::bindings::wasi::io::poll::{self, Pollable};
use crate::bindings::wasi::io::streams::{OutputStream, StreamError};
use std::time::Duration;
use tein::world::{HttpError, HttpRequest, HttpResponse};

/// Bytes asked for in one read: the host copies each piece through the canonical ABI,
/// and a piece of this size costs little memory.
const READ_CHUNK: u64 = 64 << 10;

const TIMED_OUT: &str = "timeout: global";

/// Why there is no answer.
pub(crate) enum Failure {
    /// The host was asked, and knows.
    Host(HttpError),
    /// The request could not even be put together, so the host has not seen it.
    Guest {
        error: HttpError,
        /// The header that was not taken.
        header: Option<String>,
    },
}

impl From<HttpError> for Failure {
    fn from(error: HttpError) -> Self {
        Self::Host(error)
    }
}

/// A part of the URL or the method that was not taken.
fn unsent(error: HttpError) -> Failure {
    Failure::Guest {
        error,
        header: None,
    }
}

/// Performs one request within its time.
pub(crate) fn exchange(request: &HttpRequest) -> Result<HttpResponse, Failure> {
    let deadline = Deadline::after(request.timeout);
    let outgoing = assemble(request)?;
    // A body's handle must be taken before the request is handed over. Where none is taken the host
    // knows that there is no body, and announces none.
    let body = match &request.body {
        Some(bytes) => {
            let body = outgoing.body();
            Some((body.map_err(|()| failed("io: no request body"))?, bytes))
        }
        None => None,
    };

    let pending =
        outgoing_handler::handle(outgoing, Some(deadline.options()?)).map_err(error_text)?;
    if let Some((body, bytes)) = body {
        send_body(body, bytes, &pending, &deadline)?;
    }
    let response = receive(&pending, &deadline)?;
    Ok(read_response(response, &deadline)?)
}

/// The request as the host is given it.
fn assemble(request: &HttpRequest) -> Result<OutgoingRequest, Failure> {
    let target = Target::parse(&request.url).ok_or_else(|| unsent(HttpError::Denied))?;
    let headers = Fields::new();
    for (name, value) in &request.headers {
        // Ours says how long the body really is.
        if name.eq_ignore_ascii_case("content-length") {
            continue;
        }
        headers
            .append(name, value.as_bytes())
            .map_err(|error| header_error(name, error))?;
    }
    // RFC 9110, section 8.6: where the method means something with a body, an empty one is announced.
    let expected = matches!(request.method.as_str(), "POST" | "PUT" | "PATCH");
    if expected || request.body.is_some() {
        let length = request.body.as_ref().map_or(0, Vec::len).to_string();
        headers
            .append("content-length", length.as_bytes())
            .map_err(|error| header_error("content-length", error))?;
    }

    let outgoing = OutgoingRequest::new(headers);
    outgoing
        .set_method(&method(&request.method))
        .map_err(|()| unsent(failed("invalid method")))?;
    // What the host cannot read as part of a URL can match no grant.
    outgoing
        .set_scheme(Some(&target.scheme))
        .map_err(|()| unsent(HttpError::Denied))?;
    outgoing
        .set_authority(Some(target.authority))
        .map_err(|()| unsent(HttpError::Denied))?;
    outgoing
        .set_path_with_query(Some(&target.path_with_query))
        .map_err(|()| unsent(HttpError::Denied))?;
    Ok(outgoing)
}

/// The parts of a URL, cut but not judged: the host parses them again and decides.
struct Target<'a> {
    scheme: Scheme,
    authority: &'a str,
    path_with_query: String,
}

impl<'a> Target<'a> {
    fn parse(url: &'a str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let scheme = match scheme {
            s if s.eq_ignore_ascii_case("https") => Scheme::Https,
            s if s.eq_ignore_ascii_case("http") => Scheme::Http,
            _ => return None,
        };
        // A fragment is the client's own business and never sent.
        let rest = rest.split_once('#').map_or(rest, |(before, _)| before);
        let cut = rest.find(['/', '?', '\\']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(cut);
        let path_with_query = match path.chars().next() {
            None => "/".to_string(),
            Some('?') => format!("/{path}"),
            Some(_) => path.to_string(),
        };
        Some(Self {
            scheme,
            authority,
            path_with_query,
        })
    }
}

/// The end of the whole exchange, on the clock that never goes back.
struct Deadline {
    at: u64,
    pollable: Pollable,
}

impl Deadline {
    fn after(timeout: Duration) -> Self {
        let nanos = u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX).max(1);
        let at = monotonic_clock::now().saturating_add(nanos);
        Self {
            at,
            pollable: monotonic_clock::subscribe_instant(at),
        }
    }

    fn passed(&self) -> bool {
        monotonic_clock::now() >= self.at
    }

    /// Waits for `event`, at most until the deadline.
    fn wait(&self, event: &Pollable) -> Result<(), HttpError> {
        // The event wins a tie: an answer that is there is not late.
        if poll::poll(&[event, &self.pollable]).contains(&0) {
            return Ok(());
        }
        Err(failed(TIMED_OUT))
    }

    /// The same time for each phase: the host gives up on its own as well.
    fn options(&self) -> Result<RequestOptions, HttpError> {
        let left = self.at.saturating_sub(monotonic_clock::now());
        if left == 0 {
            return Err(failed(TIMED_OUT));
        }
        let options = RequestOptions::new();
        // A host that has no such option still meets the deadline above.
        let _ = options.set_connect_timeout(Some(left));
        let _ = options.set_first_byte_timeout(Some(left));
        let _ = options.set_between_bytes_timeout(Some(left));
        Ok(options)
    }
}

fn send_body(
    body: OutgoingBody,
    bytes: &[u8],
    pending: &FutureIncomingResponse,
    deadline: &Deadline,
) -> Result<(), HttpError> {
    let answered = pending.subscribe();
    let complete = {
        let stream = body.write().map_err(|()| failed("io: no request body"))?;
        write_all(&stream, bytes, &answered, deadline)?
    };
    if complete {
        OutgoingBody::finish(body, None).map_err(error_text)?;
    }
    // Otherwise the body is dropped unfinished; the answer says why it was not wanted.
    Ok(())
}

/// Writes everything, or stops at an early answer; says whether everything was written.
fn write_all(
    stream: &OutputStream,
    mut bytes: &[u8],
    answered: &Pollable,
    deadline: &Deadline,
) -> Result<bool, HttpError> {
    let writable = stream.subscribe();
    let mut flushing = false;
    loop {
        let room = match stream.check_write() {
            Ok(room) => usize::try_from(room).unwrap_or(usize::MAX),
            // The peer closed its side: it may have answered already.
            Err(_) => return Ok(false),
        };
        if room > 0 {
            if bytes.is_empty() && (flushing || stream.flush().is_err()) {
                return Ok(true);
            }
            if bytes.is_empty() {
                flushing = true;
                continue;
            }
            let (now, later) = bytes.split_at(room.min(bytes.len()).min(READ_CHUNK as usize));
            if stream.write(now).is_err() {
                return Ok(false);
            }
            bytes = later;
            continue;
        }
        let ready = poll::poll(&[&writable, answered, &deadline.pollable]);
        if ready.contains(&0) {
            continue;
        }
        if ready.contains(&1) {
            return Ok(false);
        }
        return Err(failed(TIMED_OUT));
    }
}

fn receive(
    pending: &FutureIncomingResponse,
    deadline: &Deadline,
) -> Result<IncomingResponse, HttpError> {
    let answered = pending.subscribe();
    loop {
        match pending.get() {
            Some(Ok(answer)) => return answer.map_err(error_text),
            Some(Err(())) => return Err(failed("io: response already taken")),
            None => deadline.wait(&answered)?,
        }
    }
}

fn read_response(
    response: IncomingResponse,
    deadline: &Deadline,
) -> Result<HttpResponse, HttpError> {
    let status = response.status();
    let headers = response.headers().entries().into_iter();
    let headers = headers
        .map(|(name, value)| (name.to_ascii_lowercase(), ascii(value)))
        .collect();
    let incoming = response
        .consume()
        .map_err(|()| failed("io: no response body"))?;
    let body = read_body(&incoming, deadline)?;
    Ok(HttpResponse {
        status,
        headers,
        body,
    })
}

/// A header value as text; one that is not ASCII reads as empty.
fn ascii(value: Vec<u8>) -> String {
    if value.is_ascii() {
        String::from_utf8(value).unwrap_or_default()
    } else {
        String::new()
    }
}

fn read_body(incoming: &IncomingBody, deadline: &Deadline) -> Result<Vec<u8>, HttpError> {
    let stream = incoming
        .stream()
        .map_err(|()| failed("io: no response body"))?;
    let readable = stream.subscribe();
    let mut body = Vec::new();
    loop {
        match stream.read(READ_CHUNK) {
            Ok(piece) if piece.is_empty() => deadline.wait(&readable)?,
            Ok(piece) => {
                // How large it may be is the host's word; here it must only fit.
                if body.try_reserve(piece.len()).is_err() {
                    return Err(failed("response body does not fit in memory"));
                }
                body.extend_from_slice(&piece);
                // A server that never stops trickling is always readable.
                if deadline.passed() {
                    return Err(failed(TIMED_OUT));
                }
            }
            Err(StreamError::Closed) => return Ok(body),
            Err(StreamError::LastOperationFailed(error)) => {
                return Err(http_error_code(&error)
                    .map_or_else(|| failed("io: response body interrupted"), error_text));
            }
        }
    }
}

fn method(name: &str) -> Method {
    match name {
        "GET" => Method::Get,
        "HEAD" => Method::Head,
        "POST" => Method::Post,
        "PUT" => Method::Put,
        "DELETE" => Method::Delete,
        "CONNECT" => Method::Connect,
        "OPTIONS" => Method::Options,
        "TRACE" => Method::Trace,
        "PATCH" => Method::Patch,
        other => Method::Other(other.to_string()),
    }
}

fn failed(text: &str) -> HttpError {
    HttpError::Failed(text.to_string())
}

fn header_error(name: &str, error: HeaderError) -> Failure {
    let error = HttpError::Failed(match error {
        HeaderError::InvalidSyntax => format!("invalid header: {name}"),
        HeaderError::Forbidden => format!("header cannot be set: {name}"),
        HeaderError::Immutable => format!("header cannot be changed: {name}"),
    });
    Failure::Guest {
        error,
        header: Some(name.to_string()),
    }
}

fn error_text(error: ErrorCode) -> HttpError {
    HttpError::Failed(match error {
        ErrorCode::HttpRequestDenied => return HttpError::Denied,
        ErrorCode::DnsTimeout => "timeout: resolve".to_string(),
        ErrorCode::ConnectionTimeout => "timeout: connect".to_string(),
        ErrorCode::ConnectionReadTimeout | ErrorCode::HttpResponseTimeout => TIMED_OUT.to_string(),
        ErrorCode::ConnectionWriteTimeout => "timeout: send body".to_string(),
        ErrorCode::DnsError(_) | ErrorCode::DestinationNotFound => "host not found".to_string(),
        ErrorCode::DestinationUnavailable => "io: host unavailable".to_string(),
        ErrorCode::DestinationIpProhibited => "address not permitted".to_string(),
        ErrorCode::DestinationIpUnroutable => "io: no route to host".to_string(),
        ErrorCode::ConnectionRefused => "io: connection refused".to_string(),
        ErrorCode::ConnectionTerminated => "io: connection closed".to_string(),
        ErrorCode::ConnectionLimitReached => "too many requests in this call".to_string(),
        ErrorCode::TlsProtocolError => "tls: protocol error".to_string(),
        ErrorCode::TlsCertificateError => "tls: certificate not accepted".to_string(),
        ErrorCode::TlsAlertReceived(alert) => match alert.alert_message {
            Some(message) => format!("tls: {message}"),
            None => "tls: the server refused".to_string(),
        },
        ErrorCode::HttpRequestMethodInvalid => "invalid method".to_string(),
        ErrorCode::HttpRequestUriInvalid => "bad uri".to_string(),
        ErrorCode::HttpRequestUriTooLong => "bad uri: too long".to_string(),
        ErrorCode::HttpRequestBodySize(_) => "request body too large".to_string(),
        ErrorCode::HttpResponseBodySize(Some(bytes)) => {
            format!("response body larger than {}", size(bytes))
        }
        ErrorCode::HttpResponseBodySize(None) => "response body too large".to_string(),
        ErrorCode::HttpResponseHeaderSectionSize(Some(bytes)) => {
            format!("response headers larger than {}", size(bytes.into()))
        }
        ErrorCode::HttpResponseHeaderSectionSize(None) | ErrorCode::HttpResponseHeaderSize(_) => {
            "response headers too large".to_string()
        }
        ErrorCode::HttpResponseTrailerSectionSize(_) | ErrorCode::HttpResponseTrailerSize(_) => {
            "response trailers too large".to_string()
        }
        ErrorCode::HttpRequestHeaderSectionSize(_) | ErrorCode::HttpRequestHeaderSize(_) => {
            "request headers too large".to_string()
        }
        ErrorCode::HttpUpgradeFailed => "the server changed the protocol".to_string(),
        ErrorCode::HttpResponseIncomplete => "io: response ended early".to_string(),
        ErrorCode::HttpProtocolError => "protocol error".to_string(),
        // The host words its limits itself.
        ErrorCode::InternalError(Some(text)) => text,
        ErrorCode::InternalError(None) => "io: internal error".to_string(),
        // The rest does not come from holm's host, and their own text is for programmers.
        _ => "io: the exchange failed".to_string(),
    })
}

/// Bytes, in MiB or KiB when that is exact.
fn size(bytes: u64) -> String {
    if bytes > 0 && bytes.is_multiple_of(1 << 20) {
        format!("{} MiB", bytes >> 20)
    } else if bytes > 0 && bytes.is_multiple_of(1 << 10) {
        format!("{} KiB", bytes >> 10)
    } else {
        format!("{bytes} bytes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_cut_where_a_reader_would_cut_it() {
        for (url, authority, path) in [
            ("https://a.example", "a.example", "/"),
            ("https://a.example?q=1", "a.example", "/?q=1"),
            ("HTTPS://a.example:8/x/?q#frag", "a.example:8", "/x/?q"),
            ("http://a.example#@b.example/", "a.example", "/"),
            ("http://u@a.example/../x", "u@a.example", "/../x"),
            (
                "http://a.example\\@b.example/",
                "a.example",
                "\\@b.example/",
            ),
        ] {
            let target = Target::parse(url).expect(url);
            assert_eq!(
                (target.authority, target.path_with_query.as_str()),
                (authority, path),
                "{url}"
            );
        }
        for url in [
            "",
            "a.example",
            "file:///etc/passwd",
            "https:/a.example",
            " https://a.example",
        ] {
            assert!(Target::parse(url).is_none(), "{url}");
        }
    }
}
