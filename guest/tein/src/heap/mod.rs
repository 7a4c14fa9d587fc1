//! The heap: index arenas by kind, collected by mark and lazy sweep.
//!
//! Allocation never collects. The VM collects at safe points (calls and back edges), where
//! every live value is in a register, a frame or a root, so natives may hold words freely.
//! When memory is used up an allocation yields a scratch object and sets a flag, and the next
//! safe point ends the program with the memory error.

pub(crate) mod arena;
mod gc;

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use rustc_hash::FxHasher;

use crate::number::{Number, Real};
use crate::port::Port;
use crate::table::Table;
use crate::text::Text;
use crate::value::{Kind, Word};
use crate::vm::stack::Segment;
pub(crate) use arena::settle;
use arena::{Marks, Slab, grow};

/// A hash map whose order and hashes are the same in every instance.
pub(crate) type FixedMap<K, V> = HashMap<K, V, BuildHasherDefault<FxHasher>>;

/// Sizes of the block arenas, in words.
const CLASSES: [usize; 17] = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 48, 64, 128, 256];
/// Most slots that one block may have.
pub(crate) const MAX_BLOCK: usize = 256;
/// Bytes between collections at the least: most calls end before their first one.
const MIN_NURSERY: usize = 6 << 20;
/// Default heap budget in bytes.
pub(crate) const DEFAULT_HEAP: usize = 40 << 20;

#[derive(Debug, Default)]
pub(crate) struct Blocks {
    words: Vec<Word>,
    size: usize,
    marks: Marks,
}

/// A symbol's name. Uninterned symbols have no entry in the table.
#[derive(Debug, Default)]
pub(crate) struct Symbol {
    pub(crate) name: Box<str>,
    interned: bool,
}

/// All objects of one context.
#[derive(Debug)]
pub(crate) struct Heap {
    pairs: Vec<[Word; 2]>,
    pair_marks: Marks,
    blocks: [Blocks; CLASSES.len()],
    flonums: Slab<f64>,
    numbers: Slab<Option<Number>>,
    pub(crate) strings: Slab<Text>,
    symbols: Slab<Symbol>,
    vectors: Slab<Vec<Word>>,
    bytes: Slab<Vec<u8>>,
    pub(crate) ports: Slab<Port>,
    pub(crate) tables: Slab<Table>,
    pub(crate) segments: Slab<Segment>,
    intern: FixedMap<Box<str>, u32>,
    /// Immortal containers that were written to: they may hold young objects.
    remembered: FixedMap<Word, ()>,
    /// Bytes that may still be allocated before the next collection.
    nursery: isize,
    /// Bytes found alive by the last collection, and what was there before the first.
    live: usize,
    nursery_size: usize,
    /// Bytes that are held outside of the arenas and never given back: code, environments.
    held: usize,
    /// Budget in bytes.
    max: usize,
    /// An allocation failed or the budget is used up.
    exhausted: bool,
    /// Collect at nearly every safe point, to find missing roots.
    pub(crate) stress: bool,
    /// Safe points seen under stress.
    stressed: u64,
    /// Collections so far.
    pub(crate) collections: u64,
}

impl Default for Heap {
    fn default() -> Self {
        let mut blocks: [Blocks; CLASSES.len()] = std::array::from_fn(|_| Blocks::default());
        for (b, size) in blocks.iter_mut().zip(CLASSES) {
            b.size = size;
        }
        Self {
            // Slot 0 of the pairs is the scratch object of a failed allocation.
            pairs: vec![[Word::NIL; 2]],
            pair_marks: Marks::default(),
            blocks,
            flonums: Slab::default(),
            numbers: Slab::default(),
            strings: Slab::default(),
            symbols: Slab::default(),
            vectors: Slab::default(),
            bytes: Slab::default(),
            ports: Slab::default(),
            tables: Slab::default(),
            segments: Slab::default(),
            intern: FixedMap::default(),
            remembered: FixedMap::default(),
            nursery: MIN_NURSERY as isize,
            nursery_size: MIN_NURSERY,
            live: 0,
            held: 0,
            max: DEFAULT_HEAP,
            exhausted: false,
            stress: false,
            stressed: 0,
            collections: 0,
        }
    }
}

impl Heap {
    /// Sets the budget in bytes.
    pub(crate) fn set_max(&mut self, bytes: usize) {
        self.max = bytes;
    }

    /// Bytes in use at most: alive at the last collection and allocated since.
    pub(crate) fn used(&self) -> usize {
        (self.live as isize + self.nursery_size as isize - self.nursery).max(0) as usize
    }

    /// Accounts for `bytes` of a new or growing object.
    #[inline(always)]
    pub(crate) fn charge(&mut self, bytes: usize) {
        self.nursery -= bytes as isize;
    }

    /// Accounts for `bytes` that stay in use as long as the context does.
    pub(crate) fn hold(&mut self, bytes: usize) {
        self.charge(bytes);
        self.held += bytes;
    }

    /// True when `bytes` more may fit into the budget once garbage is gone: for large objects, asked
    /// before the work.
    pub(crate) fn fits(&self, bytes: usize) -> bool {
        self.live.saturating_add(bytes) < self.max
    }

    /// True when `bytes` more fit into the budget as things are, garbage included.
    pub(crate) fn fits_now(&self, bytes: usize) -> bool {
        self.used().saturating_add(bytes) < self.max
    }

    /// True when the next safe point has something to do for the heap.
    #[inline(always)]
    pub(crate) fn needs_attention(&self) -> bool {
        self.nursery < 0 || self.exhausted || self.stress
    }

    /// True when a safe point that needs attention must collect: under stress always at first,
    /// then now and then, since long programs would never end.
    pub(crate) fn must_collect(&mut self) -> bool {
        if !self.stress || self.nursery < 0 {
            return true;
        }
        self.stressed += 1;
        self.stressed < 1500 || self.stressed.is_multiple_of(211)
    }

    pub(crate) fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Forgets an exhaustion, once the program it ended is gone.
    pub(crate) fn recover(&mut self) {
        self.exhausted = false;
    }

    fn fail(&mut self) -> u32 {
        self.exhausted = true;
        0
    }

    // --- pairs ---

    #[inline]
    pub(crate) fn cons(&mut self, car: Word, cdr: Word) -> Word {
        self.charge(16);
        if let Some(i) = self.pair_marks.reuse() {
            self.pairs[i as usize] = [car, cdr];
            return Word::heap(Kind::Pair, i);
        }
        if self.pairs.len() == self.pairs.capacity() && !grow(&mut self.pairs) {
            return Word::heap(Kind::Pair, self.fail());
        }
        self.pairs.push([car, cdr]);
        Word::heap(Kind::Pair, self.pairs.len() as u32 - 1)
    }

    /// Car of a word that is known to be a pair.
    #[inline(always)]
    pub(crate) fn car(&self, p: Word) -> Word {
        self.pairs[p.at()][0]
    }

    /// Cdr of a word that is known to be a pair.
    #[inline(always)]
    pub(crate) fn cdr(&self, p: Word) -> Word {
        self.pairs[p.at()][1]
    }

    pub(crate) fn set_car(&mut self, p: Word, v: Word) {
        self.remember(p);
        self.pairs[p.at()][0] = v;
    }

    pub(crate) fn set_cdr(&mut self, p: Word, v: Word) {
        self.remember(p);
        self.pairs[p.at()][1] = v;
    }

    /// A list of these items, ending in `tail`.
    pub(crate) fn list_with_tail(&mut self, items: &[Word], tail: Word) -> Word {
        items.iter().rev().fold(tail, |rest, x| self.cons(*x, rest))
    }

    pub(crate) fn list(&mut self, items: &[Word]) -> Word {
        self.list_with_tail(items, Word::NIL)
    }

    /// Walks a list along its cdrs: how many pairs it has and what ends it, or none when it is
    /// circular. `each` sees every car that was walked over.
    pub(crate) fn walk(&self, list: Word, mut each: impl FnMut(Word)) -> Option<(usize, Word)> {
        let (mut slow, mut fast, mut n) = (list, list, 0);
        while fast.is_pair() {
            each(self.car(fast));
            fast = self.cdr(fast);
            n += 1;
            // One pair behind for every two ahead: they meet only on a circle.
            if n % 2 == 0 {
                slow = self.cdr(slow);
                if slow == fast && fast.is_pair() {
                    return None;
                }
            }
        }
        Some((n, fast))
    }

    /// The items of a proper list; none when it is improper or circular.
    pub(crate) fn list_items(&self, list: Word) -> Option<Vec<Word>> {
        let mut items = Vec::new();
        let (_, tail) = self.walk(list, |w| items.push(w))?;
        (tail == Word::NIL).then_some(items)
    }

    // --- blocks ---

    fn class_of(len: usize) -> usize {
        if len <= 8 {
            len.max(1) - 1
        } else {
            CLASSES
                .iter()
                .position(|c| *c >= len)
                .unwrap_or(CLASSES.len() - 1)
        }
    }

    /// A block with these slots, of which there are at most [`MAX_BLOCK`].
    pub(crate) fn block(&mut self, kind: Kind, slots: &[Word]) -> Word {
        let class = Self::class_of(slots.len());
        let len = slots.len().min(MAX_BLOCK);
        let size = CLASSES[class];
        self.charge(size * 8);
        let arena = &mut self.blocks[class];
        let index = if let Some(i) = arena.marks.reuse() {
            i
        } else {
            if arena.words.len() + size > arena.words.capacity() {
                let step = (arena.words.len() / 4).max(1024) / size * size + size;
                if arena.words.try_reserve_exact(step).is_err() {
                    self.exhausted = true;
                    if self.blocks[class].words.len() >= size {
                        return Word::block(kind, class as u8, len as u16, 0);
                    }
                    return Word::UNSPECIFIED;
                }
            }
            let arena = &mut self.blocks[class];
            arena.words.resize(arena.words.len() + size, Word::NIL);
            (arena.words.len() / size) as u32 - 1
        };
        let start = index as usize * size;
        self.blocks[class].words[start..start + len].copy_from_slice(&slots[..len]);
        Word::block(kind, class as u8, len as u16, index)
    }

    /// Slot `i` of a block that is known to have it.
    #[inline(always)]
    pub(crate) fn slot(&self, block: Word, i: usize) -> Word {
        let arena = &self.blocks[block.block_class()];
        arena.words[block.at() * arena.size + i]
    }

    pub(crate) fn set_slot(&mut self, block: Word, i: usize, v: Word) {
        self.remember(block);
        let arena = &mut self.blocks[block.block_class()];
        arena.words[block.at() * arena.size + i] = v;
    }

    /// All slots of a block.
    pub(crate) fn slots(&self, block: Word) -> &[Word] {
        let arena = &self.blocks[block.block_class()];
        let start = block.at() * arena.size;
        &arena.words[start..start + block.block_len()]
    }

    // --- numbers ---

    #[inline]
    pub(crate) fn flonum(&mut self, x: f64) -> Word {
        if let Some(w) = Word::try_flo(x) {
            return w;
        }
        self.charge(8);
        match self.flonums.alloc(x) {
            Some(i) => Word::heap(Kind::Flonum, i),
            None => {
                self.exhausted = true;
                Word::fix(0)
            }
        }
    }

    /// The value of a flonum, if it is one.
    #[inline]
    pub(crate) fn as_flonum(&self, w: Word) -> Option<f64> {
        if let Some(x) = w.imm_flo() {
            Some(x)
        } else if w.is(Kind::Flonum) {
            Some(self.flonums.slots[w.at()])
        } else {
            None
        }
    }

    /// The word for a number.
    pub(crate) fn number(&mut self, n: Number) -> Word {
        match &n {
            Number::Real(Real::Int(i)) => match Word::try_fix(*i) {
                Some(w) => w,
                None => self.boxed_number(n, 8),
            },
            Number::Real(Real::Flo(x)) => self.flonum(*x),
            _ => {
                let bytes = n.limbs() as usize * 8;
                self.boxed_number(n, bytes)
            }
        }
    }

    /// Stores a number that has no immediate form.
    fn boxed_number(&mut self, n: Number, bytes: usize) -> Word {
        self.charge(bytes + 48);
        match self.numbers.alloc(Some(n)) {
            Some(i) => Word::heap(Kind::Number, i),
            None => {
                self.exhausted = true;
                Word::fix(0)
            }
        }
    }

    pub(crate) fn as_boxed_number(&self, w: Word) -> Option<&Number> {
        if w.is(Kind::Number) {
            self.numbers.slots[w.at()].as_ref()
        } else {
            None
        }
    }

    // --- strings, symbols, vectors, bytevectors ---

    pub(crate) fn string(&mut self, text: impl Into<Text>) -> Word {
        let text = text.into();
        self.charge(text.bytes() + 40);
        match self.strings.alloc(text) {
            Some(i) => Word::heap(Kind::String, i),
            None => {
                self.exhausted = true;
                Word::UNSPECIFIED
            }
        }
    }

    pub(crate) fn as_text(&self, w: Word) -> Option<&Text> {
        if w.is(Kind::String) {
            Some(&self.strings.slots[w.at()])
        } else {
            None
        }
    }

    pub(crate) fn text_mut(&mut self, w: Word) -> Option<&mut Text> {
        if w.is(Kind::String) {
            Some(&mut self.strings.slots[w.at()])
        } else {
            None
        }
    }

    /// The symbol of this name.
    pub(crate) fn symbol(&mut self, name: &str) -> Word {
        if let Some(i) = self.intern.get(name) {
            let i = *i;
            return Word::heap(Kind::Symbol, i);
        }
        self.charge(name.len() * 2 + 64);
        match self.symbols.alloc(Symbol {
            name: name.into(),
            interned: true,
        }) {
            Some(i) => {
                self.intern.insert(name.into(), i);
                Word::heap(Kind::Symbol, i)
            }
            None => {
                self.exhausted = true;
                Word::UNSPECIFIED
            }
        }
    }

    /// A symbol that no name leads to.
    pub(crate) fn uninterned(&mut self, name: &str) -> Word {
        self.charge(name.len() + 40);
        match self.symbols.alloc(Symbol {
            name: name.into(),
            interned: false,
        }) {
            Some(i) => Word::heap(Kind::Symbol, i),
            None => {
                self.exhausted = true;
                Word::UNSPECIFIED
            }
        }
    }

    pub(crate) fn symbol_name(&self, w: Word) -> Option<&str> {
        if w.is(Kind::Symbol) {
            Some(&self.symbols.slots[w.at()].name)
        } else {
            None
        }
    }

    pub(crate) fn vector(&mut self, items: Vec<Word>) -> Word {
        self.charge(items.capacity() * 8 + 40);
        match self.vectors.alloc(items) {
            Some(i) => Word::heap(Kind::Vector, i),
            None => {
                self.exhausted = true;
                Word::UNSPECIFIED
            }
        }
    }

    #[inline]
    pub(crate) fn as_vector(&self, w: Word) -> Option<&[Word]> {
        if w.is(Kind::Vector) {
            Some(&self.vectors.slots[w.at()])
        } else {
            None
        }
    }

    /// The items of a vector, to write to.
    #[inline]
    pub(crate) fn vector_mut(&mut self, w: Word) -> Option<&mut Vec<Word>> {
        if w.is(Kind::Vector) {
            self.remember(w);
            Some(&mut self.vectors.slots[w.at()])
        } else {
            None
        }
    }

    pub(crate) fn bytevector(&mut self, bytes: Vec<u8>) -> Word {
        self.charge(bytes.capacity() + 40);
        match self.bytes.alloc(bytes) {
            Some(i) => Word::heap(Kind::Bytevector, i),
            None => {
                self.exhausted = true;
                Word::UNSPECIFIED
            }
        }
    }

    pub(crate) fn as_bytes(&self, w: Word) -> Option<&[u8]> {
        if w.is(Kind::Bytevector) {
            Some(&self.bytes.slots[w.at()])
        } else {
            None
        }
    }

    pub(crate) fn bytes_mut(&mut self, w: Word) -> Option<&mut Vec<u8>> {
        if w.is(Kind::Bytevector) {
            Some(&mut self.bytes.slots[w.at()])
        } else {
            None
        }
    }

    // --- ports, tables, continuations ---

    pub(crate) fn port(&mut self, port: Port) -> Word {
        self.charge(port.bytes() + 64);
        match self.ports.alloc(port) {
            Some(i) => Word::heap(Kind::Port, i),
            None => {
                self.exhausted = true;
                Word::UNSPECIFIED
            }
        }
    }

    pub(crate) fn as_port(&self, w: Word) -> Option<&Port> {
        if w.is(Kind::Port) {
            Some(&self.ports.slots[w.at()])
        } else {
            None
        }
    }

    pub(crate) fn port_mut(&mut self, w: Word) -> Option<&mut Port> {
        if w.is(Kind::Port) {
            self.remember(w);
            Some(&mut self.ports.slots[w.at()])
        } else {
            None
        }
    }

    pub(crate) fn table(&mut self, table: Table) -> Word {
        self.charge(96);
        match self.tables.alloc(table) {
            Some(i) => Word::heap(Kind::Table, i),
            None => {
                self.exhausted = true;
                Word::UNSPECIFIED
            }
        }
    }

    pub(crate) fn segment(&mut self, segment: Segment) -> Word {
        self.charge(segment.bytes() + 48);
        match self.segments.alloc(segment) {
            Some(i) => Word::heap(Kind::Continuation, i),
            None => {
                self.exhausted = true;
                Word::UNSPECIFIED
            }
        }
    }
}
