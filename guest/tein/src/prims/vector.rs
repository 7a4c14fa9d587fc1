//! Vectors (R7RS 6.8).

use super::{Ctx, NativeDef, plain};
use crate::error::{Res, fail, wrong_type};
use crate::value::{Kind, Word};

/// `vector-ref`.
#[inline]
pub(crate) fn vector_ref(cx: &mut Ctx, v: Word, i: Word) -> Res {
    if let (Some(items), Some(n)) = (cx.heap.as_vector(v), i.as_fix())
        && let Some(w) = usize::try_from(n).ok().and_then(|n| items.get(n))
    {
        return Ok(*w);
    }
    bad_access("vector-ref", cx, v, i)
}

/// `vector-set!`.
#[inline]
pub(crate) fn vector_set(cx: &mut Ctx, v: Word, i: Word, x: Word) -> Res {
    if let (Some(items), Some(n)) = (cx.heap.vector_mut(v), i.as_fix())
        && let Some(w) = usize::try_from(n).ok().and_then(|n| items.get_mut(n))
    {
        *w = x;
        return Ok(Word::UNSPECIFIED);
    }
    bad_access("vector-set!", cx, v, i)
}

#[cold]
#[inline(never)]
fn bad_access(who: &str, cx: &Ctx, v: Word, i: Word) -> Res {
    cx.items(v)?;
    if i.as_fix().is_none() {
        return wrong_type("Integer", i);
    }
    fail(format!("{who}: index out of range"), &[v, i])
}

fn make_vector(cx: &mut Ctx, a: &[Word]) -> Res {
    let n = cx.index(a[0])?;
    cx.reserve(n.saturating_mul(8))?;
    cx.charge(n / 16);
    let fill = a.get(1).copied().unwrap_or(Word::UNSPECIFIED);
    Ok(cx.heap.vector(vec![fill; n]))
}

fn list_to_vector(cx: &mut Ctx, a: &[Word]) -> Res {
    let items = cx.list(a[0])?;
    cx.charge(items.len() / 8);
    Ok(cx.heap.vector(items))
}

fn vector_to_list(cx: &mut Ctx, a: &[Word]) -> Res {
    let len = cx.items(a[0])?.len();
    let (start, end) = cx.range("vector->list", a, 1, len)?;
    cx.reserve((end - start) * 16)?;
    cx.charge(end - start);
    let items = cx.items(a[0])?[start..end].to_vec();
    Ok(cx.heap.list(&items))
}

fn vector_copy(cx: &mut Ctx, a: &[Word]) -> Res {
    let len = cx.items(a[0])?.len();
    let (start, end) = cx.range("vector-copy", a, 1, len)?;
    cx.reserve((end - start) * 8)?;
    cx.charge((end - start) / 16);
    let items = cx.items(a[0])?[start..end].to_vec();
    Ok(cx.heap.vector(items))
}

fn vector_copy_to(cx: &mut Ctx, a: &[Word]) -> Res {
    let at = cx.index(a[1])?;
    let len = cx.items(a[2])?.len();
    let (start, end) = cx.range("vector-copy!", a, 3, len)?;
    let room = cx.items(a[0])?.len();
    if at > room || end - start > room - at {
        return fail("vector-copy!: index out of range", &a[..2]);
    }
    cx.charge((end - start) / 16);
    let items = cx.items(a[2])?[start..end].to_vec();
    if let Some(v) = cx.heap.vector_mut(a[0]) {
        v[at..at + items.len()].copy_from_slice(&items);
    }
    Ok(Word::UNSPECIFIED)
}

fn vector_fill(cx: &mut Ctx, a: &[Word]) -> Res {
    let len = cx.items(a[0])?.len();
    let (start, end) = cx.range("vector-fill!", a, 2, len)?;
    cx.charge((end - start) / 16);
    if let Some(v) = cx.heap.vector_mut(a[0]) {
        v[start..end].fill(a[1]);
    }
    Ok(Word::UNSPECIFIED)
}

fn vector_append(cx: &mut Ctx, a: &[Word]) -> Res {
    let mut n = 0usize;
    for v in a {
        n += cx.items(*v)?.len();
    }
    cx.reserve(n.saturating_mul(8))?;
    cx.charge(n / 16);
    let mut items = Vec::with_capacity(n);
    for v in a {
        items.extend_from_slice(cx.items(*v)?);
    }
    Ok(cx.heap.vector(items))
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("vector?", 1, 1, |_, a| {
        Ok(Word::bool(a[0].is(Kind::Vector)))
    }),
    plain("make-vector", 1, 2, make_vector),
    plain("vector", 0, -1, |cx, a| Ok(cx.heap.vector(a.to_vec()))),
    plain("vector-length", 1, 1, |cx, a| {
        Ok(Word::index(cx.items(a[0])?.len()))
    }),
    plain("vector-ref", 2, 2, |cx, a| vector_ref(cx, a[0], a[1])),
    plain("vector-set!", 3, 3, |cx, a| {
        vector_set(cx, a[0], a[1], a[2])
    }),
    plain("list->vector", 1, 1, list_to_vector),
    plain("vector->list", 1, 3, vector_to_list),
    plain("vector-copy", 1, 3, vector_copy),
    plain("vector-copy!", 3, 5, vector_copy_to),
    plain("vector-fill!", 2, 4, vector_fill),
    plain("vector-append", 0, -1, vector_append),
];
