//! Bitwise operations on exact integers (SRFI 151), in two's complement of unbounded
//! width.

use std::borrow::Cow;

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

use super::limits::check_bits;
use super::{Number, NumberError, Real, Result};

impl Number {
    fn exact_integer(&self) -> Result<Cow<'_, BigInt>> {
        match self {
            Number::Real(r) => r.as_exact_integer().ok_or(NumberError::NotExact),
            Number::Complex(_) => Err(NumberError::NotExact),
        }
    }

    fn bitwise(
        &self,
        other: &Number,
        small: fn(i64, i64) -> i64,
        big: fn(&BigInt, &BigInt) -> BigInt,
    ) -> Result<Number> {
        if let (Some(a), Some(b)) = (self.as_i64(), other.as_i64()) {
            return Ok(Number::from(small(a, b)));
        }
        Ok(Number::from(big(
            &*self.exact_integer()?,
            &*other.exact_integer()?,
        )))
    }

    /// `(bitwise-and self other)`.
    pub fn bit_and(&self, other: &Number) -> Result<Number> {
        self.bitwise(other, |a, b| a & b, |a, b| a & b)
    }

    /// `(bitwise-ior self other)`.
    pub fn bit_ior(&self, other: &Number) -> Result<Number> {
        self.bitwise(other, |a, b| a | b, |a, b| a | b)
    }

    /// `(bitwise-xor self other)`.
    pub fn bit_xor(&self, other: &Number) -> Result<Number> {
        self.bitwise(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// `(bitwise-not self)`.
    pub fn bit_not(&self) -> Result<Number> {
        match self.as_i64() {
            Some(n) => Ok(Number::from(!n)),
            None => Ok(Number::from(!&*self.exact_integer()?)),
        }
    }

    /// `(arithmetic-shift self count)`: left for a positive count, else right, rounding
    /// down.
    pub fn arithmetic_shift(&self, count: &Number) -> Result<Number> {
        if let (Some(n), Some(k @ -63..=63)) = (self.as_i64(), count.as_i64()) {
            return Ok(if k < 0 {
                Number::from(n >> -k)
            } else {
                Number::from(i128::from(n) << k)
            });
        }
        let n = self.exact_integer()?;
        let count = count.exact_integer()?;
        let negative = count.sign() == Sign::Minus;
        let distance = count.magnitude().to_u64();
        if negative {
            let all_out = if n.sign() == Sign::Minus { -1i64 } else { 0 };
            return Ok(match distance {
                Some(k) if k < n.bits() => Number::from(&*n >> k),
                _ => Number::from(all_out),
            });
        }
        if n.sign() == Sign::NoSign {
            return Ok(Number::ZERO);
        }
        let k = distance.ok_or(NumberError::TooLarge)?;
        check_bits(n.bits().saturating_add(k))?;
        Ok(Number::from(&*n << k))
    }

    /// `(bit-count self)`: the ones of a number that is not negative, else its zeros.
    pub fn bit_count(&self) -> Result<Number> {
        if let Some(n) = self.as_i64() {
            let ones = if n < 0 {
                n.count_zeros()
            } else {
                n.count_ones()
            };
            return Ok(Number::from(i64::from(ones)));
        }
        let n = self.exact_integer()?;
        let n = if n.sign() == Sign::Minus {
            !&*n
        } else {
            n.into_owned()
        };
        Ok(Number::from(n.magnitude().count_ones()))
    }

    /// `(integer-length self)`: the bits of two's complement without the sign.
    pub fn integer_length(&self) -> Result<Number> {
        if let Some(n) = self.as_i64() {
            let magnitude = if n < 0 { !n } else { n };
            return Ok(Number::from(i64::from(64 - magnitude.leading_zeros())));
        }
        let n = self.exact_integer()?;
        let n = if n.sign() == Sign::Minus {
            !&*n
        } else {
            n.into_owned()
        };
        Ok(Number::from(n.bits()))
    }

    /// `(bit-set? index self)`; the index is not negative.
    pub fn bit_set(&self, index: &Number) -> Result<bool> {
        let n = self.exact_integer()?;
        let index = index.exact_integer()?;
        match index.sign() {
            Sign::Minus => Err(NumberError::OutOfRange),
            _ => Ok(match index.magnitude().to_u64() {
                Some(k) => n.bit(k),
                None => n.sign() == Sign::Minus,
            }),
        }
    }

    /// `(first-set-bit self)`: -1 for zero.
    pub fn first_set_bit(&self) -> Result<Number> {
        let zeros = self.exact_integer()?.trailing_zeros();
        Ok(zeros.map_or(Number::from(-1i64), Number::from))
    }

    /// The exact integer that this is, for the engine's own use.
    pub fn to_big_int(&self) -> Option<BigInt> {
        match self {
            Number::Real(Real::Int(n)) => Some(BigInt::from(*n)),
            Number::Real(Real::Big(n)) => Some(n.clone()),
            _ => None,
        }
    }
}
