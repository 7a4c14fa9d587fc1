//! The operations of section 6.2.6 that need no file of their own.

use super::complex::{self, Float};
use super::{Number, NumberError, Real, Result, roots};

impl Number {
    /// `(+ self other)`.
    pub fn add(&self, other: &Number) -> Result<Number> {
        match (self, other) {
            (Number::Real(a), Number::Real(b)) => Ok(Number::Real(a.add(b)?)),
            _ => complex::add(self, other),
        }
    }

    /// `(- self other)`.
    pub fn sub(&self, other: &Number) -> Result<Number> {
        match (self, other) {
            (Number::Real(a), Number::Real(b)) => Ok(Number::Real(a.sub(b)?)),
            _ => complex::sub(self, other),
        }
    }

    /// `(* self other)`.
    pub fn mul(&self, other: &Number) -> Result<Number> {
        match (self, other) {
            (Number::Real(a), Number::Real(b)) => Ok(Number::Real(a.mul(b)?)),
            _ => complex::mul(self, other),
        }
    }

    /// `(/ self other)`. Dividing by an exact zero is an error even for a flonum.
    pub fn div(&self, other: &Number) -> Result<Number> {
        match (self, other) {
            (Number::Real(a), Number::Real(b)) => Ok(Number::Real(a.div(b)?)),
            _ => complex::div(self, other),
        }
    }

    /// `(- self)`.
    pub fn negate(&self) -> Number {
        match self {
            Number::Real(r) => Number::Real(r.negate()),
            Number::Complex(z) => Number::rectangular(z.re.negate(), z.im.negate()),
        }
    }

    /// `(square self)`.
    pub fn square(&self) -> Result<Number> {
        self.mul(self)
    }

    /// `(abs self)`.
    pub fn abs(&self) -> Result<Number> {
        Ok(Number::Real(self.real()?.abs()))
    }

    /// `(exact self)`.
    pub fn exact(&self) -> Result<Number> {
        let (re, im) = self.parts();
        Ok(Number::rectangular(re.to_exact()?, im.to_exact()?))
    }

    /// `(inexact self)`, correctly rounded.
    pub fn inexact(&self) -> Number {
        match self {
            Number::Real(r) => Number::Real(r.to_inexact()),
            Number::Complex(z) => Number::from_float(z.floats()),
        }
    }

    /// `(make-rectangular re im)`.
    pub fn make_rectangular(re: &Number, im: &Number) -> Result<Number> {
        Ok(Number::rectangular(re.real()?.clone(), im.real()?.clone()))
    }

    /// `(make-polar magnitude angle)`.
    pub fn make_polar(magnitude: &Number, angle: &Number) -> Result<Number> {
        let (m, a) = (magnitude.real()?, angle.real()?);
        if a.is_exact_zero() || m.is_exact_zero() {
            return Ok(magnitude.clone());
        }
        let (m, a) = (m.to_f64(), a.to_f64());
        Ok(Number::from_float(Float::new(
            m * libm::cos(a),
            m * libm::sin(a),
        )))
    }

    /// `(real-part self)`.
    pub fn real_part(&self) -> Number {
        Number::Real(self.parts().0.clone())
    }

    /// `(imag-part self)`: an exact zero for a real number.
    pub fn imag_part(&self) -> Number {
        Number::Real(self.parts().1.clone())
    }

    /// `(magnitude self)`, exact when the number and the result can be.
    pub fn magnitude(&self) -> Result<Number> {
        let z = match self {
            Number::Real(r) => return Ok(Number::Real(r.abs())),
            Number::Complex(z) => z,
        };
        if z.re.is_exact() {
            let norm = z.re.mul(&z.re)?.add(&z.im.mul(&z.im)?)?;
            return Ok(Number::Real(roots::real_sqrt(&norm)));
        }
        Ok(Number::from(z.floats().magnitude()))
    }

    /// `(angle self)`: an exact zero for an exact positive number.
    pub fn angle(&self) -> Result<Number> {
        match self {
            Number::Real(r) if r.is_exact_zero() => Err(NumberError::DivideByZero),
            Number::Real(Real::Flo(x)) => Ok(Number::from(Float::new(*x, 0.0).angle())),
            Number::Real(r) if r.is_negative() => Ok(Number::from(std::f64::consts::PI)),
            Number::Real(_) => Ok(Number::ZERO),
            Number::Complex(z) => Ok(Number::from(z.floats().angle())),
        }
    }
}
