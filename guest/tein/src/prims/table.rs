//! Hash tables whose equivalence the engine knows; those with other predicates are Scheme on top.

use super::{Ctx, NativeDef, plain};
use crate::equal::{equal, equal_with_work, eqv};
use crate::error::{Res, fail, wrong_type};
use crate::hash::{SEED, mix, mix_bytes};
use crate::heap::Heap;
use crate::table::{Equivalence, Table};
use crate::text::Text;
use crate::value::{Kind, Word};

/// A hash of a string's characters.
pub(crate) fn hash_text(t: &Text) -> u64 {
    match t {
        Text::Narrow(b) => mix_bytes(SEED, b),
        // The same characters hash alike in both representations.
        Text::Wide(c) if c.iter().all(char::is_ascii) => {
            mix_bytes(SEED, &c.iter().map(|c| *c as u8).collect::<Vec<_>>())
        }
        Text::Wide(c) => c
            .iter()
            .fold(mix(SEED, c.len() as u64), |h, c| mix(h, u64::from(*c))),
    }
}

fn hash_eqv(heap: &Heap, w: Word) -> u64 {
    match w.kind() {
        Some(Kind::Flonum) => heap.as_flonum(w).map_or(0, |x| {
            crate::number::Number::Real(crate::number::Real::Flo(x)).hash()
        }),
        Some(Kind::Number) => heap
            .as_boxed_number(w)
            .map_or(0, crate::number::Number::hash),
        _ => mix(SEED, w.bits()),
    }
}

/// A hash that agrees with `equal?`, and the work that it took; it looks at a bounded part of the datum.
fn hash_equal(heap: &Heap, w: Word) -> (u64, usize) {
    if !matches!(w.kind(), Some(Kind::Pair | Kind::Vector)) {
        return hash_atom(heap, w);
    }
    let mut h = SEED;
    let mut todo = vec![w];
    let mut budget = 64;
    let mut work = 0;
    while let Some(w) = todo.pop() {
        if budget == 0 {
            break;
        }
        budget -= 1;
        work += 1;
        match w.kind() {
            Some(Kind::Pair) => {
                h = mix(h, 1);
                todo.push(heap.cdr(w));
                todo.push(heap.car(w));
            }
            Some(Kind::Vector) => {
                let items = heap.as_vector(w).unwrap_or_default();
                h = mix(h, items.len() as u64);
                todo.extend(items.iter().take(32));
            }
            _ => {
                let (atom, n) = hash_atom(heap, w);
                h = mix(h, atom);
                work += n;
            }
        }
    }
    (h, work)
}

fn hash_bytes(bytes: &[u8]) -> (u64, usize) {
    (mix_bytes(SEED, bytes), bytes.len() / 32)
}

/// [`hash_equal`] of what has no parts.
fn hash_atom(heap: &Heap, w: Word) -> (u64, usize) {
    match w.kind() {
        Some(Kind::String) => heap
            .as_text(w)
            .map_or((0, 0), |t| (hash_text(t), t.len() / 32)),
        Some(Kind::Bytevector) => hash_bytes(heap.as_bytes(w).unwrap_or_default()),
        Some(Kind::Tagged) => match super::uvector::parts(heap, w) {
            Some((_, bytes)) => hash_bytes(bytes),
            None => (hash_eqv(heap, w), 0),
        },
        _ => (hash_eqv(heap, w), 0),
    }
}

fn hash(heap: &Heap, e: Equivalence, w: Word) -> Res<(u64, usize)> {
    match e {
        Equivalence::Eq | Equivalence::Eqv => Ok((hash_eqv(heap, w), 0)),
        Equivalence::Equal => Ok(hash_equal(heap, w)),
        Equivalence::String if !w.is(Kind::String) => wrong_type("String", w),
        Equivalence::String => Ok(hash_atom(heap, w)),
    }
}

/// Are two keys the same? Adds to the work.
fn same(heap: &Heap, e: Equivalence, a: Word, b: Word, work: &mut usize) -> bool {
    if a == b {
        return true;
    }
    match e {
        Equivalence::Eq => false,
        Equivalence::Eqv => eqv(heap, a, b),
        Equivalence::Equal if matches!(a.kind(), Some(Kind::Pair | Kind::Vector)) => {
            let (same, n) = equal_with_work(heap, a, b);
            *work += n;
            same
        }
        Equivalence::Equal | Equivalence::String => {
            if let Some(t) = heap.as_text(a) {
                *work += t.len() / 32;
            }
            equal(heap, a, b)
        }
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

/// The place of a key, if it is there, and its hash.
fn find(cx: &mut Ctx, t: Word, key: Word) -> Res<(Option<usize>, u64)> {
    let e = table(cx, t)?.equivalence;
    let (h, mut work) = hash(&cx.heap, e, key)?;
    let mut seen = 0;
    let at =
        cx.heap.tables.slots[t.at()].find(h, &mut seen, |k| same(&cx.heap, e, k, key, &mut work));
    // About one entry is looked at, but for keys that collide.
    cx.charge(work + seen / 4);
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

/// The value at a place that [`find`] gave.
fn value_at(cx: &Ctx, t: Word, at: usize) -> Word {
    let t = &cx.heap.tables.slots[t.at()];
    let v = t.value(at).unwrap_or(Word::FALSE);
    if t.cells { cx.heap.cdr(v) } else { v }
}

/// `(%table-ref table key default)`.
fn get(cx: &mut Ctx, a: &[Word]) -> Res {
    let (at, _) = find(cx, a[0], a[1])?;
    Ok(at.map_or(a[2], |at| value_at(cx, a[0], at)))
}

fn has(cx: &mut Ctx, a: &[Word]) -> Res {
    Ok(Word::bool(find(cx, a[0], a[1])?.0.is_some()))
}

/// Adds a key that is not there.
fn insert(cx: &mut Ctx, t: Word, hash: u64, key: Word, value: Word) -> Res<()> {
    let target = table(cx, t)?;
    let cells = target.cells;
    if target.len() % 1024 == 1023 {
        let n = target.bytes();
        cx.reserve(n)?;
    }
    let value = if cells {
        cx.heap.cons(key, value)
    } else {
        value
    };
    let grown = table_mut(cx, t).insert(hash, key, value);
    cx.heap.charge(grown);
    Ok(())
}

fn set(cx: &mut Ctx, a: &[Word]) -> Res {
    let (at, h) = find(cx, a[0], a[1])?;
    match at {
        Some(i) => {
            let t = table_mut(cx, a[0]);
            if t.cells {
                let cell = t.value(i).unwrap_or(Word::FALSE);
                cx.heap.set_cdr(cell, a[2]);
            } else {
                t.set_value(i, a[2]);
            }
        }
        None => insert(cx, a[0], h, a[1], a[2])?,
    }
    Ok(Word::UNSPECIFIED)
}

/// `(%table-cell table key create? initial)`: the pair of key and value that is the entry from
/// now on, or `#f`.
fn cell(cx: &mut Ctx, a: &[Word]) -> Res {
    let t = table(cx, a[0])?;
    if !t.cells {
        let all: Vec<(Word, Word)> = t.entries().collect();
        cx.reserve(all.len() * 16)?;
        cx.charge(all.len());
        let cells: Vec<Word> = all.into_iter().map(|(k, v)| cx.heap.cons(k, v)).collect();
        let t = table_mut(cx, a[0]);
        t.replace_values(&cells);
        t.cells = true;
    }
    let (at, h) = find(cx, a[0], a[1])?;
    if at.is_none() {
        if a[2] == Word::FALSE {
            return Ok(Word::FALSE);
        }
        insert(cx, a[0], h, a[1], a[3])?;
    }
    let t = &mut cx.heap.tables.slots[a[0].at()];
    let at = at.or_else(|| t.last());
    Ok(at.and_then(|at| t.value(at)).unwrap_or(Word::FALSE))
}

fn delete(cx: &mut Ctx, a: &[Word]) -> Res {
    let (at, _) = find(cx, a[0], a[1])?;
    Ok(Word::bool(
        at.and_then(|i| table_mut(cx, a[0]).remove(i)).is_some(),
    ))
}

/// `(%table-pop! table)`: the entry that was added last, which is taken out, as a pair; `#f` when
/// there is none.
fn pop(cx: &mut Ctx, a: &[Word]) -> Res {
    table(cx, a[0])?;
    let Some(at) = table_mut(cx, a[0]).last() else {
        return Ok(Word::FALSE);
    };
    let t = &cx.heap.tables.slots[a[0].at()];
    let key = t.key(at).unwrap_or(Word::FALSE);
    let value = value_at(cx, a[0], at);
    table_mut(cx, a[0]).remove(at);
    Ok(cx.heap.cons(key, value))
}

/// Keys and values in insertion order, `bytes` of result for each.
fn all_entries(cx: &mut Ctx, w: Word, bytes: usize) -> Res<Vec<(Word, Word)>> {
    let t = table(cx, w)?;
    let n = t.len();
    cx.reserve(n.saturating_mul(16 + bytes))?;
    cx.charge(n);
    let t = table(cx, w)?;
    Ok(if t.cells {
        t.entries().map(|(k, v)| (k, cx.heap.cdr(v))).collect()
    } else {
        t.entries().collect()
    })
}

fn entries(cx: &mut Ctx, w: Word, f: fn(&mut Heap, Word, Word) -> Word) -> Res {
    let all = all_entries(cx, w, 32)?;
    let items: Vec<Word> = all
        .into_iter()
        .map(|(k, v)| f(&mut cx.heap, k, v))
        .collect();
    Ok(cx.heap.list(&items))
}

/// `(%table->vector table)`: key, value, key, value ...
fn to_vector(cx: &mut Ctx, a: &[Word]) -> Res {
    let all = all_entries(cx, a[0], 16)?;
    let items: Vec<Word> = all.into_iter().flat_map(|(k, v)| [k, v]).collect();
    Ok(cx.heap.vector(items))
}

/// `(%table-copy table empty?)`.
fn copy(cx: &mut Ctx, a: &[Word]) -> Res {
    let source = table(cx, a[0])?;
    let mut t = Table::new(source.equivalence);
    t.comparator = source.comparator;
    if a.get(1).is_none_or(|empty| *empty == Word::FALSE) {
        let e = t.equivalence;
        for (k, v) in all_entries(cx, a[0], 48)? {
            let (h, work) = hash(&cx.heap, e, k)?;
            cx.charge(work);
            t.insert(h, k, v);
        }
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
    plain("%table-has?", 2, 2, has),
    plain("%table-cell", 4, 4, cell),
    plain("%table-delete!", 2, 2, delete),
    plain("%table-pop!", 1, 1, pop),
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
    plain("%table->vector", 1, 1, to_vector),
    plain("%table-copy", 1, 2, copy),
    plain("%hash", 1, 2, |cx, a| {
        let (h, work) = hash_equal(&cx.heap, a[0]);
        cx.charge(work);
        bounded(cx, h, a)
    }),
    plain("%hash-by-identity", 1, 2, |cx, a| {
        bounded(cx, hash_eqv(&cx.heap, a[0]), a)
    }),
];

#[cfg(test)]
mod tests {
    use crate::hash::{SEED, mix};
    use crate::{Context, Limit};

    /// The inverse of an odd number, modulo 2^64.
    fn inverse(odd: u64) -> u64 {
        (0..6).fold(odd, |x, _| {
            x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)))
        })
    }

    /// The word that [`mix`] turns into `hash`.
    fn unmix(hash: u64) -> u64 {
        let x = hash ^ hash >> 29 ^ hash >> 58;
        let x = x.wrapping_mul(inverse(0xc4ce_b9fe_1a85_ec53));
        let x = (x ^ x >> 32).wrapping_mul(inverse(0xff51_afd7_ed55_8ccd));
        x ^ SEED
    }

    /// Fixnums that a table sees as one place and one tag, whatever the size of a word.
    fn colliding(n: usize) -> Vec<String> {
        let words = (0u64..1 << 16).map(|i| unmix(i << 32 | 0xfff));
        let fixnums = words.filter(|w| w & 3 == 1).map(|w| (w as i64) >> 2);
        fixnums.take(n).map(|n| n.to_string()).collect()
    }

    #[test]
    fn keys_that_collide_are_charged_for() {
        assert_eq!(mix(SEED, unmix(12345)), 12345);
        let within = |keys: &[String]| {
            let mut c = Context::builder().build().expect("a context");
            let program = format!(
                "(import (scheme base) (srfi 69))
                 (define keys '({}))
                 (define (run)
                   (let ((t (make-hash-table eqv?)))
                     (for-each (lambda (k) (hash-table-set! t k #t)) keys)))",
                keys.join(" ")
            );
            c.evaluate(&program).expect("a definition");
            c.set_step_limit(Some(1_000_000));
            match c.evaluate("(run)") {
                Ok(_) => true,
                Err(e) => {
                    assert!(matches!(e.kind, crate::Failure::Limit(Limit::Steps)), "{e}");
                    false
                }
            }
        };
        let apart: Vec<String> = (0..4000).map(|n| (n * 7).to_string()).collect();
        assert!(within(&apart));
        assert!(!within(&colliding(4000)));
    }
}
