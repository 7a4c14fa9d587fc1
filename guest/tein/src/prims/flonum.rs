//! Functions of doubles that only `(srfi 144)` has. Results come from `libm`, as those of the tower do.

use super::{Ctx, NativeDef, plain};
use crate::error::{Res, wrong_type};
use crate::value::Word;

fn flo(cx: &Ctx, w: Word) -> Res<f64> {
    match cx.heap.as_flonum(w) {
        Some(x) => Ok(x),
        None => wrong_type("Flonum", w),
    }
}

/// An exact integer, held to what a C `int` holds: scaling by more gives zero or infinity anyway.
fn int(w: Word) -> Res<i32> {
    match w.as_fix() {
        Some(n) => Ok(n.clamp(i64::from(i32::MIN / 2), i64::from(i32::MAX / 2)) as i32),
        None => wrong_type("Integer", w),
    }
}

macro_rules! one {
    ($name:literal, $f:expr) => {
        plain($name, 1, 1, |cx, a| {
            let f: fn(f64) -> f64 = $f;
            let x = flo(cx, a[0])?;
            Ok(cx.heap.flonum(f(x)))
        })
    };
}

macro_rules! two {
    ($name:literal, $f:expr) => {
        plain($name, 2, 2, |cx, a| {
            let f: fn(f64, f64) -> f64 = $f;
            let (x, y) = (flo(cx, a[0])?, flo(cx, a[1])?);
            Ok(cx.heap.flonum(f(x, y)))
        })
    };
}

fn bessel(cx: &mut Ctx, a: &[Word], f: fn(i32, f64) -> f64) -> Res {
    let (n, x) = (int(a[0])?, flo(cx, a[1])?);
    // The recurrence takes a step for each order.
    cx.spend(n.unsigned_abs().into())?;
    Ok(cx.heap.flonum(f(n, x)))
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("flonum?", 1, 1, |cx, a| {
        Ok(Word::bool(cx.heap.as_flonum(a[0]).is_some()))
    }),
    one!("flexp2", libm::exp2),
    one!("flexp-1", libm::expm1),
    one!("flcbrt", libm::cbrt),
    one!("fllog1+", libm::log1p),
    one!("fllog2", libm::log2),
    one!("fllog10", libm::log10),
    one!("flsinh", libm::sinh),
    one!("flcosh", libm::cosh),
    one!("fltanh", libm::tanh),
    one!("flasinh", libm::asinh),
    one!("flacosh", libm::acosh),
    one!("flatanh", libm::atanh),
    one!("flgamma", libm::tgamma),
    one!("flerf", libm::erf),
    one!("flerfc", libm::erfc),
    one!("%flloggamma", |x| libm::lgamma_r(x).0),
    one!("%flgamma-sign", |x| if libm::lgamma_r(x).1 < 0 {
        -1.0
    } else {
        1.0
    }),
    one!("%flfraction", |x| libm::frexp(x).0),
    plain("%flexponent", 1, 1, |cx, a| {
        let x = flo(cx, a[0])?;
        Ok(Word::fix(i64::from(libm::frexp(x).1)))
    }),
    two!("fladjacent", libm::nextafter),
    two!("flcopysign", libm::copysign),
    two!("flhypot", libm::hypot),
    two!("%flremquo-remainder", |x, y| libm::remquo(x, y).0),
    plain("%flremquo-quotient", 2, 2, |cx, a| {
        let (x, y) = (flo(cx, a[0])?, flo(cx, a[1])?);
        Ok(Word::fix(i64::from(libm::remquo(x, y).1)))
    }),
    plain("fl+*", 3, 3, |cx, a| {
        let (x, y, z) = (flo(cx, a[0])?, flo(cx, a[1])?, flo(cx, a[2])?);
        Ok(cx.heap.flonum(libm::fma(x, y, z)))
    }),
    plain("make-flonum", 2, 2, |cx, a| {
        let (x, n) = (flo(cx, a[0])?, int(a[1])?);
        Ok(cx.heap.flonum(libm::ldexp(x, n)))
    }),
    plain("sign-bit", 1, 1, |cx, a| {
        Ok(Word::fix(i64::from(flo(cx, a[0])?.is_sign_negative())))
    }),
    plain("flfirst-bessel", 2, 2, |cx, a| bessel(cx, a, libm::jn)),
    plain("flsecond-bessel", 2, 2, |cx, a| bessel(cx, a, libm::yn)),
];
