//! What a call and all the calls nested in it may use together.
//!
//! A tool may call other tools, and each of them has limits of its own. Without more, a
//! call could use everything nine times over, or as often as it calls. So the first call
//! makes a [`Budget`] from its limits; the sandbox hands it to
//! [`NestedCalls`](crate::sandbox::NestedCalls), and a nested call that is given it back draws from
//! it, within the limits of its own file.
//!
//! | limit | how it is shared |
//! |---|---|
//! | wall clock | one deadline |
//! | CPU time | a nested call runs inside its caller, whose clock goes on |
//! | memory | drawn as memory grows beyond the guest's own pages, given back when the instance is gone |
//! | HTTP requests | drawn one by one |
//! | bytes of request bodies | drawn as they are sent |
//! | steps | a call says what it used before it calls another, which may use what is left; afterwards it goes on with what is left then ([`Steps`]) |
//!
//! Steps are counted in the guest. One that is an attacker's own may not count, and a call that was
//! stopped at another limit cannot say how many it used: there, CPU time is the bound.

use super::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Longest time that a clock can be set to, for limits that mean "none".
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// What a call and all the calls nested in it may use together. Cheap to clone; clones
/// share what is left.
#[derive(Debug, Clone)]
pub struct Budget(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limits: Limits,
    deadline: Instant,
    /// Used so far; may end above the limit.
    steps: AtomicU64,
    /// Never above the limit.
    memory: AtomicU64,
    /// Never above the limit.
    requests: AtomicU32,
    /// Bytes of request bodies. Never above the limit.
    uploaded: AtomicU64,
}

impl Budget {
    /// The budget of a call that nothing else waits for. Its clock starts now.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self(Arc::new(Shared {
            limits: limits.clone(),
            deadline: Instant::now() + limits.wall.min(FOREVER),
            steps: AtomicU64::new(0),
            memory: AtomicU64::new(0),
            requests: AtomicU32::new(0),
            uploaded: AtomicU64::new(0),
        }))
    }

    /// The limits that the budget was made from.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// When everything is over, for a call with these limits that starts now.
    #[must_use]
    pub(crate) fn deadline(&self, own: &Limits) -> Instant {
        let own = Instant::now() + own.wall.min(FOREVER);
        own.min(self.0.deadline)
    }

    /// The steps that a call with these limits may use; `None` is no limit.
    pub(crate) fn steps(&self, own: Option<u64>) -> Option<u64> {
        let left = self
            .0
            .limits
            .steps
            .map(|limit| limit.saturating_sub(self.0.steps.load(Ordering::Relaxed)));
        match (own, left) {
            (Some(own), Some(left)) => Some(own.min(left)),
            (own, left) => own.or(left),
        }
    }

    /// Notes steps that a call used; says whether there were as many.
    pub(crate) fn charge_steps(&self, used: u64) -> bool {
        let before = self.0.steps.fetch_add(used, Ordering::Relaxed);
        self.0
            .limits
            .steps
            .is_none_or(|limit| before.saturating_add(used) <= limit)
    }

    /// Draws one HTTP request, or gives the limit that there was.
    pub(crate) fn draw_request(&self) -> Result<(), u32> {
        let limit = self.0.limits.http_requests;
        self.0
            .requests
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                (used < limit).then_some(used.saturating_add(1))
            })
            .map(drop)
            .map_err(|_| limit)
    }

    /// Draws bytes of a request body, or gives the limit that there was.
    pub(crate) fn draw_upload(&self, bytes: u64) -> Result<(), u64> {
        let limit = self.0.limits.http_send;
        self.0
            .uploaded
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |sent| {
                sent.checked_add(bytes).filter(|after| *after <= limit)
            })
            .map(drop)
            .map_err(|_| limit)
    }

    /// The limit, if so many bytes of a request body are more than is left. Draws nothing.
    pub(crate) fn upload_excess(&self, bytes: u64) -> Option<u64> {
        let limit = self.0.limits.http_send;
        let sent = self.0.uploaded.load(Ordering::Relaxed);
        let fits = sent.checked_add(bytes).is_some_and(|after| after <= limit);
        (!fits).then_some(limit)
    }

    /// Draws bytes of memory, or gives the limit that there was.
    pub(crate) fn draw_memory(&self, bytes: u64) -> Result<(), u64> {
        let limit = self.0.limits.memory;
        self.0
            .memory
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                used.checked_add(bytes).filter(|after| *after <= limit)
            })
            .map(drop)
            .map_err(|_| limit)
    }

    /// Gives back what [`Self::draw_memory`] gave.
    pub(crate) fn return_memory(&self, bytes: u64) {
        self.0.memory.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// The steps of one call within its budget, from what its guest says.
#[derive(Debug)]
pub(crate) struct Steps {
    /// As many as the guest was given; `None` is no limit.
    given: Option<u64>,
    /// Taken from the guest again, since calls that it made used them.
    taken: u64,
    /// Charged so far.
    charged: u64,
    budget: Budget,
}

impl Steps {
    /// For a call that is given so many steps.
    pub(crate) fn new(given: Option<u64>, budget: Budget) -> Self {
        Self {
            given,
            taken: 0,
            charged: 0,
            budget,
        }
    }

    /// The guest says that so many steps are left; gives how many are left in the budget, at most
    /// as many.
    pub(crate) fn left(&mut self, left: u64) -> u64 {
        let Some(given) = self.given else {
            return left;
        };
        let left = left.min(given);
        self.charge(given - left);
        let now = self.budget.steps(Some(left)).unwrap_or(left);
        self.taken = self.taken.saturating_add(left.saturating_sub(now));
        now
    }

    /// The guest says that its steps are used up or that it is done, after so many; gives how many were
    /// its own, and whether there were as many in the budget.
    pub(crate) fn end(&mut self, said: u64) -> (u64, bool) {
        let within = self.charge(said);
        (self.charged, within)
    }

    /// Charges what is new in the number of steps that the guest counts as used.
    fn charge(&mut self, said: u64) -> bool {
        let own = said.saturating_sub(self.taken).max(self.charged);
        let new = own - self.charged;
        self.charged = own;
        self.budget.charge_steps(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_and_those_nested_in_it_use_no_step_twice() {
        let budget = budget();
        let mut outer = Steps::new(budget.steps(Some(100)), budget.clone());
        assert_eq!(outer.left(60), 60);
        // What its caller used is not there any more.
        let mut inner = Steps::new(budget.steps(Some(100)), budget.clone());
        assert_eq!(inner.given, Some(60));
        assert_eq!(inner.left(50), 50);
        assert_eq!(inner.end(25), (25, true));
        // Nor what it called.
        assert_eq!(outer.left(60), 35);
        assert_eq!(outer.left(30), 30);
        assert_eq!(budget.steps(None), Some(30));
        // 70 of the 100 that it was given: 25 were taken from it.
        assert_eq!(outer.end(75), (50, true));
        assert_eq!(budget.steps(None), Some(25));
    }

    #[test]
    fn a_guest_that_says_anything_gains_nothing() {
        let budget = budget();
        let mut steps = Steps::new(Some(40), budget.clone());
        assert_eq!(steps.left(u64::MAX), 40);
        assert_eq!(steps.left(10), 10);
        assert_eq!(steps.left(40), 40, "what was charged stays charged");
        assert_eq!(budget.steps(None), Some(70));
        assert_eq!(steps.left(0), 0);
        assert_eq!(budget.steps(None), Some(60));
        assert_eq!(steps.end(0), (40, true));
        assert!(!steps.end(u64::MAX).1);
        let mut unlimited = Steps::new(None, budget);
        assert_eq!(unlimited.left(7), 7);
    }

    fn budget() -> Budget {
        Budget::new(&Limits {
            steps: Some(100),
            memory: 1000,
            http_requests: 3,
            http_send: 10,
            ..Limits::default()
        })
    }

    #[test]
    fn steps_are_what_is_left_and_no_more_than_ones_own() {
        let budget = budget();
        assert_eq!(budget.steps(None), Some(100));
        assert_eq!(budget.steps(Some(30)), Some(30));
        assert!(budget.charge_steps(90));
        assert_eq!(budget.clone().steps(Some(30)), Some(10));
        assert!(!budget.charge_steps(11));
        assert_eq!(budget.steps(Some(30)), Some(0));
        let unlimited = Budget::new(&Limits {
            steps: None,
            ..Limits::default()
        });
        assert!(unlimited.charge_steps(u64::MAX));
        assert_eq!(unlimited.steps(None), None);
        assert_eq!(unlimited.steps(Some(7)), Some(7));
    }

    #[test]
    fn memory_comes_back_and_requests_do_not() {
        let budget = budget();
        budget.draw_memory(600).unwrap();
        assert_eq!(budget.clone().draw_memory(401), Err(1000));
        assert_eq!(budget.draw_memory(u64::MAX), Err(1000));
        budget.return_memory(600);
        budget.draw_memory(1000).unwrap();
        for _ in 0..3 {
            budget.draw_request().unwrap();
        }
        assert_eq!(budget.clone().draw_request(), Err(3));
        budget.draw_upload(7).unwrap();
        assert_eq!(budget.clone().draw_upload(4), Err(10));
        assert_eq!(budget.upload_excess(4), Some(10));
        assert_eq!(budget.upload_excess(u64::MAX), Some(10));
        assert_eq!(budget.upload_excess(3), None);
        budget.draw_upload(3).unwrap();
    }

    #[test]
    fn a_nested_call_ends_with_its_caller() {
        let budget = Budget::new(&Limits {
            wall: Duration::from_secs(1),
            ..Limits::default()
        });
        let latest = Instant::now() + Duration::from_secs(1);
        let longer = Limits {
            wall: Duration::MAX,
            ..Limits::default()
        };
        assert!(budget.deadline(&longer) <= latest);
        let shorter = Limits {
            wall: Duration::ZERO,
            ..Limits::default()
        };
        assert!(budget.deadline(&shorter) <= Instant::now());
    }
}
