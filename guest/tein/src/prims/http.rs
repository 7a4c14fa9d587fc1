//! One HTTP exchange over the world; redirects and the public names are in `(tein http)`.

use std::time::Duration;

use super::{Ctx, NativeDef, plain};
use crate::error::{ErrorKind, Res, fail, raise};
use crate::value::Word;
use crate::world::{HttpError, HttpRequest};

const METHODS: [&str; 8] = [
    "GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "POST", "PUT", "PATCH",
];
/// Seconds that a request may take when the caller does not say.
const DEFAULT_TIMEOUT: f64 = 30.0;
/// Shortest timeout in seconds.
const MIN_TIMEOUT: f64 = 0.001;
/// Longest timeout in seconds; the call's own deadline is far shorter.
const MAX_TIMEOUT: f64 = 86_400.0;

/// `(%http-exchange method url headers body timeout)` -> `(status headers . body)`.
fn exchange(cx: &mut Ctx, a: &[Word]) -> Res {
    let Some(method) = cx.heap.as_text(a[0]).map(crate::text::Text::to_utf8) else {
        return fail("http-request-internal: method must be a string", &a[..1]);
    };
    let Some(url) = cx.heap.as_text(a[1]).map(crate::text::Text::to_utf8) else {
        return fail("http-request-internal: url must be a string", &a[1..2]);
    };
    if !METHODS.contains(&method.as_str()) {
        cx.world.http_refused(&method, &url);
        return fail(format!("http: unsupported method: {method}"), &[]);
    }
    let mut headers = Vec::new();
    for h in cx.heap.list_items(a[2]).unwrap_or_default() {
        if h.is_pair()
            && let (Some(n), Some(v)) = (
                cx.heap.as_text(cx.heap.car(h)),
                cx.heap.as_text(cx.heap.cdr(h)),
            )
        {
            headers.push((n.to_utf8(), v.to_utf8()));
        }
    }
    let sends_body = matches!(method.as_str(), "POST" | "PUT" | "PATCH" | "DELETE");
    let body = if sends_body {
        cx.heap.as_text(a[3]).map(|t| t.to_utf8().into_bytes())
    } else {
        None
    };
    let timeout = a[4]
        .as_fix()
        .map(|n| n as f64)
        .or_else(|| cx.heap.as_flonum(a[4]))
        .unwrap_or(DEFAULT_TIMEOUT);
    let timeout = if timeout.is_nan() {
        DEFAULT_TIMEOUT
    } else {
        timeout.clamp(MIN_TIMEOUT, MAX_TIMEOUT)
    };
    let request = HttpRequest {
        method,
        url,
        headers,
        body,
        timeout: Duration::from_secs_f64(timeout),
    };
    match cx.world.http(&request) {
        Ok(r) => {
            cx.reserve_late(r.body.len().saturating_mul(2))?;
            let mut list = Vec::new();
            for (n, v) in &r.headers {
                let n = cx.heap.string(n.as_str());
                let v = cx.heap.string(v.as_str());
                list.push(cx.heap.cons(n, v));
            }
            let headers = cx.heap.list(&list);
            let body = decode(&r.body);
            cx.charge(body.len() / 64);
            let body = cx.heap.string(body);
            Ok(cx
                .heap
                .list_with_tail(&[Word::fix(i64::from(r.status)), headers], body))
        }
        Err(HttpError::Denied) => Err(raise(
            ErrorKind::Sandbox,
            format!(
                "[sandbox:http] http request blocked: URL not in allowlist: {}",
                request.url
            ),
            &[],
        )),
        Err(HttpError::Failed(text)) => fail(format!("http: {text}"), &[]),
    }
}

/// UTF-8 with each invalid sequence as a question mark.
fn decode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            out.push('?');
        }
    }
    out
}

pub(crate) const NATIVES: &[NativeDef] = &[plain("%http-exchange", 5, 5, exchange)];
