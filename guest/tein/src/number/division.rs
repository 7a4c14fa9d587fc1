//! Integer division (section 6.2.6 and SRFI 141), `gcd` and `lcm`.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Zero;

use super::limits::check_bits;
use super::{Number, NumberError, Real, Result, big};

/// The six families of SRFI 141, named for how they round the exact quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// Down: `floor/`; its remainder is `modulo`.
    Floor,
    /// Towards zero: `truncate/`, also `quotient` and `remainder`.
    Truncate,
    /// Up.
    Ceiling,
    /// To the nearest, ties to even.
    Round,
    /// So that the remainder is not negative.
    Euclidean,
    /// So that the remainder is in `[-|d/2|, |d/2|)`.
    Balanced,
}

impl Division {
    /// Quotient and remainder of integers, exact or not. Both results are inexact when
    /// an argument is.
    pub fn divide(self, n: &Number, d: &Number) -> Result<(Number, Number)> {
        let (n, n_exact) = integer(n)?;
        let (d, d_exact) = integer(d)?;
        let (q, r) = self.divide_exact(&n, &d)?;
        Ok(if n_exact && d_exact {
            (Number::Real(q), Number::Real(r))
        } else {
            (Number::Real(q.to_inexact()), Number::Real(r.to_inexact()))
        })
    }

    /// The quotient alone.
    pub fn quotient(self, n: &Number, d: &Number) -> Result<Number> {
        Ok(self.divide(n, d)?.0)
    }

    /// The remainder alone.
    pub fn remainder(self, n: &Number, d: &Number) -> Result<Number> {
        Ok(self.divide(n, d)?.1)
    }

    pub(super) fn divide_exact(self, n: &Real, d: &Real) -> Result<(Real, Real)> {
        if d.is_zero() {
            return Err(NumberError::DivideByZero);
        }
        if let (Real::Int(n), Real::Int(d)) = (n, d)
            && let (Some(q), Some(r)) = (n.checked_div(*d), n.checked_rem(*d))
        {
            let distance = (2 * u128::from(r.unsigned_abs())).cmp(&u128::from(d.unsigned_abs()));
            let step = self.step(r.cmp(&0), *d < 0, distance, q & 1 == 1);
            let (q, r) = (
                i128::from(q) + i128::from(step),
                i128::from(r) - i128::from(step) * i128::from(*d),
            );
            return Ok((Real::from(q), Real::from(r)));
        }
        let (Some(n), Some(d)) = (n.as_exact_integer(), d.as_exact_integer()) else {
            return Err(NumberError::NotInteger);
        };
        let (q, r) = big::div_rem(n.magnitude(), d.magnitude());
        let distance = (&r << 1u32).cmp(d.magnitude());
        let sign = if n.sign() == d.sign() {
            Sign::Plus
        } else {
            Sign::Minus
        };
        let (q, r) = (
            BigInt::from_biguint(sign, q),
            BigInt::from_biguint(n.sign(), r),
        );
        let r_sign = r.sign().cmp(&Sign::NoSign);
        let step = self.step(r_sign, d.sign() == Sign::Minus, distance, q.bit(0));
        if step == 0 {
            return Ok((Real::from(q), Real::from(r)));
        }
        Ok((Real::from(q + step), Real::from(r - &*d * step)))
    }

    /// What to add to the truncated quotient: from the sign of its remainder, that of
    /// the divisor, twice the remainder against the divisor, and whether it is odd.
    fn step(self, r: Ordering, d_negative: bool, distance: Ordering, odd: bool) -> i64 {
        if r == Ordering::Equal {
            return 0;
        }
        let toward_d = if d_negative { -1 } else { 1 };
        let r_negative = r == Ordering::Less;
        // One further from zero than the truncated quotient.
        let away = if r_negative == d_negative { 1 } else { -1 };
        match self {
            Division::Truncate => 0,
            Division::Floor => away.min(0),
            Division::Ceiling => away.max(0),
            Division::Round => match distance {
                Ordering::Greater => away,
                Ordering::Equal if odd => away,
                _ => 0,
            },
            Division::Euclidean if r_negative => -toward_d,
            Division::Euclidean => 0,
            Division::Balanced => match (r_negative, distance) {
                (false, Ordering::Greater | Ordering::Equal) => toward_d,
                (true, Ordering::Greater) => -toward_d,
                _ => 0,
            },
        }
    }
}

/// The exact value of an integer, and whether it was exact.
fn integer(n: &Number) -> Result<(Real, bool)> {
    match n {
        Number::Real(r @ (Real::Int(_) | Real::Big(_))) => Ok((r.clone(), true)),
        Number::Real(r @ Real::Flo(_)) if n.is_integer() => Ok((r.to_exact()?, false)),
        _ => Err(NumberError::NotInteger),
    }
}

impl Number {
    /// `(quotient n d)`, which is `truncate-quotient`.
    pub fn quotient(&self, d: &Number) -> Result<Number> {
        if let (Some(a), Some(b)) = (self.as_i64(), d.as_i64())
            && let Some(q) = a.checked_div(b)
        {
            return Ok(Number::from(q));
        }
        Division::Truncate.quotient(self, d)
    }

    /// `(remainder n d)`, which is `truncate-remainder`.
    pub fn remainder(&self, d: &Number) -> Result<Number> {
        if let (Some(a), Some(b)) = (self.as_i64(), d.as_i64())
            && let Some(r) = a.checked_rem(b)
        {
            return Ok(Number::from(r));
        }
        Division::Truncate.remainder(self, d)
    }

    /// `(modulo n d)`, which is `floor-remainder`.
    pub fn modulo(&self, d: &Number) -> Result<Number> {
        if let (Some(a), Some(b)) = (self.as_i64(), d.as_i64())
            && let Some(r) = a.checked_rem(b)
        {
            // The sum is between the two, so it fits.
            return Ok(Number::from(if r != 0 && (r < 0) != (b < 0) {
                r + b
            } else {
                r
            }));
        }
        Division::Floor.remainder(self, d)
    }

    /// `(gcd self other)`, never negative; `(gcd)` is zero, its neutral element.
    pub fn gcd(&self, other: &Number) -> Result<Number> {
        self.with_magnitudes(other, |a, b| Ok(big::gcd(a, b)))
    }

    /// `(lcm self other)`, never negative; `(lcm)` is one, its neutral element.
    pub fn lcm(&self, other: &Number) -> Result<Number> {
        self.with_magnitudes(other, |a, b| {
            if a.is_zero() || b.is_zero() {
                return Ok(BigUint::zero());
            }
            let (reduced, _) = big::div_rem(a, &big::gcd(a, b));
            check_bits(reduced.bits() + b.bits())?;
            Ok(reduced * b)
        })
    }

    fn with_magnitudes(
        &self,
        other: &Number,
        op: fn(&BigUint, &BigUint) -> Result<BigUint>,
    ) -> Result<Number> {
        let (a, a_exact) = integer(self)?;
        let (b, b_exact) = integer(other)?;
        let (Some(a), Some(b)) = (a.as_exact_integer(), b.as_exact_integer()) else {
            return Err(NumberError::NotInteger);
        };
        let result = Real::from(BigInt::from(op(a.magnitude(), b.magnitude())?));
        Ok(Number::Real(if a_exact && b_exact {
            result
        } else {
            result.to_inexact()
        }))
    }
}
