//! Numbers and text packed in bytevectors (R6RS 2.2 to 2.9, as `(scheme bytevector)` has them).

use num_bigint::{BigInt, Sign};

use super::bytevector::bytes;
use super::{Ctx, NativeDef, plain};
use crate::error::{Res, fail, wrong_type};
use crate::number::Number;
use crate::value::Word;

/// Where `size` bytes at an index are.
fn place(cx: &Ctx, v: Word, at: Word, size: usize) -> Res<std::ops::Range<usize>> {
    let (len, start) = (bytes(cx, v)?.len(), cx.index(at)?);
    if size == 0 || size > len || start > len - size {
        return fail("bytevector: index out of range", &[v, at]);
    }
    Ok(start..start + size)
}

/// The bytes at a place, least first.
fn field(cx: &Ctx, v: Word, at: Word, size: usize, big: Word) -> Res<Vec<u8>> {
    let range = place(cx, v, at, size)?;
    let mut part = bytes(cx, v)?[range].to_vec();
    if big.truthy() {
        part.reverse();
    }
    Ok(part)
}

fn store(cx: &mut Ctx, v: Word, at: Word, mut part: Vec<u8>, big: Word) -> Res {
    let range = place(cx, v, at, part.len())?;
    if big.truthy() {
        part.reverse();
    }
    if let Some(b) = cx.heap.bytes_mut(v) {
        b[range].copy_from_slice(&part);
    }
    Ok(Word::UNSPECIFIED)
}

/// `(%bytevector-int-ref v at size big? signed?)`.
fn int_ref(cx: &mut Ctx, a: &[Word]) -> Res {
    let size = cx.index(a[2])?;
    let part = field(cx, a[0], a[1], size, a[3])?;
    cx.spend(size as u64 / 8)?;
    let n = if a[4].truthy() {
        BigInt::from_signed_bytes_le(&part)
    } else {
        BigInt::from_bytes_le(Sign::Plus, &part)
    };
    Ok(cx.heap.number(Number::from(n)))
}

/// `(%bytevector-int-set! v at n size big? signed?)`.
fn int_set(cx: &mut Ctx, a: &[Word]) -> Res {
    let size = cx.index(a[3])?;
    let Some(n) = super::number::number(cx, a[2])?.to_big_int() else {
        return wrong_type("Exact Integer", a[2]);
    };
    place(cx, a[0], a[1], size)?;
    cx.spend(size as u64 / 8)?;
    let signed = a[5].truthy();
    let negative = n.sign() == Sign::Minus;
    let mut part = if signed {
        n.to_signed_bytes_le()
    } else {
        n.magnitude().to_bytes_le()
    };
    if part.len() > size || negative && !signed {
        return fail("bytevector: number out of range", &a[2..3]);
    }
    part.resize(size, if negative { 255 } else { 0 });
    store(cx, a[0], a[1], part, a[4])
}

/// `(%bytevector-float-ref v at size big?)`.
fn float_ref(cx: &mut Ctx, a: &[Word]) -> Res {
    let size = cx.index(a[2])?;
    let part = field(cx, a[0], a[1], size, a[3])?;
    let bits = part.iter().rev().fold(0u64, |n, b| n << 8 | u64::from(*b));
    Ok(cx.heap.flonum(match size {
        4 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }))
}

/// `(%bytevector-float-set! v at x size big?)`.
fn float_set(cx: &mut Ctx, a: &[Word]) -> Res {
    let Ok(x) = super::number::number(cx, a[2])?.to_f64() else {
        return wrong_type("Real", a[2]);
    };
    let part = match cx.index(a[3])? {
        4 => (x as f32).to_le_bytes().to_vec(),
        _ => x.to_le_bytes().to_vec(),
    };
    store(cx, a[0], a[1], part, a[4])
}

/// `(%string->utf string width big?)`: UTF-16 or UTF-32, without a mark.
fn encode(cx: &mut Ctx, a: &[Word]) -> Res {
    let len = cx.text(a[0])?.len();
    cx.spend(len as u64 / 8)?;
    cx.reserve(len.saturating_mul(4))?;
    let (wide, big) = (cx.index(a[1])? == 4, a[2].truthy());
    let mut out = Vec::with_capacity(len * 4);
    for c in cx.text(a[0])?.chars() {
        if wide {
            let n = u32::from(c);
            out.extend(if big {
                n.to_be_bytes()
            } else {
                n.to_le_bytes()
            });
        } else {
            for n in c.encode_utf16(&mut [0; 2]) {
                out.extend(if big {
                    n.to_be_bytes()
                } else {
                    n.to_le_bytes()
                });
            }
        }
    }
    Ok(cx.heap.bytevector(out))
}

/// `(%utf->string bytevector width big?)`: what is no character reads as U+FFFD (R6RS 2.9).
fn decode(cx: &mut Ctx, a: &[Word]) -> Res {
    let all = bytes(cx, a[0])?.to_vec();
    cx.spend(all.len() as u64 / 8)?;
    cx.reserve(all.len() * 2)?;
    let (width, big) = (cx.index(a[1])?, a[2].truthy());
    let units = all.chunks(width.max(1)).map(|unit| {
        let mut unit = unit.to_vec();
        if big {
            unit.reverse();
        }
        unit.iter().rev().fold(0u32, |n, b| n << 8 | u32::from(*b))
    });
    let text: String = if width == 4 {
        units
            .map(|n| char::from_u32(n).unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()
    } else {
        char::decode_utf16(units.map(|n| n as u16))
            .map(|r| r.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()
    };
    Ok(cx.heap.string(text))
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("%bytevector-int-ref", 5, 5, int_ref),
    plain("%bytevector-int-set!", 6, 6, int_set),
    plain("%bytevector-float-ref", 4, 4, float_ref),
    plain("%bytevector-float-set!", 5, 5, float_set),
    plain("%string->utf", 3, 3, encode),
    plain("%utf->string", 3, 3, decode),
];
