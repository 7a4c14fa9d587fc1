//! What programs may ask about types, bindings and libraries.

use super::{Ctx, NativeDef, plain};
use crate::error::{Res, fail, wrong_type};
use crate::value::{Kind, Word};

/// `(%record-field-index type name)`
fn field_index(cx: &mut Ctx, a: &[Word]) -> Res {
    if !a[0].is(Kind::RecordType) {
        return wrong_type("Record Type", a[0]);
    }
    let names = cx.items(cx.heap.slot(a[0], 1))?;
    match names.iter().position(|n| *n == a[1]) {
        Some(i) => Ok(Word::index(i)),
        None => fail("the record type has no such field", &[a[1], a[0]]),
    }
}

pub(crate) const NATIVES: &[NativeDef] = &[plain("%record-field-index", 2, 2, field_index)];
