//! Who waits when too many calls run.
//!
//! A call takes a place among those of its principal, and then one among all. So a
//! principal that calls without end waits for itself, and the others wait for their turn
//! only. A call waits until its own deadline at the longest; where too many wait already,
//! it is told at once.

use super::types::Failure;
use crate::limits::Concurrency;
use crate::sandbox::limits::seconds;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout_at;

/// Calls at a time, at most: each needs some 40 GiB of address space, and there are
/// 128 TiB of it.
const MAX_CONCURRENT: u32 = 1024;

/// The places of a sandbox.
pub(super) struct Places {
    limits: Concurrency,
    all: Arc<Semaphore>,
    principals: Mutex<HashMap<String, Weak<Principal>>>,
}

/// The places of one principal; there while one of its calls is.
struct Principal {
    places: Arc<Semaphore>,
    waiting: AtomicU32,
}

/// A place among the calls that run at a time; given back when it is dropped.
pub(super) struct Place {
    _own: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
    _principal: Arc<Principal>,
}

impl Places {
    pub(super) fn new(limits: Concurrency) -> Self {
        let in_all = limits.in_all.clamp(1, MAX_CONCURRENT);
        let limits = Concurrency {
            in_all,
            per_principal: limits.per_principal.clamp(1, in_all),
            ..limits
        };
        Self {
            limits,
            all: Arc::new(Semaphore::new(in_all as usize)),
            principals: Mutex::default(),
        }
    }

    /// Calls that run at a time.
    pub(super) fn in_all(&self) -> u32 {
        self.limits.in_all
    }

    /// A place for a call of this principal.
    ///
    /// # Errors
    ///
    /// [`Failure::Busy`] when too many calls wait already, or when the deadline comes first.
    pub(super) async fn take(&self, principal: &str, by: Instant) -> Result<Place, Failure> {
        let start = Instant::now();
        let principal = self.principal(principal);
        let place = async {
            let own = Arc::clone(&principal.places).acquire_owned().await;
            let all = Arc::clone(&self.all).acquire_owned().await;
            // The semaphores are never closed.
            Some((own.ok()?, all.ok()?))
        };
        // Without a wait there is no queue to be too long.
        let free = principal.places.available_permits() > 0 && self.all.available_permits() > 0;
        let waiting = Waiting::begin(&principal.waiting);
        if !free && waiting.others >= self.limits.waiting {
            return Err(Failure::Busy(format!(
                "{} calls wait for a place already; set by `concurrency.waiting`",
                waiting.others
            )));
        }
        match timeout_at(by.into(), place).await {
            Ok(Some((own, all))) => {
                drop(waiting);
                Ok(Place {
                    _own: own,
                    _all: all,
                    _principal: principal,
                })
            }
            Ok(None) | Err(_) => Err(self.busy(&principal, start.elapsed())),
        }
    }

    fn busy(&self, principal: &Principal, waited: Duration) -> Failure {
        let (count, key) = match principal.places.available_permits() {
            0 => (self.limits.per_principal, "concurrency.per-principal"),
            _ => (self.limits.in_all, "concurrency.calls"),
        };
        Failure::Busy(format!(
            "{count} calls were running already and none ended within {}; set by `{key}`",
            seconds(Duration::from_millis(
                u64::try_from(waited.as_millis()).unwrap_or(u64::MAX)
            ))
        ))
    }

    fn principal(&self, name: &str) -> Arc<Principal> {
        let mut principals = self
            .principals
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = principals.get(name).and_then(Weak::upgrade) {
            return known;
        }
        // Once in a while, and not once per call of a server with one user.
        principals.retain(|_, principal| principal.strong_count() > 0);
        let new = Arc::new(Principal {
            places: Arc::new(Semaphore::new(self.limits.per_principal as usize)),
            waiting: AtomicU32::new(0),
        });
        principals.insert(name.to_owned(), Arc::downgrade(&new));
        new
    }
}

/// Counts as waiting until it is dropped.
struct Waiting<'a> {
    count: &'a AtomicU32,
    others: u32,
}

impl<'a> Waiting<'a> {
    fn begin(count: &'a AtomicU32) -> Self {
        let others = count.fetch_add(1, Ordering::Relaxed);
        Self { count, others }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(in_all: u32, per_principal: u32, waiting: u32) -> Places {
        Places::new(Concurrency {
            in_all,
            per_principal,
            waiting,
        })
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(20)
    }

    async fn busy(places: &Places, principal: &str) -> String {
        match places.take(principal, soon()).await {
            Err(Failure::Busy(text)) => text,
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("there was a place"),
        }
    }

    #[tokio::test]
    async fn one_principal_does_not_take_the_places_of_another() {
        let places = places(3, 2, 10);
        let first = places.take("a", soon()).await.ok().unwrap();
        let _second = places.take("a", soon()).await.ok().unwrap();
        let text = busy(&places, "a").await;
        assert!(text.contains("2 calls were running already"), "{text}");
        assert!(
            text.ends_with("set by `concurrency.per-principal`"),
            "{text}"
        );
        let _third = places.take("b", soon()).await.ok().unwrap();
        let text = busy(&places, "c").await;
        assert!(text.starts_with("3 calls"), "{text}");
        assert!(text.ends_with("set by `concurrency.calls`"), "{text}");
        drop(first);
        assert!(places.take("c", soon()).await.is_ok());
    }

    #[tokio::test]
    async fn a_queue_has_an_end() {
        let places = places(1, 1, 2);
        let held = places.take("a", soon()).await.ok().unwrap();
        let far = Instant::now() + Duration::from_secs(60);
        let waits = || async { places.take("a", far).await.is_ok() };
        let mut queue = Box::pin(async { tokio::join!(waits(), waits()) });
        // Poll once, so that both are in the queue.
        assert!(futures_poll(queue.as_mut()).await.is_none());
        let text = busy(&places, "a").await;
        assert_eq!(
            text,
            "2 calls wait for a place already; set by `concurrency.waiting`"
        );
        drop(held);
        assert_eq!(queue.await, (true, true));
    }

    /// What a future gives when it is polled once.
    async fn futures_poll<F: Future>(future: std::pin::Pin<&mut F>) -> Option<F::Output> {
        let mut future = Some(future);
        std::future::poll_fn(|cx| {
            use std::task::Poll;
            Poll::Ready(match future.take().map(|future| future.poll(cx)) {
                Some(Poll::Ready(output)) => Some(output),
                _ => None,
            })
        })
        .await
    }

    #[tokio::test]
    async fn principals_without_calls_are_forgotten() {
        let places = places(4, 4, 4);
        for n in 0..100 {
            drop(places.take(&n.to_string(), soon()).await);
        }
        assert!(places.principals.lock().unwrap().len() <= 1);
    }
}
