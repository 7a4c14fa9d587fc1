//! Order, equality and identity.

use std::cmp::Ordering;

use super::{Number, Real, Result};
use crate::hash::{SEED, mix};

impl Number {
    /// `(= self other)`, on any numbers.
    pub fn num_eq(&self, other: &Number) -> bool {
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        a.compare(c) == Some(Ordering::Equal) && b.compare(d) == Some(Ordering::Equal)
    }

    /// The order of two reals for `<`, `>`, `<=` and `>=`; `None`, so false for all
    /// four, when either is a NaN. Exact and inexact compare by exact value.
    pub fn compare(&self, other: &Number) -> Result<Option<Ordering>> {
        Ok(self.real()?.compare(other.real()?))
    }

    /// `(max self other)`: inexact when either is, a NaN when either is.
    pub fn max(&self, other: &Number) -> Result<Number> {
        self.choose(other, Ordering::Less)
    }

    /// `(min self other)`: inexact when either is, a NaN when either is.
    pub fn min(&self, other: &Number) -> Result<Number> {
        self.choose(other, Ordering::Greater)
    }

    fn choose(&self, other: &Number, other_if: Ordering) -> Result<Number> {
        let (a, b) = (self.real()?, other.real()?);
        let chosen = match a.compare(b) {
            Some(order) if order == other_if => b,
            Some(_) => a,
            None => return Ok(Number::from(f64::NAN)),
        };
        if a.is_exact() && b.is_exact() {
            return Ok(Number::Real(chosen.clone()));
        }
        Ok(Number::Real(chosen.to_inexact()))
    }

    /// `(eqv? self other)`, section 6.1: the same exactness and value; 0.0 is not -0.0,
    /// and a NaN is itself.
    pub fn eqv(&self, other: &Number) -> bool {
        match (self, other) {
            (Number::Real(a), Number::Real(b)) => a.eqv(b),
            (Number::Complex(a), Number::Complex(b)) => a.re.eqv(&b.re) && a.im.eqv(&b.im),
            _ => false,
        }
    }

    /// A hash that agrees with [`Number::eqv`] and is the same in every run.
    pub fn hash(&self) -> u64 {
        match self {
            Number::Real(r) => r.hash(SEED),
            Number::Complex(z) => mix(z.im.hash(z.re.hash(SEED)), 5),
        }
    }
}

fn flonum_bits(x: f64) -> u64 {
    if x.is_nan() {
        f64::NAN.to_bits()
    } else {
        x.to_bits()
    }
}

impl Real {
    fn eqv(&self, other: &Real) -> bool {
        match (self, other) {
            (Real::Int(a), Real::Int(b)) => a == b,
            (Real::Big(a), Real::Big(b)) => a == b,
            (Real::Rat(a), Real::Rat(b)) => a == b,
            (Real::Flo(a), Real::Flo(b)) => flonum_bits(*a) == flonum_bits(*b),
            _ => false,
        }
    }

    fn hash(&self, seed: u64) -> u64 {
        let big = |seed: u64, n: &num_bigint::BigInt| {
            let start = mix(seed, u64::from(n.sign() == num_bigint::Sign::Minus));
            n.magnitude().iter_u64_digits().fold(start, mix)
        };
        match self {
            Real::Int(n) => mix(mix(seed, 1), u64::from_ne_bytes(n.to_ne_bytes())),
            Real::Big(n) => big(mix(seed, 2), n),
            Real::Rat(q) => big(big(mix(seed, 3), q.numer()), q.denom()),
            Real::Flo(x) => mix(mix(seed, 4), flonum_bits(*x)),
        }
    }
}
