//! Procedures that carry a tag (SRFI 229): a `case-lambda` object whose last slot is the tag.

use super::{Ctx, NativeDef, plain};
use crate::error::{Res, wrong_type};
use crate::value::{Kind, Word};

fn tag(cx: &mut Ctx, a: &[Word]) -> Res {
    let clauses = match a[0].kind() {
        Some(Kind::Closure) => vec![a[0]],
        Some(Kind::CaseLambda) => cx.heap.slots(a[0]).to_vec(),
        _ => return wrong_type("Closure", a[0]),
    };
    let mut slots: Vec<Word> = clauses
        .into_iter()
        .filter(|c| c.is(Kind::Closure))
        .collect();
    slots.push(cx.heap.block(Kind::Tagged, &[Word::FALSE, a[1]]));
    Ok(cx.heap.block(Kind::CaseLambda, &slots))
}

fn find(cx: &Ctx, f: Word) -> Option<Word> {
    if !f.is(Kind::CaseLambda) {
        return None;
    }
    let last = *cx.heap.slots(f).last()?;
    last.is(Kind::Tagged).then(|| cx.heap.slot(last, 1))
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("%tag-procedure", 2, 2, tag),
    plain("procedure/tag?", 1, 1, |cx, a| {
        Ok(Word::bool(find(cx, a[0]).is_some()))
    }),
    plain("procedure-tag", 1, 1, |cx, a| match find(cx, a[0]) {
        Some(t) => Ok(t),
        None => wrong_type("Tagged-Procedure", a[0]),
    }),
];
