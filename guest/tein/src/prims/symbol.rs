//! Symbols and booleans (R7RS 6.3, 6.5).

use super::{Ctx, NativeDef, plain};
use crate::error::{Res, wrong_type};
use crate::value::{Kind, Word};

fn symbol_to_string(cx: &mut Ctx, a: &[Word]) -> Res {
    match cx.heap.symbol_name(a[0]) {
        Some(n) => {
            let n = n.to_owned();
            Ok(cx.heap.string(n))
        }
        None => wrong_type("Symbol", a[0]),
    }
}

fn string_to_symbol(cx: &mut Ctx, a: &[Word]) -> Res {
    let name = cx.text(a[0])?.to_utf8();
    Ok(cx.heap.symbol(&name))
}

fn all_same(_: &mut Ctx, a: &[Word], is: fn(Word) -> bool, what: &str) -> Res {
    for w in a {
        if !is(*w) {
            return wrong_type(what, *w);
        }
    }
    Ok(Word::bool(a.windows(2).all(|p| p[0] == p[1])))
}

fn is_boolean(w: Word) -> bool {
    w == Word::TRUE || w == Word::FALSE
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("symbol?", 1, 1, |_, a| {
        Ok(Word::bool(a[0].is(Kind::Symbol)))
    }),
    plain("symbol->string", 1, 1, symbol_to_string),
    plain("string->symbol", 1, 1, string_to_symbol),
    plain("symbol=?", 1, -1, |cx, a| {
        all_same(cx, a, |w| w.is(Kind::Symbol), "Symbol")
    }),
    plain("boolean=?", 1, -1, |cx, a| {
        all_same(cx, a, is_boolean, "Boolean")
    }),
    plain("boolean?", 1, 1, |_, a| Ok(Word::bool(is_boolean(a[0])))),
    plain("not", 1, 1, |_, a| Ok(Word::bool(a[0] == Word::FALSE))),
];
