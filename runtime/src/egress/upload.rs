//! Request bodies that end: those of one call, and of the calls nested in it, may come to so
//! many bytes together. They are counted as they are handed to the connection, whatever length
//! was announced; one that is announced and too long is not begun.
//!
//! Trailers are left out: some servers take them for headers, and none of the checks of
//! [`headers`](super::headers) has seen them.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt as _;
use wasmtime_wasi_http::{Error, WasiBody};

use super::{EgressConfig, Journal};
use crate::limits::Budget;

/// What the requests of one call sent. Cheap to clone; clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Uploaded(Arc<AtomicU64>);

/// The body of one request on its way.
#[derive(Debug, Clone)]
pub(super) struct Upload {
    uploaded: Uploaded,
    limit: u64,
    budget: Budget,
    journal: Journal,
    origin: String,
    over: Arc<OnceLock<u64>>,
}

impl Upload {
    pub(super) fn new(shared: &EgressConfig, origin: String, uploaded: Uploaded) -> Self {
        Self {
            uploaded,
            limit: shared.limits.request_bodies,
            budget: shared.budget.clone(),
            journal: shared.journal.clone(),
            origin,
            over: Arc::default(),
        }
    }

    /// The limit that `bytes` more would exceed, if there is one. Draws nothing.
    pub(super) fn excess(&self, bytes: u64) -> Option<u64> {
        let after = self.uploaded.0.load(Ordering::Relaxed).checked_add(bytes);
        if after.is_none_or(|after| after > self.limit) {
            return Some(self.limit);
        }
        self.budget.upload_excess(bytes)
    }

    /// The limit at which the body was cut off, if it was.
    pub(super) fn cut_off_at(&self) -> Option<u64> {
        self.over.get().copied()
    }

    /// `body` within its limit; `on_excess` is called once, with the limit.
    pub(super) fn bound(
        &self,
        body: WasiBody,
        on_excess: impl FnOnce(u64) + Send + 'static,
    ) -> WasiBody {
        let bounded = Bounded {
            inner: body,
            upload: self.clone(),
            on_excess: Some(Box::new(on_excess)),
        };
        bounded.boxed_unsync()
    }

    fn draw(&self, bytes: u64) -> Result<(), u64> {
        self.uploaded
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |sent| {
                sent.checked_add(bytes).filter(|after| *after <= self.limit)
            })
            .map_err(|_| self.limit)?;
        self.budget.draw_upload(bytes)
    }
}

struct Bounded {
    inner: WasiBody,
    upload: Upload,
    on_excess: Option<Box<dyn FnOnce(u64) + Send>>,
}

impl Body for Bounded {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let this = self.get_mut();
        if let Some(limit) = this.upload.cut_off_at() {
            return Poll::Ready(Some(Err(Error::HttpRequestBodySize(Some(limit)))));
        }
        let frame = match Pin::new(&mut this.inner).poll_frame(cx) {
            Poll::Ready(Some(Ok(frame))) => frame,
            other => return other,
        };
        let Ok(data) = frame.into_data() else {
            return Poll::Ready(None);
        };
        let length = data.len() as u64;
        if let Err(limit) = this.upload.draw(length) {
            // Before anyone can learn that it broke off, it is known why.
            let _ = this.upload.over.set(limit);
            if let Some(on_excess) = this.on_excess.take() {
                on_excess(limit);
            }
            return Poll::Ready(Some(Err(Error::HttpRequestBodySize(Some(limit)))));
        }
        this.upload
            .journal
            .exchanged(&this.upload.origin, 0, length, 0);
        Poll::Ready(Some(Ok(Frame::data(data))))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
