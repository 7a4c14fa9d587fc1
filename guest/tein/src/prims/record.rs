//! Records (R7RS 5.5) and condition objects (6.11).

use super::{Ctx, NativeDef, plain};
use crate::error::{ErrorKind, Res, fail, wrong_type};
use crate::value::{Kind, Word};

/// The error of an accessor on something else, as the reference words it.
#[cold]
#[inline(never)]
pub(crate) fn wrong_record<T>(cx: &mut Ctx, r: Word, rtd: Word) -> Res<T> {
    let name = type_name(cx, rtd);
    let name = cx.heap.string(name);
    fail("slot-ref: bad type", &[name, r])
}

fn type_name(cx: &Ctx, rtd: Word) -> String {
    if !rtd.is(Kind::RecordType) {
        return String::new();
    }
    let name = cx
        .heap
        .symbol_name(cx.heap.slot(rtd, 0))
        .unwrap_or_default();
    name.trim_start_matches('<')
        .trim_end_matches('>')
        .to_owned()
}

/// The name of a record's type, without angle brackets.
pub(crate) fn record_name(cx: &crate::heap::Heap, r: Word) -> String {
    let rtd = cx.slot(r, 0);
    if !rtd.is(Kind::RecordType) {
        return String::new();
    }
    cx.symbol_name(cx.slot(rtd, 0))
        .unwrap_or_default()
        .trim_start_matches('<')
        .trim_end_matches('>')
        .to_owned()
}

/// `(%make-record-type name fields extra ...)`: what SRFI 99 adds stands in further slots.
fn make_type(cx: &mut Ctx, a: &[Word]) -> Res {
    let fields = cx.items(a[1])?.len();
    if fields > 200 {
        return fail("a record type with more than 200 fields", &[]);
    }
    Ok(cx.heap.block(Kind::RecordType, a))
}

/// `(%record-type-ref rtd i)`: name, fields and what else there is, or `#f`.
fn type_ref(cx: &mut Ctx, a: &[Word]) -> Res {
    let i = cx.index(a[1])?;
    if !a[0].is(Kind::RecordType) {
        return wrong_type("Record Type", a[0]);
    }
    Ok(if i < a[0].block_len() {
        cx.heap.slot(a[0], i)
    } else {
        Word::FALSE
    })
}

fn type_of(cx: &mut Ctx, a: &[Word]) -> Res {
    if !a[0].is(Kind::Record) {
        return wrong_type("Record", a[0]);
    }
    Ok(cx.heap.slot(a[0], 0))
}

fn record(cx: &mut Ctx, a: &[Word]) -> Res {
    if !a[0].is(Kind::RecordType) {
        return wrong_type("Record Type", a[0]);
    }
    Ok(cx.heap.block(Kind::Record, a))
}

fn is_record_of(cx: &mut Ctx, a: &[Word]) -> Res {
    Ok(Word::bool(
        a[0].is(Kind::Record) && cx.heap.slot(a[0], 0) == a[1],
    ))
}

fn field(cx: &mut Ctx, a: &[Word]) -> Res {
    let i = cx.index(a[2])?;
    if !(a[0].is(Kind::Record) && cx.heap.slot(a[0], 0) == a[1] && i + 1 < a[0].block_len()) {
        return wrong_record(cx, a[0], a[1]);
    }
    Ok(cx.heap.slot(a[0], i + 1))
}

fn set_field(cx: &mut Ctx, a: &[Word]) -> Res {
    let i = cx.index(a[3])?;
    if !(a[0].is(Kind::Record) && cx.heap.slot(a[0], 0) == a[1] && i + 1 < a[0].block_len()) {
        return wrong_record(cx, a[0], a[1]);
    }
    cx.heap.set_slot(a[0], i + 1, a[2]);
    Ok(Word::UNSPECIFIED)
}

/// `error`: the machine adds where it was called (R7RS 6.11).
fn error(cx: &mut Ctx, a: &[Word]) -> Res {
    let message = match cx.heap.as_text(a[0]) {
        Some(t) => t.to_utf8(),
        // `(error 'who "message" ...)`: both are part of the message.
        None => {
            let who = crate::printer::written(&cx.heap, a[0]);
            match a.get(1).and_then(|m| cx.heap.as_text(*m)) {
                Some(m) => return fail(format!("{who}: {}", m.to_utf8()), &a[2..]),
                None => who,
            }
        }
    };
    fail(message, &a[1..])
}

fn slot(cx: &mut Ctx, w: Word, i: usize) -> Res {
    if !w.is(Kind::Condition) {
        let name = cx.heap.string("Exception");
        return fail("slot-ref: bad type", &[name, w]);
    }
    Ok(cx.heap.slot(w, i))
}

fn is_kind(cx: &mut Ctx, w: Word, kind: ErrorKind) -> Res {
    Ok(Word::bool(
        w.is(Kind::Condition) && cx.heap.slot(w, 0) == Word::fix(kind.code()),
    ))
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("%make-record-type", 2, 4, make_type),
    plain("%record-type?", 1, 1, |_, a| {
        Ok(Word::bool(a[0].is(Kind::RecordType)))
    }),
    plain("%record-type-ref", 2, 2, type_ref),
    plain("%record-type", 1, 1, type_of),
    plain("%record", 1, -1, record),
    plain("%record-of?", 2, 2, is_record_of),
    plain("%record?", 1, 1, |_, a| {
        Ok(Word::bool(a[0].is(Kind::Record)))
    }),
    plain("%field", 3, 3, field),
    plain("%set-field!", 4, 4, set_field),
    plain("error", 1, -1, error),
    plain("error-object?", 1, 1, |_, a| {
        Ok(Word::bool(a[0].is(Kind::Condition)))
    }),
    plain("error-object-message", 1, 1, |cx, a| slot(cx, a[0], 1)),
    plain("error-object-irritants", 1, 1, |cx, a| slot(cx, a[0], 2)),
    plain("read-error?", 1, 1, |cx, a| {
        is_kind(cx, a[0], ErrorKind::Read)
    }),
    plain("file-error?", 1, 1, |cx, a| {
        is_kind(cx, a[0], ErrorKind::File)
    }),
];
