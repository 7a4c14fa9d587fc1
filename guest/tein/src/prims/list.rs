//! Pairs and lists (R7RS 6.4), and the equivalences (6.1).

use super::{Ctx, NativeDef, plain};
use crate::equal::{equal, eqv};
use crate::error::{Res, fail, wrong_type};
use crate::heap::Heap;
use crate::value::{Kind, Word};

fn car(cx: &mut Ctx, a: &[Word]) -> Res {
    if a[0].is_pair() {
        Ok(cx.heap.car(a[0]))
    } else {
        fail("car: not a pair", a)
    }
}

fn cdr(cx: &mut Ctx, a: &[Word]) -> Res {
    if a[0].is_pair() {
        Ok(cx.heap.cdr(a[0]))
    } else {
        fail("cdr: not a pair", a)
    }
}

macro_rules! paths {
    ($($fname:ident $name:literal $path:literal),*) => {
        $(fn $fname(cx: &mut Ctx, a: &[Word]) -> Res {
            let mut w = a[0];
            for letter in $path.bytes().rev() {
                let is_car = letter == b'a';
                if !w.is_pair() {
                    return fail(if is_car { "car: not a pair" } else { "cdr: not a pair" }, &[w]);
                }
                w = if is_car { cx.heap.car(w) } else { cx.heap.cdr(w) };
            }
            Ok(w)
        })*
        const PATHS: &[NativeDef] = &[$(plain($name, 1, 1, $fname)),*];
    };
}

paths!(
    caar "caar" "aa", cadr "cadr" "ad", cdar "cdar" "da", cddr "cddr" "dd",
    caaar "caaar" "aaa", caadr "caadr" "aad", cadar "cadar" "ada", caddr "caddr" "add",
    cdaar "cdaar" "daa", cdadr "cdadr" "dad", cddar "cddar" "dda", cdddr "cdddr" "ddd",
    caaaar "caaaar" "aaaa", caaadr "caaadr" "aaad", caadar "caadar" "aada", caaddr "caaddr" "aadd",
    cadaar "cadaar" "adaa", cadadr "cadadr" "adad", caddar "caddar" "adda", cadddr "cadddr" "addd",
    cdaaar "cdaaar" "daaa", cdaadr "cdaadr" "daad", cdadar "cdadar" "dada", cdaddr "cdaddr" "dadd",
    cddaar "cddaar" "ddaa", cddadr "cddadr" "ddad", cdddar "cdddar" "ddda", cddddr "cddddr" "dddd"
);

fn set_car(cx: &mut Ctx, a: &[Word]) -> Res {
    if !a[0].is_pair() {
        return fail("set-car!: not a pair", &a[..1]);
    }
    cx.heap.set_car(a[0], a[1]);
    Ok(Word::UNSPECIFIED)
}

fn set_cdr(cx: &mut Ctx, a: &[Word]) -> Res {
    if !a[0].is_pair() {
        return fail("set-cdr!: not a pair", &a[..1]);
    }
    cx.heap.set_cdr(a[0], a[1]);
    Ok(Word::UNSPECIFIED)
}

fn is_list(cx: &mut Ctx, a: &[Word]) -> Res {
    let Some((n, tail)) = cx.heap.walk(a[0], |_| ()) else {
        return Ok(Word::FALSE);
    };
    cx.charge(n / 8);
    Ok(Word::bool(tail == Word::NIL))
}

fn length(cx: &mut Ctx, a: &[Word]) -> Res {
    match cx.heap.walk(a[0], |_| ()) {
        Some((n, Word::NIL)) => {
            cx.charge(n / 8);
            Ok(Word::index(n))
        }
        _ => wrong_type("List", a[0]),
    }
}

/// Length of a proper list, `#f` for a circular one, the number of pairs of a dotted one (SRFI 1).
fn length_plus(cx: &mut Ctx, a: &[Word]) -> Res {
    let Some((n, _)) = cx.heap.walk(a[0], |_| ()) else {
        return Ok(Word::FALSE);
    };
    cx.charge(n / 8);
    Ok(Word::index(n))
}

fn list(cx: &mut Ctx, a: &[Word]) -> Res {
    Ok(cx.heap.list(a))
}

fn cons_star(cx: &mut Ctx, a: &[Word]) -> Res {
    match a.split_last() {
        Some((tail, items)) => Ok(cx.heap.list_with_tail(items, *tail)),
        None => Ok(Word::NIL),
    }
}

fn make_list(cx: &mut Ctx, a: &[Word]) -> Res {
    let n = cx.index(a[0])?;
    cx.reserve(n.saturating_mul(16))?;
    cx.charge(n);
    let fill = a.get(1).copied().unwrap_or(Word::UNSPECIFIED);
    let mut list = Word::NIL;
    for _ in 0..n {
        list = cx.heap.cons(fill, list);
    }
    Ok(list)
}

fn append(cx: &mut Ctx, a: &[Word]) -> Res {
    let Some((tail, lists)) = a.split_last() else {
        return Ok(Word::NIL);
    };
    let mut result = *tail;
    for l in lists.iter().rev() {
        let items = cx.list(*l)?;
        cx.charge(items.len());
        result = cx.heap.list_with_tail(&items, result);
    }
    Ok(result)
}

fn reverse(cx: &mut Ctx, a: &[Word]) -> Res {
    let items = cx.list(a[0])?;
    cx.charge(items.len());
    Ok(items
        .into_iter()
        .fold(Word::NIL, |rest, x| cx.heap.cons(x, rest)))
}

fn append_reverse(cx: &mut Ctx, a: &[Word]) -> Res {
    let mut rest = a[0];
    let mut out = a[1];
    let mut n = 0;
    while rest.is_pair() {
        out = cx.heap.cons(cx.heap.car(rest), out);
        rest = cx.heap.cdr(rest);
        n += 1;
        if n % 65536 == 0 {
            cx.reserve(n * 16)?;
        }
    }
    cx.charge(n);
    Ok(out)
}

fn tail(cx: &mut Ctx, list: Word, k: usize) -> Res {
    let mut rest = list;
    for _ in 0..k {
        if !rest.is_pair() {
            return fail("cdr: not a pair", &[rest]);
        }
        rest = cx.heap.cdr(rest);
    }
    cx.charge(k / 8);
    Ok(rest)
}

fn list_tail(cx: &mut Ctx, a: &[Word]) -> Res {
    let k = cx.index(a[1])?;
    tail(cx, a[0], k)
}

fn list_ref(cx: &mut Ctx, a: &[Word]) -> Res {
    let k = cx.index(a[1])?;
    let rest = tail(cx, a[0], k)?;
    car(cx, &[rest])
}

fn list_set(cx: &mut Ctx, a: &[Word]) -> Res {
    let k = cx.index(a[1])?;
    let rest = tail(cx, a[0], k)?;
    set_car(cx, &[rest, a[2]])
}

fn list_copy(cx: &mut Ctx, a: &[Word]) -> Res {
    let mut items = Vec::new();
    let mut rest = a[0];
    while rest.is_pair() {
        items.push(cx.heap.car(rest));
        rest = cx.heap.cdr(rest);
        if items.len() % 65536 == 0 {
            cx.reserve(items.len() * 16)?;
        }
    }
    cx.charge(items.len());
    Ok(cx.heap.list_with_tail(&items, rest))
}

/// The first pair whose item passes. The list must end, unless the item is found before it repeats.
fn search(
    cx: &mut Ctx,
    list: Word,
    found: impl Fn(&Heap, Word) -> (bool, usize),
) -> Res<Option<Word>> {
    let (mut slow, mut rest, mut n) = (list, list, 0usize);
    let mut work = 0;
    while rest.is_pair() {
        n += 1;
        let (here, compared) = found(&cx.heap, cx.heap.car(rest));
        work += compared;
        if here {
            cx.charge((n + work) / 4);
            return Ok(Some(rest));
        }
        rest = cx.heap.cdr(rest);
        if n % 2 == 0 {
            slow = cx.heap.cdr(slow);
            if slow == rest && rest.is_pair() {
                cx.charge((n + work) / 4);
                return wrong_type("List", list);
            }
        }
        if work > SLICE {
            cx.spend((work / 4) as u64)?;
            work = 0;
        }
    }
    cx.charge((n + work) / 4);
    Ok(None)
}

/// Objects compared before a search asks whether the budget covers more.
const SLICE: usize = 1 << 16;

fn member_by(cx: &mut Ctx, a: &[Word], same: fn(&Heap, Word, Word) -> (bool, usize)) -> Res {
    let found = search(cx, a[1], |heap, item| same(heap, a[0], item))?;
    Ok(found.unwrap_or(Word::FALSE))
}

fn assoc_by(cx: &mut Ctx, a: &[Word], same: fn(&Heap, Word, Word) -> (bool, usize)) -> Res {
    let found = search(cx, a[1], |heap, entry| {
        if entry.is_pair() {
            same(heap, a[0], heap.car(entry))
        } else {
            (false, 0)
        }
    })?;
    Ok(found.map_or(Word::FALSE, |pair| cx.heap.car(pair)))
}

fn same_object(_: &Heap, x: Word, y: Word) -> (bool, usize) {
    (x == y, 0)
}

fn same_value(heap: &Heap, x: Word, y: Word) -> (bool, usize) {
    (eqv(heap, x, y), 0)
}

/// `equal?` with its work; most items differ at first sight.
fn same_structure(heap: &Heap, x: Word, y: Word) -> (bool, usize) {
    match (x.kind(), y.kind()) {
        (Some(Kind::Pair), Some(Kind::Pair)) | (Some(Kind::Vector), Some(Kind::Vector)) => {
            crate::equal::equal_with_work(heap, x, y)
        }
        _ => (equal(heap, x, y), 0),
    }
}

fn is_eq(_: &mut Ctx, a: &[Word]) -> Res {
    Ok(Word::bool(a[0] == a[1]))
}

fn is_eqv(cx: &mut Ctx, a: &[Word]) -> Res {
    Ok(Word::bool(eqv(&cx.heap, a[0], a[1])))
}

fn is_equal(cx: &mut Ctx, a: &[Word]) -> Res {
    let (same, work) = crate::equal::equal_with_work(&cx.heap, a[0], a[1]);
    cx.charge(work / 4);
    Ok(Word::bool(same))
}

const OWN: &[NativeDef] = &[
    plain("cons", 2, 2, |cx, a| Ok(cx.heap.cons(a[0], a[1]))),
    plain("car", 1, 1, car),
    plain("cdr", 1, 1, cdr),
    plain("set-car!", 2, 2, set_car),
    plain("set-cdr!", 2, 2, set_cdr),
    plain("pair?", 1, 1, |_, a| Ok(Word::bool(a[0].is_pair()))),
    plain("null?", 1, 1, |_, a| Ok(Word::bool(a[0] == Word::NIL))),
    plain("list?", 1, 1, is_list),
    plain("length", 1, 1, length),
    plain("length+", 1, 1, length_plus),
    plain("list", 0, -1, list),
    plain("cons*", 1, -1, cons_star),
    plain("make-list", 1, 2, make_list),
    plain("append", 0, -1, append),
    plain("reverse", 1, 1, reverse),
    plain("append-reverse", 2, 2, append_reverse),
    plain("list-tail", 2, 2, list_tail),
    plain("list-ref", 2, 2, list_ref),
    plain("list-set!", 3, 3, list_set),
    plain("list-copy", 1, 1, list_copy),
    plain("memq", 2, 2, |cx, a| member_by(cx, a, same_object)),
    plain("memv", 2, 2, |cx, a| member_by(cx, a, same_value)),
    plain("%member", 2, 2, |cx, a| member_by(cx, a, same_structure)),
    plain("assq", 2, 2, |cx, a| assoc_by(cx, a, same_object)),
    plain("assv", 2, 2, |cx, a| assoc_by(cx, a, same_value)),
    plain("%assoc", 2, 2, |cx, a| assoc_by(cx, a, same_structure)),
    plain("eq?", 2, 2, is_eq),
    plain("eqv?", 2, 2, is_eqv),
    plain("equal?", 2, 2, is_equal),
];

/// All of them: the paths first.
pub(crate) const NATIVES: &[NativeDef] = &{
    let mut all = [PATHS[0]; PATHS.len() + OWN.len()];
    let mut i = 0;
    while i < PATHS.len() {
        all[i] = PATHS[i];
        i += 1;
    }
    while i < PATHS.len() + OWN.len() {
        all[i] = OWN[i - PATHS.len()];
        i += 1;
    }
    all
};
