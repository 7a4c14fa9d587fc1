//! Between exact numbers and doubles, rounded once, to nearest even.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::ToPrimitive;

use super::{NumberError, Real, Result, big};

/// The least exponent of a double: 2^-1074 is the smallest subnormal.
const MIN_EXPONENT: i64 = -1074;
/// Explicit bits of a double's fraction.
const FRACTION_BITS: u32 = 52;

/// `mantissa * 2^exponent` as a double. `sticky` says that nonzero bits below the
/// mantissa were cut off; then the mantissa has at least 55 bits.
fn compose(mantissa: u128, sticky: bool, exponent: i64) -> f64 {
    let bits = i64::from(128 - mantissa.leading_zeros());
    let top = exponent + bits - 1;
    if mantissa == 0 || top < MIN_EXPONENT - 1 {
        return 0.0;
    }
    if top > 1023 {
        return f64::INFINITY;
    }
    // The last place that the result can hold, and how many bits lie below it.
    let last = (top - i64::from(FRACTION_BITS)).max(MIN_EXPONENT);
    let (kept, exponent) = match u32::try_from(last - exponent) {
        Ok(drop) if drop > 0 => {
            let kept = mantissa.checked_shr(drop).unwrap_or(0);
            let rest = mantissa & (u128::MAX >> (128 - drop.min(128)));
            let half = 1u128 << (drop.min(128) - 1);
            let up = rest > half || (rest == half && (sticky || kept & 1 == 1));
            (kept + u128::from(up), last)
        }
        _ => (mantissa, exponent),
    };
    libm::scalbn(kept as f64, i32::try_from(exponent).unwrap_or(0))
}

/// The leading 128 bits of a magnitude, whether others were set, and their weight.
fn leading(n: &BigUint) -> (u128, bool, u64) {
    let shift = n.bits().saturating_sub(128);
    let sticky = shift > 0 && n.trailing_zeros().is_some_and(|zeros| zeros < shift);
    ((n >> shift).to_u128().unwrap_or(0), sticky, shift)
}

fn signed(sign: Sign, x: f64) -> f64 {
    if sign == Sign::Minus { -x } else { x }
}

pub(super) fn f64_from_big(n: &BigInt) -> f64 {
    let (top, sticky, shift) = leading(n.magnitude());
    signed(
        n.sign(),
        compose(top, sticky, i64::try_from(shift).unwrap_or(i64::MAX / 2)),
    )
}

/// The double nearest to a fraction of any size.
pub(super) fn f64_from_ratio(numer: &BigInt, denom: &BigInt) -> f64 {
    if numer.bits() <= 53
        && denom.bits() <= 53
        && let (Some(n), Some(d)) = (numer.to_i64(), denom.to_i64())
    {
        // Both are exact doubles, so the quotient is rounded once.
        return n as f64 / d as f64;
    }
    let (quotient, sticky, exponent) = quotient_bits(numer.magnitude(), denom.magnitude());
    signed(numer.sign(), compose(quotient, sticky, exponent))
}

/// `n / d` as 66 or 67 bits, whether the rest was nonzero, and the weight.
fn quotient_bits(n: &BigUint, d: &BigUint) -> (u128, bool, i64) {
    const WANTED: i64 = 66;
    let size = |x: &BigUint| i64::try_from(x.bits()).unwrap_or(i64::MAX / 4);
    let shift = WANTED - (size(n) - size(d));
    let (q, r) = if shift >= 0 {
        big::div_rem(&(n << shift.unsigned_abs()), d)
    } else {
        big::div_rem(n, &(d << shift.unsigned_abs()))
    };
    (q.to_u128().unwrap_or(0), r.bits() != 0, -shift)
}

/// A positive exact number as `m * 2^e` with an even `e` and `m` in `[1/4, 8]`: for
/// functions of numbers beyond the range of a double.
pub(super) fn scaled(numer: &BigInt, denom: &BigInt) -> (f64, i64) {
    let (quotient, sticky, exponent) = quotient_bits(numer.magnitude(), denom.magnitude());
    let offset = if exponent % 2 == 0 { -66 } else { -65 };
    (compose(quotient, sticky, offset), exponent - offset)
}

/// The exact value of a finite double (`exact`, section 6.2.6).
pub(super) fn exact_from_f64(x: f64) -> Result<Real> {
    const WORD: f64 = 9_223_372_036_854_775_808.0;
    if !x.is_finite() {
        return Err(NumberError::NotRational);
    }
    if x.trunc() == x && x.abs() < WORD {
        return Ok(Real::Int(x as i64));
    }
    let bits = x.to_bits();
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    let biased = i64::try_from((bits >> FRACTION_BITS) & 0x7ff).unwrap_or(0);
    let (mantissa, exponent) = if biased == 0 {
        (fraction, MIN_EXPONENT)
    } else {
        (fraction | 1 << FRACTION_BITS, biased - 1075)
    };
    let zeros = mantissa.trailing_zeros();
    let exponent = exponent + i64::from(zeros);
    let sign = if x < 0.0 { Sign::Minus } else { Sign::Plus };
    let odd = BigUint::from(mantissa >> zeros);
    Ok(if exponent >= 0 {
        Real::from(BigInt::from_biguint(sign, odd << exponent.unsigned_abs()))
    } else {
        let denom = BigInt::from(1) << exponent.unsigned_abs();
        Real::from_coprime(BigInt::from_biguint(sign, odd), denom)
    })
}
