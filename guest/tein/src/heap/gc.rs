//! Collection: mark from the roots with an explicit stack, then let allocation reuse what is dead.

use super::arena::settle;
use super::{CLASSES, Heap};
use crate::value::{Kind, Word};

/// Tells the collector each root, by calling what it is given.
pub(crate) type Roots<'a> = dyn FnMut(&mut dyn FnMut(Word)) + 'a;

impl Heap {
    /// Notes that an immortal container was written to, so that what it now holds is kept.
    #[inline]
    pub(crate) fn remember(&mut self, container: Word) {
        if self.is_immortal(container) {
            self.remembered.insert(container, ());
        }
    }

    #[inline]
    fn is_immortal(&self, w: Word) -> bool {
        let at = w.at() as u32;
        match w.kind() {
            Some(Kind::Pair) => at < self.pair_marks.watermark(),
            Some(Kind::Vector) => at < self.vectors.marks.watermark(),
            Some(Kind::Port) => at < self.ports.marks.watermark(),
            Some(Kind::Table) => at < self.tables.marks.watermark(),
            Some(
                Kind::Flonum
                | Kind::Number
                | Kind::String
                | Kind::Symbol
                | Kind::Bytevector
                | Kind::Continuation,
            )
            | None => false,
            Some(_) => at < self.blocks[w.block_class()].marks.watermark(),
        }
    }

    /// Leaves the arenas the room that a small program fills, and no more, before they are snapshotted:
    /// without any, the first object of each kind would copy all that there are, page by page.
    pub(crate) fn settle(&mut self) {
        settle(&mut self.pairs, 8 << 10);
        for b in &mut self.blocks {
            // Most have so little in them that growing copies nothing to speak of; and what is close
            // together when it is written to is given back in one piece (see `docs/performance.md`).
            settle(&mut b.words, 256);
        }
        settle(&mut self.flonums.slots, 256);
        settle(&mut self.numbers.slots, 64);
        settle(&mut self.strings.slots, 512);
        settle(&mut self.symbols.slots, 256);
        settle(&mut self.vectors.slots, 256);
        settle(&mut self.bytes.slots, 64);
        settle(&mut self.ports.slots, 16);
        settle(&mut self.tables.slots, 16);
        settle(&mut self.segments.slots, 64);
        self.intern.reserve(256);
        self.remembered.reserve(64);
    }

    /// True for immediates and for objects that every context of this build has.
    pub(crate) fn is_base(&self, w: Word) -> bool {
        let at = w.at() as u32;
        match w.kind() {
            Some(Kind::Flonum) => at < self.flonums.marks.watermark(),
            Some(Kind::Number) => at < self.numbers.marks.watermark(),
            Some(Kind::String) => at < self.strings.marks.watermark(),
            Some(Kind::Symbol) => at < self.symbols.marks.watermark(),
            Some(Kind::Bytevector) => at < self.bytes.marks.watermark(),
            Some(Kind::Continuation) => at < self.segments.marks.watermark(),
            None => !w.is_heap(),
            Some(Kind::Pair | Kind::Vector | Kind::Port | Kind::Table) => self.is_immortal(w),
            Some(_) => {
                w.block_class() < CLASSES.len()
                    && w.block_len() <= CLASSES[w.block_class()]
                    && self.is_immortal(w)
            }
        }
    }

    /// True when the symbol's name leads to it.
    pub(crate) fn is_interned(&self, w: Word) -> bool {
        w.is(Kind::Symbol) && self.symbols.slots[w.at()].interned
    }

    /// Makes everything that is alive now immortal: the snapshot's generation.
    pub(crate) fn freeze(&mut self) {
        self.pair_marks.freeze(self.pairs.len());
        for b in &mut self.blocks {
            b.marks.freeze(b.words.len() / b.size);
        }
        self.flonums.marks.freeze(self.flonums.slots.len());
        self.numbers.marks.freeze(self.numbers.slots.len());
        self.strings.marks.freeze(self.strings.slots.len());
        self.symbols.marks.freeze(self.symbols.slots.len());
        self.vectors.marks.freeze(self.vectors.slots.len());
        self.bytes.marks.freeze(self.bytes.slots.len());
        self.ports.marks.freeze(self.ports.slots.len());
        self.tables.marks.freeze(self.tables.slots.len());
        self.segments.marks.freeze(self.segments.slots.len());
        self.remembered.clear();
        self.live = 0;
        self.held = 0;
        self.nursery = self.nursery_size as isize;
    }

    /// Collects, given every root. Returns false when the budget is still exceeded.
    pub(crate) fn collect(&mut self, roots: &mut Roots<'_>) -> bool {
        self.collections += 1;
        self.pair_marks.begin(self.pairs.len());
        for b in &mut self.blocks {
            b.marks.begin(b.words.len() / b.size);
        }
        self.flonums.marks.begin(self.flonums.slots.len());
        self.numbers.marks.begin(self.numbers.slots.len());
        self.strings.marks.begin(self.strings.slots.len());
        self.symbols.marks.begin(self.symbols.slots.len());
        self.vectors.marks.begin(self.vectors.slots.len());
        self.bytes.marks.begin(self.bytes.slots.len());
        self.ports.marks.begin(self.ports.slots.len());
        self.tables.marks.begin(self.tables.slots.len());
        self.segments.marks.begin(self.segments.slots.len());

        let mut gray: Vec<Word> = Vec::new();
        roots(&mut |w| {
            if w.is_heap() {
                gray.push(w);
            }
        });
        let remembered = std::mem::take(&mut self.remembered);
        for w in remembered.keys() {
            self.scan(*w, &mut gray);
        }
        self.remembered = remembered;
        while let Some(w) = gray.pop() {
            self.mark(w, &mut gray);
        }
        self.sweep();
        self.collections != 0 && self.live < self.max
    }

    /// Marks one object and, when it was new, queues what it holds.
    fn mark(&mut self, w: Word, gray: &mut Vec<Word>) {
        if !w.is_heap() {
            return;
        }
        let mut next = w;
        // Lists are walked along their cdrs without the stack.
        while next.is_pair() {
            if !self.pair_marks.mark(next.at() as u32) {
                return;
            }
            let [car, cdr] = self.pairs[next.at()];
            if car.is_heap() {
                gray.push(car);
            }
            next = cdr;
        }
        let at = next.at() as u32;
        let fresh = match next.kind() {
            None | Some(Kind::Pair) => false,
            Some(Kind::Flonum) => self.flonums.marks.mark(at),
            Some(Kind::Number) => self.numbers.marks.mark(at),
            Some(Kind::String) => self.strings.marks.mark(at),
            Some(Kind::Symbol) => self.symbols.marks.mark(at),
            Some(Kind::Vector) => self.vectors.marks.mark(at),
            Some(Kind::Bytevector) => self.bytes.marks.mark(at),
            Some(Kind::Port) => self.ports.marks.mark(at),
            Some(Kind::Table) => self.tables.marks.mark(at),
            Some(Kind::Continuation) => self.segments.marks.mark(at),
            Some(_) => self.blocks[next.block_class()].marks.mark(at),
        };
        if fresh {
            self.scan(next, gray);
        }
    }

    /// Queues what an object holds.
    fn scan(&self, w: Word, gray: &mut Vec<Word>) {
        let mut push = |v: Word| {
            if v.is_heap() {
                gray.push(v);
            }
        };
        match w.kind() {
            Some(Kind::Pair) => {
                push(self.pairs[w.at()][0]);
                push(self.pairs[w.at()][1]);
            }
            Some(Kind::Vector) => self.vectors.slots[w.at()].iter().for_each(|v| push(*v)),
            Some(Kind::Port) => self.ports.slots[w.at()].each_word(&mut push),
            Some(Kind::Table) => self.tables.slots[w.at()].each_word(&mut push),
            Some(Kind::Continuation) => self.segments.slots[w.at()].each_word(&mut push),
            Some(Kind::Flonum | Kind::Number | Kind::String | Kind::Symbol | Kind::Bytevector)
            | None => {}
            Some(_) => self.slots(w).iter().for_each(|v| push(*v)),
        }
    }

    fn sweep(&mut self) {
        let dead: Vec<u32> = self.symbols.marks.dead().collect();
        for i in dead {
            let symbol = std::mem::take(&mut self.symbols.slots[i as usize]);
            if symbol.interned {
                self.intern.remove(&symbol.name);
            }
        }
        self.numbers.sweep();
        self.strings.sweep();
        self.vectors.sweep();
        self.bytes.sweep();
        self.ports.sweep();
        self.tables.sweep();
        self.segments.sweep();

        let mut live = self.held + self.pair_marks.live() * 16 + self.flonums.marks.live() * 8;
        for (b, size) in self.blocks.iter().zip(CLASSES) {
            live += b.marks.live() * size * 8;
        }
        live += self.numbers.marks.live() * 64 + self.symbols.marks.live() * 80;
        live += self.slab_contents();
        self.live = live;
        // The next collection comes when as much again was allocated, within the budget.
        self.nursery_size = live
            .max(super::MIN_NURSERY)
            .min(self.max.saturating_sub(live).max(1 << 20));
        self.nursery = self.nursery_size as isize;
    }

    /// Bytes of the objects that the slabs hold since the snapshot, and of what these hold.
    fn slab_contents(&self) -> usize {
        let from = |mark: u32| mark as usize;
        let mut live = 0;
        live += self.strings.slots[from(self.strings.marks.watermark())..]
            .iter()
            .map(|t| t.bytes() + 40)
            .sum::<usize>();
        live += self.vectors.slots[from(self.vectors.marks.watermark())..]
            .iter()
            .map(|v| v.capacity() * 8 + 40)
            .sum::<usize>();
        live += self.bytes.slots[from(self.bytes.marks.watermark())..]
            .iter()
            .map(|v| v.capacity() + 40)
            .sum::<usize>();
        live += self.tables.slots[from(self.tables.marks.watermark())..]
            .iter()
            .map(|t| t.bytes() + 96)
            .sum::<usize>();
        live += self.ports.slots[from(self.ports.marks.watermark())..]
            .iter()
            .map(|p| p.bytes() + 64)
            .sum::<usize>();
        live += self.segments.slots[from(self.segments.marks.watermark())..]
            .iter()
            .map(|s| s.bytes() + 48)
            .sum::<usize>();
        live
    }

    /// Bytes that the arenas occupy, used or not, and what their objects hold since the snapshot.
    pub(crate) fn footprint(&self) -> usize {
        let blocks: usize = self.blocks.iter().map(|b| b.words.capacity() * 8).sum();
        self.pairs.capacity() * 16
            + blocks
            + self.flonums.slots.capacity() * 8
            + self.numbers.slots.capacity() * 64
            + self.symbols.slots.capacity() * 80
            + self.slab_contents()
    }
}
