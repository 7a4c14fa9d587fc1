//! The natives of `(tein uuid)`: random identifiers of version 4 (RFC 9562).

use super::{Ctx, NativeDef, plain};
use crate::error::Res;
use crate::value::Word;

fn make(cx: &mut Ctx, _: &[Word]) -> Res {
    let mut b = [0u8; 16];
    cx.world.random(&mut b);
    b[6] = b[6] & 0x0f | 0x40;
    b[8] = b[8] & 0x3f | 0x80;
    let digits = format!("{:032x}", u128::from_be_bytes(b));
    let parts = [
        &digits[..8],
        &digits[8..12],
        &digits[12..16],
        &digits[16..20],
        &digits[20..],
    ];
    Ok(cx.heap.string(parts.join("-")))
}

/// Is this the text of a UUID: 32 hexadecimal digits, plain or hyphenated, the latter also in
/// braces or as a URN?
fn is_uuid(text: &str) -> bool {
    let hyphenated = |t: &str| {
        let b = t.as_bytes();
        b.len() == 36
            && b.iter().enumerate().all(|(i, c)| match i {
                8 | 13 | 18 | 23 => *c == b'-',
                _ => c.is_ascii_hexdigit(),
            })
    };
    let braced = text.strip_prefix('{').and_then(|t| t.strip_suffix('}'));
    match (text.strip_prefix("urn:uuid:"), braced) {
        (Some(inner), _) | (None, Some(inner)) => hyphenated(inner),
        _ => hyphenated(text) || text.len() == 32 && text.bytes().all(|c| c.is_ascii_hexdigit()),
    }
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("make-uuid", 0, 0, make),
    plain("uuid?", 1, 1, |cx, a| {
        let text = cx.heap.as_text(a[0]).filter(|t| t.len() <= 64);
        Ok(Word::bool(text.is_some_and(|t| is_uuid(&t.to_utf8()))))
    }),
];
