//! Exact rationals that are not integers.

use num_bigint::{BigInt, Sign};
use num_traits::One;

use super::limits::check_bits;
use super::{NumberError, Real, Result, big};

/// A fraction in lowest terms with a denominator above one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ratio {
    numer: BigInt,
    denom: BigInt,
}

impl Ratio {
    /// The numerator, with the sign.
    pub fn numer(&self) -> &BigInt {
        &self.numer
    }

    /// The denominator, above one.
    pub fn denom(&self) -> &BigInt {
        &self.denom
    }
}

impl Real {
    /// `numer / denom` in lowest terms.
    pub(super) fn from_ratio(numer: BigInt, denom: BigInt) -> Result<Real> {
        check_bits(numer.bits().max(denom.bits()))?;
        if denom.sign() == Sign::NoSign {
            return Err(NumberError::DivideByZero);
        }
        let common = big::gcd(numer.magnitude(), denom.magnitude());
        if common.is_one() {
            return Ok(Real::from_coprime(numer, denom));
        }
        let (sign_n, n) = numer.into_parts();
        let (sign_d, d) = denom.into_parts();
        let n = BigInt::from_biguint(sign_n, big::div_rem(&n, &common).0);
        let d = BigInt::from_biguint(sign_d, big::div_rem(&d, &common).0);
        Ok(Real::from_coprime(n, d))
    }

    /// `numer / denom`, known to have no common divisor; `denom` is not zero.
    pub(super) fn from_coprime(numer: BigInt, denom: BigInt) -> Real {
        let (numer, denom) = if denom.sign() == Sign::Minus {
            (-numer, -denom)
        } else {
            (numer, denom)
        };
        if denom.is_one() {
            Real::from(numer)
        } else {
            Real::Rat(Box::new(Ratio { numer, denom }))
        }
    }

    /// `numer / denom` of machine words; `denom` is not zero.
    pub(super) fn from_words(numer: i64, denom: i64) -> Result<Real> {
        if denom == 0 {
            return Err(NumberError::DivideByZero);
        }
        let (n, d) = (i128::from(numer), i128::from(denom));
        let common = i128::from(big::gcd_words(numer.unsigned_abs(), denom.unsigned_abs()));
        let (n, d) = (n / common, d / common);
        let (n, d) = if d < 0 { (-n, -d) } else { (n, d) };
        if d == 1 {
            return Ok(Real::from(n));
        }
        Ok(Real::Rat(Box::new(Ratio {
            numer: BigInt::from(n),
            denom: BigInt::from(d),
        })))
    }
}
