//! Arithmetic on reals.

use std::borrow::Cow;
use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_traits::{One, ToPrimitive};

use super::convert::{exact_from_f64, f64_from_big, f64_from_ratio};
use super::limits::check_bits;
use super::{NumberError, Real, Result};

impl From<BigInt> for Real {
    fn from(n: BigInt) -> Real {
        match n.to_i64() {
            Some(small) => Real::Int(small),
            None => Real::Big(n),
        }
    }
}

impl From<u64> for Real {
    fn from(n: u64) -> Real {
        i64::try_from(n).map_or_else(|_| Real::Big(BigInt::from(n)), Real::Int)
    }
}

impl From<i128> for Real {
    fn from(n: i128) -> Real {
        i64::try_from(n).map_or_else(|_| Real::Big(BigInt::from(n)), Real::Int)
    }
}

impl Real {
    pub(super) const ZERO: Real = Real::Int(0);
    pub(super) const ONE: Real = Real::Int(1);

    pub(super) fn is_exact(&self) -> bool {
        !matches!(self, Real::Flo(_))
    }

    pub(super) fn is_exact_zero(&self) -> bool {
        matches!(self, Real::Int(0))
    }

    pub(super) fn is_zero(&self) -> bool {
        match self {
            Real::Int(n) => *n == 0,
            Real::Flo(x) => *x == 0.0,
            Real::Big(_) | Real::Rat(_) => false,
        }
    }

    pub(super) fn is_negative(&self) -> bool {
        match self {
            Real::Int(n) => *n < 0,
            Real::Big(n) => n.sign() == Sign::Minus,
            Real::Rat(q) => q.numer().sign() == Sign::Minus,
            Real::Flo(x) => *x < 0.0,
        }
    }

    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        match self {
            // The conversion rounds to nearest even, as IEEE 754 says.
            Real::Int(n) => *n as f64,
            Real::Big(n) => f64_from_big(n),
            Real::Rat(q) => f64_from_ratio(q.numer(), q.denom()),
            Real::Flo(x) => *x,
        }
    }

    pub(super) fn to_inexact(&self) -> Real {
        Real::Flo(self.to_f64())
    }

    pub(super) fn to_exact(&self) -> Result<Real> {
        match self {
            Real::Flo(x) => exact_from_f64(*x),
            exact => Ok(exact.clone()),
        }
    }

    /// The exact integer that this is.
    pub(super) fn as_exact_integer(&self) -> Option<Cow<'_, BigInt>> {
        match self {
            Real::Int(n) => Some(Cow::Owned(BigInt::from(*n))),
            Real::Big(n) => Some(Cow::Borrowed(n)),
            Real::Rat(_) | Real::Flo(_) => None,
        }
    }

    /// Numerator and denominator of an exact number.
    pub(super) fn as_fraction(&self) -> Option<(Cow<'_, BigInt>, Cow<'_, BigInt>)> {
        match self {
            Real::Rat(q) => Some((Cow::Borrowed(q.numer()), Cow::Borrowed(q.denom()))),
            other => Some((other.as_exact_integer()?, Cow::Owned(BigInt::one()))),
        }
    }

    pub(super) fn negate(&self) -> Real {
        match self {
            Real::Int(n) => match n.checked_neg() {
                Some(m) => Real::Int(m),
                None => Real::from(-i128::from(*n)),
            },
            Real::Big(n) => Real::from(-n),
            Real::Rat(q) => Real::from_coprime(-q.numer(), q.denom().clone()),
            Real::Flo(x) => Real::Flo(-x),
        }
    }

    pub(super) fn abs(&self) -> Real {
        match self {
            // -0.0 is not negative, and its magnitude is 0.0.
            Real::Flo(x) => Real::Flo(x.abs()),
            r if r.is_negative() => r.negate(),
            r => r.clone(),
        }
    }

    pub(super) fn add(&self, other: &Real) -> Result<Real> {
        Ok(match (self, other) {
            (Real::Int(a), Real::Int(b)) => match a.checked_add(*b) {
                Some(sum) => Real::Int(sum),
                None => Real::from(i128::from(*a) + i128::from(*b)),
            },
            (Real::Flo(a), b) => Real::Flo(a + b.to_f64()),
            (a, Real::Flo(b)) => Real::Flo(a.to_f64() + b),
            (Real::Big(a), Real::Int(b)) | (Real::Int(b), Real::Big(a)) => bounded(a + *b)?,
            (Real::Big(a), Real::Big(b)) => bounded(a + b)?,
            _ => self.combine(other, |a, b| a + b)?,
        })
    }

    pub(super) fn sub(&self, other: &Real) -> Result<Real> {
        Ok(match (self, other) {
            (Real::Int(a), Real::Int(b)) => match a.checked_sub(*b) {
                Some(difference) => Real::Int(difference),
                None => Real::from(i128::from(*a) - i128::from(*b)),
            },
            (Real::Flo(a), b) => Real::Flo(a - b.to_f64()),
            (a, Real::Flo(b)) => Real::Flo(a.to_f64() - b),
            (Real::Big(a), Real::Int(b)) => bounded(a - *b)?,
            (Real::Big(a), Real::Big(b)) => bounded(a - b)?,
            _ => self.combine(other, |a, b| a - b)?,
        })
    }

    /// A sum or difference over the common denominator.
    fn combine(&self, other: &Real, op: fn(BigInt, BigInt) -> BigInt) -> Result<Real> {
        let (Some((n1, d1)), Some((n2, d2))) = (self.as_fraction(), other.as_fraction()) else {
            return Err(NumberError::NotExact);
        };
        check_bits((n1.bits() + d2.bits()).max(n2.bits() + d1.bits()) + 1)?;
        check_bits(d1.bits() + d2.bits())?;
        if d1.is_one() || d2.is_one() {
            // An integer changes the numerator by a multiple of the denominator only.
            let numer = op(&*n1 * &*d2, &*n2 * &*d1);
            return Ok(Real::from_coprime(numer, &*d1 * &*d2));
        }
        Real::from_ratio(op(&*n1 * &*d2, &*n2 * &*d1), &*d1 * &*d2)
    }

    pub(super) fn mul(&self, other: &Real) -> Result<Real> {
        Ok(match (self, other) {
            (Real::Int(a), Real::Int(b)) => match a.checked_mul(*b) {
                Some(product) => Real::Int(product),
                None => Real::from(i128::from(*a) * i128::from(*b)),
            },
            (Real::Flo(a), b) => Real::Flo(a * b.to_f64()),
            (a, Real::Flo(b)) => Real::Flo(a.to_f64() * b),
            (Real::Big(a), Real::Int(b)) | (Real::Int(b), Real::Big(a)) => {
                check_bits(a.bits() + u64::from(64 - b.unsigned_abs().leading_zeros()))?;
                Real::from(a * *b)
            }
            (Real::Big(a), Real::Big(b)) => {
                check_bits(a.bits() + b.bits())?;
                Real::from(a * b)
            }
            _ => {
                let (Some((n1, d1)), Some((n2, d2))) = (self.as_fraction(), other.as_fraction())
                else {
                    return Err(NumberError::NotExact);
                };
                check_bits((n1.bits() + n2.bits()).max(d1.bits() + d2.bits()))?;
                Real::from_ratio(&*n1 * &*n2, &*d1 * &*d2)?
            }
        })
    }

    /// An exact zero divides nothing, not even a flonum; an inexact one gives what IEEE
    /// 754 says.
    pub(super) fn div(&self, other: &Real) -> Result<Real> {
        if other.is_exact_zero() {
            return Err(NumberError::DivideByZero);
        }
        Ok(match (self, other) {
            (Real::Int(a), Real::Int(b)) => Real::from_words(*a, *b)?,
            (Real::Flo(a), b) => Real::Flo(a / b.to_f64()),
            (a, Real::Flo(b)) => Real::Flo(a.to_f64() / b),
            _ => {
                let (Some((n1, d1)), Some((n2, d2))) = (self.as_fraction(), other.as_fraction())
                else {
                    return Err(NumberError::NotExact);
                };
                check_bits((n1.bits() + d2.bits()).max(d1.bits() + n2.bits()))?;
                Real::from_ratio(&*n1 * &*d2, &*d1 * &*n2)?
            }
        })
    }

    /// The exact order; `None` when either is a NaN. An inexact number stands for its
    /// exact value, which is what makes the order transitive (section 6.2.6).
    pub(super) fn compare(&self, other: &Real) -> Option<Ordering> {
        match (self, other) {
            (Real::Int(a), Real::Int(b)) => Some(a.cmp(b)),
            (Real::Flo(a), Real::Flo(b)) => a.partial_cmp(b),
            (Real::Flo(a), b) => b.compare_f64(*a).map(Ordering::reverse),
            (a, Real::Flo(b)) => a.compare_f64(*b),
            (Real::Big(a), Real::Big(b)) => Some(a.cmp(b)),
            (Real::Big(a), Real::Int(_)) => Some(big_order(a)),
            (Real::Int(_), Real::Big(b)) => Some(big_order(b).reverse()),
            _ => {
                let ((n1, d1), (n2, d2)) = (self.as_fraction()?, other.as_fraction()?);
                let signs = n1.sign().cmp(&n2.sign());
                if signs != Ordering::Equal {
                    return Some(signs);
                }
                // Sizes that differ by two bits decide without a product.
                let (left, right) = (n1.bits() + d2.bits(), n2.bits() + d1.bits());
                if left.abs_diff(right) >= 2 {
                    let order = left.cmp(&right);
                    return Some(if n1.sign() == Sign::Minus {
                        order.reverse()
                    } else {
                        order
                    });
                }
                Some((&*n1 * &*d2).cmp(&(&*n2 * &*d1)))
            }
        }
    }

    /// An exact number against a double.
    fn compare_f64(&self, x: f64) -> Option<Ordering> {
        const EXACT: u64 = 1 << 53;
        if let Real::Int(n) = self
            && n.unsigned_abs() <= EXACT
        {
            return (*n as f64).partial_cmp(&x);
        }
        if x.is_nan() {
            return None;
        }
        match exact_from_f64(x) {
            Ok(exact) => self.compare(&exact),
            // An infinity is beyond every exact number.
            Err(_) => Some(if x > 0.0 {
                Ordering::Less
            } else {
                Ordering::Greater
            }),
        }
    }
}

/// A sum, which is at most a bit longer than its terms: checked when it is there.
fn bounded(sum: BigInt) -> Result<Real> {
    check_bits(sum.bits())?;
    Ok(Real::from(sum))
}

/// How a big integer stands to every machine word.
fn big_order(n: &BigInt) -> Ordering {
    if n.sign() == Sign::Minus {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}
