//! Bytevectors (R7RS 6.9).

use super::{Ctx, NativeDef, plain};
use crate::error::{Res, fail, wrong_type};
use crate::value::{Kind, Word};

pub(crate) fn bytes(cx: &Ctx, w: Word) -> Res<&[u8]> {
    match cx.heap.as_bytes(w) {
        Some(b) => Ok(b),
        None => wrong_type("Bytevector", w),
    }
}

pub(crate) fn byte(cx: &Ctx, w: Word) -> Res<u8> {
    match u8::try_from(cx.index(w)?) {
        Ok(b) => Ok(b),
        Err(_) => fail("not a byte", &[w]),
    }
}

fn make(cx: &mut Ctx, a: &[Word]) -> Res {
    let n = cx.index(a[0])?;
    let fill = match a.get(1) {
        Some(b) => byte(cx, *b)?,
        None => 0,
    };
    cx.reserve(n)?;
    cx.charge(n / 64);
    Ok(cx.heap.bytevector(vec![fill; n]))
}

fn bytevector(cx: &mut Ctx, a: &[Word]) -> Res {
    let mut v = Vec::with_capacity(a.len());
    for w in a {
        v.push(byte(cx, *w)?);
    }
    Ok(cx.heap.bytevector(v))
}

fn get(cx: &mut Ctx, a: &[Word]) -> Res {
    let i = cx.index(a[1])?;
    match bytes(cx, a[0])?.get(i) {
        Some(b) => Ok(Word::fix(i64::from(*b))),
        None => fail("bytevector-u8-ref: index out of range", a),
    }
}

fn set(cx: &mut Ctx, a: &[Word]) -> Res {
    let (i, b) = (cx.index(a[1])?, byte(cx, a[2])?);
    bytes(cx, a[0])?;
    match cx.heap.bytes_mut(a[0]).and_then(|v| v.get_mut(i)) {
        Some(at) => {
            *at = b;
            Ok(Word::UNSPECIFIED)
        }
        None => fail("bytevector-u8-set!: index out of range", &a[..2]),
    }
}

fn copy(cx: &mut Ctx, a: &[Word]) -> Res {
    let len = bytes(cx, a[0])?.len();
    let (start, end) = cx.range("bytevector-copy", a, 1, len)?;
    cx.charge((end - start) / 64);
    let part = bytes(cx, a[0])?[start..end].to_vec();
    Ok(cx.heap.bytevector(part))
}

fn copy_to(cx: &mut Ctx, a: &[Word]) -> Res {
    let at = cx.index(a[1])?;
    let len = bytes(cx, a[2])?.len();
    let (start, end) = cx.range("bytevector-copy!", a, 3, len)?;
    let room = bytes(cx, a[0])?.len();
    if at > room || end - start > room - at {
        return fail("bytevector-copy!: index out of range", &a[..2]);
    }
    cx.charge((end - start) / 64);
    let part = bytes(cx, a[2])?[start..end].to_vec();
    if let Some(v) = cx.heap.bytes_mut(a[0]) {
        v[at..at + part.len()].copy_from_slice(&part);
    }
    Ok(Word::UNSPECIFIED)
}

fn append(cx: &mut Ctx, a: &[Word]) -> Res {
    let mut all = Vec::new();
    for w in a {
        all.extend_from_slice(bytes(cx, *w)?);
        cx.reserve(all.len())?;
    }
    cx.charge(all.len() / 64);
    Ok(cx.heap.bytevector(all))
}

fn fill(cx: &mut Ctx, a: &[Word]) -> Res {
    let b = byte(cx, a[1])?;
    let len = bytes(cx, a[0])?.len();
    let (start, end) = cx.range("bytevector-fill!", a, 2, len)?;
    if let Some(v) = cx.heap.bytes_mut(a[0]) {
        v[start..end].fill(b);
    }
    Ok(Word::UNSPECIFIED)
}

fn from_utf8(cx: &mut Ctx, a: &[Word]) -> Res {
    let len = bytes(cx, a[0])?.len();
    let (start, end) = cx.range("utf8->string", a, 1, len)?;
    cx.charge((end - start) / 16);
    match std::str::from_utf8(&bytes(cx, a[0])?[start..end]) {
        Ok(s) => {
            let s = s.to_owned();
            Ok(cx.heap.string(s))
        }
        Err(_) => fail("utf8->string: not valid UTF-8", &[]),
    }
}

fn to_utf8(cx: &mut Ctx, a: &[Word]) -> Res {
    let len = cx.text(a[0])?.len();
    let (start, end) = cx.range("string->utf8", a, 1, len)?;
    cx.charge((end - start) / 16);
    let s = cx.text(a[0])?.slice(start, end).to_utf8();
    Ok(cx.heap.bytevector(s.into_bytes()))
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("bytevector?", 1, 1, |_, a| {
        Ok(Word::bool(a[0].is(Kind::Bytevector)))
    }),
    plain("make-bytevector", 1, 2, make),
    plain("bytevector", 0, -1, bytevector),
    plain("bytevector-length", 1, 1, |cx, a| {
        Ok(Word::index(bytes(cx, a[0])?.len()))
    }),
    plain("bytevector-u8-ref", 2, 2, get),
    plain("bytevector-u8-set!", 3, 3, set),
    plain("bytevector-copy", 1, 3, copy),
    plain("bytevector-copy!", 3, 5, copy_to),
    plain("bytevector-append", 0, -1, append),
    plain("bytevector-fill!", 2, 4, fill),
    plain("utf8->string", 1, 3, from_utf8),
    plain("string->utf8", 1, 3, to_utf8),
];
