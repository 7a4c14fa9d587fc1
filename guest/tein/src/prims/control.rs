//! Procedures, multiple values, parameters, promises and the dynamic state (R7RS 6.10, 4.2.5, 4.2.6).

use super::{Ctx, NativeDef, is_procedure, plain};
use crate::error::{Raise, Res, wrong_type};
use crate::heap::MAX_BLOCK;
use crate::value::{Kind, Word};

/// A multiple-values object. Many values are kept in a vector inside it.
pub(crate) fn make_values(cx: &mut Ctx, items: &[Word]) -> Word {
    if items.len() < MAX_BLOCK && !(items.len() == 1 && items[0].is(Kind::Vector)) {
        cx.heap.block(Kind::Values, items)
    } else {
        let v = cx.heap.vector(items.to_vec());
        cx.heap.block(Kind::Values, &[v])
    }
}

/// The values in a multiple-values object.
pub(crate) fn values_items(cx: &Ctx, w: Word) -> Vec<Word> {
    let slots = cx.heap.slots(w);
    match slots {
        [v] if v.is(Kind::Vector) => cx.heap.as_vector(*v).unwrap_or_default().to_vec(),
        _ => slots.to_vec(),
    }
}

fn values(cx: &mut Ctx, a: &[Word]) -> Res {
    if let [x] = a {
        return Ok(*x);
    }
    Ok(make_values(cx, a))
}

fn set_state(cx: &mut Ctx, i: usize, w: Word) -> Res {
    cx.state[i] = w;
    Ok(Word::UNSPECIFIED)
}

fn exit(cx: &mut Ctx, a: &[Word]) -> Res {
    let code = match a.first() {
        None => 0,
        Some(w) if *w == Word::FALSE => 1,
        Some(w) => w.as_fix().and_then(|n| i32::try_from(n).ok()).unwrap_or(0),
    };
    let _ = cx;
    Err(Box::new(Raise::Exit(code)))
}

fn make_parameter(cx: &mut Ctx, a: &[Word]) -> Res {
    Ok(cx.heap.block(Kind::Parameter, &[a[0], a[1]]))
}

fn parameter_converter(cx: &mut Ctx, a: &[Word]) -> Res {
    if a[0].is(Kind::Parameter) {
        Ok(cx.heap.slot(a[0], 1))
    } else {
        wrong_type("Parameter", a[0])
    }
}

fn promise(cx: &mut Ctx, a: &[Word]) -> Res {
    // A promise points at a shared box, so that a chain of `delay-force` can be spliced.
    let shared = cx.heap.cons(a[0], a[1]);
    Ok(cx.heap.block(Kind::Promise, &[shared]))
}

fn promise_box(cx: &mut Ctx, a: &[Word]) -> Res {
    if a[0].is(Kind::Promise) {
        Ok(cx.heap.slot(a[0], 0))
    } else {
        wrong_type("Promise", a[0])
    }
}

fn set_promise_box(cx: &mut Ctx, a: &[Word]) -> Res {
    if !a[0].is(Kind::Promise) {
        return wrong_type("Promise", a[0]);
    }
    cx.heap.set_slot(a[0], 0, a[1]);
    Ok(Word::UNSPECIFIED)
}

fn features(cx: &mut Ctx, _: &[Word]) -> Res {
    let items: Vec<Word> = crate::library::FEATURES
        .iter()
        .map(|f| cx.heap.symbol(f))
        .collect();
    Ok(cx.heap.list(&items))
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("procedure?", 1, 1, |_, a| {
        Ok(Word::bool(is_procedure(a[0])))
    }),
    plain("values", 0, -1, values),
    plain("%handlers", 0, 0, |cx, _| Ok(cx.state[0])),
    plain("%set-handlers!", 1, 1, |cx, a| set_state(cx, 0, a[0])),
    plain("%parameters", 0, 0, |cx, _| Ok(cx.state[1])),
    plain("%set-parameters!", 1, 1, |cx, a| set_state(cx, 1, a[0])),
    plain("%winds", 0, 0, |cx, _| Ok(cx.state[2])),
    plain("%set-winds!", 1, 1, |cx, a| set_state(cx, 2, a[0])),
    plain("%continuation-winds", 1, 1, |cx, a| {
        Ok(if a[0].is(Kind::Continuation) {
            cx.heap.segments.slots[a[0].at()].state[2]
        } else {
            Word::NIL
        })
    }),
    plain("%uncaught", 1, 1, |_, a| {
        Err(Box::new(Raise::Uncaught(a[0])))
    }),
    plain("%exit", 0, 1, exit),
    plain("%make-parameter", 2, 2, make_parameter),
    plain("%parameter-converter", 1, 1, parameter_converter),
    plain("%parameter?", 1, 1, |_, a| {
        Ok(Word::bool(a[0].is(Kind::Parameter)))
    }),
    plain("%make-promise", 2, 2, promise),
    plain("%promise-box", 1, 1, promise_box),
    plain("%set-promise-box!", 2, 2, set_promise_box),
    plain("promise?", 1, 1, |_, a| {
        Ok(Word::bool(a[0].is(Kind::Promise)))
    }),
    plain("eof-object", 0, 0, |_, _| Ok(Word::EOF)),
    plain("eof-object?", 1, 1, |_, a| {
        Ok(Word::bool(a[0] == Word::EOF))
    }),
    plain("%unspecified", 0, 0, |_, _| Ok(Word::UNSPECIFIED)),
    plain("features", 0, 0, features),
];
