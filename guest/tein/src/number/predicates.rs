//! The predicates of section 6.2.6.

use super::{Number, NumberError, Real, Result};

impl Number {
    /// `(real? self)`: the imaginary part is an exact zero.
    pub fn is_real(&self) -> bool {
        matches!(self, Number::Real(_))
    }

    /// `(rational? self)`: real, not an infinity, not a NaN.
    pub fn is_rational(&self) -> bool {
        self.is_real() && self.is_finite()
    }

    /// `(integer? self)`, which some flonums are.
    pub fn is_integer(&self) -> bool {
        match self {
            Number::Real(Real::Int(_) | Real::Big(_)) => true,
            Number::Real(Real::Flo(x)) => x.is_finite() && x.trunc() == *x,
            _ => false,
        }
    }

    /// `(exact-integer? self)`.
    pub fn is_exact_integer(&self) -> bool {
        matches!(self, Number::Real(Real::Int(_) | Real::Big(_)))
    }

    /// `(exact-rational? self)`: an exact real number.
    pub fn is_exact_rational(&self) -> bool {
        matches!(self, Number::Real(r) if r.is_exact())
    }

    /// `(exact? self)`.
    pub fn is_exact(&self) -> bool {
        self.parts().0.is_exact()
    }

    /// `(inexact? self)`.
    pub fn is_inexact(&self) -> bool {
        !self.is_exact()
    }

    /// `(finite? self)`: every part is.
    pub fn is_finite(&self) -> bool {
        let finite = |r: &Real| !matches!(r, Real::Flo(x) if !x.is_finite());
        let (re, im) = self.parts();
        finite(re) && finite(im)
    }

    /// `(infinite? self)`: a part is.
    pub fn is_infinite(&self) -> bool {
        let infinite = |r: &Real| matches!(r, Real::Flo(x) if x.is_infinite());
        let (re, im) = self.parts();
        infinite(re) || infinite(im)
    }

    /// `(nan? self)`: a part is.
    pub fn is_nan(&self) -> bool {
        let nan = |r: &Real| matches!(r, Real::Flo(x) if x.is_nan());
        let (re, im) = self.parts();
        nan(re) || nan(im)
    }

    /// `(zero? self)`.
    pub fn is_zero(&self) -> bool {
        let (re, im) = self.parts();
        re.is_zero() && im.is_zero()
    }

    /// `(positive? self)`.
    pub fn is_positive(&self) -> Result<bool> {
        Ok(match self.real()? {
            Real::Flo(x) => *x > 0.0,
            r => !r.is_zero() && !r.is_negative(),
        })
    }

    /// `(negative? self)`.
    pub fn is_negative(&self) -> Result<bool> {
        Ok(self.real()?.is_negative())
    }

    /// `(odd? self)`, of any integer.
    pub fn is_odd(&self) -> Result<bool> {
        match self {
            Number::Real(Real::Int(n)) => Ok(n & 1 == 1),
            Number::Real(Real::Big(n)) => Ok(n.bit(0)),
            Number::Real(Real::Flo(x)) if self.is_integer() => Ok((x % 2.0) != 0.0),
            _ => Err(NumberError::NotInteger),
        }
    }

    /// `(even? self)`, of any integer.
    pub fn is_even(&self) -> Result<bool> {
        Ok(!self.is_odd()?)
    }
}
