//! Hash tables whose equivalence the engine knows; those with other predicates are Scheme on top.

use std::hash::{BuildHasher, Hasher};

use super::{Ctx, NativeDef, plain};
use crate::equal::{equal, eqv};
use crate::error::{Res, fail, wrong_type};
use crate::heap::Heap;
use crate::table::{Equivalence, KeyHasher, Table};
use crate::text::Text;
use crate::value::{Kind, Word};

/// A hash of a string's characters.
pub(crate) fn hash_text(t: &Text) -> u64 {
    let mut h = KeyHasher::default().build_hasher();
    match t {
        Text::Narrow(b) => h.write(b),
        // The same characters hash alike in both representations.
        Text::Wide(c) if c.iter().all(char::is_ascii) => {
            h.write(&c.iter().map(|c| *c as u8).collect::<Vec<_>>())
        }
        Text::Wide(c) => c.iter().for_each(|c| h.write_u32(*c as u32)),
    }
    h.write_usize(t.len());
    h.finish() >> 2
}

fn hash_eqv(heap: &Heap, w: Word) -> u64 {
    match w.kind() {
        Some(Kind::Flonum) => {
            heap.as_flonum(w).map_or(0, |x| {
                crate::number::Number::Real(crate::number::Real::Flo(x)).hash()
            }) >> 2
        }
        Some(Kind::Number) => {
            heap.as_boxed_number(w)
                .map_or(0, crate::number::Number::hash)
                >> 2
        }
        _ => {
            let mut h = KeyHasher::default().build_hasher();
            h.write_u64(w.bits());
            h.finish() >> 2
        }
    }
}

/// A hash that agrees with `equal?`; it looks at a bounded part of the datum.
fn hash_equal(heap: &Heap, w: Word) -> u64 {
    let mut h = KeyHasher::default().build_hasher();
    let mut todo = vec![w];
    let mut budget = 64;
    while let Some(w) = todo.pop() {
        if budget == 0 {
            break;
        }
        budget -= 1;
        match w.kind() {
            Some(Kind::Pair) => {
                h.write_u8(1);
                todo.push(heap.cdr(w));
                todo.push(heap.car(w));
            }
            Some(Kind::Vector) => {
                let items = heap.as_vector(w).unwrap_or_default();
                h.write_usize(items.len());
                todo.extend(items.iter().take(32));
            }
            Some(Kind::String) => h.write_u64(heap.as_text(w).map_or(0, hash_text)),
            Some(Kind::Bytevector) => h.write(heap.as_bytes(w).unwrap_or_default()),
            _ => h.write_u64(hash_eqv(heap, w)),
        }
    }
    h.finish() >> 2
}

fn hash(heap: &Heap, e: Equivalence, w: Word) -> u64 {
    match e {
        Equivalence::Eq | Equivalence::Eqv => hash_eqv(heap, w),
        Equivalence::Equal => hash_equal(heap, w),
        Equivalence::String => heap.as_text(w).map_or_else(|| hash_eqv(heap, w), hash_text),
    }
}

fn same(heap: &Heap, e: Equivalence, a: Word, b: Word) -> bool {
    match e {
        Equivalence::Eq => a == b,
        Equivalence::Eqv => eqv(heap, a, b),
        Equivalence::Equal | Equivalence::String => equal(heap, a, b),
    }
}

fn table(cx: &Ctx, w: Word) -> Res<&Table> {
    if w.is(Kind::Table) {
        Ok(&cx.heap.tables.slots[w.at()])
    } else {
        wrong_type("Hash-Table", w)
    }
}

fn table_mut(cx: &mut Ctx, w: Word) -> &mut Table {
    cx.heap.remember(w);
    &mut cx.heap.tables.slots[w.at()]
}

fn find(cx: &Ctx, t: Word, key: Word) -> Res<(Option<usize>, u64)> {
    let e = table(cx, t)?.equivalence;
    let h = hash(&cx.heap, e, key);
    let at = cx.heap.tables.slots[t.at()].find(h, &mut |k| same(&cx.heap, e, k, key));
    Ok((at, h))
}

/// `(%make-table kind comparator)`, kind 0 to 3 for eq, eqv, equal, string.
fn make(cx: &mut Ctx, a: &[Word]) -> Res {
    let e = match cx.index(a[0])? {
        0 => Equivalence::Eq,
        1 => Equivalence::Eqv,
        2 => Equivalence::Equal,
        _ => Equivalence::String,
    };
    let mut t = Table::new(e);
    t.comparator = a.get(1).copied();
    Ok(cx.heap.table(t))
}

/// `(%table-ref table key default)`.
fn get(cx: &mut Ctx, a: &[Word]) -> Res {
    let (at, _) = find(cx, a[0], a[1])?;
    Ok(at
        .and_then(|i| cx.heap.tables.slots[a[0].at()].value(i))
        .unwrap_or(a[2]))
}

fn set(cx: &mut Ctx, a: &[Word]) -> Res {
    let (at, h) = find(cx, a[0], a[1])?;
    match at {
        Some(i) => table_mut(cx, a[0]).set_value(i, a[2]),
        None => {
            if table(cx, a[0])?.len() % 1024 == 1023 {
                let n = table(cx, a[0])?.bytes();
                cx.reserve(n)?;
            }
            let grown = table_mut(cx, a[0]).insert(h, a[1], a[2]);
            cx.heap.charge(grown);
        }
    }
    Ok(Word::UNSPECIFIED)
}

fn delete(cx: &mut Ctx, a: &[Word]) -> Res {
    let (at, _) = find(cx, a[0], a[1])?;
    Ok(Word::bool(
        at.and_then(|i| table_mut(cx, a[0]).remove(i)).is_some(),
    ))
}

fn entries(cx: &mut Ctx, w: Word, f: fn(&mut Heap, Word, Word) -> Word) -> Res {
    let all: Vec<(Word, Word)> = table(cx, w)?.entries().collect();
    cx.reserve(all.len() * 32)?;
    cx.charge(all.len());
    let items: Vec<Word> = all
        .into_iter()
        .map(|(k, v)| f(&mut cx.heap, k, v))
        .collect();
    Ok(cx.heap.list(&items))
}

fn copy(cx: &mut Ctx, a: &[Word]) -> Res {
    let source = table(cx, a[0])?;
    let mut t = Table::new(source.equivalence);
    t.comparator = source.comparator;
    let all: Vec<(Word, Word)> = source.entries().collect();
    cx.reserve(all.len() * 48)?;
    cx.charge(all.len());
    let e = t.equivalence;
    for (k, v) in all {
        let h = hash(&cx.heap, e, k);
        t.insert(h, k, v);
    }
    let grown = t.bytes();
    cx.heap.charge(grown);
    Ok(cx.heap.table(t))
}

fn bounded(cx: &Ctx, h: u64, a: &[Word]) -> Res {
    match a.get(1) {
        None => Ok(Word::fix((h & ((1 << 60) - 1)) as i64)),
        Some(b) => match cx.index(*b)? {
            0 => fail("hash: the bound is zero", &[]),
            n => Ok(Word::fix((h % n as u64) as i64)),
        },
    }
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("%make-table", 1, 2, make),
    plain("%table?", 1, 1, |_, a| Ok(Word::bool(a[0].is(Kind::Table)))),
    plain("%table-ref", 3, 3, get),
    plain("%table-set!", 3, 3, set),
    plain("%table-delete!", 2, 2, delete),
    plain("%table-size", 1, 1, |cx, a| {
        Ok(Word::index(table(cx, a[0])?.len()))
    }),
    plain("%table-clear!", 1, 1, |cx, a| {
        table(cx, a[0])?;
        table_mut(cx, a[0]).clear();
        Ok(Word::UNSPECIFIED)
    }),
    plain("%table-comparator", 1, 1, |cx, a| {
        Ok(table(cx, a[0])?.comparator.unwrap_or(Word::FALSE))
    }),
    plain("%table-keys", 1, 1, |cx, a| entries(cx, a[0], |_, k, _| k)),
    plain("%table-values", 1, 1, |cx, a| {
        entries(cx, a[0], |_, _, v| v)
    }),
    plain("%table->alist", 1, 1, |cx, a| entries(cx, a[0], Heap::cons)),
    plain("%table-copy", 1, 1, copy),
    plain("%hash", 1, 2, |cx, a| {
        bounded(cx, hash_equal(&cx.heap, a[0]), a)
    }),
    plain("%hash-by-identity", 1, 2, |cx, a| {
        bounded(cx, hash_eqv(&cx.heap, a[0]), a)
    }),
];
