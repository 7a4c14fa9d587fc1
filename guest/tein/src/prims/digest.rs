//! The hashes of `(tein crypto)` and `(chibi crypto sha2)`: SHA-224, SHA-256 and SHA-512
//! (FIPS 180-4), BLAKE3.

use sha2::{Digest, Sha224, Sha256, Sha512};

use super::{Ctx, NativeDef, plain};
use crate::error::{Res, fail};
use crate::value::Word;

/// What is hashed: a bytevector, or the UTF-8 bytes of a string. Paid for by length.
fn input(cx: &mut Ctx, w: Word) -> Res<Vec<u8>> {
    let length = match (cx.heap.as_bytes(w), cx.heap.as_text(w)) {
        (Some(b), _) => b.len(),
        (None, Some(t)) => t.len(),
        _ => return fail("hash input must be a string or bytevector", &[w]),
    };
    cx.spend(length as u64 / 16 + 32)?;
    cx.reserve(length.saturating_mul(4))?;
    Ok(match (cx.heap.as_bytes(w), cx.heap.as_text(w)) {
        (Some(b), _) => b.to_vec(),
        (None, Some(t)) => t.to_utf8().into_bytes(),
        _ => Vec::new(),
    })
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|b| [b >> 4, b & 15])
        .map(|d| char::from(DIGITS[d as usize]))
        .collect()
}

fn sha224(bytes: &[u8]) -> Vec<u8> {
    Sha224::digest(bytes).to_vec()
}

fn sha256(bytes: &[u8]) -> Vec<u8> {
    Sha256::digest(bytes).to_vec()
}

fn sha512(bytes: &[u8]) -> Vec<u8> {
    Sha512::digest(bytes).to_vec()
}

fn blake3(bytes: &[u8]) -> Vec<u8> {
    ::blake3::hash(bytes).as_bytes().to_vec()
}

fn as_text(cx: &mut Ctx, w: Word, hash: fn(&[u8]) -> Vec<u8>) -> Res {
    let digest = hash(&input(cx, w)?);
    Ok(cx.heap.string(hex(&digest)))
}

fn as_bytes(cx: &mut Ctx, w: Word, hash: fn(&[u8]) -> Vec<u8>) -> Res {
    let digest = hash(&input(cx, w)?);
    Ok(cx.heap.bytevector(digest))
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("%sha224", 1, 1, |cx, a| as_text(cx, a[0], sha224)),
    plain("sha256", 1, 1, |cx, a| as_text(cx, a[0], sha256)),
    plain("sha512", 1, 1, |cx, a| as_text(cx, a[0], sha512)),
    plain("blake3", 1, 1, |cx, a| as_text(cx, a[0], blake3)),
    plain("sha256-bytes", 1, 1, |cx, a| as_bytes(cx, a[0], sha256)),
    plain("sha512-bytes", 1, 1, |cx, a| as_bytes(cx, a[0], sha512)),
    plain("blake3-bytes", 1, 1, |cx, a| as_bytes(cx, a[0], blake3)),
];
