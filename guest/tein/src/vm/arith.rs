//! Arithmetic that is not a fixnum's: the slow paths of the instructions.

use crate::error::{Res, fail};
use crate::prims::Ctx;
use crate::prims::number as prim;
use crate::value::Word;

macro_rules! binary {
    ($name:ident, $fix:expr, $flo:expr, $slow:path) => {
        #[inline(always)]
        pub(super) fn $name(cx: &mut Ctx, a: Word, b: Word) -> Res {
            if Word::both_fix(a, b) {
                if let Some(w) = $fix(a, b) {
                    return Ok(w);
                }
            }
            #[cold]
            #[inline(never)]
            fn slow(cx: &mut Ctx, a: Word, b: Word) -> Res {
                $slow(cx, a, b)
            }
            if let (Some(x), Some(y)) = (a.imm_flo(), b.imm_flo()) {
                return Ok(cx.heap.flonum($flo(x, y)));
            }
            slow(cx, a, b)
        }
    };
}

binary!(add, Word::fix_add, |x: f64, y: f64| x + y, prim::add);
binary!(sub, Word::fix_sub, |x: f64, y: f64| x - y, prim::sub);
binary!(mul, Word::fix_mul, |x: f64, y: f64| x * y, prim::mul);

pub(super) fn div(cx: &mut Ctx, a: Word, b: Word) -> Res {
    if let (Some(x), Some(y)) = (a.imm_flo(), b.imm_flo()) {
        return Ok(cx.heap.flonum(x / y));
    }
    prim::div(cx, a, b)
}

macro_rules! integer_division {
    ($name:ident, $fix:expr, $slow:path) => {
        #[inline(always)]
        pub(super) fn $name(cx: &mut Ctx, a: Word, b: Word) -> Res {
            if let (Some(x), Some(y)) = (a.as_fix(), b.as_fix()) {
                if y != 0 {
                    let f: fn(i64, i64) -> i64 = $fix;
                    if let Some(w) = Word::try_fix(f(x, y)) {
                        return Ok(w);
                    }
                }
                if y == 0 {
                    return fail("divide by zero", &[]);
                }
            }
            $slow(cx, a, b)
        }
    };
}

integer_division!(quotient, |x, y| x / y, prim::quotient);
integer_division!(remainder, |x, y| x % y, prim::remainder);
integer_division!(
    modulo,
    |x, y| {
        let r = x % y;
        if r != 0 && (r < 0) != (y < 0) {
            r + y
        } else {
            r
        }
    },
    prim::modulo
);

macro_rules! compare {
    ($name:ident, $fix:expr, $flo:expr, $slow:path) => {
        #[inline(always)]
        pub(super) fn $name(cx: &mut Ctx, a: Word, b: Word) -> Res<bool> {
            if Word::both_fix(a, b) {
                return Ok($fix(a, b));
            }
            if let (Some(x), Some(y)) = (a.imm_flo(), b.imm_flo()) {
                return Ok($flo(x, y));
            }
            $slow(cx, a, b)
        }
    };
}

compare!(lt, Word::fix_lt, |x: f64, y: f64| x < y, prim::less);
compare!(
    le,
    |a, b| !Word::fix_lt(b, a),
    |x: f64, y: f64| x <= y,
    prim::less_equal
);
compare!(
    num_eq,
    |a: Word, b: Word| a == b,
    |x: f64, y: f64| x == y,
    prim::equal
);
