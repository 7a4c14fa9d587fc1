//! Rounding to integers, the parts of a fraction, and `rationalize`.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::{Division, Number, NumberError, Real, Result};

impl Number {
    /// `(floor self)`.
    pub fn floor(&self) -> Result<Number> {
        self.to_integer(f64::floor, Division::Floor)
    }

    /// `(ceiling self)`.
    pub fn ceiling(&self) -> Result<Number> {
        self.to_integer(f64::ceil, Division::Ceiling)
    }

    /// `(truncate self)`.
    pub fn truncate(&self) -> Result<Number> {
        self.to_integer(f64::trunc, Division::Truncate)
    }

    /// `(round self)`: ties to even.
    pub fn round(&self) -> Result<Number> {
        self.to_integer(f64::round_ties_even, Division::Round)
    }

    fn to_integer(&self, inexact: fn(f64) -> f64, exact: Division) -> Result<Number> {
        Ok(Number::Real(match self.real()? {
            Real::Flo(x) => Real::Flo(inexact(*x)),
            Real::Rat(q) => {
                let (n, d) = (Real::from(q.numer().clone()), Real::from(q.denom().clone()));
                exact.divide_exact(&n, &d)?.0
            }
            integer => integer.clone(),
        }))
    }

    /// `(numerator self)`, of the exact value and then as exact as `self`.
    pub fn numerator(&self) -> Result<Number> {
        self.fraction_part(|n, _| n)
    }

    /// `(denominator self)`, above zero.
    pub fn denominator(&self) -> Result<Number> {
        self.fraction_part(|_, d| d)
    }

    fn fraction_part(&self, pick: fn(BigInt, BigInt) -> BigInt) -> Result<Number> {
        let real = self.real()?;
        let exact = real.to_exact()?;
        let (n, d) = exact.as_fraction().ok_or(NumberError::NotRational)?;
        let part = Real::from(pick(n.into_owned(), d.into_owned()));
        Ok(Number::Real(if real.is_exact() {
            part
        } else {
            part.to_inexact()
        }))
    }

    /// `(rationalize self tolerance)`: the simplest rational within the tolerance.
    pub fn rationalize(&self, tolerance: &Number) -> Result<Number> {
        let (x, y) = (self.real()?, tolerance.real()?);
        let (fx, fy) = (x.to_f64(), y.to_f64());
        let inexact = !(x.is_exact() && y.is_exact());
        if inexact && !(fx.is_finite() && fy.is_finite()) {
            let special = |r: &Real| matches!(r, Real::Flo(f) if !f.is_finite());
            // Zero is the simplest number within an infinity of any finite one.
            let result = if fx.is_nan() || fy.is_nan() || (special(x) && special(y)) {
                Some(f64::NAN)
            } else if special(x) {
                Some(fx)
            } else if special(y) {
                Some(0.0)
            } else {
                None
            };
            if let Some(result) = result {
                return Ok(Number::from(result));
            }
        }
        let (x, y) = (x.to_exact()?, y.to_exact()?.abs());
        let simplest = simplest_between(&x.sub(&y)?, &x.add(&y)?)?;
        Ok(Number::Real(if inexact {
            simplest.to_inexact()
        } else {
            simplest
        }))
    }
}

/// The rational of least denominator, then least numerator, in `[low, high]`.
fn simplest_between(low: &Real, high: &Real) -> Result<Real> {
    let zero = Real::ZERO;
    if low.compare(&zero) != Some(Ordering::Greater) {
        if high.compare(&zero) != Some(Ordering::Less) {
            return Ok(zero);
        }
        return Ok(simplest_between(&high.negate(), &low.negate())?.negate());
    }
    let (Some((n1, d1)), Some((n2, d2))) = (low.as_fraction(), high.as_fraction()) else {
        return Err(NumberError::NotRational);
    };
    let (mut n1, mut d1) = (n1.into_owned(), d1.into_owned());
    let (mut n2, mut d2) = (n2.into_owned(), d2.into_owned());
    // Follow the continued fractions of both ends while they agree; `(p, q)` and
    // `(last_p, last_q)` are the convergents so far.
    let (mut last_p, mut last_q) = (BigInt::zero(), BigInt::one());
    let (mut p, mut q) = (BigInt::one(), BigInt::zero());
    loop {
        let (whole, rest) = num_integer::Integer::div_rem(&n1, &d1);
        let (whole_high, rest_high) = num_integer::Integer::div_rem(&n2, &d2);
        let done = rest.is_zero() || whole < whole_high;
        let term = if done && !rest.is_zero() {
            whole + 1
        } else {
            whole
        };
        let (next_p, next_q) = (&term * &p + &last_p, &term * &q + &last_q);
        if done {
            // Convergents are in lowest terms.
            return Ok(Real::from_coprime(next_p, next_q));
        }
        (last_p, last_q) = (p, q);
        (p, q) = (next_p, next_q);
        (n1, d1, n2, d2) = (d2, rest_high, d1, rest);
    }
}
