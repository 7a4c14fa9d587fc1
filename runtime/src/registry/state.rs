//! Instances that are kept between calls: `[tools.state] "/path" = "context"`.
//!
//! There is one for each principal and file. Calls of one of them wait for each other. It ends with
//! the file's text or grants, in a trap, at a limit that holm enforces, and when others need its
//! place; then the next call starts from the file again, and the caller is told.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::{Principal, ToolFile};
use crate::sandbox::{Failure, Kept};

/// Instances kept at a time. Each holds a place in the sandbox's pool and as much memory
/// as its file may use.
pub const MAX_KEPT: usize = 32;
/// What a call answers that would have to wait for itself.
pub(super) const REENTRANT: &str = "call-tool: re-entrant call into the same tool file";
/// What a caller is told when state is gone.
pub(super) const LOST: &str = "the tool's state is lost: the next call starts afresh";
/// What a caller is told who finds it gone.
pub(super) const MISSING: &str = "the tool's state was lost since the last call";

/// Every kept instance, through all reloads of a registry.
#[derive(Default)]
pub(super) struct States {
    slots: Mutex<HashMap<(Principal, String), Slot>>,
}

struct Slot {
    /// Of the file's text and grants.
    version: (String, String),
    used: Instant,
    place: Arc<AsyncMutex<State>>,
}

/// One instance, and what became of the one before.
#[derive(Default)]
pub(super) struct State {
    pub(super) kept: Kept,
    /// Whether it was given up for another one, and nobody was told.
    pub(super) given_up: bool,
}

/// Which instance it is, for a call to know that it has it already.
#[derive(Clone)]
pub(super) struct Holding(Arc<AsyncMutex<State>>);

impl Holding {
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Waits for the calls before, until `deadline`.
    pub(super) async fn wait(&self, deadline: Instant) -> Result<OwnedMutexGuard<State>, Failure> {
        let turn = Arc::clone(&self.0).lock_owned();
        tokio::time::timeout_at(deadline.into(), turn)
            .await
            .map_err(|_| {
                let message =
                    "other calls of the same tool file, which keeps its state, did not end in time";
                Failure::Busy(message.to_owned())
            })
    }
}

impl States {
    /// The instance of a principal and a file, begun or not.
    pub(super) fn of(&self, principal: &Principal, file: &ToolFile) -> Holding {
        let version = (file.digest.clone(), file.grants_digest.clone());
        let key = (principal.clone(), file.source.path.clone());
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = slots.entry(key.clone()).or_insert_with(|| Slot {
            version: version.clone(),
            used: Instant::now(),
            place: Arc::default(),
        });
        if slot.version != version {
            // Another text has no state yet. Whoever is still in the old one keeps it to its end.
            slot.version = version;
            slot.place = Arc::default();
        }
        slot.used = Instant::now();
        let holding = Holding(Arc::clone(&slot.place));
        make_room(&slots, &key);
        holding
    }
}

/// Gives up the instances that were not used for the longest time, if there are too many.
fn make_room(slots: &HashMap<(Principal, String), Slot>, but: &(Principal, String)) {
    let mut idle: Vec<_> = slots
        .iter()
        .filter(|(key, _)| *key != but)
        .filter_map(|(_, slot)| {
            // One that is in use cannot be given up, and is one of those in the pool.
            let state = Arc::clone(&slot.place).try_lock_owned().ok()?;
            state.kept.is_begun().then_some((slot.used, state))
        })
        .collect();
    idle.sort_by_key(|(used, _)| *used);
    let surplus = (idle.len() + 1).saturating_sub(MAX_KEPT);
    for (_, mut state) in idle.into_iter().take(surplus) {
        state.kept = Kept::default();
        state.given_up = true;
    }
}
