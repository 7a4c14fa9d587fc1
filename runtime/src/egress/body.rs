//! A response body that ends: after so many bytes, after so long without one, and at the
//! call's deadline at the latest.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use tokio::time::{Instant, Sleep, sleep_until};
use wasmtime_wasi_http::Error;

use super::MAX_RESPONSE_HEADERS;
use super::errors::wire_error;
use super::exchange::later;
use super::link::Link;

/// What is done when a body ends, besides telling the guest.
pub(super) struct Ending {
    /// Called once when it is too large.
    pub(super) on_overflow: Box<dyn FnOnce() + Send>,
    /// Given the connection once the body is complete.
    pub(super) on_end: Box<dyn FnOnce(Link) + Send>,
}

/// A response body with its bounds. It owns the connection that it comes over: dropped
/// before its end, it ends the connection.
pub(super) struct CappedBody {
    incoming: Incoming,
    link: Option<Link>,
    limit: u64,
    read: u64,
    ending: Option<Ending>,
    deadline: Instant,
    between: Option<Duration>,
    idle: Pin<Box<Sleep>>,
    done: bool,
}

impl CappedBody {
    pub(super) fn new(
        incoming: Incoming,
        link: Link,
        limit: u64,
        deadline: Instant,
        between: Option<Duration>,
        ending: Ending,
    ) -> Self {
        let mut body = Self {
            incoming,
            link: Some(link),
            limit,
            read: 0,
            ending: Some(ending),
            deadline,
            between,
            idle: Box::pin(sleep_until(later(between, deadline))),
            done: false,
        };
        if body.incoming.is_end_stream() {
            body.complete();
        }
        body
    }

    fn complete(&mut self) {
        self.done = true;
        if let (Some(link), Some(ending)) = (self.link.take(), self.ending.take()) {
            (ending.on_end)(link);
        }
    }

    fn fail(&mut self, error: Error) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        self.done = true;
        // Whatever the server still sends, nobody reads it.
        self.link = None;
        Poll::Ready(Some(Err(error)))
    }

    fn overflow(&mut self) -> Error {
        if let Some(ending) = self.ending.take() {
            (ending.on_overflow)();
        }
        Error::HttpResponseBodySize(Some(self.limit))
    }
}

impl Body for CappedBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let this = self.get_mut();
        if this.done {
            return Poll::Ready(None);
        }
        // A server that never pauses never lets the timer below be looked at.
        if Instant::now() >= this.deadline {
            return this.fail(Error::HttpResponseTimeout);
        }
        match Pin::new(&mut this.incoming).poll_frame(cx) {
            Poll::Ready(Some(Ok(frame))) => {
                let length = frame.data_ref().map_or(0, Bytes::len);
                this.read = this
                    .read
                    .saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
                if this.read > this.limit {
                    let error = this.overflow();
                    return this.fail(error);
                }
                let trailers = frame.trailers_ref().map_or(0, http::HeaderMap::len);
                if trailers > MAX_RESPONSE_HEADERS {
                    return this.fail(Error::HttpResponseTrailerSectionSize(None));
                }
                if this.incoming.is_end_stream() {
                    this.complete();
                }
                if this.between.is_some() {
                    let at = later(this.between, this.deadline);
                    this.idle.as_mut().reset(at);
                }
                Poll::Ready(Some(Ok(frame)))
            }
            Poll::Ready(Some(Err(error))) => this.fail(wire_error(&error)),
            Poll::Ready(None) => {
                this.complete();
                Poll::Ready(None)
            }
            Poll::Pending => match this.idle.as_mut().poll(cx) {
                Poll::Pending => Poll::Pending,
                Poll::Ready(()) if Instant::now() >= this.deadline => {
                    this.fail(Error::HttpResponseTimeout)
                }
                Poll::Ready(()) => this.fail(Error::ConnectionReadTimeout),
            },
        }
    }

    fn is_end_stream(&self) -> bool {
        self.done || self.incoming.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.size_hint()
    }
}
