//! Numbers (R7RS 6.2): fixnums and flonums here, everything else through the numeric tower.

use std::cmp::Ordering;

use super::{Ctx, NativeDef, plain};
use crate::error::{Res, fail, out_of_memory, wrong_type};
use crate::number::{Number, NumberError, Real};
use crate::value::{Kind, Word};

/// The number that a word is.
pub(crate) fn number(cx: &Ctx, w: Word) -> Res<Number> {
    match opt_number(cx, w) {
        Some(n) => Ok(n),
        None => wrong_type("Number", w),
    }
}

/// The number that a word is, if it is one.
pub(crate) fn opt_number(cx: &Ctx, w: Word) -> Option<Number> {
    if let Some(n) = w.as_fix() {
        return Some(Number::Real(Real::Int(n)));
    }
    if let Some(x) = cx.heap.as_flonum(w) {
        return Some(Number::Real(Real::Flo(x)));
    }
    cx.heap.as_boxed_number(w).cloned()
}

/// Is this word a number?
pub(crate) fn is_number(w: Word) -> bool {
    w.is_fix() || w.imm_flo().is_some() || w.is(Kind::Flonum) || w.is(Kind::Number)
}

fn refuse<T>(e: NumberError, args: &[Word]) -> Res<T> {
    match e {
        NumberError::DivideByZero => fail("divide by zero", &[]),
        NumberError::NotReal => wrong_type("Real", args.first().copied().unwrap_or(Word::FALSE)),
        NumberError::NotRational => {
            wrong_type("Rational", args.first().copied().unwrap_or(Word::FALSE))
        }
        NumberError::NotInteger => {
            wrong_type("Integer", args.first().copied().unwrap_or(Word::FALSE))
        }
        NumberError::NotExact => wrong_type(
            "Exact Integer",
            args.first().copied().unwrap_or(Word::FALSE),
        ),
        NumberError::TooLarge => out_of_memory(),
        NumberError::OutOfRange => fail("number out of range", args),
    }
}

fn give(cx: &mut Ctx, r: Result<Number, NumberError>, args: &[Word]) -> Res {
    match r {
        Ok(n) => Ok(cx.heap.number(n)),
        Err(e) => refuse(e, args),
    }
}

/// Both numbers as flonums, when at least one is and the other loses nothing by it. Exact zero is
/// left out: it is not always the same as zero in arithmetic.
fn as_floats(cx: &Ctx, a: Word, b: Word) -> Option<(f64, f64)> {
    let exactly = |w: Word| {
        let n = w.as_fix()?;
        (n != 0 && n.unsigned_abs() < 1 << 53).then_some(n as f64)
    };
    match (cx.heap.as_flonum(a), cx.heap.as_flonum(b)) {
        (Some(x), Some(y)) => Some((x, y)),
        (Some(x), None) => Some((x, exactly(b)?)),
        (None, Some(y)) => Some((exactly(a)?, y)),
        (None, None) => None,
    }
}

macro_rules! float_tower {
    ($name:ident, $method:ident, $work:ident, $flo:expr) => {
        pub(crate) fn $name(cx: &mut Ctx, a: Word, b: Word) -> Res {
            if let Some((x, y)) = as_floats(cx, a, b) {
                let f: fn(f64, f64) -> f64 = $flo;
                return Ok(cx.heap.flonum(f(x, y)));
            }
            let (x, y) = (number(cx, a)?, number(cx, b)?);
            cx.spend(x.$work(&y))?;
            give(cx, x.$method(&y), &[a, b])
        }
    };
}

macro_rules! tower {
    ($name:ident, $method:ident, $work:ident) => {
        pub(crate) fn $name(cx: &mut Ctx, a: Word, b: Word) -> Res {
            let (x, y) = (number(cx, a)?, number(cx, b)?);
            cx.spend(x.$work(&y))?;
            give(cx, x.$method(&y), &[a, b])
        }
    };
}

float_tower!(add, add, work, |x, y| x + y);
float_tower!(sub, sub, work, |x, y| x - y);
float_tower!(mul, mul, mul_work, |x, y| x * y);
tower!(div_inner, div, gcd_work);
tower!(quotient, quotient, mul_work);
tower!(remainder, remainder, mul_work);
tower!(modulo, modulo, mul_work);

pub(crate) fn div(cx: &mut Ctx, a: Word, b: Word) -> Res {
    // The reference refuses an exact zero even under a flonum.
    if b == Word::fix(0) && is_number(a) {
        return fail("divide by zero", &[]);
    }
    div_inner(cx, a, b)
}

pub(crate) fn negate(cx: &mut Ctx, a: Word) -> Res {
    if let Some(w) = a.as_fix().and_then(|n| Word::try_fix(-n)) {
        return Ok(w);
    }
    if let Some(x) = a.imm_flo() {
        return Ok(cx.heap.flonum(-x));
    }
    let n = number(cx, a)?.negate();
    Ok(cx.heap.number(n))
}

fn order(cx: &Ctx, a: Word, b: Word) -> Res<Option<Ordering>> {
    let (x, y) = (number(cx, a)?, number(cx, b)?);
    match x.compare(&y) {
        Ok(o) => Ok(o),
        Err(e) => refuse(e, &[if x.is_real() { b } else { a }]),
    }
}

pub(crate) fn less(cx: &mut Ctx, a: Word, b: Word) -> Res<bool> {
    if Word::both_fix(a, b) {
        return Ok(Word::fix_lt(a, b));
    }
    if let Some((x, y)) = as_floats(cx, a, b) {
        return Ok(x < y);
    }
    Ok(order(cx, a, b)? == Some(Ordering::Less))
}

pub(crate) fn less_equal(cx: &mut Ctx, a: Word, b: Word) -> Res<bool> {
    if Word::both_fix(a, b) {
        return Ok(!Word::fix_lt(b, a));
    }
    if let Some((x, y)) = as_floats(cx, a, b) {
        return Ok(x <= y);
    }
    Ok(matches!(
        order(cx, a, b)?,
        Some(Ordering::Less | Ordering::Equal)
    ))
}

pub(crate) fn equal(cx: &mut Ctx, a: Word, b: Word) -> Res<bool> {
    if Word::both_fix(a, b) {
        return Ok(a == b);
    }
    if let Some((x, y)) = as_floats(cx, a, b) {
        return Ok(x == y);
    }
    Ok(number(cx, a)?.num_eq(&number(cx, b)?))
}

fn fold(
    cx: &mut Ctx,
    args: &[Word],
    unit: i64,
    f: fn(&mut Ctx, Word, Word) -> Res,
    fast: fn(Word, Word) -> Option<Word>,
) -> Res {
    let mut sum = Word::fix(unit);
    if let [x] = args {
        return if is_number(*x) {
            Ok(*x)
        } else {
            wrong_type("Number", *x)
        };
    }
    for x in args {
        sum = match Word::both_fix(sum, *x).then(|| fast(sum, *x)).flatten() {
            Some(w) => w,
            None => f(cx, sum, *x)?,
        };
    }
    Ok(sum)
}

fn plus(cx: &mut Ctx, args: &[Word]) -> Res {
    fold(cx, args, 0, add, Word::fix_add)
}

fn times(cx: &mut Ctx, args: &[Word]) -> Res {
    fold(cx, args, 1, mul, Word::fix_mul)
}

fn minus(cx: &mut Ctx, args: &[Word]) -> Res {
    if let [x] = args {
        return negate(cx, *x);
    }
    let mut r = args[0];
    for x in &args[1..] {
        r = sub(cx, r, *x)?;
    }
    Ok(r)
}

fn over(cx: &mut Ctx, args: &[Word]) -> Res {
    if let [x] = args {
        return div(cx, Word::fix(1), *x);
    }
    let mut r = args[0];
    for x in &args[1..] {
        r = div(cx, r, *x)?;
    }
    Ok(r)
}

fn chain(cx: &mut Ctx, args: &[Word], f: fn(&mut Ctx, Word, Word) -> Res<bool>) -> Res {
    if let [a, b] = *args {
        return Ok(Word::bool(f(cx, a, b)?));
    }
    for x in args {
        if !is_number(*x) {
            return wrong_type("Number", *x);
        }
    }
    for pair in args.windows(2) {
        if !f(cx, pair[0], pair[1])? {
            return Ok(Word::FALSE);
        }
    }
    Ok(Word::TRUE)
}

fn num_eq(cx: &mut Ctx, args: &[Word]) -> Res {
    chain(cx, args, equal)
}

fn num_lt(cx: &mut Ctx, args: &[Word]) -> Res {
    chain(cx, args, less)
}

fn num_gt(cx: &mut Ctx, args: &[Word]) -> Res {
    chain(cx, args, |cx, a, b| less(cx, b, a))
}

fn num_le(cx: &mut Ctx, args: &[Word]) -> Res {
    chain(cx, args, less_equal)
}

fn num_ge(cx: &mut Ctx, args: &[Word]) -> Res {
    chain(cx, args, |cx, a, b| less_equal(cx, b, a))
}

macro_rules! unary {
    ($name:ident, $method:ident) => {
        fn $name(cx: &mut Ctx, args: &[Word]) -> Res {
            let n = number(cx, args[0])?;
            cx.spend(n.limbs())?;
            give(cx, n.$method(), args)
        }
    };
}

unary!(abs, abs);
unary!(floor, floor);
unary!(ceiling, ceiling);
unary!(truncate, truncate);
unary!(round, round);
unary!(numerator, numerator);
unary!(denominator, denominator);
unary!(exp, exp);
unary!(sin, sin);
unary!(cos, cos);
unary!(tan, tan);
unary!(asin, asin);
unary!(acos, acos);
unary!(exact, exact);
unary!(magnitude, magnitude);
unary!(angle, angle);
unary!(bit_not, bit_not);
unary!(bit_count, bit_count);
unary!(integer_length, integer_length);
unary!(first_set_bit, first_set_bit);

fn sqrt(cx: &mut Ctx, args: &[Word]) -> Res {
    let n = number(cx, args[0])?;
    cx.spend(n.root_work())?;
    give(cx, n.sqrt(), args)
}

fn square(cx: &mut Ctx, args: &[Word]) -> Res {
    match Word::both_fix(args[0], args[0])
        .then(|| Word::fix_mul(args[0], args[0]))
        .flatten()
    {
        Some(w) => Ok(w),
        None => mul(cx, args[0], args[0]),
    }
}

fn exact_integer_sqrt(cx: &mut Ctx, args: &[Word]) -> Res {
    let n = number(cx, args[0])?;
    cx.spend(n.root_work())?;
    match n.exact_integer_sqrt() {
        Ok((s, r)) => {
            let pair = [cx.heap.number(s), cx.heap.number(r)];
            Ok(super::control::make_values(cx, &pair))
        }
        Err(e) => refuse(e, args),
    }
}

fn inexact(cx: &mut Ctx, args: &[Word]) -> Res {
    let n = number(cx, args[0])?.inexact();
    Ok(cx.heap.number(n))
}

fn real_part(cx: &mut Ctx, args: &[Word]) -> Res {
    let n = number(cx, args[0])?.real_part();
    Ok(cx.heap.number(n))
}

fn imag_part(cx: &mut Ctx, args: &[Word]) -> Res {
    let n = number(cx, args[0])?.imag_part();
    Ok(cx.heap.number(n))
}

fn log(cx: &mut Ctx, args: &[Word]) -> Res {
    let n = number(cx, args[0])?;
    match args.get(1) {
        Some(b) => {
            let b = number(cx, *b)?;
            give(cx, n.log_base(&b), args)
        }
        None => give(cx, n.log(), args),
    }
}

fn atan(cx: &mut Ctx, args: &[Word]) -> Res {
    let n = number(cx, args[0])?;
    match args.get(1) {
        Some(x) => {
            let x = number(cx, *x)?;
            give(cx, n.atan2(&x), args)
        }
        None => give(cx, n.atan(), args),
    }
}

fn expt(cx: &mut Ctx, args: &[Word]) -> Res {
    let (x, y) = (number(cx, args[0])?, number(cx, args[1])?);
    cx.spend(x.expt_work(&y))?;
    give(cx, x.expt(&y), args)
}

fn rationalize(cx: &mut Ctx, args: &[Word]) -> Res {
    let (x, y) = (number(cx, args[0])?, number(cx, args[1])?);
    cx.spend(x.gcd_work(&y))?;
    give(cx, x.rationalize(&y), args)
}

fn make_rectangular(cx: &mut Ctx, args: &[Word]) -> Res {
    let (x, y) = (number(cx, args[0])?, number(cx, args[1])?);
    give(cx, Number::make_rectangular(&x, &y), args)
}

fn make_polar(cx: &mut Ctx, args: &[Word]) -> Res {
    let (x, y) = (number(cx, args[0])?, number(cx, args[1])?);
    give(cx, Number::make_polar(&x, &y), args)
}

fn folded(
    cx: &mut Ctx,
    args: &[Word],
    first: Number,
    f: fn(&Number, &Number) -> Result<Number, NumberError>,
) -> Res {
    let mut sum = first;
    for x in args {
        let n = number(cx, *x)?;
        cx.spend(sum.gcd_work(&n))?;
        sum = match f(&sum, &n) {
            Ok(n) => n,
            Err(e) => return refuse(e, &[*x]),
        };
    }
    Ok(cx.heap.number(sum))
}

fn gcd(cx: &mut Ctx, args: &[Word]) -> Res {
    folded(cx, args, Number::ZERO, Number::gcd)
}

fn lcm(cx: &mut Ctx, args: &[Word]) -> Res {
    folded(cx, args, Number::ONE, Number::lcm)
}

fn max(cx: &mut Ctx, args: &[Word]) -> Res {
    let first = number(cx, args[0])?;
    if !first.is_real() {
        return wrong_type("Real", args[0]);
    }
    folded(cx, &args[1..], first, Number::max)
}

fn min(cx: &mut Ctx, args: &[Word]) -> Res {
    let first = number(cx, args[0])?;
    if !first.is_real() {
        return wrong_type("Real", args[0]);
    }
    folded(cx, &args[1..], first, Number::min)
}

fn bits(
    cx: &mut Ctx,
    args: &[Word],
    unit: i64,
    f: fn(&Number, &Number) -> Result<Number, NumberError>,
) -> Res {
    folded(cx, args, Number::Real(Real::Int(unit)), f)
}

fn bit_and(cx: &mut Ctx, args: &[Word]) -> Res {
    bits(cx, args, -1, Number::bit_and)
}

fn bit_ior(cx: &mut Ctx, args: &[Word]) -> Res {
    bits(cx, args, 0, Number::bit_ior)
}

fn bit_xor(cx: &mut Ctx, args: &[Word]) -> Res {
    bits(cx, args, 0, Number::bit_xor)
}

fn arithmetic_shift(cx: &mut Ctx, args: &[Word]) -> Res {
    let (x, y) = (number(cx, args[0])?, number(cx, args[1])?);
    cx.spend(x.limbs())?;
    give(cx, x.arithmetic_shift(&y), args)
}

fn bit_set(cx: &mut Ctx, args: &[Word]) -> Res {
    let (x, y) = (number(cx, args[0])?, number(cx, args[1])?);
    match y.bit_set(&x) {
        Ok(b) => Ok(Word::bool(b)),
        Err(e) => refuse(e, args),
    }
}

macro_rules! divide {
    ($both:ident, $quotient:ident, $remainder:ident, $kind:expr) => {
        fn $both(cx: &mut Ctx, args: &[Word]) -> Res {
            let (x, y) = (number(cx, args[0])?, number(cx, args[1])?);
            cx.spend(x.mul_work(&y))?;
            match $kind.divide(&x, &y) {
                Ok((q, r)) => {
                    let pair = [cx.heap.number(q), cx.heap.number(r)];
                    Ok(super::control::make_values(cx, &pair))
                }
                Err(e) => refuse(e, args),
            }
        }
        fn $quotient(cx: &mut Ctx, args: &[Word]) -> Res {
            let (x, y) = (number(cx, args[0])?, number(cx, args[1])?);
            cx.spend(x.mul_work(&y))?;
            give(cx, $kind.quotient(&x, &y), args)
        }
        fn $remainder(cx: &mut Ctx, args: &[Word]) -> Res {
            let (x, y) = (number(cx, args[0])?, number(cx, args[1])?);
            cx.spend(x.mul_work(&y))?;
            give(cx, $kind.remainder(&x, &y), args)
        }
    };
}

use crate::number::Division;
divide!(floor_both, floor_quotient, floor_remainder, Division::Floor);
divide!(
    truncate_both,
    truncate_quotient,
    truncate_remainder,
    Division::Truncate
);
divide!(
    ceiling_both,
    ceiling_quotient,
    ceiling_remainder,
    Division::Ceiling
);
divide!(round_both, round_quotient, round_remainder, Division::Round);
divide!(
    euclidean_both,
    euclidean_quotient,
    euclidean_remainder,
    Division::Euclidean
);
divide!(
    balanced_both,
    balanced_quotient,
    balanced_remainder,
    Division::Balanced
);

macro_rules! predicate {
    ($name:ident, |$n:ident| $e:expr) => {
        fn $name(cx: &mut Ctx, args: &[Word]) -> Res {
            Ok(Word::bool(opt_number(cx, args[0]).is_some_and(|$n| $e)))
        }
    };
}

predicate!(is_complex, |_n| true);
predicate!(is_real, |n| n.is_real());
predicate!(is_rational, |n| n.is_rational());
predicate!(is_integer, |n| n.is_integer());
predicate!(is_exact_integer, |n| n.is_exact_integer());

macro_rules! numeric_predicate {
    ($name:ident, $method:ident) => {
        fn $name(cx: &mut Ctx, args: &[Word]) -> Res {
            Ok(Word::bool(number(cx, args[0])?.$method()))
        }
    };
}

numeric_predicate!(is_exact, is_exact);
numeric_predicate!(is_inexact, is_inexact);
numeric_predicate!(is_finite, is_finite);
numeric_predicate!(is_infinite, is_infinite);
numeric_predicate!(is_nan, is_nan);
numeric_predicate!(is_zero, is_zero);

macro_rules! fallible_predicate {
    ($name:ident, $method:ident) => {
        fn $name(cx: &mut Ctx, args: &[Word]) -> Res {
            match number(cx, args[0])?.$method() {
                Ok(b) => Ok(Word::bool(b)),
                Err(e) => refuse(e, args),
            }
        }
    };
}

fallible_predicate!(is_positive, is_positive);
fallible_predicate!(is_negative, is_negative);
fallible_predicate!(is_odd, is_odd);
fallible_predicate!(is_even, is_even);

fn radix(cx: &Ctx, args: &[Word]) -> Res<u32> {
    match args.get(1) {
        None => Ok(10),
        Some(w) => match cx.index(*w)? {
            r @ 2..=36 => Ok(r as u32),
            _ => fail("radix out of range", &[*w]),
        },
    }
}

fn number_to_string(cx: &mut Ctx, args: &[Word]) -> Res {
    let radix = radix(cx, args)?;
    let n = number(cx, args[0])?;
    cx.spend(n.print_work())?;
    match n.to_string_radix(radix) {
        Ok(s) => Ok(cx.heap.string(s)),
        Err(e) => refuse(e, args),
    }
}

fn string_to_number(cx: &mut Ctx, args: &[Word]) -> Res {
    let radix = radix(cx, args)?;
    let text = cx.text(args[0])?.to_utf8();
    cx.spend(crate::number::parse_work(text.len()))?;
    match crate::number::read(&text, radix) {
        Ok(Some(n)) => Ok(cx.heap.number(n)),
        Ok(None) => Ok(Word::FALSE),
        Err(e) => refuse(e, args),
    }
}

/// The text of a number.
pub(crate) fn show(cx: &Ctx, w: Word) -> Option<String> {
    opt_number(cx, w).and_then(|n| n.to_string_radix(10).ok())
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("+", 0, -1, plus),
    plain("-", 1, -1, minus),
    plain("*", 0, -1, times),
    plain("/", 1, -1, over),
    plain("=", 1, -1, num_eq),
    plain("<", 1, -1, num_lt),
    plain(">", 1, -1, num_gt),
    plain("<=", 1, -1, num_le),
    plain(">=", 1, -1, num_ge),
    plain("quotient", 2, 2, |cx, a| quotient(cx, a[0], a[1])),
    plain("remainder", 2, 2, |cx, a| remainder(cx, a[0], a[1])),
    plain("modulo", 2, 2, |cx, a| modulo(cx, a[0], a[1])),
    plain("floor/", 2, 2, floor_both),
    plain("floor-quotient", 2, 2, floor_quotient),
    plain("floor-remainder", 2, 2, floor_remainder),
    plain("truncate/", 2, 2, truncate_both),
    plain("truncate-quotient", 2, 2, truncate_quotient),
    plain("truncate-remainder", 2, 2, truncate_remainder),
    plain("ceiling/", 2, 2, ceiling_both),
    plain("ceiling-quotient", 2, 2, ceiling_quotient),
    plain("ceiling-remainder", 2, 2, ceiling_remainder),
    plain("round/", 2, 2, round_both),
    plain("round-quotient", 2, 2, round_quotient),
    plain("round-remainder", 2, 2, round_remainder),
    plain("euclidean/", 2, 2, euclidean_both),
    plain("euclidean-quotient", 2, 2, euclidean_quotient),
    plain("euclidean-remainder", 2, 2, euclidean_remainder),
    plain("balanced/", 2, 2, balanced_both),
    plain("balanced-quotient", 2, 2, balanced_quotient),
    plain("balanced-remainder", 2, 2, balanced_remainder),
    plain("gcd", 0, -1, gcd),
    plain("lcm", 0, -1, lcm),
    plain("max", 1, -1, max),
    plain("min", 1, -1, min),
    plain("abs", 1, 1, abs),
    plain("magnitude", 1, 1, magnitude),
    plain("angle", 1, 1, angle),
    plain("floor", 1, 1, floor),
    plain("ceiling", 1, 1, ceiling),
    plain("truncate", 1, 1, truncate),
    plain("round", 1, 1, round),
    plain("numerator", 1, 1, numerator),
    plain("denominator", 1, 1, denominator),
    plain("exp", 1, 1, exp),
    plain("log", 1, 2, log),
    plain("sin", 1, 1, sin),
    plain("cos", 1, 1, cos),
    plain("tan", 1, 1, tan),
    plain("asin", 1, 1, asin),
    plain("acos", 1, 1, acos),
    plain("atan", 1, 2, atan),
    plain("sqrt", 1, 1, sqrt),
    plain("square", 1, 1, square),
    plain("exact-integer-sqrt", 1, 1, exact_integer_sqrt),
    plain("expt", 2, 2, expt),
    plain("exact", 1, 1, exact),
    plain("inexact", 1, 1, inexact),
    plain("rationalize", 2, 2, rationalize),
    plain("make-rectangular", 2, 2, make_rectangular),
    plain("make-polar", 2, 2, make_polar),
    plain("real-part", 1, 1, real_part),
    plain("imag-part", 1, 1, imag_part),
    plain("number?", 1, 1, is_complex),
    plain("complex?", 1, 1, is_complex),
    plain("real?", 1, 1, is_real),
    plain("rational?", 1, 1, is_rational),
    plain("integer?", 1, 1, is_integer),
    plain("exact-integer?", 1, 1, is_exact_integer),
    plain("exact?", 1, 1, is_exact),
    plain("inexact?", 1, 1, is_inexact),
    plain("finite?", 1, 1, is_finite),
    plain("infinite?", 1, 1, is_infinite),
    plain("nan?", 1, 1, is_nan),
    plain("zero?", 1, 1, is_zero),
    plain("positive?", 1, 1, is_positive),
    plain("negative?", 1, 1, is_negative),
    plain("odd?", 1, 1, is_odd),
    plain("even?", 1, 1, is_even),
    plain("number->string", 1, 2, number_to_string),
    plain("string->number", 1, 2, string_to_number),
    plain("bitwise-not", 1, 1, bit_not),
    plain("bitwise-and", 0, -1, bit_and),
    plain("bitwise-ior", 0, -1, bit_ior),
    plain("bitwise-xor", 0, -1, bit_xor),
    plain("arithmetic-shift", 2, 2, arithmetic_shift),
    plain("bit-count", 1, 1, bit_count),
    plain("integer-length", 1, 1, integer_length),
    plain("first-set-bit", 1, 1, first_set_bit),
    plain("bit-set?", 2, 2, bit_set),
];
