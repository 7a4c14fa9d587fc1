//! Arenas: one growing array per kind of object, with mark bits kept apart.
//!
//! Objects below the watermark were made before the snapshot and are immortal: they are
//! neither marked nor swept, so their pages stay as the snapshot has them. An index always
//! points at the start of an object of the same size, so a stale index (one that a dead
//! register still holds) is a live-looking value, never a misread one.

/// Which objects of an arena are alive, and where the next one goes.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// One bit per object from the watermark on.
    bits: Vec<u64>,
    watermark: u32,
    /// Next candidate for reuse.
    cursor: u32,
    /// End of the part that the last collection looked at.
    swept_end: u32,
}

impl Marks {
    /// Marks an object; true if it was not marked before.
    #[inline]
    pub(crate) fn mark(&mut self, index: u32) -> bool {
        let Some(i) = index.checked_sub(self.watermark) else {
            return false;
        };
        let (slot, bit) = ((i / 64) as usize, 1u64 << (i % 64));
        match self.bits.get_mut(slot) {
            Some(word) if *word & bit == 0 => {
                *word |= bit;
                true
            }
            _ => false,
        }
    }

    #[inline]
    pub(crate) fn is_marked(&self, index: u32) -> bool {
        match index.checked_sub(self.watermark) {
            None => true,
            Some(i) => self
                .bits
                .get((i / 64) as usize)
                .is_some_and(|w| w >> (i % 64) & 1 == 1),
        }
    }

    /// Starts a collection of an arena of `len` objects: nothing is marked.
    pub(crate) fn begin(&mut self, len: usize) {
        self.bits.clear();
        self.bits
            .resize(len.saturating_sub(self.watermark as usize).div_ceil(64), 0);
        self.cursor = self.watermark;
        self.swept_end = len as u32;
    }

    /// The next dead object to reuse.
    #[inline]
    pub(crate) fn reuse(&mut self) -> Option<u32> {
        if self.cursor >= self.swept_end {
            return None;
        }
        self.reuse_slow()
    }

    fn reuse_slow(&mut self) -> Option<u32> {
        while self.cursor < self.swept_end {
            let i = self.cursor - self.watermark;
            let dead = !self.bits[(i / 64) as usize] >> (i % 64);
            if dead == 0 {
                self.cursor += 64 - i % 64;
                continue;
            }
            let found = self.cursor + dead.trailing_zeros();
            self.cursor = found + 1;
            return (found < self.swept_end).then_some(found);
        }
        None
    }

    /// Makes everything below `len` immortal.
    pub(crate) fn freeze(&mut self, len: usize) {
        *self = Self {
            watermark: len as u32,
            cursor: len as u32,
            swept_end: len as u32,
            bits: Vec::new(),
        };
    }

    #[inline]
    pub(crate) const fn watermark(&self) -> u32 {
        self.watermark
    }

    /// How many objects the last collection found alive.
    pub(crate) fn live(&self) -> usize {
        self.bits.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Dead objects of the last collection, for arenas that drop them at once.
    pub(crate) fn dead(&self) -> impl Iterator<Item = u32> + '_ {
        (self.watermark..self.swept_end).filter(|i| !self.is_marked(*i))
    }
}

/// Makes room for one more element: by a quarter rather than by doubling, so that a full
/// memory comes late, and without aborting when there is no more.
pub(crate) fn grow<T>(cells: &mut Vec<T>) -> bool {
    let step = (cells.len() / 4).max(256);
    cells.try_reserve_exact(step).is_ok() || cells.try_reserve_exact(64).is_ok()
}

/// Makes room for `spare` more elements, and gives back what is beyond that.
pub(crate) fn settle<T>(cells: &mut Vec<T>, spare: usize) {
    cells.reserve_exact(spare);
    cells.shrink_to(cells.len() + spare);
}

/// An arena of Rust objects, dropped when a collection finds them dead.
#[derive(Debug, Default)]
pub(crate) struct Slab<T> {
    pub(crate) slots: Vec<T>,
    pub(crate) marks: Marks,
}

impl<T: Default> Slab<T> {
    /// Stores an object; none when memory is used up.
    pub(crate) fn alloc(&mut self, object: T) -> Option<u32> {
        if let Some(i) = self.marks.reuse() {
            self.slots[i as usize] = object;
            return Some(i);
        }
        if self.slots.len() == self.slots.capacity() && !grow(&mut self.slots) {
            return None;
        }
        self.slots.push(object);
        Some(self.slots.len() as u32 - 1)
    }

    /// Drops what the collection found dead.
    pub(crate) fn sweep(&mut self) {
        let dead: Vec<u32> = self.marks.dead().collect();
        for i in dead {
            self.slots[i as usize] = T::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_objects_are_reused_in_order_and_live_ones_kept() {
        let mut slab: Slab<Option<u32>> = Slab::default();
        for n in 0..200 {
            slab.alloc(Some(n)).expect("room");
        }
        slab.marks.freeze(10);
        slab.marks.begin(slab.slots.len());
        for i in (10..200).filter(|i| i % 3 == 0) {
            assert!(slab.marks.mark(i));
            assert!(!slab.marks.mark(i));
        }
        slab.sweep();
        assert_eq!(slab.slots[5], Some(5), "below the watermark nothing dies");
        let mut got = Vec::new();
        while slab.slots.len() == 200 {
            got.push(slab.alloc(None).expect("room"));
        }
        got.pop();
        let want: Vec<u32> = (10..200).filter(|i| i % 3 != 0).collect();
        assert_eq!(got, want);
        for i in (12..200).step_by(3) {
            assert_eq!(slab.slots[i], Some(i as u32));
        }
    }
}
