//! Hash tables by `eq?`, `eqv?`, `equal?` and `string=?` (SRFI 69, SRFI 125), in insertion order.

use hashbrown::HashTable;

use crate::value::Word;

/// How keys compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Equivalence {
    Eq,
    Eqv,
    #[default]
    Equal,
    String,
}

/// Entries in insertion order with an index by hash, so that a walk is deterministic.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) equivalence: Equivalence,
    entries: Vec<Option<(Word, Word, u64)>>,
    index: HashTable<u32>,
    /// The comparator or predicate that the table was made with, for SRFI 125's accessors.
    pub(crate) comparator: Option<Word>,
    /// Values are pairs of key and value that a program may hold (`hash-table-cell`).
    pub(crate) cells: bool,
}

impl Table {
    pub(crate) fn new(equivalence: Equivalence) -> Self {
        Self {
            equivalence,
            ..Self::default()
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.index.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.entries.capacity() * 32 + self.index.capacity() * 5
    }

    pub(crate) fn each_word(&self, f: &mut dyn FnMut(Word)) {
        for (k, v, _) in self.entries.iter().flatten() {
            f(*k);
            f(*v);
        }
        if let Some(c) = self.comparator {
            f(c);
        }
    }

    /// Where the key is, given its hash and a test for equality; adds to `seen` how many entries were
    /// looked at.
    pub(crate) fn find(
        &self,
        hash: u64,
        seen: &mut usize,
        mut same: impl FnMut(Word) -> bool,
    ) -> Option<usize> {
        self.index
            .find(hash, |i| {
                *seen += 1;
                match &self.entries[*i as usize] {
                    Some((k, _, h)) => *h == hash && same(*k),
                    None => false,
                }
            })
            .map(|i| *i as usize)
    }

    pub(crate) fn value(&self, at: usize) -> Option<Word> {
        self.entries.get(at).and_then(|e| e.as_ref()).map(|e| e.1)
    }

    pub(crate) fn key(&self, at: usize) -> Option<Word> {
        self.entries.get(at).and_then(|e| e.as_ref()).map(|e| e.0)
    }

    pub(crate) fn set_value(&mut self, at: usize, value: Word) {
        if let Some(Some(e)) = self.entries.get_mut(at) {
            e.1 = value;
        }
    }

    /// Puts another value in place of each, in insertion order.
    pub(crate) fn replace_values(&mut self, values: &[Word]) {
        for (e, v) in self.entries.iter_mut().flatten().zip(values) {
            e.1 = *v;
        }
    }

    /// Where the entry that was added last is.
    pub(crate) fn last(&mut self) -> Option<usize> {
        while self.entries.last().is_some_and(Option::is_none) {
            self.entries.pop();
        }
        self.entries.len().checked_sub(1)
    }

    /// Adds a key that is not there. Returns the bytes that the table grew by.
    pub(crate) fn insert(&mut self, hash: u64, key: Word, value: Word) -> usize {
        let before = self.bytes();
        if self.entries.len() > 16 && self.entries.len() > self.index.len() * 2 {
            self.compact();
        }
        let at = self.entries.len() as u32;
        self.entries.push(Some((key, value, hash)));
        let entries = &self.entries;
        self.index.insert_unique(hash, at, |i| {
            entries[*i as usize].as_ref().map_or(0, |e| e.2)
        });
        self.bytes().saturating_sub(before)
    }

    /// Removes the entry at a place that [`Table::find`] gave.
    pub(crate) fn remove(&mut self, at: usize) -> Option<Word> {
        let (_, value, hash) = self.entries.get_mut(at)?.take()?;
        if let Ok(entry) = self.index.find_entry(hash, |i| *i as usize == at) {
            entry.remove();
        }
        Some(value)
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.index.clear();
    }

    fn compact(&mut self) {
        self.entries.retain(Option::is_some);
        self.index.clear();
        let entries = &self.entries;
        for (i, e) in entries.iter().enumerate() {
            if let Some((_, _, h)) = e {
                self.index.insert_unique(*h, i as u32, |i| {
                    entries[*i as usize].as_ref().map_or(0, |e| e.2)
                });
            }
        }
    }

    /// Keys and values in insertion order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (Word, Word)> + '_ {
        self.entries.iter().flatten().map(|e| (e.0, e.1))
    }
}
