//! Homogeneous vectors (SRFI 160): a block of the type's symbol, a bytevector and the element's code.
//! The `u8` ones are the bytevectors themselves.

use num_traits::ToPrimitive;

use super::number::{number, opt_number};
use super::{Ctx, NativeDef, plain};
use crate::error::{Res, fail, wrong_type};
use crate::heap::Heap;
use crate::number::{Number, Real};
use crate::value::{Kind, Word};

/// What an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Element {
    /// A bit, kept in a byte.
    Bit,
    Unsigned(usize),
    Signed(usize),
    Float(usize),
    /// Two floats of this many bytes.
    Complex(usize),
}

const TYPES: &[(&str, Element)] = &[
    ("u8", Element::Unsigned(1)),
    ("u1", Element::Bit),
    ("s8", Element::Signed(1)),
    ("u16", Element::Unsigned(2)),
    ("s16", Element::Signed(2)),
    ("u32", Element::Unsigned(4)),
    ("s32", Element::Signed(4)),
    ("u64", Element::Unsigned(8)),
    ("s64", Element::Signed(8)),
    ("f8", Element::Float(1)),
    ("f16", Element::Float(2)),
    ("f32", Element::Float(4)),
    ("f64", Element::Float(8)),
    ("c64", Element::Complex(4)),
    ("c128", Element::Complex(8)),
];

impl Element {
    const fn size(self) -> usize {
        match self {
            Self::Bit => 1,
            Self::Unsigned(n) | Self::Signed(n) | Self::Float(n) => n,
            Self::Complex(n) => 2 * n,
        }
    }

    fn decode(self, bytes: &[u8]) -> Number {
        match self {
            Self::Bit | Self::Unsigned(_) => Number::from(little(bytes)),
            Self::Signed(n) => {
                let unused = 64 - 8 * n as u32;
                Number::from(((little(bytes) << unused) as i64) >> unused)
            }
            Self::Float(_) => Number::from(float(bytes)),
            Self::Complex(n) => {
                let (re, im) = (float(&bytes[..n]), float(&bytes[n..]));
                Number::make_rectangular(&re.into(), &im.into()).unwrap_or(Number::ZERO)
            }
        }
    }

    /// The bytes of a number, or none when it is not of this type.
    fn encode(self, n: &Number) -> Option<Vec<u8>> {
        match self {
            Self::Bit | Self::Unsigned(_) | Self::Signed(_) => {
                let n = n.to_big_int()?.to_i128()?;
                let size = self.size();
                let (low, high) = match self {
                    Self::Bit => (0, 1),
                    Self::Signed(_) => (-(1i128 << (8 * size - 1)), (1i128 << (8 * size - 1)) - 1),
                    _ => (0, (1i128 << (8 * size)) - 1),
                };
                (low..=high)
                    .contains(&n)
                    .then(|| n.to_le_bytes()[..size].to_vec())
            }
            Self::Float(size) => Some(float_bytes(n.to_f64().ok()?, size)),
            Self::Complex(size) => {
                let mut bytes = float_bytes(n.real_part().to_f64().ok()?, size);
                bytes.extend(float_bytes(n.imag_part().to_f64().ok()?, size));
                Some(bytes)
            }
        }
    }
}

fn little(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b))
}

/// A float of one (the upper half of two), two, four or eight bytes, least first.
fn float(bytes: &[u8]) -> f64 {
    let bits = little(bytes);
    match bytes.len() {
        1 => half(bits << 8),
        2 => half(bits),
        4 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// IEEE 754 binary16.
fn half(bits: u64) -> f64 {
    let (exponent, fraction) = ((bits >> 10 & 31) as i32, (bits & 1023) as f64);
    let magnitude = match exponent {
        0 => libm::ldexp(fraction, -24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => libm::ldexp(1024.0 + fraction, exponent - 25),
    };
    if bits >> 15 & 1 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

fn float_bytes(x: f64, size: usize) -> Vec<u8> {
    match size {
        1 => vec![small_bits(x, 2) as u8],
        2 => small_bits(x, 10).to_le_bytes().to_vec(),
        4 => (x as f32).to_le_bytes().to_vec(),
        _ => x.to_le_bytes().to_vec(),
    }
}

/// The nearest float with five bits of exponent and this many of fraction, ties to even.
fn small_bits(x: f64, fraction: i32) -> u16 {
    let sign = u16::from(x.is_sign_negative()) << (5 + fraction);
    let one = 1u16 << fraction;
    let infinity = 31 * one;
    if x.is_nan() {
        return sign | infinity | one >> 1;
    }
    let x = x.abs();
    // Units of the last place: those of the smallest normal number hold below it, too.
    let exponent = if x == 0.0 {
        -14
    } else {
        (libm::frexp(x).1 - 1).max(-14)
    };
    if x.is_infinite() || exponent > 15 {
        return sign | infinity;
    }
    let units = libm::rint(libm::ldexp(x, fraction - exponent)) as u16;
    // A unit count of `one` or more has the implicit bit, and rounding up carries into the exponent.
    sign | ((exponent + 14) as u16 * one + units).min(infinity)
}

fn name(cx: &Ctx, ty: Word) -> String {
    format!("{}vector", cx.heap.symbol_name(ty).unwrap_or_default())
}

fn element(cx: &Ctx, ty: Word) -> Res<(usize, Element)> {
    let found = cx.heap.symbol_name(ty).and_then(|n| {
        let code = TYPES.iter().position(|t| t.0 == n)?;
        Some((code, TYPES[code].1))
    });
    match found {
        Some(f) => Ok(f),
        None => wrong_type("Uniform-Vector-Type", ty),
    }
}

/// The element type and the storage of a vector of this type.
fn opt_view(heap: &Heap, ty: Word, v: Word) -> Option<(Element, Word)> {
    if v.is(Kind::Bytevector) {
        return (heap.symbol_name(ty) == Some("u8")).then_some((Element::Unsigned(1), v));
    }
    if !(v.is(Kind::Tagged) && v.block_len() == 3 && heap.slot(v, 0) == ty) {
        return None;
    }
    let code = usize::try_from(heap.slot(v, 2).as_fix()?).ok()?;
    Some((TYPES.get(code)?.1, heap.slot(v, 1)))
}

fn view(cx: &Ctx, ty: Word, v: Word) -> Res<(Element, Word)> {
    match opt_view(&cx.heap, ty, v) {
        Some(found) => Ok(found),
        None => wrong_type(&name(cx, ty), v),
    }
}

/// The type's name and the elements of any homogeneous vector but a bytevector.
pub(crate) fn contents(heap: &Heap, v: Word) -> Option<(&str, Vec<Number>)> {
    if !v.is(Kind::Tagged) || v.block_len() != 3 {
        return None;
    }
    let ty = heap.slot(v, 0);
    let (e, storage) = opt_view(heap, ty, v)?;
    let numbers = heap.as_bytes(storage)?.chunks_exact(e.size());
    Some((
        heap.symbol_name(ty)?,
        numbers.map(|b| e.decode(b)).collect(),
    ))
}

/// The type of a literal such as `#f64(1.5)`, by what stands before its parenthesis. Bytevectors have
/// their own.
pub(crate) fn literal(prefix: &str) -> Option<usize> {
    let name = prefix.strip_prefix('#')?;
    TYPES
        .iter()
        .skip(1)
        .position(|t| t.0 == name)
        .map(|i| i + 1)
}

/// The vector of a literal's type and items, or the item that is not of the type.
pub(crate) fn from_literal(heap: &mut Heap, code: usize, items: &[Word]) -> Result<Word, Word> {
    let (name, e) = TYPES[code];
    let mut bytes = Vec::with_capacity(items.len() * e.size());
    for w in items {
        let number = match (w.as_fix(), heap.as_flonum(*w)) {
            (Some(n), _) => Some(Number::from(n)),
            (None, Some(x)) => Some(Number::from(x)),
            (None, None) => heap.as_boxed_number(*w).cloned(),
        };
        match number.and_then(|n| e.encode(&n)) {
            Some(b) => bytes.extend(b),
            None => return Err(*w),
        }
    }
    let ty = heap.symbol(name);
    Ok(block(heap, ty, code, bytes))
}

/// The type's name and the bytes of any homogeneous vector but a bytevector.
pub(crate) fn parts(heap: &Heap, v: Word) -> Option<(&str, &[u8])> {
    if !v.is(Kind::Tagged) || v.block_len() != 3 {
        return None;
    }
    let ty = heap.slot(v, 0);
    let (_, storage) = opt_view(heap, ty, v)?;
    Some((heap.symbol_name(ty)?, heap.as_bytes(storage)?))
}

/// What [`parts`] gave, or none when that is not what it was.
pub(crate) fn from_parts(heap: &mut Heap, name: &str, bytes: &[u8]) -> Option<Word> {
    let code = TYPES.iter().position(|t| t.0 == name).filter(|c| *c > 0)?;
    if !bytes.len().is_multiple_of(TYPES[code].1.size()) {
        return None;
    }
    let ty = heap.symbol(name);
    Some(block(heap, ty, code, bytes.to_vec()))
}

/// True when both are homogeneous vectors of one type and the same bits.
pub(crate) fn same(heap: &Heap, a: Word, b: Word) -> bool {
    parts(heap, a).is_some_and(|p| Some(p) == parts(heap, b))
}

fn encode(cx: &Ctx, ty: Word, e: Element, x: Word) -> Res<Vec<u8>> {
    match e.encode(&number(cx, x)?) {
        Some(b) => Ok(b),
        None => fail(
            format!("{}: not an element of this type", name(cx, ty)),
            &[x],
        ),
    }
}

fn new(cx: &mut Ctx, ty: Word, code: usize, bytes: Vec<u8>) -> Word {
    if code == 0 {
        cx.heap.bytevector(bytes)
    } else {
        block(&mut cx.heap, ty, code, bytes)
    }
}

fn block(heap: &mut Heap, ty: Word, code: usize, bytes: Vec<u8>) -> Word {
    let slots = [ty, heap.bytevector(bytes), Word::index(code)];
    heap.block(Kind::Tagged, &slots)
}

fn make(cx: &mut Ctx, a: &[Word]) -> Res {
    let (code, e) = element(cx, a[0])?;
    let n = cx.index(a[1])?;
    let one = match a.get(2) {
        Some(x) => encode(cx, a[0], e, *x)?,
        None => vec![0; e.size()],
    };
    let size = n.saturating_mul(e.size());
    cx.reserve(size)?;
    cx.spend(size as u64 / 64)?;
    Ok(new(cx, a[0], code, one.repeat(n)))
}

/// The bytes of the element at an index.
fn place(cx: &Ctx, ty: Word, v: Word, i: Word) -> Res<(Element, Word, usize)> {
    let (e, storage) = view(cx, ty, v)?;
    let at = cx.index(i)?.saturating_mul(e.size());
    if at >= super::bytevector::bytes(cx, storage)?.len() {
        return fail(format!("{}: index out of range", name(cx, ty)), &[v, i]);
    }
    Ok((e, storage, at))
}

fn get(cx: &mut Ctx, a: &[Word]) -> Res {
    let (e, storage, at) = place(cx, a[0], a[1], a[2])?;
    let n = e.decode(&super::bytevector::bytes(cx, storage)?[at..at + e.size()]);
    Ok(cx.heap.number(n))
}

fn set(cx: &mut Ctx, a: &[Word]) -> Res {
    let (e, storage, at) = place(cx, a[0], a[1], a[2])?;
    let bytes = encode(cx, a[0], e, a[3])?;
    if let Some(b) = cx.heap.bytes_mut(storage) {
        b[at..at + bytes.len()].copy_from_slice(&bytes);
    }
    Ok(Word::UNSPECIFIED)
}

fn length(cx: &Ctx, ty: Word, v: Word) -> Res<usize> {
    let (e, storage) = view(cx, ty, v)?;
    Ok(super::bytevector::bytes(cx, storage)?.len() / e.size())
}

/// Element type, storage and the bytes that optional start and end arguments from `at` on name.
fn part(cx: &Ctx, a: &[Word], v: Word, at: usize) -> Res<(Element, Word, usize, usize)> {
    let (e, storage) = view(cx, a[0], v)?;
    let len = length(cx, a[0], v)?;
    let (start, end) = cx.range(&name(cx, a[0]), a, at, len)?;
    Ok((e, storage, start * e.size(), end * e.size()))
}

fn copy(cx: &mut Ctx, a: &[Word]) -> Res {
    let (_, storage, start, end) = part(cx, a, a[1], 2)?;
    cx.spend((end - start) as u64 / 64)?;
    cx.reserve(end - start)?;
    let bytes = super::bytevector::bytes(cx, storage)?[start..end].to_vec();
    let (code, _) = element(cx, a[0])?;
    Ok(new(cx, a[0], code, bytes))
}

/// `(%uvector-copy! type to at from start end)`.
fn copy_to(cx: &mut Ctx, a: &[Word]) -> Res {
    let (e, from, start, end) = part(cx, a, a[3], 4)?;
    let (_, to) = view(cx, a[0], a[1])?;
    let at = cx.index(a[2])?.saturating_mul(e.size());
    let room = super::bytevector::bytes(cx, to)?.len();
    if at > room || end - start > room - at {
        return fail(format!("{}: index out of range", name(cx, a[0])), &a[1..3]);
    }
    cx.spend((end - start) as u64 / 64)?;
    let bytes = super::bytevector::bytes(cx, from)?[start..end].to_vec();
    if let Some(b) = cx.heap.bytes_mut(to) {
        b[at..at + bytes.len()].copy_from_slice(&bytes);
    }
    Ok(Word::UNSPECIFIED)
}

/// `(%uvector-fill! type v x start end)`.
fn fill(cx: &mut Ctx, a: &[Word]) -> Res {
    let (e, storage, start, end) = part(cx, a, a[1], 3)?;
    let one = encode(cx, a[0], e, a[2])?;
    cx.spend((end - start) as u64 / 64)?;
    if let Some(b) = cx.heap.bytes_mut(storage) {
        for place in b[start..end].chunks_exact_mut(one.len()) {
            place.copy_from_slice(&one);
        }
    }
    Ok(Word::UNSPECIFIED)
}

fn to_list(cx: &mut Ctx, a: &[Word]) -> Res {
    let (e, storage, start, end) = part(cx, a, a[1], 2)?;
    let n = (end - start) / e.size();
    cx.spend(n as u64)?;
    cx.reserve(n * 24)?;
    let bytes = super::bytevector::bytes(cx, storage)?[start..end].to_vec();
    let mut items = Vec::with_capacity(n);
    for b in bytes.chunks_exact(e.size()) {
        items.push(cx.heap.number(e.decode(b)));
    }
    Ok(cx.heap.list(&items))
}

fn from_list(cx: &mut Ctx, a: &[Word]) -> Res {
    let (code, e) = element(cx, a[0])?;
    let items = cx.list(a[1])?;
    cx.spend(items.len() as u64)?;
    cx.reserve(items.len() * e.size())?;
    let mut bytes = Vec::with_capacity(items.len() * e.size());
    for x in items {
        bytes.extend(encode(cx, a[0], e, x)?);
    }
    Ok(new(cx, a[0], code, bytes))
}

/// `(%uvector-element? type x)`: floats are inexact, as SRFI 160 has its predicates.
fn is_element(cx: &mut Ctx, a: &[Word]) -> Res {
    let (_, e) = element(cx, a[0])?;
    let ok = opt_number(cx, a[1]).is_some_and(|n| match e {
        Element::Float(_) => matches!(n, Number::Real(Real::Flo(_))),
        Element::Complex(_) => n.is_inexact(),
        _ => e.encode(&n).is_some(),
    });
    Ok(Word::bool(ok))
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("%make-uvector", 2, 3, make),
    plain("%uvector?", 2, 2, |cx, a| {
        Ok(Word::bool(opt_view(&cx.heap, a[0], a[1]).is_some()))
    }),
    plain("%uvector-ref", 3, 3, get),
    plain("%uvector-set!", 4, 4, set),
    plain("%uvector-length", 2, 2, |cx, a| {
        Ok(Word::index(length(cx, a[0], a[1])?))
    }),
    plain("%uvector-copy", 2, 4, copy),
    plain("%uvector-copy!", 4, 6, copy_to),
    plain("%uvector-fill!", 3, 5, fill),
    plain("%uvector->list", 2, 4, to_list),
    plain("%list->uvector", 2, 2, from_list),
    plain("%uvector-element?", 2, 2, is_element),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_floats_round_to_the_nearest_and_come_back() {
        for (x, bits) in [
            (0.0, 0u16),
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (65504.0, 0x7bff),
            (65520.0, 0x7c00),
            (5.960_464_477_539_063e-8, 1),
            (6.103_515_625e-5, 0x0400),
            (f64::INFINITY, 0x7c00),
            (1.0 + 1.0 / 2048.0, 0x3c00),
            (1.0 + 3.0 / 2048.0, 0x3c02),
        ] {
            assert_eq!(small_bits(x, 10), bits, "{x}");
        }
        for bits in 0..=0xffffu16 {
            let x = half(bits.into());
            if !x.is_nan() {
                assert_eq!(small_bits(x, 10), bits, "{bits:x}");
            }
        }
        for b in 0..=255u8 {
            let x = half(u64::from(b) << 8);
            if !x.is_nan() {
                assert_eq!(small_bits(x, 2), u16::from(b), "{b:x}");
            }
        }
    }
}
