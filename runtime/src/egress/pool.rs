//! Connections that wait for the next request.
//!
//! A connection is kept for the principal, the tool file and the grant that it was made
//! for, and for the same scheme, host and port: nobody else can have left anything in it,
//! and nobody else sees that it is there. Taking one out repeats the checks that were made
//! before it was dialled: the name is resolved again, every address of the answer is
//! vetted, and the peer must be one of them.

use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until, timeout};

use super::link::Link;
use crate::grants::Rule;

/// How long a connection waits: servers close theirs after a minute or less.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(20);
/// Connections that wait, of one key: more than that many at once are rare.
pub const MAX_IDLE_PER_KEY: usize = 4;
/// Connections that wait, in all: file descriptors are few.
pub const MAX_IDLE: usize = 64;
/// Time for the end of the last exchange to reach a connection. A new one costs no more.
const SETTLE: Duration = Duration::from_millis(100);

/// Whom a connection is for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) principal: String,
    pub(super) tool: String,
    pub(super) rule: Rule,
    pub(super) origin: String,
}

/// All idle connections of a client. Cheap to clone; clones share everything.
#[derive(Clone, Default)]
pub(super) struct Pool(Arc<Mutex<Idle>>);

#[derive(Default)]
struct Idle {
    links: HashMap<Key, Vec<(Instant, Link)>>,
    /// Ends connections that waited long enough; ends itself when there are none.
    reaper: Option<JoinHandle<()>>,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").finish_non_exhaustive()
    }
}

impl Pool {
    /// A connection to one of these addresses that is ready for a request.
    pub(super) async fn take(&self, key: &Key, addresses: &[IpAddr]) -> Option<Link> {
        loop {
            // The lock is not held while a connection is asked whether it is ready.
            let mut link = self.lock().take(key, addresses)?;
            if matches!(timeout(SETTLE, link.ready()).await, Ok(true)) {
                return Some(link);
            }
        }
    }

    /// Keeps a connection whose last exchange is complete.
    pub(super) fn put(&self, key: Key, link: Link) {
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        if link.is_closed() {
            return;
        }
        let mut idle = self.lock();
        if idle.count() >= MAX_IDLE {
            return;
        }
        let links = idle.links.entry(key).or_default();
        if links.len() >= MAX_IDLE_PER_KEY {
            return;
        }
        links.push((Instant::now() + IDLE_TIMEOUT, link));
        // A reaper of a runtime that is gone is gone as well.
        if idle.reaper.as_ref().is_none_or(JoinHandle::is_finished) {
            let pool = Arc::downgrade(&self.0);
            idle.reaper = Some(runtime.spawn(async move {
                loop {
                    let Some(pool) = pool.upgrade().map(Pool) else {
                        return;
                    };
                    let Some(next) = pool.lock().reap(Instant::now()) else {
                        return;
                    };
                    drop(pool);
                    sleep_until(next).await;
                }
            }));
        }
    }

    /// Ends every idle connection, and with them the task that would have ended them.
    pub(super) fn clear(&self) {
        let mut idle = self.lock();
        idle.links.clear();
        if let Some(reaper) = idle.reaper.take() {
            reaper.abort();
        }
    }

    /// How many connections wait.
    pub(super) fn len(&self) -> usize {
        self.lock().count()
    }

    fn lock(&self) -> MutexGuard<'_, Idle> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Idle {
    fn count(&self) -> usize {
        self.links.values().map(Vec::len).sum()
    }

    fn take(&mut self, key: &Key, addresses: &[IpAddr]) -> Option<Link> {
        let links = self.links.get_mut(key)?;
        // A peer that is no longer in the answer is not one to talk to.
        links.retain(|(_, link)| addresses.contains(&link.peer.ip()) && !link.is_closed());
        let link = links.pop();
        if links.is_empty() {
            self.links.remove(key);
        }
        link.map(|(_, link)| link)
    }

    /// Ends what waited long enough or is closed; says when to look again, if ever.
    fn reap(&mut self, now: Instant) -> Option<Instant> {
        self.links.retain(|_, links| {
            links.retain(|(until, link)| *until > now && !link.is_closed());
            !links.is_empty()
        });
        let next = self.links.values().flatten().map(|(until, _)| *until).min();
        if next.is_none() {
            self.reaper = None;
        }
        next
    }
}
