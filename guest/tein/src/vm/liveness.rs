//! Which registers still matter at a place in the code.
//!
//! A continuation that kept every register of its frames would keep what the program is done with,
//! an earlier continuation among it, and a loop that captures one in each round would never give
//! memory back. So a capture copies, and a collection follows, only the registers that the code may
//! still read. The answer comes from the code itself, for a procedure at a time and only when a
//! frame of it is captured or collected, and is kept: running code pays nothing.

use crate::code::{Capture, Op, Proto, Reg};
use crate::heap::FixedMap;

/// Words of a register set: procedures with more registers are taken to need them all.
const WORDS: usize = 4;
/// Instructions of a procedure that is still examined, for the same reason.
const MAX_LENGTH: usize = 8192;

/// A set of slots of a window: slot 0 is the closure, slot `r` + 1 is register `r`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Live([u64; WORDS]);

impl Live {
    pub(super) const ALL: Self = Self([u64::MAX; WORDS]);
    const NONE: Self = Self([0; WORDS]);

    /// True when the slot may still be read.
    pub(super) fn has(&self, slot: usize) -> bool {
        self.0
            .get(slot / 64)
            .is_none_or(|w| w >> (slot % 64) & 1 == 1)
    }

    fn add(&mut self, slot: usize) {
        if let Some(w) = self.0.get_mut(slot / 64) {
            *w |= 1 << (slot % 64);
        }
    }

    fn remove(&mut self, slot: usize) {
        if let Some(w) = self.0.get_mut(slot / 64) {
            *w &= !(1 << (slot % 64));
        }
    }

    /// Adds the other set; true when that changed this one.
    fn join(&mut self, other: &Self) -> bool {
        let before = *self;
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
        *self != before
    }
}

/// The sets found so far.
#[derive(Debug, Default)]
pub(super) struct Liveness {
    /// By instruction: where a frame goes on or a safe point stands.
    at: FixedMap<u32, Live>,
    /// Procedures seen, and whether they were small enough to examine.
    known: FixedMap<u32, bool>,
}

impl Liveness {
    /// The slots that matter to a frame of procedure `proto` that goes on at `pc`.
    pub(super) fn of(&mut self, code: &[Op], protos: &[Proto], proto: u32, pc: u32) -> Live {
        if let Some(live) = self.at.get(&pc) {
            return *live;
        }
        if !self.known.contains_key(&proto) {
            let examined = self.examine(code, protos, proto);
            self.known.insert(proto, examined);
        }
        match (self.at.get(&pc), self.known.get(&proto)) {
            (Some(live), _) => *live,
            // An error interrupted the frame in the middle, and nothing returns from an error.
            (None, Some(true)) => Live::NONE,
            (None, _) => Live::ALL,
        }
    }

    /// Finds the sets of one procedure: backwards over its code, again while a loop adds to them.
    /// False when it is too large.
    fn examine(&mut self, code: &[Op], protos: &[Proto], proto: u32) -> bool {
        let p = &protos[proto as usize];
        let (start, len) = (p.start as usize, p.len as usize);
        if p.registers as usize + 1 > WORDS * 64 || len > MAX_LENGTH {
            return false;
        }
        let code = &code[start..start + len];
        // What is live before each instruction that is jumped to.
        let mut targets: FixedMap<usize, Live> = FixedMap::default();
        for (i, op) in code.iter().enumerate() {
            if let Some(t) = op.target(i) {
                targets.insert(t, Live::NONE);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            let mut live = Live::NONE;
            for (i, op) in code.iter().enumerate().rev() {
                if let Some(t) = op.target(i) {
                    let there = targets.get(&t).copied().unwrap_or(Live::ALL);
                    if matches!(op, Op::Jump { .. } | Op::Loop { .. }) {
                        live = there;
                    } else {
                        live.join(&there);
                    }
                }
                // A port's procedure may be called in the middle of a native, which then goes on
                // after its instruction or carries it out again.
                let native = matches!(op, Op::Native { .. });
                if native || matches!(op, Op::Call { .. } | Op::CallGlobal { .. }) {
                    self.at.insert((start + i + 1) as u32, live);
                }
                step(op, protos, &mut live);
                if native {
                    self.at.insert((start + i) as u32, live);
                }
                if let Some(before) = targets.get_mut(&i) {
                    changed |= before.join(&live);
                }
            }
            self.at.insert(start as u32, live);
        }
        for (t, live) in targets {
            self.at.insert((start + t) as u32, live);
        }
        true
    }
}

/// From what is live after an instruction to what is live before it.
fn step(op: &Op, protos: &[Proto], live: &mut Live) {
    let slot = |r: Reg| r as usize + 1;
    match op {
        Op::Return { .. }
        | Op::Halt { .. }
        | Op::HaltBase
        | Op::TailCall { .. }
        | Op::TailCallGlobal { .. } => *live = Live::NONE,
        _ => {}
    }
    if let Some(d) = op.writes() {
        live.remove(slot(d));
    }
    match op {
        Op::Spread { d, n, rest, .. } => {
            for r in 0..usize::from(*n) + usize::from(*rest) {
                live.remove(slot(*d) + r);
            }
        }
        Op::Captured { .. } | Op::CapturedCell { .. } | Op::SetCapturedCell { .. } => live.add(0),
        Op::Closure { proto, .. } => {
            for c in &protos[*proto as usize].captures {
                match c {
                    Capture::Register(r) => live.add(slot(*r)),
                    Capture::Captured(_) => live.add(0),
                }
            }
        }
        Op::HaltBase => live.add(1),
        _ => {}
    }
    let (single, (first, n)) = op.reads();
    for r in single.into_iter().flatten() {
        live.add(slot(r));
    }
    for r in 0..n {
        live.add(slot(first) + r);
    }
}
