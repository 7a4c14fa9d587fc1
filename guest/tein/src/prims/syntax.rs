//! What procedural macros do with identifiers (R6RS libraries 12.5 to 12.9); what needs the
//! expander is in `syntax/syntax_objects.rs`.

use super::{Ctx, NativeDef, is_procedure, plain};
use crate::error::{ErrorKind, Res, raise, wrong_type};
use crate::value::{Kind, Word};

fn is_identifier(w: Word) -> bool {
    w.is(Kind::Symbol) || w.is(Kind::Alias)
}

fn bound_identifier_eq(_: &mut Ctx, a: &[Word]) -> Res {
    match a.iter().find(|w| !is_identifier(**w)) {
        Some(w) => wrong_type("Identifier", *w),
        // One use of a macro makes one alias of a name.
        None => Ok(Word::bool(a[0] == a[1])),
    }
}

fn no_match(cx: &mut Ctx, a: &[Word]) -> Res {
    let form = crate::strip::strip(&mut cx.heap, a[0]);
    Err(raise(ErrorKind::Syntax, "no expansion for", &[form]))
}

fn make_variable_transformer(cx: &mut Ctx, a: &[Word]) -> Res {
    if !is_procedure(a[0]) {
        return wrong_type("Procedure", a[0]);
    }
    Ok(crate::syntax::procedural::make_variable_transformer(
        &mut cx.heap,
        a[0],
    ))
}

fn set_expand_hook(cx: &mut Ctx, a: &[Word]) -> Res {
    if !is_procedure(a[0]) {
        return wrong_type("Procedure", a[0]);
    }
    cx.expand_hook = a[0];
    Ok(Word::UNSPECIFIED)
}

fn unset_expand_hook(cx: &mut Ctx, _: &[Word]) -> Res {
    cx.expand_hook = Word::FALSE;
    Ok(Word::UNSPECIFIED)
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("identifier?", 1, 1, |_, a| {
        Ok(Word::bool(is_identifier(a[0])))
    }),
    plain("bound-identifier=?", 2, 2, bound_identifier_eq),
    plain("syntax->datum", 1, 1, |cx, a| {
        Ok(crate::strip::strip(&mut cx.heap, a[0]))
    }),
    plain("set-macro-expand-hook!", 1, 1, set_expand_hook),
    plain("unset-macro-expand-hook!", 0, 0, unset_expand_hook),
    plain("macro-expand-hook", 0, 0, |cx, _| Ok(cx.expand_hook)),
    plain("%syntax-no-match", 1, 1, no_match),
    plain("variable-transformer?", 1, 1, |cx, a| {
        let found = crate::syntax::procedural::variable_transformer(&cx.heap, a[0]);
        Ok(Word::bool(found.is_some()))
    }),
    plain("make-variable-transformer", 1, 1, make_variable_transformer),
];
